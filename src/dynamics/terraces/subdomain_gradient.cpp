#include "dynamics/terraces/subdomain_gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "parallel/archive.hpp"
#include "parallel/profile.hpp"
#include "parallel/together.hpp"

namespace terrace {

SubdomainGradient::SubdomainGradient(const Lagrangian& lagrangian, Lines& lines)
    : lagrangian_(lagrangian),
      lines_(lines),
      forces_{.values = UntouchedArray<Vector3>(lagrangian.masses.size()), .from_outside = {}},
      of_one_reaction_(lagrangian.reaction_names.empty() ? 0 : lagrangian.masses.size()) {}

void SubdomainGradient::forget_values(std::span<const std::int32_t> nodes) {
  forces_.values.forget(nodes);
  forces_before_.values.forget(nodes);
}

// Adds a part of a potential's gradient, and its V to value_ if value_grid is not null. Returns the largest
// magnitude of a component.
double SubdomainGradient::add_gradient(Part part, const Potential& potential, const State& state,
                                       double instant, const Grid& grid, std::span<Vector3> gradient,
                                       const DoubleGrid* value_grid) {
  PotentialOnLine& line = lines_.of(potential);
  double largest = 0;
  if (part == Part::outer)
    largest = line.add_outer_gradient(state.lines, instant, grid, gradient, value_grid, value_);
  else if (part == Part::inner)
    largest = line.add_inner_gradient(state.lines, instant, grid, gradient, value_grid, value_);
  else if (value_grid == nullptr)
    largest = line.add_gradient(state.lines, instant, grid, gradient);
  else
    largest = line.add_gradient_and_value(state.lines, instant, grid, gradient, *value_grid, value_);
  // V = +∞ is an error as an infinite force is.
  return value_grid != nullptr && value_.infinite > 0 ? infinity : largest;
}

// Moves the forces of one reaction (a wall, gravity) to the values, and keeps a copy for its ledger.
void SubdomainGradient::take_reaction(std::size_t reaction, std::span<const std::int32_t> nodes) {
  for (const std::int32_t node : nodes) {
    Vector3& force = of_one_reaction_[static_cast<std::size_t>(node)];
    if (force == Vector3{}) continue;
    forces_.values[static_cast<std::size_t>(node)] += force;
    forces_.from_outside.push_back({reaction, force});
    force = Vector3{};
  }
}

double SubdomainGradient::fill_reaction(std::size_t reaction, const Potential& potential, const Grid& grid,
                                        const Share& share) {
  const double largest = share(potential, grid, of_one_reaction_);
  if (largest != 0) take_reaction(reaction, potential.nodes());  // most walls are far away
  return largest;
}

double SubdomainGradient::fill_constraint(const Subdomain& subdomain, const State& state, double instant,
                                          const Grid& grid) {
  ConstraintOnLine& constraint = lines_.of(*subdomain.constraint);
  if (subdomain.reaction_of_constraint < 0)
    return constraint.add_gradient(state.lines, instant, grid, forces_.values);
  const double largest = constraint.add_gradient(state.lines, instant, grid, of_one_reaction_);
  take_reaction(static_cast<std::size_t>(subdomain.reaction_of_constraint), subdomain.constraint->nodes());
  return largest;
}

void SubdomainGradient::book_reactions(State& state, const IntegerMultiplier& factor) const {
  for (const ReactionForce& force : forces_.from_outside)
    state.add_to_ledger(force.reaction, factor, forces_.grid, force.gradient);
}

double SubdomainGradient::fill(const Subdomain& subdomain, const Grid& grid, const Share& share) {
  double largest = 0;
  contact_terms_.assign(static_cast<std::size_t>(subdomain.loaded_bodies), 0.0);
  // If this rank throws (an inverted element), the others still wait in the reductions that follow: it takes
  // part with an infinite largest term, which tells them.
  std::size_t p = 0;
  try {
    for (; p < subdomain.potentials.size(); ++p) {
      const int reaction = subdomain.reaction_of_potential[p];
      const Potential& potential = *subdomain.potentials[p];
      const OperationScope contact(Operation::contact, potential.is_contact());
      const double term = reaction < 0
                              ? share(potential, grid, forces_.values)
                              : fill_reaction(static_cast<std::size_t>(reaction), potential, grid, share);
      largest = std::isnan(term) ? infinity : std::max(largest, term);
      count_contact_terms(subdomain, p, lines_.of(potential).contact_terms_at_node());
      element_evaluations_ += whole_elements(potential.work());
    }
  } catch (const Error& error) {
    note_failure(subdomain, p, error);
    return infinity;
  }
  return largest;
}

// Remembers the first failure of the evaluation.
void SubdomainGradient::note_failure(const Subdomain& subdomain, std::size_t potential, const Error& error) {
  if (failure_) return;
  failure_ = error;
  const std::int32_t body =
      subdomain.loads_of_potential.empty() ? 0 : subdomain.loads_of_potential[potential][0];
  failed_ = {subdomain.order[0], subdomain.order[1], body};
}

// Counts by body: a node gets terms only from the potentials of its own body. The sum over all potentials of
// a large group would be far too high.
void SubdomainGradient::count_contact_terms(const Subdomain& subdomain, std::size_t potential, double terms) {
  constexpr std::array<std::int32_t, 2> no_group = {0, 0};
  const auto [first, second] =
      subdomain.loads_of_potential.empty() ? no_group : subdomain.loads_of_potential[potential];
  at(contact_terms_, first) += terms;
  if (second != first) at(contact_terms_, second) += terms;
}

bool SubdomainGradient::has_inner(const Subdomain& subdomain) {
  return std::any_of(subdomain.potentials.begin(), subdomain.potentials.end(),
                     [&](const Potential* potential) { return lines_.of(*potential).has_inner(); });
}

// Throws on all of `ranks`, which have to call it together. Of several failures the one is told that a single
// rank would meet first.
void SubdomainGradient::throw_of_any_rank(const Communicator& ranks, const std::string& where,
                                          double instant) const {
  using Place = std::array<std::int64_t, 4>;
  constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();
  const Place mine =
      failure_ ? Place{failed_[0], failed_[1], failed_[2], failure_->number()} : Place{nowhere};
  ByteWriter writer;
  writer(mine);
  const std::vector<std::byte> of_all = ranks.bytes_of_all(writer.take());
  ByteReader reader(of_all);
  Place first = mine;
  while (!reader.at_end()) {
    Place other{};
    reader(other);
    first = std::min(first, other);
  }
  together(ranks.handle(), [&] {
    if (failure_ && mine == first) throw Error(*failure_);
  });
  throw Error(Error::Kind::run, where + ", " + at_time(instant), "finite nodal forces", "infinity or NaN",
              Error::Reach::all_ranks);
}

// Returns the largest number of contact terms at a node in the last gradient, over all ranks. Collective over
// ranks_of the subdomain.
double SubdomainGradient::contact_terms_at_node(const Subdomain& subdomain) {
  Communicator& communicator = ranks_of(subdomain);
  counts_.resize(forces_.values.size());
  for (const std::int32_t node : subdomain.nodes) counts_[static_cast<std::size_t>(node)] = Vector3{};
  lines_.for_each(subdomain, [&](const OnLine& line) { line.count_contact_terms(counts_); });
  if (communicator.size() > 1) subdomain.shared_nodes.add_up(communicator, counts_);
  double most = 0;
  for (const std::int32_t node : counted_nodes(subdomain)) most = std::max(most, at(counts_, node)[0]);
  communicator.maximum({&most, 1});
  return most;
}

// The ranks that take part in the evaluation.
Communicator& SubdomainGradient::ranks_of(const Subdomain& subdomain) {
  return is_alone(subdomain) || subdomain.everywhere ? alone_ : *lagrangian_.communicator;
}

// The nodes that this rank counts in the sums over nodes.
std::span<const std::int32_t> SubdomainGradient::counted_nodes(const Subdomain& subdomain) const {
  if (subdomain.everywhere || goes_in_one_message(subdomain)) return subdomain.nodes;
  if (!is_alone(subdomain)) return subdomain.owned_nodes;
  if (subdomain.only_rank == lagrangian_.communicator->rank()) return subdomain.nodes;
  return {};
}

void SubdomainGradient::of_counted_nodes(std::int32_t number, std::vector<Vector3>& values) const {
  const OperationScope operation(Operation::impulse);
  const Subdomain& subdomain = lagrangian_.subdomains[static_cast<std::size_t>(number)];
  const std::span<const std::int32_t> counted = counted_nodes(subdomain);
  values.resize(counted.size());
  for (std::size_t i = 0; i < counted.size(); ++i) values[i] = pushed(static_cast<std::size_t>(counted[i]));
}

void SubdomainGradient::clear(const Subdomain& subdomain, const GradientGrids& grids) {
  for (const std::int32_t node : subdomain.nodes) at(forces_.values, node) = Vector3{};
  forces_.from_outside.clear();
  forces_.grid = grids.force.quantum;
}

// Refits the grid of V with room for four times the present energies and numbers of contact terms.
void SubdomainGradient::fit_value(const Subdomain& subdomain, double largest, double contact_terms,
                                  GradientGrids& grids) {
  constexpr double room = 4;
  if (largest <= grids.value.coarse.bound && contact_terms <= grids.contact_terms) return;
  if (contact_terms > grids.contact_terms) grids.contact_terms = room * contact_terms;
  grids.value = DoubleGrid::holding(std::max(room * largest, grids.value.coarse.bound),
                                    subdomain.terms + (grids.contact_terms - usual_contact_terms));
}

SubdomainGradient::Products SubdomainGradient::evaluate(std::int32_t number, const State& state,
                                                        double instant, GradientGrids& grids,
                                                        const Asked& asked) {
  const OperationScope operation(Operation::gradient);
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  return is_alone(subdomain) ? evaluate_alone(subdomain, state, instant, grids, asked)
                             : *evaluate_on_its_ranks(subdomain, state, instant, grids, asked);
}

std::optional<SubdomainGradient::Products> SubdomainGradient::evaluate_if(
    const Question& question, std::int32_t number, const State& state, double instant, GradientGrids& grids,
    std::span<const Vector3> before, PairLooks* looks) {
  const OperationScope operation(Operation::gradient);
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  TERRACE_VERIFY(!is_alone(subdomain), number);
  forces_before_.values.resize(forces_.values.size());
  std::swap(forces_, forces_before_);
  const auto for_each_line = [&](auto visit) {
    for (const Potential* potential : subdomain.potentials)
      if (potential->is_contact()) visit(lines_.of(*potential));
  };
  for_each_line([](PotentialOnLine& line) { line.keep_extremes(); });
  auto products = evaluate_on_its_ranks(subdomain, state, instant, grids, {before, true, &question, looks});
  if (products) return products;
  std::swap(forces_, forces_before_);
  for_each_line([](PotentialOnLine& line) { line.recall_extremes(); });
  return products;
}

// One rank evaluates. The others hold copies of the nodes and of the grids, and get both from it.
SubdomainGradient::Products SubdomainGradient::evaluate_alone(const Subdomain& subdomain, const State& state,
                                                              double instant, GradientGrids& grids,
                                                              const Asked& asked) {
  Communicator& communicator = *lagrangian_.communicator;
  Products products;
  bool failed = false;
  failure_.reset();
  if (subdomain.only_rank == communicator.rank()) {
    const OperationScope alone(Operation::alone);
    try {
      products = *evaluate_on_its_ranks(subdomain, state, instant, grids, asked);
    } catch (const Error& error) {
      failure_ = error;
      failed = true;
    }
  } else {
    clear(subdomain, grids);
  }
  std::vector<std::uint8_t> have_energy;
  if (asked.looks != nullptr) {
    asked.looks->have_energy.resize(asked.looks->pairs.size());
    have_energy = asked.looks->have_energy;
  }
  ByteWriter writer;
  writer(products, grids, failed, have_energy);
  std::vector<std::byte> told = writer.take();
  communicator.broadcast(told, subdomain.only_rank);
  ByteReader reader(told);
  reader(products, grids, failed, have_energy);
  if (asked.looks != nullptr) asked.looks->have_energy = have_energy;
  if (failed) throw_of_any_rank(communicator, "subdomain " + subdomain.name, instant);
  subdomain.shared_nodes.add_up(communicator, forces_.values);
  communicator.count_exchange_of_nodes(subdomain.shared_nodes.among_all());
  return products;
}

std::optional<SubdomainGradient::Products> SubdomainGradient::evaluate_on_its_ranks(
    const Subdomain& subdomain, const State& state, double instant, GradientGrids& grids, Asked asked) {
  Communicator& communicator = ranks_of(subdomain);
  constexpr int enough = 20;
  bool force_fitted = false, products_fitted = false;  // the grids have been fitted to this event
  std::optional<double> counted;                       // exact number of contact terms at a node
  failure_.reset();
  for (int attempts = 0; attempts < enough; ++attempts) {
    const Attempt last = attempt({subdomain, state, instant, grids, asked});
    asked.question = nullptr;
    if (!last.stands) return {};
    const bool fine = last.force_is_fine && last.products_are_fine;
    // The bound sums over the pairs of a body, and may be higher than the number at any node.
    if (!counted && last.contact_terms > grids.contact_terms_at_node)
      counted = contact_terms_at_node(subdomain);
    const double terms = counted.value_or(last.contact_terms);
    const bool force_fits = last.force_fits && terms <= grids.contact_terms_at_node;
    const bool refit_force = !force_fits || (!force_fitted && !fine);
    // The products mean something only once the forces lie on their grid.
    const bool refit_products =
        !refit_force && (!last.products_fit || (!products_fitted && !last.products_are_fine));
    if (!refit_force && !refit_products) return last.products;
    std::array<double, 4> most = {last.largest_force, last.largest_velocity, last.largest_compliance,
                                  last.largest_value};
    if (!last.largest_are_of_all) communicator.maximum(most);
    if (!std::isfinite(most[0])) throw_of_any_rank(communicator, "subdomain " + subdomain.name, instant);
    if (refit_force) {
      grids.contact_terms_at_node = std::max(grids.contact_terms_at_node, terms);
      if (most[0] > 0)
        grids.force = Grid::holding(most[0], subdomain.terms_at_node + unusual(grids.contact_terms_at_node));
      force_fitted = true;
      if (!force_fits || last.products_are_fine) continue;
    }
    if (most[1] > 0) grids.normal_velocity = DoubleGrid::holding(4 * most[1], subdomain.node_count);
    if (most[2] > 0) grids.compliance = DoubleGrid::holding(4 * most[2], subdomain.node_count);
    fit_value(subdomain, most[3], last.terms_of_value, grids);
    products_fitted = !refit_force;
  }
  throw Error(Error::Kind::run, "subdomain " + subdomain.name + ", " + at_time(instant),
              "forces that fit on a grid made for them", "none after " + std::to_string(enough) + " attempts",
              Error::Reach::all_ranks);
}

}  // namespace terrace
