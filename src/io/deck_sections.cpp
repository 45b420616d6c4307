// Sections [contact], [localization], [integrator], [layout] and [output]: how the model is computed.
#include "io/deck_sections.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "io/choice_names.hpp"

namespace terrace {

[[noreturn]] static void refuse_pair_of(const TableReader& section, const std::string& name,
                                        const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  const std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  section.fail("pairs",
               section.full_name("pairs") + " of names of bodies: " + quoted_list(shown) +
                   (names.size() > most ? ", …" : ""),
               "\"" + name + "\"" + did_you_mean(name, names));
}

/// Every name in contact.pairs must be a body's or a repeated entry's; a body with itself needs smooth
/// contact. There may be a million pairs and bodies, hence the sets.
static void require_bodies(const TableReader& section, const ContactEntry& contact,
                           const std::vector<BodyEntry>& bodies) {
  if (contact.pairs.empty()) return;
  std::vector<std::string> names;
  std::unordered_set<std::string> of_one;
  for (const BodyEntry& body : bodies) {
    names.push_back(body.name);
    if (body.count == 1) of_one.insert(body.name);
    if (body.count > 1)
      for (const std::string& name : repeated_names(body)) {
        names.push_back(name);
        of_one.insert(name);
      }
  }
  const std::unordered_set<std::string> known(names.begin(), names.end());
  for (const auto& [first, second] : contact.pairs)
    if (first == second && !contact.has_layer() && of_one.contains(first))
      section.fail("pairs", "a body with itself only with the models \"gap\" and \"barrier\"",
                   "\"" + first + "\" twice");
  for (const auto& [first, second] : contact.pairs)
    for (const std::string& name : {first, second})
      if (!known.contains(name)) refuse_pair_of(section, name, names);
}

/// Rejects keys of smooth contact with other models; close_start is also meant for barrier walls.
static void reject_keys_of_smooth_contact(const TableReader& section, const ContactEntry& contact,
                                          const std::vector<Wall>& walls) {
  if (contact.has_layer()) return;
  const std::string models = " only with the models \"gap\" and \"barrier\"";
  for (const std::string key : {"distance", "self"})
    if (section.has(key)) section.fail(key, section.full_name(key) + models, "another model");
  const bool barrier_wall = std::any_of(walls.begin(), walls.end(),
                                        [](const Wall& wall) { return wall.model == WallModel::barrier; });
  if (!barrier_wall && section.has("close_start"))
    section.fail("close_start", section.full_name("close_start") + models + " or with barrier walls",
                 "another model");
}

ContactEntry read_contact(const TableReader& root, const std::vector<BodyEntry>& bodies,
                          const std::vector<Wall>& walls) {
  ContactEntry contact;
  const auto section = root.optional_table("contact");
  if (!section) return contact;
  section->allow_only(
      {"model", "stiffness", "distance", "energy_step", "self", "pairs", "close_start", "patch", "forces"});
  contact.where = section->where();
  contact.model =
      section->choice<ContactModel>("model", {{"none", ContactModel::none},
                                              {"face-intersection", ContactModel::face_intersection},
                                              {"gap", ContactModel::gap},
                                              {"barrier", ContactModel::barrier},
                                              {"hertz", ContactModel::hertz},
                                              {"rigid", ContactModel::rigid}});
  if (contact.model == ContactModel::rigid)
    for (const char* key : {"stiffness", "energy_step"})
      if (section->has(key))
        section->fail(key, "no contact." + std::string(key) + " with contact.model = \"rigid\"", "one");
  contact.stiffness = contact.model == ContactModel::face_intersection
                          ? section->number("stiffness", Range::positive())
                          : section->number("stiffness", Range::positive(), 0);
  contact.energy_step = section->number("energy_step", Range::positive(), 0);
  contact.pairs = section->name_pairs("pairs");
  require_bodies(*section, contact, bodies);
  contact.distance = section->number("distance", Range::positive(), 0);
  contact.patch = section->number("patch", Range::positive(), 0);
  if (contact.model == ContactModel::hertz && section->has("stiffness"))
    section->fail("stiffness", "no contact.stiffness with contact.model = \"hertz\"", "one");
  const bool hertz_wall = std::any_of(walls.begin(), walls.end(),
                                      [](const Wall& wall) { return wall.model == WallModel::hertz; });
  if (contact.patch > 0 && contact.model != ContactModel::hertz && !hertz_wall)
    section->fail("patch", section->full_name("patch") + " only with the model \"hertz\" or walls of it",
                  "another model");
  if (section->has("forces")) {
    const auto [least, largest] = section->positive_range("forces");
    contact.least_force = least;
    contact.largest_force = largest;
    const bool has_contacts = std::any_of(bodies.begin(), bodies.end(),
                                          [](const BodyEntry& body) { return !body.contacts.empty(); });
    if (contact.model != ContactModel::hertz && !hertz_wall && !has_contacts)
      section->fail("forces",
                    section->full_name("forces") +
                        " only with the model \"hertz\", walls of it or bodies.contacts, which heed them",
                    "none of these");
  }
  contact.self = section->flag("self", false);
  if (section->has("close_start"))
    contact.close_start = section->choice<CloseStart>(
        "close_start", {{"refuse", CloseStart::refuse}, {"reduce", CloseStart::reduce}});
  reject_keys_of_smooth_contact(*section, contact, walls);
  return contact;
}

static LocalizationEntry read_localization_of_particles(const TableReader& section) {
  LocalizationEntry localization;
  section.allow_only({"kind", "parts"});
  if (section.has("kind"))
    localization.kind = section.choice<LocalizationKind>("kind", {{"global", LocalizationKind::global},
                                                                  {"bodies", LocalizationKind::bodies},
                                                                  {"clusters", LocalizationKind::clusters},
                                                                  {"pairs", LocalizationKind::pairs}});
  if (localization.kind == LocalizationKind::clusters)
    localization.parts = static_cast<int>(section.integer("parts", 1, 1000000));
  else if (section.has("parts"))
    section.fail("parts", "localization.parts of particles only with localization.kind = \"clusters\"",
                 "another kind");
  return localization;
}

LocalizationEntry read_localization(const TableReader& root, bool of_particles) {
  LocalizationEntry localization;
  const auto section = root.optional_table("localization");
  if (!section) return localization;
  if (of_particles) return read_localization_of_particles(*section);
  section->allow_only({"kind", "parts", "contact"});
  if (section->has("kind")) localization.kind = section->choice("kind", localization_names);
  if (localization.kind == LocalizationKind::metis)
    localization.parts = static_cast<int>(section->integer("parts", 1, 1000000));
  else if (section->has("parts"))
    section->fail("parts", "localization.parts only with localization.kind = \"metis\"", "another kind");
  if (section->has("contact")) localization.contact = section->choice("contact", contact_localization_names);
  return localization;
}

/// Throws if the table has both keys, of which one would make the other meaningless.
static void reject_both(const TableReader& table, const std::string& one, const std::string& other) {
  if (table.has(one) && table.has(other))
    table.fail(other, table.full_name(one) + " or " + table.full_name(other) + ", not both", "both");
}

static const IntegratorEntry* read_method(const TableReader& section) {
  if (const IntegratorEntry* const known = find_integrator(section.text("method", ""))) return known;
  std::vector<std::pair<std::string, const IntegratorEntry*>> available;
  for (const IntegratorEntry& entry : integrators()) available.emplace_back(entry.name, &entry);
  return section.choice<const IntegratorEntry*>("method", available);
}

static bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

static void reject_keys_of_others(const TableReader& section, const IntegratorEntry& method) {
  for (const std::string& key : section.keys()) {
    if (key == "method" || key == "executor" || contains(method.keys, key)) continue;
    section.fail(key, "a key of the method \"" + std::string(method.name) + "\": " + quoted_list(method.keys),
                 section.full_name(key) + ", one of another method");
  }
}

static GridChoice read_grid(const TableReader& section) {
  GridChoice grid;
  reject_both(section, "grid_spacing", "grid_spacings");
  if (section.has("grid_spacings"))
    grid.spacing = section.positive_vector("grid_spacings");
  else
    grid.spacing.fill(section.number("grid_spacing", Range::positive()));
  grid.offset = section.number("grid_offset", Range::not_negative(), grid.offset);
  grid.parity = section.flag("parity", grid.parity);
  if (section.has("coordinates"))
    grid.reduction = section.choice<Reduction>(
        "coordinates",
        {{"nodes", Reduction::none}, {"jacobi", Reduction::translations}, {"radius", Reduction::rotations}});
  return grid;
}

static StepMethodChoice read_step_method(const TableReader& section) {
  StepMethodChoice choice;
  if (section.has("variant"))
    choice.method = section.choice<StepMethod>("variant", {{"dp1", StepMethod::kick_drift_kick},
                                                           {"dp1-lie-trotter", StepMethod::kick_drift},
                                                           {"dp1-forward-euler", StepMethod::forward_euler},
                                                           {"dp2", StepMethod::quadratic},
                                                           {"dp2-strang", StepMethod::quadratic_strang},
                                                           {"dp3", StepMethod::reversible},
                                                           {"dp3-runge-kutta", StepMethod::runge_kutta},
                                                           {"dp4", StepMethod::adaptive},
                                                           {"penalty", StepMethod::penalty}});
  const bool composed = choice.method == StepMethod::reversible || choice.method == StepMethod::adaptive;
  if (section.has("order")) {
    if (!composed)
      section.fail("order", section.full_name("order") + " with the variants \"dp3\" and \"dp4\"", "another");
    choice.order = static_cast<int>(section.integer("order", 2, 6));
    if (choice.order % 2 != 0)
      section.fail("order", section.full_name("order") + " = 2, 4 or 6", std::to_string(choice.order));
  }
  if (choice.method == StepMethod::penalty)
    choice.steepness = section.number("steepness", Range::positive());
  else if (section.has("steepness"))
    section.fail("steepness", section.full_name("steepness") + " with the variant \"penalty\"", "another");
  return choice;
}

/// Reads the weights of the semi-explicit method.
static void read_points(const TableReader& section, const IntegratorEntry& method,
                        IntegratorSettings& settings) {
  if (!contains(method.keys, "explicit_weight")) return;
  const Range share{0, 1, true, true, "a number from 0 to 1"};
  settings.explicit_weight = section.number("explicit_weight", share, settings.explicit_weight);
  settings.implicit_weight = section.number("implicit_weight", share, settings.implicit_weight);
}

/// Reads the keys of methods whose steps follow the potential energy, and the order of compositions.
static void read_scaling(const TableReader& section, const IntegratorEntry& method,
                         IntegratorSettings& settings) {
  if (contains(method.keys, "scaling_exponent"))
    settings.scaling_exponent = section.number("scaling_exponent", Range::any(), settings.scaling_exponent);
  if (contains(method.keys, "scaling_shift"))
    settings.scaling_shift = section.number("scaling_shift", Range::any(), settings.scaling_shift);
  if (section.has("scaling_shift") && settings.scaling_shift == 0)
    section.fail("scaling_shift", section.full_name("scaling_shift") + " of the sign of the potential energy",
                 "0, at which no step is finite");
  if (!contains(method.keys, "order") || contains(method.keys, "variant") || !section.has("order")) return;
  settings.order = static_cast<int>(section.integer("order", 2, 8));
  if (settings.order % 2 != 0)
    section.fail("order", section.full_name("order") + " = 2, 4, 6 or 8", std::to_string(settings.order));
}

IntegratorChoice read_integrator(const TableReader& root) {
  const TableReader section = root.table("integrator");
  std::vector<std::string> known = {"method", "executor"};
  for (const IntegratorEntry& entry : integrators())
    for (const std::string& key : entry.keys)
      if (!contains(known, key)) known.push_back(key);
  section.allow_only(known);
  IntegratorChoice integrator;
  integrator.where = section.where();
  integrator.method = read_method(section);
  reject_keys_of_others(section, *integrator.method);
  const auto number = [&](const std::string& key, double fallback) {
    return contains(integrator.method->keys, key) ? section.number(key, Range::positive(), fallback)
                                                  : fallback;
  };
  if (integrator.method->needs.energy_steps) reject_both(section, "energy_step", "energy_step_fraction");
  if (contains(integrator.method->keys, "time_step")) reject_both(section, "time_step", "time_step_factor");
  integrator.energy_step = number("energy_step", 0);
  integrator.energy_step_fraction = number("energy_step_fraction", 0);
  if (integrator.method->needs.time_step)
    integrator.settings.time_step = section.number("time_step", Range::positive());
  else
    integrator.settings.time_step = number("time_step", 0);
  integrator.settings.time_step_factor = number("time_step_factor", integrator.method->time_step_factor);
  if (integrator.method->bounded_steps && integrator.settings.time_step_factor > 1)
    section.fail(
        "time_step_factor",
        "integrator.time_step_factor of at most 1, as no step of a clock is longer than the stable one",
        fmt::format("{:g}", integrator.settings.time_step_factor));
  integrator.settings.largest_correction =
      number("largest_correction", integrator.settings.largest_correction);
  integrator.settings.debt_tolerance = number("debt_tolerance", integrator.settings.debt_tolerance);
  integrator.settings.solver_tolerance = number("solver_tolerance", integrator.settings.solver_tolerance);
  read_points(section, *integrator.method, integrator.settings);
  read_scaling(section, *integrator.method, integrator.settings);
  if (contains(integrator.method->keys, "grid_spacing")) integrator.settings.grid = read_grid(section);
  if (contains(integrator.method->keys, "variant")) integrator.settings.steps = read_step_method(section);
  if (section.has("executor")) integrator.executor = section.choice("executor", executor_names);
  return integrator;
}

LayoutEntry read_layout(const TableReader& root) {
  LayoutEntry layout;
  const auto section = root.optional_table("layout");
  if (!section) return layout;
  section->allow_only({"kind", "teams", "helpers"});
  if (section->has("kind")) layout.kind = section->choice("kind", layout_names);
  for (const auto* key : {"teams", "helpers"})
    if (section->has(key) && layout.kind != LayoutKind::windows && layout.kind != LayoutKind::automatic)
      section->fail(key, "layout.kind = \"windows\" or \"auto\", whose clusters ranks share",
                    "another layout");
  if (section->has("teams"))
    layout.teams = section->choice<TeamUse>(
        "teams",
        {{"never", TeamUse::never}, {"auto", TeamUse::where_worth_while}, {"always", TeamUse::always}});
  if (section->has("helpers"))
    layout.helpers = section->choice<HelperUse>(
        "helpers",
        {{"never", HelperUse::never}, {"auto", HelperUse::where_worth_while}, {"always", HelperUse::always}});
  return layout;
}

OutputEntry read_output(const TableReader& root, const std::string& default_directory) {
  OutputEntry output;
  output.directory = default_directory;
  const auto section = root.optional_table("output");
  if (!section) return output;
  section->allow_only({"directory", "overwrite", "field_interval", "history_interval", "surface_only",
                       "single_precision", "compression", "frames", "bodies", "bodies_interval",
                       "restart_interval", "restart_time"});
  output.directory = section->text("directory", default_directory);
  output.overwrite = section->flag("overwrite", output.overwrite);
  output.field_interval = section->number("field_interval", Range::any(), output.field_interval);
  output.history_interval =
      section->number("history_interval", Range::not_negative(), output.history_interval);
  output.bodies_interval = section->number("bodies_interval", Range::not_negative(), output.bodies_interval);
  if (section->has("bodies"))
    output.bodies =
        section->choice<BodyTable>("bodies", {{"csv", BodyTable::csv}, {"hdf5", BodyTable::hdf5}});
  if (section->has("compression"))
    output.compression = section->choice<FieldCompression>(
        "compression",
        {{"none", FieldCompression::none}, {"lz4", FieldCompression::lz4}, {"zlib", FieldCompression::zlib}});
  if (section->has("frames"))
    output.one_file = section->choice<bool>("frames", {{"pieces", false}, {"one", true}});
  output.surface_only = section->flag("surface_only", output.surface_only);
  output.single_precision = section->flag("single_precision", output.single_precision);
  output.restart_interval =
      section->number("restart_interval", Range::not_negative(), output.restart_interval);
  output.restart_time = section->number("restart_time", Range::not_negative(), output.restart_time);
  return output;
}

}  // namespace terrace
