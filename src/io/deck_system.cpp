// Sections [system] and [integrator] of decks of small systems.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/deck_sections.hpp"
#include "io/small_system.hpp"

namespace terrace {

namespace {

Range range_of(SystemParameter::Range range) {
  if (range == SystemParameter::Range::any) return Range::any();
  return range == SystemParameter::Range::not_negative ? Range::not_negative() : Range::positive();
}

void read_parameters(const TableReader& system, SmallSystem& small) {
  std::vector<std::string> names;
  for (const SystemParameter& parameter : small.kind->parameters) names.push_back(parameter.name);
  const auto table = system.optional_table("parameters");
  if (!table) return;
  table->allow_only(names);
  for (const SystemParameter& parameter : small.kind->parameters) {
    if (!table->has(parameter.name)) continue;
    small.parameters[parameter.name] = parameter.range == SystemParameter::Range::count
                                           ? static_cast<double>(table->integer(parameter.name, 1, 1000))
                                           : table->number(parameter.name, range_of(parameter.range));
  }
  const auto require = [&](const char* name, bool holds, const char* expected) {
    if (!holds)
      table->fail(name, table->full_name(name) + " " + expected,
                  fmt::format("{}", small.parameters.at(name)));
  };
  const std::string kind(small.kind->name);
  if (kind == "cartesian-pendulum" && small.parameters.count("dimension") == 1)
    require("dimension", std::abs(small.parameters["dimension"] - 2.5) < 1, "= 2 or 3");
  if (kind == "kepler" && small.parameters.count("eccentricity") == 1)
    require("eccentricity", small.parameters["eccentricity"] < 1, "below 1");
  if (kind == "bead-chain" && small.parameters.count("poissons_ratio") == 1)
    require("poissons_ratio", small.parameters["poissons_ratio"] < 1, "below 1");
}

void read_start(const TableReader& table, SmallSystem& small, const HamiltonianSystem& system) {
  if (table.has("coordinates")) small.coordinates = table.numbers("coordinates", system.initial.q.size());
  if (!table.has("momenta")) return;
  if (system.initial.p.empty())
    table.fail("momenta", "no system.momenta of a rigid body, whose coordinates are its angular momentum",
               "some");
  small.momenta = table.numbers("momenta", system.initial.p.size());
}

/// Reads forces such as `penalty = { on = true, implicit = false }`.
void read_forces(const TableReader& system_table, SmallSystem& small, const HamiltonianSystem& system) {
  const auto table = system_table.optional_table("forces");
  if (!table) return;
  std::vector<std::string> names;
  for (const auto& force : system.forces) names.push_back(force->name());
  if (names.empty())
    system_table.fail("forces", "no system.forces of this kind, which has none by name", "some");
  table->allow_only(names);
  for (const std::string& name : table->keys()) {
    const TableReader of = table->table(name);
    of.allow_only({"on", "implicit"});
    ForceChoice choice{name, table->where(name), std::nullopt, std::nullopt};
    if (of.has("on")) choice.on = of.flag("on", true);
    if (of.has("implicit")) choice.implicit = of.flag("implicit", false);
    small.forces.push_back(std::move(choice));
  }
}

/// Rejects a choice of implicit forces with methods that do not tell forces apart.
void reject_implicit_forces(const TableReader& table, const SmallSystem& small) {
  if (has_key(*small.method, "implicit_weight")) return;
  for (const ForceChoice& choice : small.forces)
    if (choice.implicit)
      table.table("forces")
          .table(choice.name)
          .fail("implicit", "implicit forces only with integrator.method = \"semi-explicit\"",
                fmt::format("\"{}\"", small.method->name));
}

const MethodEntry* read_method_of_small_system(const TableReader& section) {
  std::vector<std::pair<std::string, const MethodEntry*>> available;
  for (const MethodEntry& entry : methods()) available.emplace_back(entry.name, &entry);
  return section.choice<const MethodEntry*>("method", available);
}

void reject_keys_of_others(const TableReader& section, const MethodEntry& method) {
  for (const std::string& key : section.keys())
    if (key != "method" && !has_key(method, key))
      section.fail(key,
                   "a key of the method \"" + std::string(method.name) + "\": " + quoted_list(method.keys),
                   section.full_name(key) + ", one of another method");
}

void read_step(const TableReader& section, const MethodEntry& method, MethodSettings& settings) {
  const bool by_time = has_key(method, "time_step"), by_parameter = has_key(method, "step_parameter");
  if (by_time && by_parameter) {
    if (section.has("time_step") == section.has("step_parameter"))
      section.fail("time_step", "either integrator.time_step or integrator.step_parameter",
                   section.has("time_step") ? "both" : "neither");
    settings.time_step = section.number("time_step", Range::positive(), 0);
    settings.step_parameter = section.number("step_parameter", Range::positive(), 0);
  } else if (by_time) {
    settings.time_step = section.number("time_step", Range::positive());
  } else {
    settings.step_parameter = section.number("step_parameter", Range::positive());
  }
}

void read_scaling(const TableReader& section, MethodSettings& settings, bool by_place) {
  std::vector<std::pair<std::string, ScalingKind>> kinds = {{"potential", ScalingKind::potential}};
  if (by_place) {
    kinds.emplace_back("system", ScalingKind::system);
  } else {
    kinds.emplace_back("kinetic", ScalingKind::kinetic);
    kinds.emplace_back("action", ScalingKind::action);
  }
  if (section.has("scaling")) settings.scaling = section.choice<ScalingKind>("scaling", kinds);
  if (settings.scaling == ScalingKind::system)
    for (const char* key : {"scaling_exponent", "scaling_shift"})
      if (section.has(key))
        section.fail(key, "no integrator." + std::string(key) + " with integrator.scaling = \"system\"",
                     "one");
  settings.scaling_exponent = section.number("scaling_exponent", Range::any(), settings.scaling_exponent);
  settings.scaling_shift = section.number("scaling_shift", Range::any(), settings.scaling_shift);
}

double share(const TableReader& section, const std::string& key, double fallback) {
  const double value = section.number(key, Range::not_negative(), fallback);
  if (value > 1) section.fail(key, section.full_name(key) + " to be from 0 to 1", fmt::format("{}", value));
  return value;
}

void read_order(const TableReader& section, const MethodEntry& method, MethodSettings& settings) {
  if (!section.has("order")) return;
  settings.order = static_cast<int>(section.integer("order", 1, 10));
  if (std::find(method.orders.begin(), method.orders.end(), settings.order) == method.orders.end())
    section.fail("order", fmt::format("{} = {}", section.full_name("order"), fmt::join(method.orders, ", ")),
                 fmt::format("{}", settings.order));
}

/// Rejects a start off the constraint, or with velocities that leave it: the first step would jump back to
/// it.
void require_on_constraint(const TableReader& table, const HamiltonianSystem& system) {
  if (system.constraint == nullptr) return;
  constexpr double rounding = 1e-6;  // for a start that is written with some digits
  const View q = system.initial.q;
  const Values v = system.velocity(system.initial.p), values = system.constraint->values(q);
  const std::vector<Values> gradients = system.constraint->gradients(q);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double bound = rounding * std::sqrt(dot(gradients[k], gradients[k])),
                 leaving = dot(v, gradients[k]);
    if (!(std::abs(values[k]) <= bound * std::sqrt(dot(q, q))))
      table.fail("coordinates", "system.coordinates that meet the constraint",
                 fmt::format("a value of {:.4g} in place of 0", values[k]));
    if (!(std::abs(leaving) <= bound * std::sqrt(dot(v, v))))
      table.fail("momenta", "system.momenta along the constraint",
                 fmt::format("a rate of {:.4g} at which they leave it", leaving));
  }
}

/// Rejects balls that overlap each other or a wall: an energy that nobody gave them would shoot them out.
void require_apart(const TableReader& table, const SmallSystem& small, const HamiltonianSystem& system) {
  if (system.overlap == nullptr) return;
  constexpr double rounding = 1e-9;  // [m], for systems of the size 1
  const double overlap = system.overlap(system.initial.q);
  if (overlap > rounding)
    table.fail(small.coordinates ? "coordinates" : "parameters",
               "balls that overlap neither each other nor the walls at the start",
               fmt::format("overlaps of {:.3g}", overlap));
}

/// Rejects keys that other choices leave without effect, and values with which the method is not valid.
void reject_keys_without_effect(const TableReader& section, const MethodEntry& method,
                                const MethodSettings& settings) {
  const auto reject = [&](const char* key, const std::string& expected) {
    section.fail(key, expected,
                 fmt::format("{} = {}", section.full_name(key), section.number(key, Range::any())));
  };
  const std::string name(method.name);
  // Modin and Führer (paper V), theorem 3: without damping stable for h² k ≤ 2/α, and at no step where α < ½.
  if (name == "semi-explicit" && settings.tolerance > 0) {
    const double weight = settings.explicit_weight, most = 2 / weight;
    if (weight < 0.5)
      reject("tolerance",
             "no integrator.tolerance with integrator.explicit_weight below 0.5, with which explicit forces "
             "are unstable at every step");
    if (!(settings.tolerance < most))
      reject("tolerance", fmt::format("integrator.tolerance below {:.4g} = 2 / integrator.explicit_weight, "
                                      "from which on explicit forces are unstable",
                                      most));
  }
  if (name == "adaptive-variational" && settings.variant == "symmetric" && settings.weight == 0.5 &&
      settings.scaling_weight == 0.5)
    section.fail("variant",
                 "integrator.weight or integrator.scaling_weight other than 0.5 with integrator.variant = "
                 "\"symmetric\", which is \"midpoint\" at twice the cost otherwise",
                 "0.5 of both");
  if (name == "runge-kutta" && settings.tolerance > 0 &&
      (settings.variant == "classical" || settings.variant == "midpoint"))
    reject("tolerance", "no integrator.tolerance with integrator.variant = \"" + settings.variant +
                            "\", which has no estimate of its error");
  if (name == "theta" && settings.weight == 0)
    reject("weight", "integrator.weight > 0, for an implicit method");
  if (settings.largest_step > 0 && settings.largest_step < settings.time_step)
    reject("largest_step", fmt::format("at least integrator.time_step = {}", settings.time_step));
  if (name == "adaptive-variational" && settings.variant == "explicit")
    for (const char* key : {"weight", "scaling_weight"})
      if (section.has(key))
        reject(key, "no integrator." + std::string(key) + " with integrator.variant = \"explicit\"");
}

MethodSettings read_settings(const TableReader& section, const MethodEntry& method) {
  MethodSettings settings;
  const auto has = [&](const char* key) { return has_key(method, key); };
  read_step(section, method, settings);
  if (has("order")) read_order(section, method, settings);
  if (has("variant")) {
    std::vector<std::pair<std::string, std::string>> variants;
    for (const std::string& variant : method.variants) variants.emplace_back(variant, variant);
    settings.variant =
        section.has("variant") ? section.choice<std::string>("variant", variants) : method.variants.front();
  }
  if (has("weight")) settings.weight = share(section, "weight", settings.weight);
  if (has("radius")) settings.spectral_radius = share(section, "radius", settings.spectral_radius);
  if (has("scaling_weight"))
    settings.scaling_weight = share(section, "scaling_weight", settings.scaling_weight);
  if (has("explicit_weight"))
    settings.explicit_weight = share(section, "explicit_weight", settings.explicit_weight);
  if (has("implicit_weight"))
    settings.implicit_weight = share(section, "implicit_weight", settings.implicit_weight);
  if (has("scaling")) read_scaling(section, settings, method.name != "time-transformed-splitting");
  if (has("tolerance")) settings.tolerance = section.number("tolerance", Range::positive(), 0);
  if (has("largest_step")) settings.largest_step = section.number("largest_step", Range::positive(), 0);
  reject_keys_without_effect(section, method, settings);
  if (has("initial_density") && section.has("initial_density"))
    settings.unit_density = section.choice<bool>("initial_density", {{"scaled", false}, {"one", true}});
  return settings;
}

}  // namespace

