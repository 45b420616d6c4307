#include "dynamics/clocked/energies_of_motion.hpp"

#include <cstddef>

#include "dynamics/state/exact_table.hpp"
#include "numerics/at.hpp"

namespace terrace {
namespace {

using Nodes = std::span<const std::int32_t>;

/// Sums over the nodes of each row, `nodes_of(row)`, of what add_node adds to its columns.
template <class NodesOf, class AddNode>
std::vector<double> sums_over_nodes(const Lagrangian& system, const State& state, Communicator& ranks,
                                    std::size_t rows, std::size_t columns, NodesOf nodes_of,
                                    AddNode add_node) {
  return exact_table(ranks, rows, columns, static_cast<double>(system.node_count) + 1, [&](auto& add) {
    for (std::size_t i = 0; i < rows; ++i)
      for (const std::int32_t a : nodes_of(i))
        add_node(add, i, at(system.masses, a), at(state.lines, a).velocity);
  });
}

/// Of each row K about `velocities`.
template <class NodesOf>
std::vector<double> energies_about(const Lagrangian& system, const State& state, Communicator& ranks,
                                   std::span<const Vector3> velocities, NodesOf nodes_of) {
  return sums_over_nodes(system, state, ranks, velocities.size(), 1, nodes_of,
                         [&](auto& add, std::size_t i, double mass, const Vector3& velocity) {
                           const Vector3 relative = velocity - velocities[i];
                           add(i, 0, 0.5 * mass * dot(relative, relative));
                         });
}

template <class NodesOf>
std::vector<Vector3> mean_velocities(const Lagrangian& system, const State& state, Communicator& ranks,
                                     std::size_t rows, NodesOf nodes_of) {
  const std::vector<double> whole =
      sums_over_nodes(system, state, ranks, rows, 4, nodes_of,
                      [](auto& add, std::size_t i, double mass, const Vector3& velocity) {
                        add(i, 0, mass);
                        for (std::size_t d = 0; d < 3; ++d) add(i, 1 + d, mass * velocity[d]);
                      });
  std::vector<Vector3> means;
  for (std::size_t i = 0; i < rows; ++i)
    means.push_back((1 / whole[4 * i]) * Vector3{whole[4 * i + 1], whole[4 * i + 2], whole[4 * i + 3]});
  return means;
}

}  // namespace

std::vector<double> energies_about_mean(const Lagrangian& system, const State& state,
                                        std::span<const std::int32_t> subdomains) {
  const auto nodes_of = [&](std::size_t i) -> Nodes {
    return at(system.subdomains, subdomains[i]).owned_nodes;
  };
  Communicator& ranks = *system.communicator;
  return energies_about(system, state, ranks,
                        mean_velocities(system, state, ranks, subdomains.size(), nodes_of), nodes_of);
}

double energy_of_motion(const Lagrangian& system, const State& state, std::int32_t subdomain) {
  const Subdomain& its = at(system.subdomains, subdomain);
  Communicator alone(MPI_COMM_SELF);
  Communicator& ranks = its.everywhere ? alone : *system.communicator;
  const auto nodes_of = [&](std::size_t) -> Nodes { return its.everywhere ? its.nodes : its.owned_nodes; };
  return energies_about(system, state, ranks, std::vector<Vector3>(1), nodes_of)[0];
}

}  // namespace terrace
