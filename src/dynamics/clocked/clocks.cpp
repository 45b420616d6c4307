#include "dynamics/clocked/clocks.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/clocked/step_growth.hpp"
#include "dynamics/state/integrator.hpp"
#include "numerics/contract.hpp"

namespace terrace {

/// The shortest step has at least 2^tick_bits ticks.
static constexpr int tick_bits = 24;

Clocks::Clocks(const Lagrangian& system, const ClockSettings& settings, double start)
    : system_(system), settings_(settings), start_(start) {
  double least = infinity;
  for (const Subdomain& subdomain : system.subdomains) least = std::min(least, longest_step(subdomain));
  // Contact may shorten the steps of bodies that touch.
  const double contact = settings.time_step_factor * system.stable_contact_step;
  least = stable_together(least, contact);
  tick_ = std::ldexp(1.0, std::ilogb(positive_step(least)) - tick_bits);
}

void Clocks::make_room(std::size_t count) {
  if (count <= clocks_.size()) return;
  clocks_.resize(count);
  due_.resize(count);
}

double Clocks::longest_step(double stable, double stable_contact) const {
  const double both = stable_contact < infinity ? stable_together(stable, stable_contact) : stable;
  const double wanted = settings_.time_step > 0 ? settings_.time_step : settings_.time_step_factor * both;
  return std::min(wanted, both);
}

// The unit of a terrace [s]: made like a tick, but from the subdomain's own step.
double Clocks::unit_of(std::int32_t number) const {
  const double step = longest_step(at(system_.subdomains, number));
  return std::max(tick_, std::ldexp(1.0, std::ilogb(step) - tick_bits));
}

std::int64_t Clocks::ticks_in_unit(std::int32_t number) const {
  return static_cast<std::int64_t>(unit_of(number) / tick_);
}

std::int64_t Clocks::tick_after(double time, std::int32_t number) const {
  const double unit = unit_of(number);
  const double ticks = std::ceil((time - start_) / unit) * (unit / tick_);
  TERRACE_VERIFY(ticks >= 0 && ticks < 0x1p62, time, tick_);
  return static_cast<std::int64_t>(ticks);
}

void Clocks::set_next(std::int32_t number, std::int64_t tick) {
  at(clocks_, number).next = tick;
  set_due(number, tick < 0 ? infinity : static_cast<double>(tick));
}

void Clocks::start(std::int32_t number, std::int64_t tick) {
  Clock& clock = at(clocks_, number);
  clock.kicks = 0;
  const double step = longest_step(at(system_.subdomains, number));
  clock.step = clock.longest = static_cast<std::int64_t>(rounded_down(step, step_bits) / tick_);
  clock.quiet = 0;
  clock.young = false;
  clock.last = tick;
  set_next(number, tick);
}

void Clocks::begin_with_short_steps(std::int32_t number) {
  constexpr int short_step = 16;
  Clock& clock = at(clocks_, number);
  clock.step = std::max<std::int64_t>(1, clock.longest / short_step);
  clock.young = true;
}

void Clocks::begin_anew(std::int32_t number) {
  at(clocks_, number) = {};
  set_next(number, -1);
}

std::int32_t Clocks::first_of_next() const {
  std::int32_t first = -1;
  due_.visit_until(due_.time(), [&](std::size_t j) {
    const auto number = static_cast<std::int32_t>(j);
    if (first < 0 || system_.subdomains[j].order < at(system_.subdomains, first).order) first = number;
  });
  return first;
}

WideInteger Clocks::stored() const {
  WideInteger sum;
  for (const Clock& clock : clocks_) sum += clock.stored;
  return sum;
}

}  // namespace terrace