std::unique_ptr<HamiltonianSystem> SmallSystem::make() const {
  auto system = make_system(*kind, parameters);
  if (coordinates) system->initial.q = *coordinates;
  if (momenta) system->initial.p = *momenta;
  for (const ForceChoice& choice : forces) {
    ForceTerm* force = find_force(*system, choice.name);
    force->on = choice.on.value_or(force->on);
    force->implicit = choice.implicit.value_or(force->implicit);
  }
  return system;
}

std::shared_ptr<const SmallSystem> read_small_system(const TableReader& root) {
  const TableReader table = root.table("system");
  table.allow_only({"kind", "parameters", "coordinates", "momenta", "forces"});
  auto small = std::make_shared<SmallSystem>();
  std::vector<std::pair<std::string, const SystemEntry*>> kinds;
  for (const SystemEntry& entry : systems()) kinds.emplace_back(entry.name, &entry);
  small->where = table.where();
  small->kind = table.choice<const SystemEntry*>("kind", kinds);
  read_parameters(table, *small);
  const auto plain = make_system(*small->kind, small->parameters);
  read_start(table, *small, *plain);
  read_forces(table, *small, *plain);
  const TableReader section = root.table("integrator");
  small->method = read_method_of_small_system(section);
  small->method_where = section.where("method");
  reject_keys_of_others(section, *small->method);
  reject_implicit_forces(table, *small);
  small->settings = read_settings(section, *small->method);
  const auto system = small->make();
  require_on_constraint(table, *system);
  require_apart(table, *small, *system);
  if (const auto refused = refusal(*small->method, small->settings, *system))
    section.fail("method", refused->expected, refused->found);
  return small;
}

}  // namespace terrace
