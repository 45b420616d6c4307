#include "hamiltonian/systems.hpp"

#include <algorithm>

#include "hamiltonian/make_systems.hpp"
#include "numerics/contract.hpp"

namespace terrace {

const std::vector<SystemEntry>& systems() {
  using Range = SystemParameter::Range;
  static const std::vector<SystemEntry> all = {
      {"pendulum",
       "by its angle",
       {{"mass", 1, Range::positive, "of the bob"},
        {"length", 1, Range::positive, "of the rod"},
        {"gravity", 1, Range::not_negative, "acceleration"}},
       make_pendulum},
      {"cartesian-pendulum",
       "by its place in two or three dimensions, on a constraint",
       {{"dimension", 2, Range::count, "2 or 3; gravity is against the last axis"},
        {"length", 1, Range::positive, "of the rod"},
        {"gravity", 1, Range::not_negative, "acceleration"}},
       make_cartesian_pendulum},
      {"stiff-pendulum",
       "by its place in the plane, held by a stiff penalty",
       {{"stiffness", 1e4, Range::positive, "k of the acceleration −k (q² − 1) q"},
        {"gravity", 1, Range::not_negative, "acceleration, against y"}},
       make_stiff_pendulum},
      {"rotor",
       "an unbalanced mass turns on a spring, load in time",
       {{"mass", 1, Range::positive, ""},
        {"stiffness", 1, Range::positive, "of the spring"},
        {"imbalance", 0.1, Range::not_negative, "mass times eccentricity"},
        {"frequency", 1.02, Range::any, "angular, of the load"}},
       make_rotor},
      {"perturbed-oscillator",
       "between two repelling centres, with a term odd in p: not reversible",
       {{"perturbation", 0.01, Range::any, "ε of −ε p³/3 and ε q"},
        {"distance", 10, Range::positive, "between the centres"}},
       make_perturbed_oscillator},
      {"magnetic-pendulum",
       "that turns over past a magnet",
       {{"gravity", 1, Range::not_negative, ""},
        {"magnet", 0.1, Range::any, "μ, its strength"},
        {"gap", 0.05, Range::positive, "δ between magnet and circle"}},
       make_magnetic_pendulum},
      {"billiard",
       "balls in the unit square, contact by penalty",
       {{"balls", 4, Range::count, "how many"},
        {"radius", 0.1, Range::positive, "of each"},
        {"stiffness", 1e4, Range::positive, "of a contact"},
        {"smoothing", 1e-3, Range::positive, "c of the contact in the scaling of time"},
        {"limit", 1, Range::not_negative, "c of the scaling without contact"}},
       make_billiard},
      {"double-well", "½ (q⁴ − q²)", {}, make_double_well},
      {"double-well-oscillator",
       "a double well and an oscillator, coupled",
       {{"coupling", 0.01, Range::any, "ε of −ε x y"}},
       make_double_well_oscillator},
      {"kepler",
       "a planet in the plane",
       {{"eccentricity", 0.6, Range::not_negative, "of the orbit it starts on, at its pericentre"}},
       make_kepler},
      {"soft-and-stiff-wall",
       "a particle between two springs",
       {{"soft", 1, Range::positive, "stiffness at q > 0"},
        {"stiff", 1e4, Range::positive, "stiffness at q < 0"},
        {"smoothing", 1e-3, Range::positive, "c of the change between them in the scaling of time"}},
       make_soft_and_stiff_wall},
      {"two-oscillators",
       "a soft one and a free mass, bound by a stiff spring and damper",
       {{"soft", 1, Range::not_negative, "stiffness"},
        {"stiff", 1e3, Range::not_negative, "stiffness"},
        {"damping", 1e2, Range::not_negative, "of the damper"}},
       make_two_oscillators},
      {"rigid-body",
       "free, by its angular momentum in its own frame",
       {{"inertia_1", 0.5, Range::positive, "about the first axis"},
        {"inertia_2", 1, Range::positive, "about the second"},
        {"inertia_3", 2, Range::positive, "about the third"}},
       make_rigid_body},
      {"product-oscillator", "H = ½ (1 + q²)(1 + p²): not separable", {}, make_product_oscillator},
      {"bead-chain",
       "equal beads on a line, Hertz springs, with losses or without; the first one strikes",
       {{"beads", 28, Range::count, "how many, the striker included"},
        {"diameter", 9.52e-3, Range::positive, ""},
        {"youngs_modulus", 213e9, Range::positive, ""},
        {"poissons_ratio", 0.30, Range::not_negative, ""},
        {"density", 7780, Range::positive, ""},
        {"speed", 0.44271, Range::positive, "of the striker"},
        {"loss", 0, Range::not_negative, "c of the restitution 1 − c v^b"},
        {"loss_exponent", 0.4101, Range::positive, "b"},
        {"drag", 0, Range::any,
         "γ of the discrete Laplacian of the velocities, see below; its sign does not count"},
        {"drag_exponent", 1.81, Range::positive, "its exponent"}},
       make_bead_chain}};
  return all;
}

const SystemEntry* find_system(std::string_view name) {
  const auto found = std::find_if(systems().begin(), systems().end(),
                                  [&](const SystemEntry& entry) { return entry.name == name; });
  return found == systems().end() ? nullptr : &*found;
}

std::unique_ptr<HamiltonianSystem> make_system(const SystemEntry& entry, const SystemParameters& changed) {
  SystemParameters parameters;
  for (const SystemParameter& parameter : entry.parameters) parameters[parameter.name] = parameter.value;
  for (const auto& [name, value] : changed) {
    TERRACE_VERIFY(parameters.count(name) == 1, name);
    parameters[name] = value;
  }
  return entry.make(parameters);
}

MadeSystem blank_system(const char* kind, Values masses, Values q) {
  auto system = std::make_unique<HamiltonianSystem>();
  system->kind = kind;
  system->initial.p.assign(masses.size(), 0.0);
  system->masses = std::move(masses);
  system->initial.q = std::move(q);
  for (std::size_t i = 1; i <= system->initial.q.size(); ++i)
    system->coordinate_names.push_back("q_" + std::to_string(i));
  for (std::size_t i = 1; i <= system->initial.p.size(); ++i)
    system->momentum_names.push_back("p_" + std::to_string(i));
  return system;
}

}  // namespace terrace
