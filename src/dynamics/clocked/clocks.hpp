// The clocks of all terraces, in one common unit of time, the tick.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>

#include "dynamics/clocked/clock.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "dynamics/terraces/earliest.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

struct ClockSettings {
  double time_step = 0;             ///< [s]; 0: time_step_factor times the stable step of each terrace
  double time_step_factor = 0.4;    ///< share of the stable step
  double largest_correction = 0.1;  ///< κ, the largest correction of a kick as a share of leapfrog's kick
  double debt_tolerance = 1e-6;     ///< share of Clock::most_energy
};

/// Time of an event, and its place among events of the same time. Ordered as events are processed.
struct ClockedEvent {
  std::int64_t tick = -1;
  std::array<std::int32_t, 2> order{};  ///< Subdomain::order
  friend auto operator<=>(const ClockedEvent&, const ClockedEvent&) = default;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [tick, order] = self;
    archive(tick, order);
  }
};

/// The clocks of all terraces. A tick is a power of two [s]; the shortest step of any terrace has millions of
/// ticks. A terrace that wakes up starts at a multiple of its own unit, a power of two of ticks that follows
/// from its own step alone, so that other terraces do not change its events.
class Clocks {
 public:
  /// For a run that begins at `start` [s]; no clock runs yet. `system` must outlive this. Throws Error(input)
  /// for a step that is not positive.
  Clocks(const Lagrangian& system, const ClockSettings& settings, double start);

  /// Makes clocks for terraces 0 … count − 1, where there are none yet.
  void make_room(std::size_t count);
  [[nodiscard]] Clock& operator[](std::int32_t number) { return at(clocks_, number); }
  [[nodiscard]] const Clock& operator[](std::int32_t number) const { return at(clocks_, number); }
  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(clocks_.size()); }

  [[nodiscard]] double tick() const { return tick_; }  ///< [s]
  [[nodiscard]] double time_of(std::int64_t tick) const { return start_ + static_cast<double>(tick) * tick_; }
  /// The longest step [s] of a terrace: as the settings want it, but no longer than the stable step of its
  /// elements (`stable`) and its contact and walls (`stable_contact`, +∞ without any) together.
  [[nodiscard]] double longest_step(double stable, double stable_contact) const;
  [[nodiscard]] double longest_step(const Subdomain& subdomain) const {
    return longest_step(subdomain.stable_step, subdomain.stable_contact_step);
  }
  /// The first tick at or after `time` [s] that is a multiple of the terrace's unit.
  [[nodiscard]] std::int64_t tick_after(double time, std::int32_t number) const;
  /// The unit of a terrace in ticks, a power of two.
  [[nodiscard]] std::int64_t ticks_in_unit(std::int32_t number) const;

  /// Starts a clock: its first event, or the touch of its bodies, is at `tick`, and the step after that is
  /// the longest.
  void start(std::int32_t number, std::int64_t tick);
  /// After start(): the first steps are shorter, and soon grow.
  void begin_with_short_steps(std::int32_t number);
  /// Sets the next event of a clock; a negative `tick`: none.
  void set_next(std::int32_t number, std::int64_t tick);
  /// Resets a clock: nothing stored, no events.
  void begin_anew(std::int32_t number);

  /// Time of the next event of all terraces [s]; +∞ if there is none.
  [[nodiscard]] double next_time() const {
    return due_.time() < infinity ? start_ + due_.time() * tick_ : infinity;
  }
  /// Terrace of the next event, of simultaneous ones the first by Subdomain::order; −1 if there is none.
  [[nodiscard]] std::int32_t first_of_next() const;
  /// The next event of a terrace that has one.
  [[nodiscard]] ClockedEvent next_event(std::int32_t number) const {
    return {at(clocks_, number).next, at(system_.subdomains, number).order};
  }

  /// When a terrace's event is due in the queue [ticks], +∞ where it is not. Setting it takes an event out of
  /// the queue for a while without changing its clock.
  [[nodiscard]] double due(std::int32_t number) const { return due_.at(static_cast<std::size_t>(number)); }
  void set_due(std::int32_t number, double ticks) { due_.set(static_cast<std::size_t>(number), ticks); }

  /// Σ U of all clocks, in quanta of energy; exact, so that the order of the clocks does not matter.
  [[nodiscard]] WideInteger stored() const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.clocks_, self.due_);
  }

 private:
  [[nodiscard]] double unit_of(std::int32_t number) const;

  const Lagrangian& system_;
  ClockSettings settings_;
  double start_, tick_ = 1;
  std::deque<Clock> clocks_;  // by subdomain
  Earliest due_;              // queue of their next events [ticks]
};

}  // namespace terrace
