#include "io/deck.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "dynamics/system/localization.hpp"
#include "io/choice_names.hpp"
#include "io/deck_reader.hpp"
#include "io/deck_sections.hpp"
#include "io/small_system.hpp"
#include "parallel/error.hpp"

namespace terrace {

static void read_time(const TableReader& root, Deck& deck) {
  const TableReader time = root.table("time");
  time.allow_only({"end", "events"});
  deck.end_time = time.number("end", Range::positive());
  if (time.has("events"))
    deck.maximum_events = time.integer("events", 0, std::numeric_limits<std::int64_t>::max());
}

static void require_particle_method(const Deck& deck) {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrators())
    if (entry.particles) names.emplace_back(entry.name);
  if (!deck.integrator.method->particles)
    throw Error(Error::Kind::input, deck.integrator.where,
                "an integrator.method that moves particles: " + quoted_list(names),
                fmt::format("\"{}\"", deck.integrator.method->name));
  for (const Interaction& interaction : deck.interactions) {
    if (interaction.smooth() || deck.integrator.method->potential_steps) continue;
    if (interaction.is_wall() && deck.integrator.method->set_constraints) {
      for (const std::vector<RegionPart>& piece : interaction.region.pieces)
        for (const RegionPart& part : piece)
          if (part.kind == RegionPart::Kind::formula)
            throw Error(Error::Kind::input, interaction.where,
                        "walls of half-spaces and balls with integrator.method = \"energy-stepping\"",
                        "one of a formula");
      continue;
    }
    throw Error(Error::Kind::input, interaction.where,
                interaction.is_wall()
                    ? "integrator.method = \"energy-stepping\" or \"discontinuous-potential\" for walls"
                    : "integrator.method = \"discontinuous-potential\" for potentials of kind = \"step\"",
                fmt::format("\"{}\", which needs gradients", deck.integrator.method->name));
  }
}

static void require_possible(const Deck& deck) {
  if (!deck.particles.empty()) return require_particle_method(deck);
  if (!deck.integrator.method->meshes)
    throw Error(
        Error::Kind::input, deck.integrator.where,
        "[[particles]] with integrator.method = \"" + std::string(deck.integrator.method->name) + "\"",
        "bodies of meshes");
  if (can_do(*deck.integrator.method, deck.contact.model)) return;
  const std::string method(deck.integrator.method->name);
  if (!deck.integrator.method->contact)
    throw Error(Error::Kind::input, deck.contact.where,
                "contact.model = \"none\" with integrator.method = \"" + method + "\"",
                std::string(deck.integrator.method->no_contact));
  if (deck.contact.model == ContactModel::rigid)
    throw Error(Error::Kind::input, deck.contact.where,
                "contact.model = \"rigid\" with integrator.method = \"energy-stepping\"",
                "the method \"" + method + "\", which cannot reflect");
  throw Error(Error::Kind::input, deck.contact.where,
              "contact.model = \"barrier\", \"gap\", \"hertz\" or \"none\" with integrator.method = \"" +
                  method + "\"",
              "\"face-intersection\", for which no certificate guards a step");
}

/// Rejects contact.energy_step with methods that have no energy steps. It would mean nothing to the method,
/// but decide which terraces bodies share, and so which kind of run it is.
static void reject_energy_step_of_contact(const Deck& deck, const TableReader& root) {
  if (deck.integrator.method->needs.energy_steps || !(deck.contact.energy_step > 0)) return;
  root.table("contact").fail("energy_step",
                             "contact.energy_step only with integrator.method = \"energy-stepping\"",
                             fmt::format("\"{}\"", deck.integrator.method->name));
}

/// With gravity the shift must be given: its default is a share of the energy at the start, which says
/// nothing of how far bodies will fall.
static void require_shift_with_gravity(const Deck& deck, const TableReader& root) {
  const std::vector<std::string>& keys = deck.integrator.method->keys;
  if (std::find(keys.begin(), keys.end(), "scaling_shift") == keys.end()) return;
  if (deck.gravity == Vector3{} || deck.integrator.settings.scaling_shift != 0) return;
  root.table("integrator")
      .fail("scaling_shift",
            "integrator.scaling_shift with [gravity], whose energy is 0 at the start and falls below it: "
            "more than the bodies can lose of it",
            "none");
}

