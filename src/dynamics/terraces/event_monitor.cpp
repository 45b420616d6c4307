#include "dynamics/terraces/event_monitor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {

SubdomainRecord no_events(std::string name, double energy_step) {
  SubdomainRecord record;
  record.name = std::move(name);
  record.energy_step = energy_step;
  record.step_min = infinity;
  return record;
}

void count_step(SubdomainRecord& record, double step) {
  ++record.events;
  record.step_min = std::min(record.step_min, step);
  record.step_max = std::max(record.step_max, step);
  const double bin = step > 0 ? std::floor(10 * (std::log10(step) + 20)) : 0;
  ++record.histogram[static_cast<std::int32_t>(std::clamp(bin, 0.0, 399.0))];
}

// Knuth's exact sum of two numbers: the rounded sum and its error.
void SumOfSteps::add(double step) {
  const double sum = sum_ + step, added = sum - sum_;
  lost_ += (sum_ - (sum - added)) + (step - added);
  sum_ = sum;
}

void SumOfSteps::add(const SumOfSteps& other) {
  add(other.sum_);
  lost_ += other.lost_;
}

EventMonitor::EventMonitor(std::string name, double energy_step)
    : record_(no_events(std::move(name), energy_step)) {}

void EventMonitor::resume(double time) {
  last_event_ = time;
  falls_per_time_ = 0;  // the force may be another one now
  run_ = 0;
  zero_steps_ = 0;
}

void EventMonitor::remember(double time, bool reflected, FirstCrossing::Surface surface, bool certified) {
  constexpr int most_at_one_instant = 10000;
  const double step = time - last_event_;
  const int zero_steps = step > 0 ? 0 : zero_steps_ + 1;
  const bool impenetrable = std::isinf(record_.energy_step);
  if (!impenetrable && zero_steps >= most_at_one_instant)
    throw Error(
        Error::Kind::run, "subdomain " + record_.name + ", " + at_time(time),
        "time to advance between its events",
        std::to_string(most_at_one_instant) + " events at one instant" +
            (certified
                 ? fmt::format(
                       ": it moves along a level, on which it may have started, or its energy step {:.6g} is "
                       "below what rounding leaves of its potential energy: choose another energy step, such "
                       "as "
                       "1.1 times this one or a far larger one",
                       record_.energy_step)
                 : std::string(", as where faces, or a face and an edge, meet that are parallel to the last "
                               "digit: use the barrier for those")),
        Error::Reach::all_ranks);
  last_event_ = time;
  zero_steps_ = zero_steps;
  count_step(record_, step);
  step_sum_.add(step);
  if (!reflected) {
    run_ = 0;
    return;
  }
  ++record_.reflections;
  if (!impenetrable) count_run(time, surface);  // a set constraint reflects always, by design
}

void EventMonitor::count_run(double time, FirstCrossing::Surface surface) {
  if (run_ == 0 || run_surface_ != surface) {
    run_ = 0;
    run_start_ = time;
    run_surface_ = surface;
  }
  if (++run_ > record_.longest_run) {
    record_.longest_run = run_;
    record_.longest_run_start = run_start_;
  }
}

EventMonitor::Stay EventMonitor::longest_stay(double now) const {
  const double falls = falls_per_time_ * (now - last_event_);
  return falls > longest_stay_ ? Stay{falls, last_event_} : Stay{longest_stay_, longest_stay_start_};
}

// The weaker of the forces at the two ends of the stay is decisive.
void EventMonitor::compare_with_fall(double time, double compliance) {
  const double per_time = std::sqrt(compliance / (2 * record_.energy_step));
  falls_per_time_ = falls_per_time_ > 0 ? std::min(falls_per_time_, per_time) : per_time;
  const Stay stay = longest_stay(time);
  longest_stay_ = stay.falls;
  longest_stay_start_ = stay.start;
  falls_per_time_ = per_time;
}

bool EventMonitor::is_cascade(double time, double duration, std::int64_t most) {
  if (time - cascade_start_ > duration) {
    cascade_start_ = time;
    cascade_ = 0;
  }
  return ++cascade_ >= most;
}

