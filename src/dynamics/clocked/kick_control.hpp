// Chooses the kick of an event of clocked energy-stepping and the step that follows; keeps account of debts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "dynamics/clocked/balanced_kick.hpp"
#include "dynamics/clocked/clocks.hpp"
#include "dynamics/clocked/energy_scales.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"

namespace terrace {

/// What is known at an event before the kick.
struct KickEvent {
  std::int32_t number;  ///< of the subdomain
  std::int64_t now;     ///< [ticks]
  double instant;       ///< [s]
  /// The clock's first event; its kick is corrected to balance the energy (else leapfrog's own).
  bool is_first = false, is_balanced = false;
  double stored = 0;     ///< U [J]
  double elapsed = 0;    ///< since the last event [s]
  double curvature = 0;  ///< curvature_of_drift since the last event [J/s²]
  SubdomainGradient::Products products{};
  /// The event as it is after a first kick λ n, to which another is to be added.
  [[nodiscard]] KickEvent after(double multiplier) const {
    KickEvent event = *this;
    event.products.normal_velocity += multiplier * products.compliance;
    return event;
  }
};

struct PlannedKick : BalancedKick {
  double offset = 0;  ///< b that it is made with [J]
};

/// Chooses kicks and steps. Kicks balance the energy of a terrace as far as κ allows (balanced_kick). A step
/// is halved where leapfrog's own error was large, and grows where it has been small for a while. Debts are
/// recorded. Whatever a choice depends on, beside the KickEvent, is in the terrace's Clock.
class KickControl {
 public:
  KickControl(const ClockSettings& settings, Clocks& clocks) : settings_(settings), clocks_(clocks) {}

  void measure_by(const EnergyScales& scales) { scales_ = scales; }
  [[nodiscard]] const EnergyScales& scales() const { return scales_; }
  [[nodiscard]] double stored(const Clock& clock) const { return clock.stored.value() * scales_.quantum; }

  /// The kick for a following step of so many ticks.
  [[nodiscard]] PlannedKick kick_for(const KickEvent& event, std::int64_t step) const {
    return kick_for(event, step, 1, settings_.largest_correction);
  }
  /// The kick for the clock's own step, which is first made shorter or longer where that is due.
  [[nodiscard]] PlannedKick kick_with_step_control(const KickEvent& event);
  /// Counts a step that was shortened for lack of a certificate.
  void note_shortened_step() { ++balance_.shortened_steps; }
  /// Stores in the clock what it has to know at the next event. Returns the kick with the debt that remains:
  /// 0 for the first two kicks of a clock, whose debts become the offset b.
  PlannedKick settle(const KickEvent& event, PlannedKick kick);
  /// Records a balanced kick in balance(). Returns its debt, as a share of Clock::most_energy, where it is
  /// overdue: above the tolerance for more than a hundred events in a row.
  [[nodiscard]] std::optional<double> note(const KickEvent& event, const BalancedKick& kick);

  [[nodiscard]] const BalanceRecord& balance() const { return balance_; }
  void set_balance(const BalanceRecord& balance) { balance_ = balance; }
  /// Notes that some terraces share nodes, so that U does not follow V.
  void follows_no_potential() { balance_.follows_potential = false; }
  /// Adds the warnings that `events` events with this balance call for.
  void describe(std::int64_t events, const BalanceRecord& balance, std::vector<Warning>& warnings) const;
  [[nodiscard]] double debt_tolerance() const { return settings_.debt_tolerance; }

 private:
  [[nodiscard]] PlannedKick kick_for(const KickEvent& event, std::int64_t step, double kept,
                                     double correction) const;
  [[nodiscard]] std::int64_t next_step(Clock& clock, const BalancedKick& kick, bool is_balanced) const;
  // |energy| as a share of the clock's scale of energy, which counts as at least a tiny share of all energy.
  [[nodiscard]] double share_of(double energy, const Clock& clock) const {
    return std::abs(energy) / std::max(scales_.threshold_of_contact(), clock.most_energy);
  }

  ClockSettings settings_;
  Clocks& clocks_;
  EnergyScales scales_;
  BalanceRecord balance_;
};

}  // namespace terrace
