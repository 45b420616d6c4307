#include "dynamics/subdomain_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "parallel/profile.hpp"
#include "parallel/together.hpp"

namespace terrace {

// Contact terms beyond those that Subdomain::terms_at_node counts on.
static double unusual(double contact_terms) {
  return std::max(0.0, contact_terms - usual_contact_terms_at_node);
}

SubdomainGradient::SubdomainGradient(const Lagrangian& lagrangian)
    : lagrangian_(lagrangian),
      values_(lagrangian.masses.size(), Vector3{}),
      of_one_wall_(lagrangian.wall_names.empty() ? 0 : lagrangian.masses.size(), Vector3{}),
      grids_(lagrangian.subdomains.size()) {}

// The forces of a wall are kept apart as well, for its ledger.
double SubdomainGradient::fill_wall(std::size_t wall, Potential& potential, const State& state,
                                    double instant, const Grid& grid) {
  const double largest = potential.add_gradient(state.lines, instant, grid, of_one_wall_);
  for (const std::int32_t node : potential.nodes()) {
    Vector3& force = of_one_wall_[static_cast<std::size_t>(node)];
    if (force == Vector3{}) continue;
    values_[static_cast<std::size_t>(node)] += force;
    wall_forces_.push_back({wall, force});
    force = Vector3{};
  }
  return largest;
}

void SubdomainGradient::book_walls(State& state, const IntegerMultiplier& factor) const {
  for (const WallForce& force : wall_forces_)
    state.add_to_ledger(force.wall, factor, wall_grid_, force.gradient);
}

double SubdomainGradient::fill(const Subdomain& subdomain, const State& state, double instant,
                               const Grid& grid) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double largest = 0;
  // An inverted element is one rank's, the reductions that follow are everyone's: infinity tells the others.
  try {
    double contact_terms = 0;
    for (std::size_t p = 0; p < subdomain.potentials.size(); ++p) {
      const int wall = subdomain.wall_of_potential[p];
      Potential& potential = *subdomain.potentials[p];
      const double term = wall < 0
                              ? potential.add_gradient(state.lines, instant, grid, values_)
                              : fill_wall(static_cast<std::size_t>(wall), potential, state, instant, grid);
      largest = std::isnan(term) ? infinity : std::max(largest, term);
      contact_terms += potential.contact_terms_at_node();
    }
    most_contact_terms_ = std::max(most_contact_terms_, contact_terms);
  } catch (const Error& error) {
    failure_ = error;
    return infinity;
  }
  return largest;
}

// `largest` is over all ranks, so that all are here or none.
void SubdomainGradient::require_finite(double largest, const std::string& where, double instant) const {
  if (std::isfinite(largest)) return;
  together(lagrangian_.communicator->handle(), [&] {
    if (failure_) throw Error(*failure_);
  });
  throw Error(Error::Kind::run, where + ", time " + std::to_string(instant), "finite nodal forces",
              "infinity or NaN", Error::Reach::all_ranks);
}

// At most usual_contact_terms_at_node, or the largest number of contact terms that the last gradient got at a
// node, on whichever ranks they are: no two numbers of ranks may come to different grids.
// `most`: over all ranks, of one rank's.
double SubdomainGradient::contact_terms_at_node(const Subdomain& subdomain, double most) {
  Communicator& communicator = *lagrangian_.communicator;
  if (subdomain.only_rank < 0) {
    most = most_contact_terms_;
    communicator.sum({&most, 1});
  }
  if (most <= usual_contact_terms_at_node) return most;
  for (const std::int32_t node : subdomain.nodes) values_[static_cast<std::size_t>(node)] = Vector3{};
  for (const Potential* potential : subdomain.potentials) potential->count_contact_terms(values_);
  if (communicator.size() > 1) subdomain.shared_nodes.add_up(communicator, values_);
  most = 0;
  for (const std::int32_t node : subdomain.owned_nodes)
    most = std::max(most, values_[static_cast<std::size_t>(node)][0]);
  communicator.maximum({&most, 1});
  return most;
}

