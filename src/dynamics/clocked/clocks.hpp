// The clocks of all terraces, in ticks that they have in common.
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
  double time_step_factor = 0.4;    ///< of the stable step
  double largest_correction = 0.1;  ///< κ, in kicks of leapfrog
  double debt_tolerance = 1e-6;     ///< of Clock::most_energy
};

/// When an event is, and its place among those of the same time.
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

/// A tick is a power of two of seconds, of which the shortest step of any terrace has millions. Which of them
/// a terrace uses follows from its own step alone, so that others do not change its events.
class Clocks {
 public:
  /// Of a run that begins at `start` [s]; no clock runs. `system` outlives this. Throws Error(input) for a
  /// step that is not positive.
  Clocks(const Lagrangian& system, const ClockSettings& settings, double start);

  /// For terraces 0 … count − 1.
  void make_room(std::size_t count);
  [[nodiscard]] Clock& operator[](std::int32_t number) { return at(clocks_, number); }
  [[nodiscard]] const Clock& operator[](std::int32_t number) const { return at(clocks_, number); }
  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(clocks_.size()); }

  [[nodiscard]] double tick() const { return tick_; }  ///< [s]
  [[nodiscard]] double time_of(std::int64_t tick) const { return start_ + static_cast<double>(tick) * tick_; }
  /// Of a terrace whose elements and whose contact and walls are stable up to so long [s]; never longer.
  [[nodiscard]] double longest_step(double stable, double stable_contact) const;
  [[nodiscard]] double longest_step(const Subdomain& subdomain) const {
    return longest_step(subdomain.stable_step, subdomain.stable_contact_step);
  }
  /// The first of the terrace's ticks at or after `time`.
  [[nodiscard]] std::int64_t tick_after(double time, std::int32_t number) const;
  /// So many ticks are between two of the terrace's.
  [[nodiscard]] std::int64_t ticks_in_unit(std::int32_t number) const;

  /// The first event, or the touch of its bodies, is at `tick`; what comes then has the longest step.
  void start(std::int32_t number, std::int64_t tick);
  /// Shorter steps at first, which soon grow.
  void begin_with_short_steps(std::int32_t number);
  /// Its next event; none where `tick` is negative.
  void set_next(std::int32_t number, std::int64_t tick);
  /// A new clock, which has no events.
  void begin_anew(std::int32_t number);

  /// Of all terraces the time of the next event [s]; +∞ if there is none.
  [[nodiscard]] double next_time() const {
    return due_.time() < infinity ? start_ + due_.time() * tick_ : infinity;
  }
  /// Of simultaneous events the one that is first by Subdomain::order.
  [[nodiscard]] std::int32_t first_of_next() const;
  /// Of its next event.
  [[nodiscard]] ClockedEvent next_event(std::int32_t number) const {
    return {at(clocks_, number).next, at(system_.subdomains, number).order};
  }

  /// What is due can be taken out for a while: ticks, +∞ where nothing is.
  [[nodiscard]] double due(std::int32_t number) const { return due_.at(static_cast<std::size_t>(number)); }
  void set_due(std::int32_t number, double ticks) { due_.set(static_cast<std::size_t>(number), ticks); }

  /// Of all clocks, in any order.
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
  Earliest due_;              // their next events [ticks]
};

}  // namespace terrace
