// The gradient of all potentials together, for integrators that have no subdomains.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dynamics/terraces/subdomain_gradient.hpp"
#include "numerics/at.hpp"
#include "parallel/profile.hpp"

namespace terrace {

// Counts node by node: a node gets terms only from the subdomains that load it. The result is kept until
// other subdomains are awake.
SubdomainGradient::Loads SubdomainGradient::loads_of_all() {
  std::vector<std::array<std::int32_t, 2>> awake;
  for (const Subdomain& subdomain : lagrangian_.subdomains)
    if (!subdomain.asleep) awake.push_back(subdomain.order);
  if (awake == counted_) return loads_;
  std::vector<Loads> at_node(forces_.values.size(), Loads{0, 0});
  for (const Subdomain& subdomain : lagrangian_.subdomains) {
    if (subdomain.asleep) continue;
    for (const std::int32_t node : subdomain.nodes) {
      at(at_node, node).terms += subdomain.terms_at_node;
      at(at_node, node).contacts += subdomain.contact ? 1 : 0;
    }
  }
  loads_ = {};
  for (const Loads& loads : at_node) {
    loads_.terms = std::max(loads_.terms, loads.terms);
    loads_.contacts = std::max(loads_.contacts, loads.contacts);
  }
  counted_ = std::move(awake);
  return loads_;
}

double SubdomainGradient::evaluate_all(const State& state, double instant) {
  return evaluate_all(
      [&](const Potential& potential, const Grid& grid, std::span<Vector3> gradient) {
        return add_gradient(Part::all, potential, state, instant, grid, gradient, nullptr);
      },
      instant);
}

double SubdomainGradient::evaluate_all(const Share& share, double instant) {
  const OperationScope operation(Operation::gradient);
  GradientGrids& grids = of_all_.grids;
  Communicator& communicator = *lagrangian_.communicator;
  for (;;) {
    std::fill(forces_.values.begin(), forces_.values.end(), Vector3{});
    forces_.from_outside.clear();
    forces_.grid = grids.force.quantum;
    failure_.reset();
    double largest = 0, contact_terms = 0;  // upper bound of the number at a node
    for (const Subdomain& subdomain : lagrangian_.subdomains) {
      if (subdomain.asleep) continue;
      largest = std::max(largest, fill(subdomain, grids.force, share));
      contact_terms = std::max(contact_terms, std::ranges::max(contact_terms_));
      // Of a contact pair that ranks divide, the count of one rank is not the number at a node.
      if (subdomain.order[0] >= 0 && subdomain.only_rank < 0 && communicator.size() > 1)
        contact_terms = std::max(contact_terms, contact_terms_at_node(subdomain));
    }
    const Loads loads = loads_of_all();
    std::array<double, 4> most = {largest, contact_terms, loads.terms, loads.contacts};
    communicator.maximum(most);
    // There is no grid for forces that are not finite.
    if (!std::isfinite(4 * most[0])) throw_of_any_rank(communicator, "all potentials", instant);
    const double terms = most[2] + most[3] * unusual(most[1]);
    if (most[0] > grids.force.bound || terms > of_all_.terms_at_node) {
      grids.force = Grid::holding(std::max(4 * most[0], grids.force.bound / 2), terms);
      of_all_.terms_at_node = terms;
      continue;
    }
    if (communicator.size() > 1) lagrangian_.shared_nodes.add_up(communicator, forces_.values);
    communicator.count_exchange_of_nodes(lagrangian_.shared_nodes.among_all());
    return grids.force.quantum;
  }
}

}  // namespace terrace
