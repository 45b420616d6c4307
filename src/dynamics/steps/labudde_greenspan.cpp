#include "dynamics/steps/labudde_greenspan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "numerics/at.hpp"
#include "numerics/gauss_rule.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"
#include "parallel/together.hpp"

namespace terrace {

LaBuddeGreenspan::LaBuddeGreenspan(const Lagrangian& system, State& state, double step)
    : system_(system), step_(positive_step(step)), start_(state.time) {
  const auto refuse = [](const std::string& found) {
    throw Error(Error::Kind::input, "integrator.method = \"labudde-greenspan\"",
                "potentials that are functions of one distance each, of two particles or from a point",
                found);
  };
  if (!system.held_by.empty()) refuse("supports");
  together(system.communicator->handle(), [&] {
    for (const Subdomain& subdomain : system.subdomains)
      for (std::size_t p = 0; p < subdomain.potentials.size(); ++p) {
        potentials_.push_back(subdomain.potentials[p]->radial_terms(system.dimension));
        const int reaction = subdomain.reaction_of_potential[p];
        reactions_.push_back(reaction);
        if (potentials_.back() == nullptr)
          refuse(reaction < 0 ? "elastic bodies" : at(system.reaction_names, reaction));
      }
  });
  for (std::size_t a = 0; a < state.lines.size(); ++a) {
    positions_.push_back(system.reference[a] + state.lines[a].displacement_at(state.time));
    velocities_.push_back(state.lines[a].velocity);
  }
}

// ∫ dU/dq dq from `from` to `to`, with q = r².
static double integral_by_gauss(const RadialTerms& terms, std::size_t number, double from, double to) {
  double sum = 0;
  for (const auto& [share, weight] : gauss_rule)
    sum += weight * terms.at(number, from + share * (to - from)).slope;
  return sum * (to - from);
}

// The change of U on one side of its kink. By the integral of its slope where the difference of two energies
// would lose digits, and where the slope is smooth enough for Gauss' rule to be exact to all digits.
static double change_beside_kink(const RadialTerms& terms, std::size_t number, double from, double to) {
  constexpr double near = 0.05, far_from_kink = 20;
  const RadialTerms::Kink kink = terms.kink();
  const double length = std::abs(to - from),
               to_kink = std::min(std::abs(kink.square - from), std::abs(kink.square - to));
  const bool is_smooth = kink.analytic || to_kink > far_from_kink * length;
  if (length <= near * from && is_smooth) return integral_by_gauss(terms, number, from, to);
  return terms.at(number, to).energy - terms.at(number, from).energy;
}

// The difference quotient of U by r², which is the mean of its slope.
static double mean_slope(const RadialTerms& terms, std::size_t number, double from, double to) {
  if (from == to) return terms.at(number, from).slope;
  const double kink = terms.kink().square;
  if ((from < kink) == (to < kink)) return change_beside_kink(terms, number, from, to) / (to - from);
  return (change_beside_kink(terms, number, from, kink) + change_beside_kink(terms, number, kink, to)) /
         (to - from);
}

void LaBuddeGreenspan::add_impulses(std::span<const Vector3> ends, std::span<Vector3> velocities) {
  received_.assign(system_.reaction_names.size(), Vector3{});
  for (std::size_t p = 0; p < potentials_.size(); ++p) {
    const auto& terms = potentials_[p];
    for (std::size_t i = 0; i < terms->count(); ++i) {
      const RadialTerm term = terms->term(i);
      const bool of_pair = term.other != RadialTerm::a_point;
      const Vector3 from = at(positions_, term.node) - (of_pair ? at(positions_, term.other) : term.centre),
                    to = at(ends, term.node) - (of_pair ? at(ends, term.other) : term.centre);
      const double slope = mean_slope(*terms, i, dot(from, from), dot(to, to));
      const Vector3 impulse = (-step_ * slope) * (from + to);
      at(velocities, term.node) += (1 / at(system_.masses, term.node)) * impulse;
      if (of_pair) at(velocities, term.other) -= (1 / at(system_.masses, term.other)) * impulse;
      if (reactions_[p] >= 0) at(received_, reactions_[p]) -= impulse;
    }
  }
}

void LaBuddeGreenspan::list_terms(double margin) {
  margin_ = margin;
  listed_at_ = positions_;
  for (const auto& terms : potentials_) terms->list(positions_, margin);
}

static double farthest(std::span<const Vector3> from, std::span<const Vector3> to) {
  double most = 0;
  for (std::size_t a = 0; a < from.size(); ++a) most = std::max(most, norm(to[a] - from[a]));
  return most;
}

// Iterates until only the last digits change. The list has all terms that are not zero at one of the step's
// ends, so that no result depends on when it was made.
void LaBuddeGreenspan::take_step() {
  constexpr int most = 200;
  constexpr double last_digits = 0x1p-51;
  std::vector<Vector3> ends(positions_.size()), velocities = velocities_;
  double before = infinity;
  for (int iteration = 0; iteration < most; ++iteration) {
    for (std::size_t a = 0; a < ends.size(); ++a)
      ends[a] = positions_[a] + (0.5 * step_) * (velocities_[a] + velocities[a]);
    // Two nodes may both have moved towards each other since the list was made.
    const double way = std::max(farthest(listed_at_, positions_), farthest(listed_at_, ends));
    constexpr double room = 10;
    if (listed_at_.empty() || !(2 * way <= margin_)) list_terms(room * farthest(positions_, ends));
    std::vector<Vector3> next = velocities_;
    add_impulses(ends, next);
    double change = 0, size = 0, before_and_after = 0;
    bool is_finite = true;
    for (std::size_t a = 0; a < next.size(); ++a) {
      const double of_node = norm(next[a] - velocities[a]);
      is_finite = is_finite && std::isfinite(of_node);
      change = std::max(change, of_node);
      size = std::max(size, norm(next[a]));
      before_and_after = std::max({before_and_after, norm(velocities_[a]), norm(next[a])});
    }
    if (!is_finite) break;  // std::max above does not see a NaN
    velocities = std::move(next);
    // At a turning point the new velocity is next to nothing, and its rounding error that of the old one.
    const bool rounding_alone = change <= 64 * last_digits * before_and_after && change >= before;
    if (change <= last_digits * size || rounding_alone) {
      for (std::size_t a = 0; a < ends.size(); ++a)
        positions_[a] += (0.5 * step_) * (velocities_[a] + velocities[a]);
      velocities_ = std::move(velocities);
      return;
    }
    before = change;
  }
  throw Error(Error::Kind::run, at_time(start_ + static_cast<double>(steps_) * step_),
              fmt::format("a step whose equations {} iterations solve", most),
              fmt::format("one of {:g} that they do not, or to where forces are no numbers: lower "
                          "integrator.time_step",
                          step_));
}

bool LaBuddeGreenspan::advance(State& state, double until) {
  state.time = start_ + static_cast<double>(steps_) * step_;
  if (state.time >= until - 1e-9 * step_) return false;
  together(system_.communicator->handle(), [&] {
    if (system_.communicator->rank() == 0) take_step();
  });
  state.time = start_ + static_cast<double>(++steps_) * step_;
  if (system_.communicator->rank() != 0) return true;
  for (std::size_t a = 0; a < positions_.size(); ++a) {
    state.lines[a].displacement = positions_[a] - system_.reference[a];
    state.lines[a].time = state.time;
  }
  state.set_velocities(velocities_);
  for (std::size_t r = 0; r < received_.size(); ++r)
    add_momentum(state.ledger[r], nearest_momentum(received_[r], state.quantum));
  return true;
}

void LaBuddeGreenspan::restore(const State& /*state*/, ByteReader& reader) {
  reader(steps_, start_, positions_, velocities_);
  listed_at_.clear();
}

void LaBuddeGreenspan::share() {
  for (std::vector<Vector3>* of : {&positions_, &velocities_}) {
    std::uint64_t count = of->size();
    system_.communicator->broadcast(std::as_writable_bytes(std::span(&count, 1)), 0);
    of->resize(count);
    system_.communicator->broadcast(std::as_writable_bytes(std::span(*of)), 0);
  }
}

std::uint64_t LaBuddeGreenspan::hash() const { return mix(static_cast<std::uint64_t>(steps_)); }

}  // namespace terrace