void EventMonitor::guard_against_cascade(double time, double stable_step, std::int64_t nodes) {
  const std::int64_t most = 10000 + 10 * nodes;
  if (!is_cascade(time, stable_step, most)) return;
  throw Error(
      Error::Kind::run, "subdomain " + record_.name + ", " + at_time(time),
      fmt::format("fewer than {} collisions within the stable step of an element, {:.3g}", most, stable_step),
      "more: too many simultaneous contacts for contact.model = \"rigid\"; use \"barrier\" or another "
      "penalty instead",
      Error::Reach::all_ranks);
}

void EventMonitor::add(const EventMonitor& other) {
  record_.events += other.record_.events;
  record_.reflections += other.record_.reflections;
  record_.step_min = std::min(record_.step_min, other.record_.step_min);
  record_.step_max = std::max(record_.step_max, other.record_.step_max);
  record_.energy_mismatch = std::max(record_.energy_mismatch, other.record_.energy_mismatch);
  for (const auto& [bin, count] : other.record_.histogram) record_.histogram[bin] += count;
  step_sum_.add(other.step_sum_);
  if (other.record_.longest_run > record_.longest_run) {
    record_.longest_run = other.record_.longest_run;
    record_.longest_run_start = other.record_.longest_run_start;
  }
  if (other.longest_stay_ > longest_stay_) {
    longest_stay_ = other.longest_stay_;
    longest_stay_start_ = other.longest_stay_start_;
  }
  last_event_ = std::max(last_event_, other.last_event_);
}

EventMonitor EventMonitor::take() {
  EventMonitor counted = *this;
  record_ = no_events(record_.name, record_.energy_step);
  step_sum_ = {};
  longest_stay_ = longest_stay_start_ = 0;
  return counted;
}

void EventMonitor::guard_against_impacts_without_end(double time, double duration, std::int64_t particles) {
  const std::int64_t most = 10000 + 10 * particles;
  if (!is_cascade(time, duration, most)) return;
  throw Error(Error::Kind::run, "wall " + record_.name + ", " + at_time(time),
              fmt::format("fewer than {} impacts within {:.3g}, in which a particle goes a thousandth of the "
                          "wall's size at most",
                          most, duration),
              "more, as along a curved wall or deep in a wedge: let particles start off it, or meet it less "
              "obliquely",
              Error::Reach::all_ranks);
}

void EventMonitor::note_mismatch(double share) {
  record_.energy_mismatch = std::max(record_.energy_mismatch, share);
}

SubdomainRecord EventMonitor::record() const {
  SubdomainRecord record = record_;
  record.step_mean = mean_step();
  if (record.events == 0) record.step_min = 0;
  return record;
}

void EventMonitor::describe_trouble(double now, std::vector<Warning>& warnings) const {
  constexpr std::int64_t long_run = 20;
  constexpr double many = 0.3;
  if (std::isinf(record_.energy_step)) return;  // always reflects
  if (record_.longest_run >= long_run)
    warnings.push_back(
        {"level ridden",
         fmt::format("subdomain {} rode one energy level for {} events from t = {:.6g} on: lower its energy "
                     "step (now {:.3g})",
                     record_.name, record_.longest_run, record_.longest_run_start, record_.energy_step)});
  else if (record_.events > 100 &&
           static_cast<double>(record_.reflections) > many * static_cast<double>(record_.events))
    warnings.push_back(
        {"reflections",
         fmt::format("subdomain {} reflected at {} % of its events: its vibration may be an artefact; lower "
                     "its energy step",
                     record_.name, 100 * record_.reflections / record_.events),
         Tell::while_so});
  // A subdomain that rises to its terrace and falls again takes two; a few particles reach ten by chance.
  constexpr double many_falls = 30;
  if (const Stay stay = longest_stay(now); stay.falls > many_falls)
    warnings.push_back(
        {"stay on a terrace",
         fmt::format("subdomain {} stayed on one terrace from t = {:.6g} on for {:.3g} times as long as its "
                     "force takes to change its energy by a step: it moves in a straight line along a level "
                     "or stands at a turning point; choose another energy step (now {:.3g})",
                     record_.name, stay.start, stay.falls, record_.energy_step)});
}

}  // namespace terrace
