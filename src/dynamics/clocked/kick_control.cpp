#include "dynamics/clocked/kick_control.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "dynamics/clocked/step_growth.hpp"

namespace terrace {

/// Share of the offset b that every event forgets; without that b does a random walk.
static constexpr double forgotten = 0.01;

// The kick for a step of so many ticks, with the share `kept` of the clock's offset and corrections of at
// most `correction` times leapfrog's kick.
PlannedKick KickControl::kick_for(const KickEvent& event, std::int64_t step, double kept,
                                  double correction) const {
  const Clock& clock = clocks_[event.number];
  const double planned = static_cast<double>(clock.planned) * clocks_.tick(),
               ahead = 0.5 * static_cast<double>(step) * clocks_.tick();
  KickData data{.value = event.products.value,
                .normal_velocity = event.products.normal_velocity,
                .compliance = event.products.compliance,
                .stored = event.stored,
                .bend = ahead * ahead / 3 * event.curvature,
                .weight = event.is_first ? ahead : event.elapsed - 0.5 * planned + ahead,
                .ahead = ahead,
                .largest_correction = event.is_balanced ? correction : 0};
  // Leapfrog's modified energy is K + V − τ² (s/8 − curvature/12), so that a new step changes the offset.
  data.offset = kept * clock.offset + (planned * planned - 4 * ahead * ahead) *
                                          (event.products.compliance / 8 - event.curvature / 12);
  return {balanced_kick(data), data.offset};
}

PlannedKick KickControl::kick_with_step_control(const KickEvent& event) {
  Clock& clock = clocks_[event.number];
  PlannedKick kick = kick_for(event, clock.step);
  if (const std::int64_t step = next_step(clock, kick, event.is_balanced); step != clock.step) {
    balance_.shortened_steps += step < clock.step ? 1 : 0;
    clock.step = step;
    clock.quiet = 0;
    kick = kick_for(event, step);
  }
  // The offset decays where that needs no more than a small correction of the kick.
  if (event.is_balanced && event.products.compliance > 0 && !kick.clipped && clock.offset != 0) {
    constexpr double hardly = 0.1;
    const PlannedKick forgetting =
        kick_for(event, clock.step, 1 - forgotten, hardly * settings_.largest_correction);
    if (!forgetting.clipped) kick = forgetting;
  }
  return kick;
}

// The step after an event [ticks], chosen by leapfrog's own error in the last step, that of the trapezoidal
// rule. Earlier debts do not count: a shorter step would not pay them. Neither does the error of a kick that
// is not balanced, as U of terraces that share nodes does not follow V.
std::int64_t KickControl::next_step(Clock& clock, const BalancedKick& kick, bool is_balanced) const {
  constexpr double loud = 1.5e-6;
  constexpr int always_enough = 50;
  const int enough = clock.young ? 4 : always_enough;
  const double error = is_balanced ? share_of(kick.imbalance - clock.debt, clock) : 0;
  if (clock.step == clock.longest || error > loud) clock.young = false;
  if (error > loud) return std::max<std::int64_t>(1, clock.step / 2);
  clock.quiet = error > loud / 8 ? 0 : std::min(clock.quiet + 1, always_enough);
  if (clock.quiet < enough) return clock.step;
  return std::min(clock.longest, longer_step(clock.step, clock.young));
}

PlannedKick KickControl::settle(const KickEvent& event, PlannedKick kick) {
  Clock& clock = clocks_[event.number];
  clock.drift = {event.products.value,
                 event.products.normal_velocity + kick.multiplier * event.products.compliance};
  clock.offset = kick.offset;
  if (clock.kicks < 2) {
    ++clock.kicks;
    clock.offset -= kick.debt;
    kick.debt = 0;
  }
  clock.debt = kick.debt;
  clock.last = event.now;
  clock.planned = clock.step;
  return kick;
}

std::optional<double> KickControl::note(const KickEvent& event, const BalancedKick& kick) {
  Clock& clock = clocks_[event.number];
  const double debt = share_of(kick.debt, clock);
  balance_.largest_debt = std::max(balance_.largest_debt, debt);
  balance_.largest_imbalance = std::max(balance_.largest_imbalance, share_of(kick.imbalance, clock));
  if (kick.clipped) ++balance_.clipped_kicks;
  const bool is_in_debt = debt > settings_.debt_tolerance, is_forced = event.products.compliance > 0;
  if (is_in_debt && (clock.overdue > 0 || !is_forced))
    balance_.largest_unpaid_debt = std::max(balance_.largest_unpaid_debt, debt);
  // Without a force no debt can be paid: in free flight it waits for the next contact.
  if (!is_forced) return {};
  constexpr int long_enough = 100;
  clock.overdue = is_in_debt ? clock.overdue + 1 : 0;
  return clock.overdue > long_enough ? std::optional(debt) : std::nullopt;
}

void KickControl::describe(std::int64_t events, const BalanceRecord& balance,
                           std::vector<Warning>& warnings) const {
  // A debt that the next kick paid is worth a warning only where it was large.
  constexpr double much = 10;
  const bool is_unpaid = balance.largest_unpaid_debt > 0;
  if (balance.largest_debt > (is_unpaid ? 1 : much) * settings_.debt_tolerance)
    warnings.push_back(
        {"debt of a kick",
         fmt::format("kicks left up to {:.3g} of the energy of their bodies unbalanced, more than "
                     "integrator.debt_tolerance = {:.3g}, if not for long: lower integrator.time_step or "
                     "integrator.time_step_factor",
                     balance.largest_debt, settings_.debt_tolerance)});
  if (events < 100 || 100 * balance.clipped_kicks < events) return;
  // Where hardly anything deforms, clipped kicks leave only rounding errors, which no shorter step balances.
  // Debts are sums of these then, and no imbalance is much larger than the debt that was there before.
  constexpr double hardly = 1e-3, small = 0.1;
  if (!(balance.largest_debt > hardly * settings_.debt_tolerance)) return;
  const double of_one_kick = balance.largest_imbalance - balance.largest_debt;
  if (balance.largest_debt < small * settings_.debt_tolerance &&
      of_one_kick < hardly * settings_.debt_tolerance)
    return;
  warnings.push_back(
      {"clipped kicks",
       fmt::format(
           "{:.2g} % of the kicks could not balance their energy within integrator.largest_correction "
           "(the largest debt was {:.2g} of the energy of their bodies): lower integrator.time_step or "
           "integrator.time_step_factor",
           100 * static_cast<double>(balance.clipped_kicks) / static_cast<double>(events),
           balance.largest_debt)});
}

}  // namespace terrace
