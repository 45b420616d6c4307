// One evaluation of n on given grids: its sums over nodes and ranks, and whether the grids suit them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "dynamics/terraces/subdomain_gradient.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

// True for a terrace whose bodies a team shares out: all its ranks hold all nodes that any two share, so that
// each can sum over these by itself. Far sides are never left there (FarSides::may_be_worth_leaving).
bool SubdomainGradient::goes_in_one_message(const Subdomain& subdomain) const {
  if (!lagrangian_.bodies_are_shared_out || subdomain.everywhere || is_alone(subdomain) ||
      lagrangian_.communicator->size() == 1)
    return false;
  TERRACE_VERIFY(subdomain.shared_nodes.all_on_all_ranks(), subdomain.name);
  return true;
}

// Takes one exchange between ranks that share nodes and one reduction; in a team one message for both.
SubdomainGradient::Attempt SubdomainGradient::attempt(const Terms& terms) {
  clear(terms.subdomain, terms.grids);
  value_ = {};
  with_energy_.clear();
  Attempt attempt;
  Communicator& communicator = ranks_of(terms.subdomain);
  if (goes_in_one_message(terms.subdomain)) {
    fill_outer(terms, Part::all, attempt);
    take_in(terms, add_up_in_one_message(terms, attempt), attempt);
    return attempt;
  }
  const SharedNodes& shared = terms.subdomain.shared_nodes;
  fill_outer(terms, communicator.size() > 1 ? Part::outer : Part::all, attempt);
  if (communicator.size() > 1 && has_inner(terms.subdomain)) {
    shared.start(communicator, forces_.values);
    attempt.largest_force = std::max(attempt.largest_force, fill_inner(terms));
    shared.finish(communicator, forces_.values);
  } else if (communicator.size() > 1) {
    shared.add_up(communicator, forces_.values);
  }
  communicator.count_exchange_of_nodes(shared.among_all());
  put_numbers(terms, multiply(terms, Nodes::all, attempt), attempt);
  communicator.sum(std::span(numbers_));
  take_in(terms, sums_of_all(), attempt);
  return attempt;
}

// Adds the part of the gradient that other ranks wait for, or all of it, and the constraint's gradient.
void SubdomainGradient::fill_outer(const Terms& terms, Part part, Attempt& attempt) {
  attempt.largest_force =
      fill(terms.subdomain, terms.grids.force,
           [&](const Potential& potential, const Grid& grid, std::span<Vector3> gradient) {
             const ExactSum before = value_.sum;
             const double largest = add_gradient(part, potential, terms.state, terms.instant, grid, gradient,
                                                 terms.value_grid());
             // No term of contact is negative, so that terms can not cancel.
             if (potential.is_contact() && value_.sum != before) with_energy_.push_back(&potential);
             return largest;
           });
  if (terms.subdomain.constraint != nullptr)
    attempt.largest_force =
        std::max(attempt.largest_force,
                 fill_constraint(terms.subdomain, terms.state, terms.instant, terms.grids.force));
}

// Adds the part of the gradient that no other rank waits for, while messages are under way. Catches all
// errors of potentials, as this rank must still receive its messages.
double SubdomainGradient::fill_inner(const Terms& terms) {
  if (failure_) return infinity;
  double largest = 0;
  std::size_t p = 0;
  try {
    for (; p < terms.subdomain.potentials.size(); ++p) {
      const Potential& potential = *terms.subdomain.potentials[p];
      if (!lines_.of(potential).has_inner()) continue;
      const double term = add_gradient(Part::inner, potential, terms.state, terms.instant, terms.grids.force,
                                       forces_.values, terms.value_grid());
      largest = std::isnan(term) ? infinity : std::max(largest, term);
    }
  } catch (const Error& error) {
    note_failure(terms.subdomain, p, error);
    return infinity;
  }
  return largest;
}

// Each rank sums over the nodes that it has alone, and sends these sums with its share of the forces on
// shared nodes. Then every rank sums over the shared nodes by itself.
SubdomainGradient::Sums SubdomainGradient::add_up_in_one_message(const Terms& terms, Attempt& attempt) {
  Communicator& communicator = *lagrangian_.communicator;
  const SharedNodes& shared = terms.subdomain.shared_nodes;
  put_numbers(terms, multiply(terms, Nodes::unshared, attempt), attempt);
  std::array<double, 4> largest = {attempt.largest_force, attempt.largest_velocity,
                                   attempt.largest_compliance, attempt.largest_value};
  shared.add_up_with(communicator, forces_.values, numbers_, largest);
  communicator.count_exchange();
  attempt.largest_are_of_all = true;
  Sums sums = sums_of_all();
  Attempt of_shared;
  const ProductSums products = multiply(terms, Nodes::shared, of_shared);
  sums.products.normal_velocity += products.normal_velocity;
  sums.products.compliance += products.compliance;
  sums.products.with_before += products.with_before;
  if (!products_fit(terms.grids, of_shared)) sums.products_beyond += 1;
  attempt.largest_force = largest[0];
  attempt.largest_velocity = std::max(largest[1], of_shared.largest_velocity);
  attempt.largest_compliance = std::max(largest[2], of_shared.largest_compliance);
  attempt.largest_value = largest[3];
  return sums;
}

bool SubdomainGradient::products_fit(const GradientGrids& grids, const Attempt& attempt) {
  return attempt.largest_velocity <= grids.normal_velocity.coarse.bound &&
         attempt.largest_compliance <= grids.compliance.coarse.bound;
}

