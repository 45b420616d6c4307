// The input deck: every key a user may write, read and checked before anything else happens.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/integrators.hpp"
#include "dynamics/system/choices.hpp"
#include "io/output_formats.hpp"
#include "mesh/model.hpp"
#include "mesh/shapes.hpp"

namespace terrace {

struct BodyEntry {
  std::string name;
  std::string where;      ///< "deck.toml:12", for messages
  std::int32_t material;  ///< index into Deck::materials
  Shape shape;
  Vector3 position{};  ///< where the shape's origin goes
  Vector3 rotation_axis{0, 0, 1};
  double rotation_angle = 0;  ///< [degrees], applied before placement
  Vector3 velocity{};
  Vector3 spin{};                      ///< angular velocity about the centre of mass
  std::vector<Vector3> contacts;       ///< of a ball: directions to its contact points, in its own frame
  bool mass_of_sphere = false;         ///< of a ball: its density makes up for what its facets leave out
  int count = 1;                       ///< number of equal bodies NAME-1 … NAME-count (plain NAME for 1)
  Vector3 offset{};                    ///< from each of them to the next
  std::array<int, 3> counts{1, 1, 1};  ///< instead: numbers of them along x, y, z of a grid (product: count)
  Vector3 spacing{};                   ///< of this grid
  double random_speed = 0;  ///< largest size of a random velocity added to each, uniform in a ball [m/s]
  std::int64_t seed = 0;    ///< of the random velocities
};

/// A body that another section of the deck names, or all bodies of a repeated entry.
struct NamedBody {
  std::string name;
  std::size_t entry = 0;  ///< index into Deck::bodies of the entry with this name, or with a body of it
  std::optional<std::size_t> number;  ///< which of the entry's bodies, from 0; none: all
};

/// The nodes of a body, or of all bodies of a repeated entry, that a support holds.
struct SupportEntry {
  enum class Nodes { group, box, surface };
  std::string name;
  std::string where;  ///< for messages
  NamedBody body;
  Nodes nodes = Nodes::surface;
  std::string group;             ///< physical surface or volume of the body's file
  std::array<Vector3, 2> box{};  ///< lowest and highest corner, in the reference configuration
  std::array<bool, 3> components{true, true, true};
  Vector3 velocity{};
};

/// A node whose motion is written: the one of a body that is nearest to a point.
struct ProbeEntry {
  std::string name;
  std::string where;  ///< for messages
  NamedBody body;     ///< a single one
  Vector3 point;      ///< [length] in the reference configuration
};

/// The point masses of one table [[particles]].
struct ParticleEntry {
  std::string name;
  std::string where;  ///< for messages
  std::vector<double> masses;
  std::vector<Vector3> positions, velocities;  ///< components beyond the dimension are 0
};

enum class Executor { sequential, checking, concurrent, validating };
struct IntegratorChoice {
  const IntegratorEntry* method = &integrators().front();
  IntegratorSettings settings;
  double energy_step = 0;           ///< of every subdomain [J]; 0: by the fraction
  double energy_step_fraction = 0;  ///< of the initial kinetic energy; both 0: suggested_energy_step
  Executor executor = Executor::sequential;
  std::string where;
};

struct OutputEntry {
  std::string directory;  ///< default: results/DECKNAME
  bool overwrite = false;
  double field_interval = 0;    ///< time between frames; 0: time.end / 50; negative: none but first and last
  double history_interval = 0;  ///< 0: time.end / 1000
  double bodies_interval = 0;   ///< between rows of each body; 0: history_interval
  BodyTable bodies = BodyTable::csv;
  bool surface_only = false;
  bool single_precision = false;  ///< of frames and bodies.h5
  FieldCompression compression = FieldCompression::lz4;
  bool one_file = false;          ///< for each frame, instead of a piece per rank
  double restart_interval = 600;  ///< [s] on the wall between restart files; 0: by simulated time alone
  double restart_time = 0;        ///< simulated time between restart files; 0: by the clock on the wall alone
};

struct SmallSystem;  // small_system.hpp

struct Deck {
  std::string path;
  std::string title;
  std::string text;  ///< the deck as read, --set applied, for the echo in summary.json
  double end_time = 0;
  std::int64_t maximum_events = 0;  ///< time.events: stop after so many; 0: no limit
  std::vector<Material> materials;
  std::vector<BodyEntry> bodies;
  std::vector<ParticleEntry> particles;       ///< instead of bodies
  int dimension = 3;                          ///< of particles
  std::shared_ptr<const SmallSystem> system;  ///< instead of bodies and particles
  std::vector<Interaction> interactions;
  std::vector<Wall> walls;
  std::vector<SupportEntry> supports;
  std::vector<ProbeEntry> probes;
  Vector3 gravity{};  ///< acceleration; 0: none
  ContactEntry contact;
  LocalizationEntry localization;
  IntegratorChoice integrator;
  LayoutKind layout = LayoutKind::automatic;
  TeamUse teams = TeamUse::where_worth_while;
  HelperUse helpers = HelperUse::where_worth_while;
  OutputEntry output;
  /// File and line, "deck.toml:12", by key, such as "contact" or "output.history_interval": of all sections,
  /// and of the keys that only a run or its model can refuse.
  std::map<std::string, std::string> places;

  /// For messages: "deck.toml:12: output.history_interval"; the key alone where the deck does not have it.
  [[nodiscard]] std::string place(const std::string& key) const;
};

/// Reads and checks a deck. `settings` are the command line's --set key.path=value (value in TOML; a bare
/// word is a string). Throws Error(input) with file, line, what was expected (all allowed names or the
/// allowed range) and what was found, for every unknown or missing key, wrong type, value out of range,
/// duplicate name, missing file.
Deck read_deck(const std::string& path, const std::vector<std::string>& settings);

/// What windows (layout.kind = "windows") need of a deck, and what it has instead.
struct Obstacle {
  std::string expected, found;
};

/// The first reason why the deck cannot have windows, in which bodies are worked on apart from each other;
/// nothing where it can.
[[nodiscard]] std::optional<Obstacle> obstacle_to_windows(const Deck& deck);

/// Meshes, places and joins all bodies of a deck (serial; call on rank 0). A mesh is made once for equal
/// shapes. Throws what make_mesh throws, and Error(input) for overlapping bodies (both names and the place),
/// for bodies behind walls, and for coordinates, masses and energies that doubles do not resolve.
Model build_model(const Deck& deck);

}  // namespace terrace
