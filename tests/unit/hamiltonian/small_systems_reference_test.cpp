// The tables of inputs/small_systems.md are those that the registries of systems and methods give, and
// energies are those that it documents. TERRACE_REWRITE_TABLES=1 writes the tables anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "hamiltonian/methods.hpp"
#include "hamiltonian/systems.hpp"
#include "support/table_in_text.hpp"

namespace terrace::small_systems_reference_test {
namespace {

TEST(SmallSystemsReference, NamesAllSystemsAndParameters) {
  std::string table = "| kind | is | coordinates | parameters |\n|---|---|---|---|\n";
  for (const SystemEntry& entry : systems()) {
    const auto system = make_system(entry);
    std::string parameters;
    for (const SystemParameter& parameter : entry.parameters)
      parameters +=
          fmt::format("{}`{}` = {}{}", parameters.empty() ? "" : "; ", parameter.name, parameter.value,
                      parameter.description.empty() ? "" : ", " + parameter.description);
    std::string forces;
    for (const auto& force : system->forces)
      if (force->name().find("walls_") == std::string::npos)
        forces += fmt::format("{}`{}`", forces.empty() ? ". Forces: " : ", ", force->name());
    table += fmt::format("| `\"{}\"` | {}{} | {} | {} |\n", entry.name, entry.description, forces,
                         system->initial.q.size(), parameters);
  }
  testing_of_tables::expect_table("inputs/small_systems.md",
                                  "<!-- table of systems: made by SmallSystemsReference -->\n",
                                  "<!-- end of the table of systems -->", table);
}

TEST(SmallSystemsReference, NamesAllMethodsAndKeys) {
  std::string table = "| method | is | keys |\n|---|---|---|\n";
  for (const MethodEntry& entry : methods()) {
    std::string keys;
    for (const std::string& key : entry.keys) {
      keys += fmt::format("{}`{}`", keys.empty() ? "" : ", ", key);
      if (key == "variant") keys += fmt::format(" (\"{}\")", fmt::join(entry.variants, "\", \""));
      if (key == "order") keys += fmt::format(" ({})", fmt::join(entry.orders, ", "));
    }
    table += fmt::format("| `\"{}\"` | {} | {} |\n", entry.name, entry.description, keys);
  }
  testing_of_tables::expect_table("inputs/small_systems.md",
                                  "<!-- table of methods: made by SmallSystemsReference -->\n",
                                  "<!-- end of the table of methods -->", table);
}

/// The energy of a system at a state, computed by hand from the formula in the documentation's table.
struct Documented {
  std::string kind;
  SystemParameters parameters;
  DenseState state;
  double energy;
};

std::vector<Documented> documented_energies() {
  const auto square = [](double x) { return x * x; };
  const double t = 0.7, q = 0.6, x = 0.4, y = -1.3, p = 0.9, r = 0.8;
  const double both = 0.5 * (p * p + r * r), mass = 3;
  const double of_balls = square(0.2 - std::hypot(0.06, 0.08)),
               of_walls = square(0.1 - 0.03) + square(0.1 - 0.09);
  const double bead = 0.01, mass_of_bead = 7000 * std::acos(-1.0) / 6 * std::pow(bead, 3),
               stiffness_of_beads = std::sqrt(bead) * 2e11 / (3 * (1 - 0.25 * 0.25));
  return {
      {"pendulum",
       {{"mass", mass}, {"length", 2}, {"gravity", 5}},
       {t, {q}, {p}},
       p * p / (2 * mass * 4) - mass * 5 * 2 * std::cos(q)},
      {"cartesian-pendulum", {{"gravity", 5}}, {t, {x, y}, {p, r}}, both + 5 * y},
      {"stiff-pendulum",
       {{"stiffness", 70}, {"gravity", 5}},
       {t, {x, y}, {p, r}},
       both + 5 * y + 70 * square(x * x + y * y - 1) / 4},
      {"rotor",
       {{"mass", mass}, {"stiffness", 7}, {"imbalance", 0.2}, {"frequency", 1.5}},
       {t, {x, y}, {p, r}},
       both / mass + 7 * (x * x + y * y) / 2 +
           0.2 * 1.5 * 1.5 * (x * std::cos(1.5 * t) - y * std::sin(1.5 * t))},
      {"perturbed-oscillator",
       {{"perturbation", 0.3}, {"distance", 4}},
       {t, {q}, {p}},
       p * p / 2 - 0.3 * p * p * p / 3 + 1 / (q * q) + 1 / square(q - 4) + 0.3 * q},
      {"magnetic-pendulum",
       {{"gravity", 5}, {"magnet", 0.2}, {"gap", 0.3}},
       {t, {q}, {p}},
       p * p / 2 - 5 * std::cos(q) + 0.2 / (square(std::cos(q)) + square(1 + 0.3 - std::sin(q)))},
      {"billiard",
       {{"balls", 2}, {"stiffness", 50}},
       {t, {0.03, 0.5, 0.09, 0.58}, {p, r, 0, 0}},
       both + 50 * (of_balls + of_walls) / 2},
      {"double-well", {}, {t, {q}, {p}}, p * p / 2 + (q * q * q * q - q * q) / 2},
      {"double-well-oscillator",
       {{"coupling", 0.2}},
       {t, {x, y}, {p, r}},
       both + (x * x * x * x - x * x) / 2 + y * y / 2 - 0.2 * x * y},
      {"kepler", {}, {t, {x, y}, {p, r}}, both - 1 / std::hypot(x, y)},
      {"soft-and-stiff-wall", {{"soft", 2}, {"stiff", 70}}, {t, {q}, {p}}, p * p / 2 + 2 * q * q / 2},
      {"soft-and-stiff-wall", {{"soft", 2}, {"stiff", 70}}, {t, {-q}, {p}}, p * p / 2 + 70 * q * q / 2},
      {"two-oscillators",
       {{"soft", 2}, {"stiff", 70}},
       {t, {x, y}, {p, r}},
       both + 2 * x * x / 2 + 70 * square(x - y) / 2},
      {"rigid-body",
       {{"inertia_1", 2}, {"inertia_2", 3}, {"inertia_3", 4}},
       {t, {x, y, q}, {}},
       x * x / 4 + y * y / 6 + q * q / 8},
      {"product-oscillator", {}, {t, {q}, {p}}, (1 + q * q) * (1 + p * p) / 2},
      {"bead-chain",
       {{"beads", 3},
        {"diameter", bead},
        {"youngs_modulus", 2e11},
        {"poissons_ratio", 0.25},
        {"density", 7000}},
       {t, {4e-6, 1e-6, 5e-6}, {p, r, 0}},
       both / mass_of_bead + 0.4 * stiffness_of_beads * std::pow(3e-6, 2.5)},
  };
}

TEST(SmallSystemsReference, EnergiesAreTheDocumentedOnes) {
  std::set<std::string> kinds;
  for (const Documented& expected : documented_energies()) {
    kinds.insert(expected.kind);
    const SystemEntry* entry = find_system(expected.kind);
    ASSERT_NE(entry, nullptr) << expected.kind;
    EXPECT_NEAR(make_system(*entry, expected.parameters)->energy(expected.state) / expected.energy, 1, 1e-12)
        << expected.kind;
  }
  EXPECT_EQ(kinds.size(), systems().size());
}

}  // namespace
}  // namespace terrace::small_systems_reference_test
