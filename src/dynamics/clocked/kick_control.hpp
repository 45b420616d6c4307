// Which kick an event of clocked energy-stepping gives, which step follows, and what is left unbalanced.
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
  bool is_first = false, is_balanced = false;
  double stored = 0;     ///< U [J]
  double elapsed = 0;    ///< since the last event [s]
  double curvature = 0;  ///< of the drift [J/s²]
  SubdomainGradient::Products products{};
  /// After λ n was given, which is to be changed.
  [[nodiscard]] KickEvent after(double multiplier) const {
    KickEvent event = *this;
    event.products.normal_velocity += multiplier * products.compliance;
    return event;
  }
};

struct PlannedKick : BalancedKick {
  double offset = 0;  ///< b with it [J]
};

/// Kicks balance the energy of a terrace as far as κ allows (balanced_kick). Steps are halved where
/// leapfrog's own error was loud, and grow where it was quiet for a while. Debts are watched. What an event
/// is not asked for is in the clock of its terrace.
class KickControl {
 public:
  KickControl(const ClockSettings& settings, Clocks& clocks) : settings_(settings), clocks_(clocks) {}

  void measure_by(const EnergyScales& scales) { scales_ = scales; }
  [[nodiscard]] const EnergyScales& scales() const { return scales_; }
  [[nodiscard]] double stored(const Clock& clock) const { return clock.stored.value() * scales_.quantum; }

  /// The kick before a step of so many ticks.
  [[nodiscard]] PlannedKick kick_for(const KickEvent& event, std::int64_t step) const {
    return kick_for(event, step, 1, settings_.largest_correction);
  }
  /// The same, for the step that its clock has, which becomes shorter or longer first where that is due.
  [[nodiscard]] PlannedKick kick_with_step_control(const KickEvent& event);
  /// A step was shortened for another reason.
  void note_shortened_step() { ++balance_.shortened_steps; }
  /// Its clock knows of the kick what it has to know at the next event. Returns the kick with what is left
  /// unbalanced: nothing while the clock still finds out what U is beside V.
  PlannedKick settle(const KickEvent& event, PlannedKick kick);
  /// Takes a kick that was balanced into the balance. Returns its debt, as a share of what its bodies have
  /// had, where that is overdue.
  [[nodiscard]] std::optional<double> note(const KickEvent& event, const BalancedKick& kick);

  [[nodiscard]] const BalanceRecord& balance() const { return balance_; }
  void set_balance(const BalanceRecord& balance) { balance_ = balance; }
  /// U is no V of its own where terraces share nodes.
  void follows_no_potential() { balance_.follows_potential = false; }
  /// Adds what a user should know of so many events and how they balanced.
  void describe(std::int64_t events, const BalanceRecord& balance, std::vector<Warning>& warnings) const;
  [[nodiscard]] double debt_tolerance() const { return settings_.debt_tolerance; }

 private:
  [[nodiscard]] PlannedKick kick_for(const KickEvent& event, std::int64_t step, double kept,
                                     double correction) const;
  [[nodiscard]] std::int64_t next_step(Clock& clock, const BalancedKick& kick, bool is_balanced) const;
  // What debts are measured by: what its bodies have had, unless that is next to nothing beside all.
  [[nodiscard]] double share_of(double energy, const Clock& clock) const {
    return std::abs(energy) / std::max(scales_.threshold_of_contact(), clock.most_energy);
  }

  ClockSettings settings_;
  Clocks& clocks_;
  EnergyScales scales_;
  BalanceRecord balance_;
};

}  // namespace terrace
