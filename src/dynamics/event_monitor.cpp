#include "dynamics/event_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "parallel/error.hpp"

namespace terrace {

EventMonitor::EventMonitor(std::string name, double energy_step) {
  record_.name = std::move(name);
  record_.energy_step = energy_step;
  record_.step_min = std::numeric_limits<double>::infinity();
  record_.histogram.assign(400, 0);
}

void EventMonitor::resume(double time) {
  last_event_ = time;
  run_ = 0;
  zero_steps_ = 0;
}

void EventMonitor::remember(double time, bool reflected, FirstCrossing::Surface surface) {
  constexpr int most_at_one_instant = 10000;
  const double step = time - last_event_;
  last_event_ = time;
  ++record_.events;
  step_sum_ += step;
  record_.step_min = std::min(record_.step_min, step);
  record_.step_max = std::max(record_.step_max, step);
  const double bin = step > 0 ? std::floor(10 * (std::log10(step) + 20)) : 0;
  ++record_.histogram[static_cast<std::size_t>(std::clamp(bin, 0.0, 399.0))];
  zero_steps_ = step > 0 ? 0 : zero_steps_ + 1;
  const bool impenetrable = std::isinf(record_.energy_step);
  if (!impenetrable && zero_steps_ >= most_at_one_instant)
    throw Error(Error::Kind::run, "subdomain " + record_.name + ", " + at_time(time),
                "time to advance between its events",
                std::to_string(most_at_one_instant) +
                    " events at one instant, as where faces parallel to the last digit meet: use the barrier "
                    "for those",
                Error::Reach::all_ranks);
  if (!reflected) {
    run_ = 0;
    return;
  }
  ++record_.reflections;
  if (!impenetrable) count_run(time, surface);  // riding it is what a set constraint is for
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

void EventMonitor::guard_against_cascade(double time, double stable_step, std::int64_t nodes) {
  const std::int64_t most = 10000 + 10 * nodes;
  if (time - cascade_start_ > stable_step) {
    cascade_start_ = time;
    cascade_ = 0;
  }
  if (++cascade_ < most) return;
  throw Error(
      Error::Kind::run, "subdomain " + record_.name + ", " + at_time(time),
      fmt::format("fewer than {} collisions within the stable step of an element, {:.3g}", most, stable_step),
      "more: too many simultaneous contacts for contact.model = \"rigid\"; use \"barrier\" or another "
      "penalty instead",
      Error::Reach::all_ranks);
}

void EventMonitor::note_mismatch(double share) {
  record_.energy_mismatch = std::max(record_.energy_mismatch, share);
}

SubdomainRecord EventMonitor::record() const {
  SubdomainRecord record = record_;
  record.step_mean = record.events > 0 ? step_sum_ / static_cast<double>(record.events) : 0;
  if (record.events == 0) record.step_min = 0;
  return record;
}

void EventMonitor::describe_trouble(std::vector<Warning>& warnings) const {
  constexpr std::int64_t long_run = 20;
  constexpr double many = 0.3;
  if (std::isinf(record_.energy_step)) return;  // always reflects
  if (record_.longest_run >= long_run)
    warnings.push_back(
        {"level ridden by " + record_.name,
         fmt::format("subdomain {} rode one energy level for {} events from t = {:.6g} on: lower its energy "
                     "step (now {:.3g})",
                     record_.name, record_.longest_run, record_.longest_run_start, record_.energy_step)});
  else if (record_.events > 100 &&
           static_cast<double>(record_.reflections) > many * static_cast<double>(record_.events))
    warnings.push_back(
        {"reflections of " + record_.name,
         fmt::format("subdomain {} reflected at {} % of its events: its vibration may be an artefact; lower "
                     "its energy step",
                     record_.name, 100 * record_.reflections / record_.events)});
}

}  // namespace terrace