std::optional<Obstacle> obstacle_to_windows(const Deck& deck) {
  std::optional<Obstacle> first;
  const auto require = [&](bool holds, const std::string& expected, const std::string& found) {
    if (!holds && !first) first = {expected, found};
  };
  require(deck.integrator.method->windows, "integrator.method = \"clocked-energy-stepping\"",
          fmt::format("\"{}\"", deck.integrator.method->name));
  require(deck.localization.kind == LocalizationKind::bodies, "localization.kind = \"bodies\"",
          quoted_name(localization_names, deck.localization.kind));
  const ContactLocalization of_contact = resolved(deck.localization.contact, deck.contact);
  require(of_contact == ContactLocalization::touching, "localization.contact = \"touching\"",
          quoted_name(contact_localization_names, of_contact));
  require(deck.contact.model != ContactModel::none, "contact of bodies", "contact.model = \"none\"");
  require(deck.integrator.executor == Executor::sequential, "integrator.executor = \"sequential\"",
          quoted_name(executor_names, deck.integrator.executor));
  return first;
}

static void require_windows(const Deck& deck, const TableReader& root) {
  if (deck.layout != LayoutKind::windows) return;
  if (const auto obstacle = obstacle_to_windows(deck))
    root.fail("layout", fmt::format("layout.kind = \"windows\" with {}", obstacle->expected),
              obstacle->found);
}

/// Executors of many events at once need subdomains that are each on one rank; only those of pairs of bodies
/// may come and go.
static void require_concurrency(const Deck& deck, const TableReader& root) {
  const Executor executor = deck.integrator.executor;
  if (executor != Executor::concurrent && executor != Executor::validating) return;
  const auto require = [&](bool holds, const std::string& expected, const std::string& found) {
    if (!holds)
      root.fail(
          "integrator",
          fmt::format("integrator.executor = {} with {}", quoted_name(executor_names, executor), expected),
          found);
  };
  require(deck.integrator.method->name == "energy-stepping", "integrator.method = \"energy-stepping\"",
          fmt::format("\"{}\"", deck.integrator.method->name));
  require(deck.particles.empty(), "[[bodies]]", "[[particles]]");
  require(deck.layout == LayoutKind::own, "layout.kind = \"own\"", quoted_name(layout_names, deck.layout));
  if (deck.contact.model != ContactModel::none) {
    require(deck.contact.model != ContactModel::rigid, "contact that has an energy",
            "contact.model = \"rigid\"");
    require(deck.localization.kind == LocalizationKind::bodies,
            "localization.kind = \"bodies\", where there is contact",
            quoted_name(localization_names, deck.localization.kind));
    const ContactLocalization of_contact = resolved(deck.localization.contact, deck.contact);
    require(of_contact == ContactLocalization::own, "localization.contact = \"own\"",
            quoted_name(contact_localization_names, of_contact));
  }
}

static void reject_sections(const TableReader& root, const std::vector<std::string>& sections,
                            const std::string& expected, const std::string& of) {
  for (const std::string& section : sections)
    if (root.has(section)) root.fail(section, expected, fmt::format("\"{}\"{}", section, of));
}

static void read_mesh_system(const TableReader& root, const std::string& path, Deck& deck) {
  reject_sections(root, {"potentials"}, "tables [[potentials]] only beside [[particles]]", "");
  deck.materials = read_materials(root);
  deck.bodies = read_bodies(root, deck.materials, path);
  deck.walls = read_walls(root, deck.bodies);
  deck.supports = read_supports(root, deck.bodies, deck.walls);
  deck.probes = read_probes(root, deck.bodies);
  deck.contact = read_contact(root, deck.bodies, deck.walls);
  refine_contacts(deck.contact, deck.materials, deck.walls, deck.bodies);
}

