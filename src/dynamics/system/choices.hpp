// The choices of a deck that shape the dynamics: contact, localization, layout.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace terrace {

/// hertz: of balls, between patches that their meshes carry.
enum class ContactModel { none, face_intersection, gap, barrier, hertz, rigid };
/// What to do with bodies that start nearer to each other than the activation distance.
enum class CloseStart { refuse, reduce };
struct ContactEntry {
  ContactModel model = ContactModel::none;
  double stiffness = 0;    ///< face-intersection: 1/ε; gap, barrier: κ [energy/length²], 0: chosen
  double distance = 0;     ///< gap, barrier: activation distance d̂ [length]; 0: chosen
  double energy_step = 0;  ///< 0: the integrator's
  double patch = 0;        ///< hertz: radius of the patches [length]; 0: chosen
  double least_force = 0, largest_force = 0;               ///< that contacts are to be right for; 0: not said
  bool self = false;                                       ///< every body also with itself
  std::vector<std::pair<std::string, std::string>> pairs;  ///< names of bodies; empty: all pairs
  CloseStart close_start = CloseStart::refuse;             ///< reduce: d̂ of the pair is halved distance
  std::string where;
  /// A potential of the distance of the surfaces, up to an activation distance.
  [[nodiscard]] bool has_layer() const {
    return model == ContactModel::gap || model == ContactModel::barrier;
  }
  [[nodiscard]] bool smooth() const { return has_layer() || model == ContactModel::hertz; }
};

/// Of particles a body is a table [[particles]]; clusters are parts of all of them that lie together.
enum class LocalizationKind { global, bodies, metis, clusters, pairs };
/// automatic: touching for smooth contact and where only walls are, else own.
enum class ContactLocalization { own, with_bodies, touching, automatic };
struct LocalizationEntry {
  LocalizationKind kind = LocalizationKind::bodies;
  int parts = 1;  ///< METIS parts per body, or clusters
  ContactLocalization contact = ContactLocalization::automatic;
};

/// The coordinates of force-stepping: those of the nodes, or fewer.
enum class Reduction {
  none,
  translations,  ///< Jacobi coordinates (thesis (3.44) to (3.50))
  rotations      ///< the distance of one node from the centre of its field ((3.79) to (3.81))
};

/// The grid of force-stepping.
struct GridChoice {
  std::array<double, 3> spacing{};  ///< h along x, y, z [length]
  bool parity = false;              ///< the triangulation is symmetric under reflection of each coordinate
  double offset = 0;  ///< coordinate i's planes are shifted by the fraction of i · offset, in h
  Reduction reduction = Reduction::none;
};

/// Integrators of discontinuous potentials (Tao and Jin), and what they are compared with.
enum class StepMethod {
  kick_drift_kick,   ///< DP1: drifts along lines with impacts
  kick_drift,        ///< DP1's Lie-Trotter form
  forward_euler,     ///< of the same steps, not symplectic
  quadratic,         ///< DP2: one coordinate, one interface; the triple jump of exact arcs
  quadratic_strang,  ///< DP2 without the triple jump
  reversible,        ///< DP3: an impact within a step of a smooth method
  runge_kutta,       ///< DP3 with the classical Runge-Kutta method, irreversible
  adaptive,          ///< DP4: any number of impacts in a step
  penalty            ///< W smoothed over 1/steepness, by the triple jump
};
struct StepMethodChoice {
  StepMethod method = StepMethod::adaptive;
  int order = 4;         ///< of the smooth method of DP3 and DP4: 2, 4 or 6
  double steepness = 0;  ///< penalty: [1/length]
};

enum class LayoutKind { own, slice, windows, automatic };

/// In windows: when a cluster of bodies is taken through one by several ranks.
enum class TeamUse {
  never,
  where_worth_while,  ///< it is too much for one rank, and several take less time
  always              ///< wherever it has two bodies and there are ranks left
};

/// In windows: when a cluster that its rank has not begun goes to one that has nothing left to do.
enum class HelperUse {
  never,
  where_worth_while,  ///< both are done sooner
  always
};

struct LayoutEntry {
  LayoutKind kind = LayoutKind::automatic;
  TeamUse teams = TeamUse::where_worth_while;
  HelperUse helpers = HelperUse::where_worth_while;
};

}  // namespace terrace