SubdomainGradient::Products SubdomainGradient::evaluate(std::int32_t number, const State& state,
                                                        double instant) {
  const OperationScope operation(Operation::gradient);
  const auto i = static_cast<std::size_t>(number);
  const Subdomain& subdomain = lagrangian_.subdomains[i];
  Communicator& communicator = *lagrangian_.communicator;
  if (grids_.size() < lagrangian_.subdomains.size()) grids_.resize(lagrangian_.subdomains.size());
  Grids& grids = grids_[i];
  // Contact forces vary by orders of magnitude from event to event: their grid follows each, lest a rare peak
  // coarsen all later ones.
  double terms_at_node = subdomain.terms_at_node;
  if (subdomain.contact) {
    most_contact_terms_ = 0;
    const double largest_here = fill(subdomain, state, instant, Grid{});
    std::array<double, 2> most = {largest_here, most_contact_terms_};
    communicator.maximum(most);
    require_finite(most[0], "subdomain " + subdomain.name, instant);
    terms_at_node += unusual(contact_terms_at_node(subdomain, most[1]));
    grids.force = Grid::holding(most[0], terms_at_node);
  }
  // The grids to this event: the products' too, which mean something only once the forces lie on theirs.
  int refits = 0;
  for (;;) {
    for (const std::int32_t node : subdomain.nodes) values_[static_cast<std::size_t>(node)] = Vector3{};
    wall_forces_.clear();
    wall_grid_ = grids.force.quantum;
    double largest = fill(subdomain, state, instant, grids.force);
    if (communicator.size() > 1) {
      subdomain.shared_nodes.add_up(communicator, values_);
      communicator.count_exchange();
    }
    ExactSum normal_velocity, compliance;
    double largest_velocity = 0, largest_compliance = 0;
    for (const std::int32_t node : subdomain.owned_nodes) {
      const auto a = static_cast<std::size_t>(node);
      const double v = dot(values_[a], state.lines[a].velocity);
      const double s = dot(values_[a], values_[a]) * state.lines[a].inverse_mass;
      largest_velocity = std::max(largest_velocity, std::abs(v));
      largest_compliance = std::max(largest_compliance, s);
      normal_velocity.add(grids.normal_velocity, v);
      compliance.add(grids.compliance, s);
    }
    const bool force_fits = largest <= grids.force.bound;
    const bool products_fit = largest_velocity <= grids.normal_velocity.coarse.bound &&
                              largest_compliance <= grids.compliance.coarse.bound;
    std::array<double, 6> sums = {normal_velocity.coarse, normal_velocity.fine,   compliance.coarse,
                                  compliance.fine,        force_fits ? 0.0 : 1.0, products_fit ? 0.0 : 1.0};
    communicator.sum(sums);
    // After a rare peak the grids may be far too coarse: then v_n and s lose digits, and the energy with
    // them.
    const bool coarse = refits < 2 && sums[2] + sums[3] < 1e-6 * grids.compliance.coarse.bound;
    if (sums[4] == 0 && sums[5] == 0 && coarse) {
      std::array<double, 3> most = {largest, largest_velocity, largest_compliance};
      communicator.maximum(most);
      const auto nodes = static_cast<double>(lagrangian_.node_count);
      if (most[0] > 0) grids.force = Grid::holding(most[0], terms_at_node);
      if (most[1] > 0) grids.normal_velocity = DoubleGrid::holding(4 * most[1], nodes);
      if (most[2] > 0) grids.compliance = DoubleGrid::holding(4 * most[2], nodes);
      ++refits;
      continue;
    }
    if (sums[4] == 0 && sums[5] == 0) return {sums[0] + sums[1], sums[2] + sums[3], grids.force.quantum};
    std::array<double, 3> most = {largest, largest_velocity, largest_compliance};
    communicator.maximum(most);
    require_finite(most[0], "subdomain " + subdomain.name, instant);
    const auto nodes = static_cast<double>(lagrangian_.node_count);
    if (most[0] > grids.force.bound) {
      grids.force = Grid::holding(most[0], terms_at_node);
    } else {
      // The products are meaningful only once the forces lie on their grid.
      if (most[1] > grids.normal_velocity.coarse.bound)
        grids.normal_velocity = DoubleGrid::holding(4 * most[1], nodes);
      if (most[2] > grids.compliance.coarse.bound) grids.compliance = DoubleGrid::holding(4 * most[2], nodes);
    }
  }
}

void SubdomainGradient::forget(std::int32_t subdomain) {
  const auto i = static_cast<std::size_t>(subdomain);
  if (i < grids_.size()) grids_[i] = {};
}

// `most`: largest number of contact terms at a node of any one subdomain, the same on all ranks.
double SubdomainGradient::terms_at_node_of_all(double most) const {
  double terms = 1;
  for (const Subdomain& subdomain : lagrangian_.subdomains) terms += subdomain.terms_at_node + unusual(most);
  return terms;
}

double SubdomainGradient::evaluate_all(const State& state, double instant) {
  const OperationScope operation(Operation::gradient);
  Grids& grids = all_grids_;
  Communicator& communicator = *lagrangian_.communicator;
  for (;;) {
    std::fill(values_.begin(), values_.end(), Vector3{});
    wall_forces_.clear();
    wall_grid_ = grids.force.quantum;
    most_contact_terms_ = 0;
    double largest = 0;
    for (const Subdomain& subdomain : lagrangian_.subdomains)
      if (!subdomain.asleep) largest = std::max(largest, fill(subdomain, state, instant, grids.force));
    std::array<double, 2> most = {largest, most_contact_terms_};
    communicator.maximum(most);
    require_finite(most[0], "all potentials", instant);
    const double terms = terms_at_node_of_all(most[1]);
    if (most[0] > grids.force.bound || terms > all_terms_at_node_) {
      grids.force = Grid::holding(std::max(4 * most[0], grids.force.bound / 2), terms);
      all_terms_at_node_ = terms;
      continue;
    }
    if (communicator.size() > 1) {
      lagrangian_.shared_nodes.add_up(communicator, values_);
      communicator.count_exchange();
    }
    return grids.force.quantum;
  }
}

}  // namespace terrace
