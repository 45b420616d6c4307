// What is remembered of one subdomain's events: steps, reflections, runs of them, and signs of trouble.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dynamics/records/records.hpp"
#include "dynamics/terraces/first_crossing.hpp"

namespace terrace {

/// A record of no events yet.
[[nodiscard]] SubdomainRecord no_events(std::string name, double energy_step);
/// One more event, `step` after the last; step_mean is left alone.
void count_step(SubdomainRecord& record, double step);

/// A sum that knows what rounding took from it: its value does not depend on the order of what is added.
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

class EventMonitor {
 public:
  EventMonitor() : EventMonitor("", 0) {}
  /// `energy_step` [J]; +∞ for a set constraint, which always reflects.
  EventMonitor(std::string name, double energy_step);

  /// The subdomain starts, or wakes up: what came before is no step, and nothing is known of its force.
  void resume(double time);
  /// Where it was told without that: the last event was, or the subdomain started, at `time`.
  void go_on_from(double time) { last_event_ = time; }
  /// An event at `time` on the given surface. Throws Error(run) on all ranks after 10,000 events at one
  /// instant, and says what can cause them: faces that meet, or, where all potentials are `certified` and so
  /// none is of intersecting faces, a level that is followed or not resolved.
  void remember(double time, bool reflected, FirstCrossing::Surface surface, bool certified = true);
  /// Where nothing but the subdomain's own force, of the compliance s = nᵀM⁻¹n, acts on its nodes: how long
  /// they have moved in straight lines at `time`, against √(2h/s), in which that force would have given or
  /// taken an energy step. To be called before `remember`, and at the start.
  void compare_with_fall(double time, double compliance);
  /// For a set constraint: contacts that press on each other all at once may collide ever more often. In a
  /// stable step nothing much happens to an element; some collisions of each of `nodes` within one are
  /// plenty. Throws Error(run) on all ranks for more.
  void guard_against_cascade(double time, double stable_step, std::int64_t nodes);
  /// What another monitor has counted of the same subdomain elsewhere, where this one was not.
  void add(const EventMonitor& other);
  /// For a wall that particles are reflected at: the same, within the time in which they hardly move.
  void guard_against_impacts_without_end(double time, double duration, std::int64_t particles);
  /// Whether it has counted anything. When the last event was is not told.
  [[nodiscard]] bool has_anything_to_add() const {
    return record_.events > 0 || record_.energy_mismatch > 0 || longest_stay_ > 0;
  }
  /// What it has counted so far, which it forgets; it goes on as if it had not.
  [[nodiscard]] EventMonitor take();
  /// V lies beyond its terrace by this share of the energy step.
  void note_mismatch(double share);

  [[nodiscard]] double energy_step() const { return record_.energy_step; }
  [[nodiscard]] double step_sum() const { return step_sum_.value(); }
  [[nodiscard]] double longest_step() const { return record_.step_max; }
  [[nodiscard]] double mean_step() const {
    return record_.events > 0 ? step_sum() / static_cast<double>(record_.events) : 0;
  }
  [[nodiscard]] std::int64_t events() const { return record_.events; }
  [[nodiscard]] std::int64_t reflections() const { return record_.reflections; }
  [[nodiscard]] double last_event() const { return last_event_; }  ///< or when it started
  /// All but the level.
  [[nodiscard]] SubdomainRecord record() const;
  /// Adds to `warnings` what a user understands of runs of reflections at one surface, and of terraces that
  /// are not left for long until `now`.
  void describe_trouble(double now, std::vector<Warning>& warnings) const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [record, last_event, step_sum, zero_steps, cascade_start, cascade, run, run_start, run_surface,
           falls_per_time, longest_stay, longest_stay_start] = self;
    archive(record, last_event, step_sum, zero_steps, cascade_start, cascade, run, run_start, run_surface,
            falls_per_time, longest_stay, longest_stay_start);
  }

 private:
  /// One more collision; whether there are so many within this time.
  bool is_cascade(double time, double duration, std::int64_t most);
  struct Stay {
    double falls = 0, start = 0;
  };
  [[nodiscard]] Stay longest_stay(double now) const;
  void count_run(double time, FirstCrossing::Surface surface);

  SubdomainRecord record_;
  double last_event_ = 0;
  SumOfSteps step_sum_;
  int zero_steps_ = 0;
  double cascade_start_ = 0;  // of the collisions counted by guard_against_cascade
  std::int64_t cascade_ = 0;
  std::int64_t run_ = 0;  // of consecutive reflections at one surface
  double run_start_ = 0;
  FirstCrossing::Surface run_surface_ = FirstCrossing::Surface::none;
  double falls_per_time_ = 0;  // √(s/2h) at the last event; 0: not compared
  double longest_stay_ = 0;    // on one terrace, in such falls
  double longest_stay_start_ = 0;
};

}  // namespace terrace