static void read_particle_system(const TableReader& root, const std::string& path, Deck& deck) {
  reject_sections(root, {"materials", "bodies", "contact", "supports", "probes", "layout"},
                  "tables [[particles]] or meshes, not both", ", which is of meshes");
  if (const auto output = root.optional_table("output"); output && output->has("surface_only"))
    output->fail("surface_only", "no output.surface_only of [[particles]], which have no surface", "it");
  deck.particles = read_particles(root, path, deck.dimension);
  deck.walls = read_walls(root, {});
  deck.interactions = read_interactions(root, deck.particles, deck.walls, deck.dimension);
}

/// A deck of a small system has, besides, only title, [time], [integrator] and some keys of [output].
static void read_system_deck(const TableReader& root, Deck& deck, const std::string& default_directory) {
  reject_sections(root,
                  {"materials", "bodies", "particles", "potentials", "contact", "walls", "supports", "probes",
                   "gravity", "localization", "layout"},
                  "a table [system], or meshes or particles, not both", ", which is of those");
  deck.system = read_small_system(root);
  const auto output = root.optional_table("output");
  if (output) output->allow_only({"directory", "overwrite", "history_interval"});
  deck.output = read_output(root, default_directory);
}

/// Rejects gravity and walls that particles of fewer than three dimensions cannot follow.
static void require_dimension(const Deck& deck, const TableReader& root) {
  const auto require = [&](const std::string& key, const Vector3& vector) {
    for (std::size_t d = static_cast<std::size_t>(deck.dimension); d < 3; ++d)
      if (vector[d] != 0)
        root.fail(key, fmt::format("0 in the components beyond the particles' {}", deck.dimension),
                  fmt::format("[{}, {}, {}]", vector[0], vector[1], vector[2]));
  };
  require("gravity", deck.gravity);
  for (const Wall& wall : deck.walls) require("walls", wall.normal);
}

static std::map<std::string, std::string> places_of(const TableReader& root) {
  std::map<std::string, std::string> places;
  for (const std::string& name : root.keys()) places[name] = root.where(name);
  for (const std::string name : {"time", "contact", "localization", "integrator", "output"})
    if (const auto table = root.optional_table(name))
      for (const std::string& key : table->keys())
        places[fmt::format("{}.{}", name, key)] = table->where(key);
  return places;
}

std::string Deck::place(const std::string& key) const {
  const auto found = places.find(key);
  return found == places.end() ? key : found->second + ": " + key;
}

Deck read_deck(const std::string& path, const std::vector<std::string>& settings) {
  const DeckDocument document = parse_deck(path, settings);
  const TableReader& root = document.root;
  root.allow_only({"title", "time", "materials", "bodies", "particles", "potentials", "system", "contact",
                   "walls", "supports", "probes", "gravity", "localization", "integrator", "layout",
                   "output"});
  const std::string deck_name = std::filesystem::path(path).stem().string();
  Deck deck;
  deck.path = path;
  deck.text = document.text;
  deck.title = root.text("title", deck_name);
  deck.places = places_of(root);
  read_time(root, deck);
  if (root.has("system")) {
    read_system_deck(root, deck, "results/" + deck_name);
    return deck;
  }
  const bool of_particles = root.has("particles");
  if (of_particles) {
    read_particle_system(root, path, deck);
  } else {
    read_mesh_system(root, path, deck);
  }
  deck.gravity = read_gravity(root, deck.bodies, deck.walls, deck.supports);
  if (of_particles) require_dimension(deck, root);
  deck.localization = read_localization(root, of_particles);
  deck.integrator = read_integrator(root);
  require_possible(deck);
  reject_energy_step_of_contact(deck, root);
  require_shift_with_gravity(deck, root);
  const LayoutEntry layout = read_layout(root);
  deck.layout = layout.kind;
  deck.teams = layout.teams;
  deck.helpers = layout.helpers;
  require_windows(deck, root);
  require_concurrency(deck, root);
  deck.output = read_output(root, "results/" + deck_name);
  return deck;
}

}  // namespace terrace