// Puts into numbers_ this rank's share of the sums over ranks, and what is asked with them.
void SubdomainGradient::put_numbers(const Terms& terms, const ProductSums& products, Attempt& attempt) {
  constexpr double fine_enough = 1.0 / 64;
  const GradientGrids& grids = terms.grids;
  attempt.largest_value = value_.largest;
  const bool force_fits = attempt.largest_force <= grids.force.bound;
  const bool fit = products_fit(grids, attempt) && value_.largest <= grids.value.coarse.bound;
  const bool force_fills = attempt.largest_force > fine_enough * grids.force.bound;
  const Sums sums{products,
                  value_.sum,
                  force_fits ? 0.0 : 1.0,
                  fit ? 0.0 : 1.0,
                  force_fills ? 1.0 : 0.0,
                  value_.contact_terms};
  const auto mine = std::bit_cast<SumNumbers>(sums);
  numbers_.assign(mine.begin(), mine.end());
  numbers_.insert(numbers_.end(), contact_terms_.begin(), contact_terms_.end());
  std::ranges::sort(with_energy_);
  if (terms.asked.looks != nullptr)
    for (const std::int32_t pair : terms.asked.looks->pairs) {
      const std::vector<const Potential*>& potentials = at(lagrangian_.subdomains, pair).potentials;
      const bool has_energy = std::ranges::any_of(potentials, [&](const Potential* potential) {
        return std::ranges::binary_search(with_energy_, potential);
      });
      numbers_.push_back(has_energy ? 1 : 0);
    }
  if (terms.asked.question != nullptr)
    numbers_.insert(numbers_.end(), terms.asked.question->numbers.begin(),
                    terms.asked.question->numbers.end());
}

SubdomainGradient::Sums SubdomainGradient::sums_of_all() const {
  SumNumbers numbers{};
  std::copy_n(numbers_.begin(), numbers.size(), numbers.begin());
  return std::bit_cast<Sums>(numbers);
}

// Takes from the sums over all ranks the products, whether the grids suit them, and the answers to what was
// asked.
void SubdomainGradient::take_in(const Terms& terms, const Sums& sums, Attempt& attempt) const {
  const std::span<const double> contact_terms =
      std::span(numbers_).subspan(SumNumbers().size(), contact_terms_.size());
  std::span<const double> asked = std::span(numbers_).subspan(SumNumbers().size() + contact_terms_.size());
  if (PairLooks* looks = terms.asked.looks; looks != nullptr) {
    looks->have_energy.clear();
    for (const double ranks : asked.first(looks->pairs.size())) looks->have_energy.push_back(ranks > 0);
    asked = asked.subspan(looks->pairs.size());
  }
  attempt.stands = terms.asked.question == nullptr || terms.asked.question->stands(asked);
  const GradientGrids& grids = terms.grids;
  attempt.products = {sums.products.normal_velocity.value(), sums.products.compliance.value(),
                      sums.products.with_before.value(), sums.value.value(), grids.force.quantum};
  attempt.force_fits = sums.forces_beyond == 0;
  attempt.products_fit = sums.products_beyond == 0 && sums.terms_of_value <= grids.contact_terms;
  // Contact forces vary by orders of magnitude from event to event. Their grid follows them, so that a rare
  // peak does not make all later forces coarse.
  attempt.force_is_fine = !terms.subdomain.contact || sums.forces_that_fill > 0;
  attempt.products_are_fine = !(attempt.products.compliance < 1e-6 * grids.compliance.coarse.bound);
  attempt.contact_terms = std::ranges::max(contact_terms);
  attempt.terms_of_value = sums.terms_of_value;
}

// Returns this rank's share of the sums over nodes, and notes the largest of their terms in `attempt`.
SubdomainGradient::ProductSums SubdomainGradient::multiply(const Terms& terms, Nodes nodes,
                                                           Attempt& attempt) const {
  const std::span<const Vector3> before = terms.asked.before;
  const std::span<const std::int32_t> counted = counted_nodes(terms.subdomain);
  TERRACE_VERIFY(before.empty() || before.size() == counted.size(), before.size(), counted.size());
  const std::span<const std::uint8_t> is_shared = terms.subdomain.is_shared;
  TERRACE_VERIFY(nodes == Nodes::all || is_shared.size() == counted.size(), is_shared.size(), counted.size());
  // Local copies stay in registers: no store through a reference can change them.
  const DoubleGrid of_velocity = terms.grids.normal_velocity, of_compliance = terms.grids.compliance;
  ExactSum normal_velocity, compliance, with_before;
  double largest_velocity = attempt.largest_velocity, largest_compliance = attempt.largest_compliance;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const auto a = static_cast<std::size_t>(counted[i]);
    if (nodes != Nodes::all && (is_shared[i] != 0) != (nodes == Nodes::shared)) continue;
    const NodeLine& line = terms.state.lines[a];
    const double v = dot(forces_.values[a], line.velocity);
    const Vector3 pushes = pushed(a);
    const double s = dot(pushes, pushes) * line.inverse_mass;
    largest_velocity = std::max(largest_velocity, std::abs(v));
    largest_compliance = std::max(largest_compliance, s);
    normal_velocity.add(of_velocity, v);
    compliance.add(of_compliance, s);
    if (before.empty()) continue;
    const double product = dot(pushes, before[i]) * line.inverse_mass;
    largest_compliance = std::max(largest_compliance, std::abs(product));
    with_before.add(of_compliance, product);
  }
  attempt.largest_velocity = largest_velocity;
  attempt.largest_compliance = largest_compliance;
  return {normal_velocity, compliance, with_before};
}

}  // namespace terrace
