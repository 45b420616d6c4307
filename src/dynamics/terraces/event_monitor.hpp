// Statistics of one subdomain's events: steps, reflections, runs of reflections, and signs of trouble.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dynamics/records/records.hpp"
#include "dynamics/terraces/first_crossing.hpp"

namespace terrace {

/// Returns a record without events; step_min is +∞. `energy_step` [J].
[[nodiscard]] SubdomainRecord no_events(std::string name, double energy_step);
/// Counts one more event, at the time `step` [s] after the last one. Does not change step_mean.
void count_step(SubdomainRecord& record, double step);

/// A sum that keeps its rounding errors in a second number: about twice the digits of a double, so that the
/// order of what is added hardly ever shows in its value.
class SumOfSteps {
 public:
  void add(double step);
  void add(const SumOfSteps& other);
  [[nodiscard]] double value() const { return sum_ + lost_; }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [sum, lost] = self;
    archive(sum, lost);
  }

 private:
  double sum_ = 0, lost_ = 0;
};

/// Counts the events of one subdomain and watches for signs of trouble. No trajectory depends on it.
class EventMonitor {
 public:
  EventMonitor() : EventMonitor("", 0) {}
  /// `energy_step` [J]; +∞ for a set constraint, which always reflects.
  EventMonitor(std::string name, double energy_step);

  /// The subdomain starts or wakes up at `time`: the time before is not counted as a step, and its force is
  /// unknown.
  void resume(double time);
  /// Sets the time of the last event (or of the start), which is not passed on with what a monitor has
  /// counted.
  void go_on_from(double time) { last_event_ = time; }
  /// Counts an event at `time` on the given surface. Throws Error(run) on all ranks after 10,000 events at
  /// one instant. The message names the cause: if all potentials are `certified`, none is of intersecting
  /// faces, and the subdomain moves along a level or its energy step is below rounding; else parallel faces
  /// may meet.
  void remember(double time, bool reflected, FirstCrossing::Surface surface, bool certified = true);
  /// For subdomains on whose nodes nothing but their own force acts (moves_by_its_force): compares how long
  /// the nodes have moved in straight lines until `time` with √(2h/s), the time in which that force changes
  /// the energy by one energy step h. `compliance`: s = nᵀM⁻¹n. To be called before `remember`, and at the
  /// start.
  void compare_with_fall(double time, double compliance);
  /// Counts a collision of a set constraint. Contacts that press on each other all at once may collide ever
  /// more often. Throws Error(run) on all ranks for 10,000 + 10 `nodes` collisions within one `stable_step`,
  /// in which little happens to an element.
  void guard_against_cascade(double time, double stable_step, std::int64_t nodes);
  /// Adds what another monitor has counted elsewhere, of events that this one has not seen.
  void add(const EventMonitor& other);
  /// The same as guard_against_cascade for a wall that reflects particles: `duration` is a time in which
  /// particles hardly move, and they are the `nodes`.
  void guard_against_impacts_without_end(double time, double duration, std::int64_t particles);
  /// Whether it has counted anything. The time of the last event does not count as such.
  [[nodiscard]] bool has_anything_to_add() const {
    return record_.events > 0 || record_.energy_mismatch > 0 || longest_stay_ > 0;
  }
  /// Returns what it has counted so far and sets its counts to zero. Times and runs that are under way go on.
  [[nodiscard]] EventMonitor take();
  /// Notes that V lies beyond its terrace by `share` energy steps.
  void note_mismatch(double share);

  [[nodiscard]] double energy_step() const { return record_.energy_step; }
  [[nodiscard]] double step_sum() const { return step_sum_.value(); }
  [[nodiscard]] double longest_step() const { return record_.step_max; }
  [[nodiscard]] double mean_step() const {
    return record_.events > 0 ? step_sum() / static_cast<double>(record_.events) : 0;
  }
  [[nodiscard]] std::int64_t events() const { return record_.events; }
  [[nodiscard]] std::int64_t reflections() const { return record_.reflections; }
  [[nodiscard]] double last_event() const { return last_event_; }  ///< or the start, before the first event
  /// Everything but the level.
  [[nodiscard]] SubdomainRecord record() const;
  /// Adds warnings for the user: of long runs of reflections at one surface, of many reflections, and of
  /// terraces on which the subdomain stays too long. The present stay counts until `now`.
  void describe_trouble(double now, std::vector<Warning>& warnings) const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [record, last_event, step_sum, zero_steps, cascade_start, cascade, run, run_start, run_surface,
           falls_per_time, longest_stay, longest_stay_start] = self;
    archive(record, last_event, step_sum, zero_steps, cascade_start, cascade, run, run_start, run_surface,
            falls_per_time, longest_stay, longest_stay_start);
  }

 private:
  /// Counts one more collision. Returns whether `most` collisions have come within `duration`.
  bool is_cascade(double time, double duration, std::int64_t most);
  // A stay on one terrace: its duration in units of √(2h/s), and the time at which it began.
  struct Stay {
    double falls = 0, start = 0;
  };
  [[nodiscard]] Stay longest_stay(double now) const;
  void count_run(double time, FirstCrossing::Surface surface);

  SubdomainRecord record_;
  double last_event_ = 0;
  SumOfSteps step_sum_;
  int zero_steps_ = 0;
  double cascade_start_ = 0;  // time of the first of the collisions counted by is_cascade
  std::int64_t cascade_ = 0;
  std::int64_t run_ = 0;  // number of consecutive reflections at one surface
  double run_start_ = 0;
  FirstCrossing::Surface run_surface_ = FirstCrossing::Surface::none;
  double falls_per_time_ = 0;  // √(s/2h) at the last event; 0: unknown
  double longest_stay_ = 0;    // Stay::falls of the longest stay
  double longest_stay_start_ = 0;
};

}  // namespace terrace
