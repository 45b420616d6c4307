// Clocked energy-stepping: what is known at an event, the kick, and the step that follows.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"

namespace terrace {
// What is known at the next event of a terrace; nothing where the kick before turns out to need a shorter
// step. The first two kicks of a clock are leapfrog's own and tell the offset of U from V; the curvature is
// known from the second on.
std::optional<KickEvent> ClockedEnergyStepping::event_of(State& state, std::int32_t number,
                                                         PairLooks* looks) {
  const Clock& clock = clocks_[number];
  Event event{.number = number, .now = clock.next, .instant = clocks_.time_of(clock.next)};
  event.stored = control_.stored(clock);
  event.is_first = clock.kicks == 0;
  event.is_balanced = clock.kicks == 2 && balances(number);
  // A terrace that is not balanced keeps no gradient; what stands in its place may be a former group's.
  const bool knows_before = !event.is_first && balances(number);
  const auto products =
      products_of(state, event, knows_before ? at(gradients_, number) : std::span<const Vector3>(), looks);
  if (!products) return {};
  event.products = *products;
  event.elapsed = static_cast<double>(event.now - clock.last) * clocks_.tick();
  if (!event.is_first)
    event.curvature = curvature_of_drift(clock.drift, event.elapsed, event.products.value,
                                         event.products.normal_velocity, event.products.with_before);
  return event;
}

// Gradient and products of an event. Where ranks share it, the same reduction tells whether one objects to
// the last kick, and whether a search might find an earlier event; nothing where either is so.
std::optional<SubdomainGradient::Products> ClockedEnergyStepping::products_of(State& state,
                                                                              const Event& event,
                                                                              std::span<const Vector3> before,
                                                                              PairLooks* looks) {
  GradientGrids& grids = at(states_, event.number).gradient_grids;
  if (!goes_together_ && !goes_ahead_ && !confirm(state)) return {};
  owes_reduction_ = false;
  if (!asks()) return gradient_.evaluate_with_value(event.number, state, event.instant, grids, before, looks);
  bool holds = true;
  SubdomainGradient::Question question{schedule_.ask(event.instant), [&](std::span<const double> sums) {
                                         holds = sums.back() == 0;
                                         return holds && schedule_.understand(sums.first(sums.size() - 1));
                                       }};
  question.numbers.push_back(unconfirmed_ && unconfirmed_->objects ? 1 : 0);
  std::optional<SubdomainGradient::Products> products;
  try {
    products = gradient_.evaluate_if(question, event.number, state, event.instant, grids, before, looks);
  } catch (const Error&) {
    if (unconfirmed_) conclude(state, true);  // the evaluation throws only where no rank objects
    throw;
  }
  if (!holds) schedule_.withdraw();
  if (unconfirmed_) conclude(state, holds);
  constexpr int a_while = 10;
  if (holds && !products) searches_first_ = a_while;
  return products;
}

// The kick of a terrace, with a certified step after it. Where several ranks share the event, their consent
// is asked later (confirm). False where the kick before turned out to need a shorter step: then only that was
// shortened.
bool ClockedEnergyStepping::kick(State& state, std::int32_t number, PairLooks* looks) {
  const std::optional<Event> event = event_of(state, number, looks);
  if (!event) return false;
  if (looks != nullptr) clocks_[number].next_look = look_after(number, event->now);
  clocks_[number].running = true;
  const PlannedKick kick = control_.kick_with_step_control(*event);
  at(states_, number).origin = event->instant;
  const double pushed = push(state, *event, kick.multiplier);
  clocks_.set_next(number, event->now + clocks_[number].step);
  std::vector<std::int32_t> running = renew_lines(state, number, event->instant);
  Given given{*event, kick, pushed, clocks_[number], state.time};
  TERRACE_VERIFY(running.empty() || !far_sides_.are_left(number), number, running.size());
  double objections = invalid_until_next(state, number, event->now);
  given.objects = objections > 0;
  Communicator& communicator = *lagrangian_.communicator;
  const bool is_everywhere = at(lagrangian_.subdomains, number).everywhere;
  if (communicator.size() > 1 && running.empty() && !is_everywhere) {
    given.kick = settle(*event, kick);
    unconfirmed_ = given;
    return true;
  }
  if (running.empty())
    owes_reduction_ = communicator.size() == 1;
  else if (!is_everywhere)
    communicator.sum({&objections, 1});
  if (objections > 0)
    running = shorten(state, given);
  else
    finish(*event, settle(*event, kick));
  guard(state, std::move(running), event->now);
  return true;
}

// Whether the next thing to do may be an event whose sums also carry the ranks' objections to the last kick,
// and a sample of each search that is going on.
bool ClockedEnergyStepping::goes_with_the_next(double limit, double event) const {
  if (event > limit || schedule_.knows_one_until(limit)) return false;
  if (searches_first_ > 0 && !schedule_.is_idle_until(limit)) return false;
  const std::int32_t number = clocks_.first_of_next();
  if (last_to_do_ && clocks_.next_event(number) > *last_to_do_) return false;
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  return !graph_.touching().waits(number) && !subdomain.everywhere && !gradient_.is_alone(subdomain);
}

// Whether the next thing to do may be an event that each rank does by itself, before the last kick is
// confirmed.
bool ClockedEnergyStepping::goes_ahead(double limit, double event) const {
  if (!may_go_ahead_ || !unconfirmed_ || event > limit) return false;
  const std::int32_t number = clocks_.first_of_next();
  if (last_to_do_ && clocks_.next_event(number) > *last_to_do_) return false;
  return at(lagrangian_.subdomains, number).everywhere && !graph_.touching().waits(number);
}

// Asks all ranks whether they object to the last kick, in a reduction of its own. False where its step was
// too long and has been shortened.
bool ClockedEnergyStepping::confirm(State& state) {
  if (!unconfirmed_ && !owes_reduction_) return true;
  double objections = unconfirmed_ && unconfirmed_->objects ? 1 : 0;
  lagrangian_.communicator->sum({&objections, 1});
  owes_reduction_ = false;
  return !unconfirmed_ || conclude(state, objections == 0);
}

// Finishes the last kick if no rank objects (`holds`), else shortens its step. Returns `holds`. An error
// counts as one in that event, which then is not counted.
bool ClockedEnergyStepping::conclude(State& state, bool holds) {
  const Given given = *std::exchange(unconfirmed_, {});
  if (!holds && given.others_went_ahead) throw WentAheadInVain{};
  try {
    if (holds) {
      finish(given.event, given.kick);
    } else {
      state.time = given.time;
      if (far_sides_.are_left(given.event.number) && is_certified(state, given.event))
        finish(given.event, given.kick);
      else
        guard(state, shorten(state, given), given.event.now);
    }
  } catch (const Error&) {
    if (given.others_went_ahead) throw WentAheadInVain{};
    state.time = given.time;
    failing_event_ = {given.event.now, at(lagrangian_.subdomains, given.event.number).order};
    if (given.counted) --events_;
    throw;
  }
  return holds;
}

// Brings all far sides and tells whether the event's step is certified with all surfaces on all ranks. If it
// is not, evaluates the event's gradient again, so that all ranks have it on all nodes.
bool ClockedEnergyStepping::is_certified(State& state, const Event& event) {
  bring_far_sides(state);
  if (uncertified(state, {event.number}, event.now).empty()) return true;
  GradientGrids grids = at(states_, event.number).gradient_grids;  // a copy: the state's must not change
  gradient_.evaluate(event.number, state, event.instant, grids);
  return false;
}

// Halves the step of an event, and changes its kick accordingly, until the step is certified. Returns the
// neighbours that run.
std::vector<std::int32_t> ClockedEnergyStepping::shorten(State& state, const Given& given) {
  const Event& event = given.event;
  TERRACE_VERIFY(!far_sides_.are_left(event.number), event.number);
  Clock& clock = clocks_[event.number] = given.clock;
  PlannedKick kick;
  double pushed = given.pushed;
  std::vector<std::int32_t> running;
  do {
    clock.step = shorter(event.number, clock.step, event.now);
    kick = control_.kick_for(event, clock.step);
    pushed += push(state, event.after(pushed), kick.multiplier - pushed);
    clocks_.set_next(event.number, event.now + clock.step);
    running = renew_lines(state, event.number, event.instant);
  } while (!uncertified(state, {event.number}, event.now).empty());
  finish(event, settle(event, kick));
  return running;
}

// Stores what the next event has to know of this one. Returns the kick with the debt that remains.
PlannedKick ClockedEnergyStepping::settle(const Event& event, const PlannedKick& kick) {
  if (balances(event.number)) gradient_.of_counted_nodes(event.number, at(gradients_, event.number));
  return control_.settle(event, kick);
}

// Counts an event and its kick. Throws Error(run) on all ranks where a debt is overdue.
void ClockedEnergyStepping::finish(const Event& event, const PlannedKick& kick) {
  monitors_.remember(event.number, event.instant);
  if (!event.is_balanced) return;
  if (const std::optional<double> debt = control_.note(event, kick))
    throw Error(Error::Kind::run, fmt::format("{}, time {}", name_of(event.number), event.instant),
                fmt::format("a step whose energy balances to {:.3g} of the energy of its bodies",
                            control_.debt_tolerance()),
                fmt::format("{:.3g}: lower integrator.time_step or time_step_factor, or raise "
                            "integrator.debt_tolerance",
                            *debt),
                Error::Reach::all_ranks);
}

// Applies the impulse λ n and takes the energy that it gives from U. Returns λ as applied, rounded to what
// integer momenta allow.
double ClockedEnergyStepping::push(State& state, const Event& event, double multiplier) {
  const SubdomainGradient::Products& products = event.products;
  const IntegerMultiplier factor = IntegerMultiplier::nearest(multiplier * products.grid / state.quantum);
  const double exact = factor.value() * state.quantum / products.grid;
  const Subdomain& subdomain = at(lagrangian_.subdomains, event.number);
  // Where every rank does this event, rank 0 alone books it in the ledgers.
  const bool books = !subdomain.everywhere || lagrangian_.communicator->rank() == 0;
  before_push_(event.number);
  state.apply_impulse(
      event.instant, factor, products.grid, gradient_.values(), subdomain.nodes, changed_,
      books ? std::span<const std::uint8_t>(lagrangian_.owned) : std::span<const std::uint8_t>{});
  if (books) gradient_.book_reactions(state, factor);
  const double gain = kinetic_gain(exact, products.normal_velocity, products.compliance);
  Clock& clock = clocks_[event.number];
  clock.stored += WideInteger::nearest(-gain / control_.scales().quantum);
  clock.most_energy = std::max(clock.most_energy, std::abs(control_.stored(clock)));
  return exact;
}

}  // namespace terrace
