#include "dynamics/clocked/energies_of_motion.hpp"

#include <cstddef>

#include "dynamics/state/exact_table.hpp"
#include "numerics/at.hpp"

namespace terrace {
namespace {

/// Exact sums over the nodes of each subdomain, [subdomain, column]. add_node(add, i, mass, velocity) calls
/// add(i, column, value) for a node of subdomains[i].
template <class AddNode>
std::vector<double> sums_over_nodes(const Lagrangian& system, const State& state,
                                    std::span<const std::int32_t> subdomains, std::size_t columns,
                                    AddNode add_node) {
  return exact_table(*system.communicator, subdomains.size(), columns,
                     static_cast<double>(system.node_count) + 1, [&](auto& add) {
                       for (std::size_t i = 0; i < subdomains.size(); ++i)
                         for (const std::int32_t a : at(system.subdomains, subdomains[i]).owned_nodes)
                           add_node(add, i, at(system.masses, a), at(state.lines, a).velocity);
                     });
}

/// For each subdomain, the kinetic energy relative to its entry of `velocities` [J].
std::vector<double> energies_about(const Lagrangian& system, const State& state,
                                   std::span<const std::int32_t> subdomains,
                                   std::span<const Vector3> velocities) {
  return sums_over_nodes(system, state, subdomains, 1,
                         [&](auto& add, std::size_t i, double mass, const Vector3& velocity) {
                           const Vector3 relative = velocity - velocities[i];
                           add(i, 0, 0.5 * mass * dot(relative, relative));
                         });
}

}  // namespace

std::vector<double> energies_about_mean(const Lagrangian& system, const State& state,
                                        std::span<const std::int32_t> subdomains) {
  const std::vector<double> whole = sums_over_nodes(
      system, state, subdomains, 4, [](auto& add, std::size_t i, double mass, const Vector3& velocity) {
        add(i, 0, mass);
        for (std::size_t d = 0; d < 3; ++d) add(i, 1 + d, mass * velocity[d]);
      });
  std::vector<Vector3> means;
  for (std::size_t i = 0; i < subdomains.size(); ++i)
    means.push_back((1 / whole[4 * i]) * Vector3{whole[4 * i + 1], whole[4 * i + 2], whole[4 * i + 3]});
  return energies_about(system, state, subdomains, means);
}

std::vector<double> energies_of_motion(const Lagrangian& system, const State& state,
                                       std::span<const std::int32_t> subdomains) {
  return energies_about(system, state, subdomains, std::vector<Vector3>(subdomains.size()));
}

}  // namespace terrace
