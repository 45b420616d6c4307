// Energy-stepping and asynchronous energy-stepping: Algorithm 5 of the thesis.
#pragma once

#include <map>
#include <vector>

#include "dynamics/earliest.hpp"
#include "dynamics/event_monitor.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/line_search.hpp"
#include "dynamics/near_pairs.hpp"
#include "dynamics/subdomain_gradient.hpp"
#include "dynamics/touching_bodies.hpp"

namespace terrace {

/// Every subdomain's potential is replaced by its terrace V_h = h ⌊(V − V₀)/h⌋; nodes move in straight lines
/// between the instants at which some V⁽ʲ⁾ meets a surface of its terrace. Energy-stepping is the case of one
/// subdomain.
///
/// Crossings are searched lazily: an event changes the lines of all neighbours, most of which get new lines
/// again before they reach a surface. For those it is enough to be certain that their crossing comes later
/// than the next event; only that event's own crossing is found to the last digit.
class EnergyStepping : public Integrator {
 public:
  /// Finds the first crossings of the initial lines. `end` is the end of the run: nothing after it is looked
  /// for. Collective. Throws Error(input) when V is negative at the start.
  EnergyStepping(Lagrangian& lagrangian, State& state, double end);

  bool advance(State& state, double until) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override;  ///< Σ h k
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override;
  [[nodiscard]] std::int64_t events() const override { return events_; }
  [[nodiscard]] std::int64_t reflections() const override;
  [[nodiscard]] double average_step() const override;
  void describe_trouble(double stable_step, std::vector<std::string>& warnings) const override;
  [[nodiscard]] std::uint64_t hash() const override;
  [[nodiscard]] std::int64_t element_evaluations() const { return searcher_.element_evaluations(); }

 private:
  // A subdomain's terrace, its line's origin and its next crossing.
  struct Progress {
    EventMonitor monitor;
    Terrace terrace{};
    double origin = 0;
    double horizon = 0;       // guess of how far the next certificate should reach
    double search_start = 0;  // time from which on the present line is searched
    double next_look = 0;     // of a group of touching bodies: for pairs that touch no more
    CrossingFound next{};
  };

  [[nodiscard]] double event_time(std::size_t subdomain) const;
  void process_event(State& state, std::int32_t subdomain);
  void begin(std::int32_t subdomain, const State& state, double time);
  void find_level(std::int32_t subdomain);
  void make_room(std::int32_t subdomain);
  void start_line(std::int32_t subdomain, const State& state, double time);
  void wait_for_touch(std::int32_t pair, const State& state, double time);
  void regroup(const TouchingBodies::Change& change, const State& state, double time);
  void look_for_parting(std::int32_t group, const State& state, double time);
  std::vector<std::int32_t> renew_lines(const State& state, std::int32_t subdomain, double instant);
  std::vector<std::int32_t> neighbours_of(std::int32_t subdomain);
  void follow_bodies(const State& state, std::int32_t subdomain, double instant);
  [[nodiscard]] std::vector<std::int32_t> bodies_of(std::int32_t subdomain) const;
  void renew_box(const State& state, double time);
  void reschedule(double instant, std::span<const std::int32_t> subdomains);
  void find_next_event(const State& state, double now);
  void note_crossing(std::size_t subdomain, const CrossingFound& found, double limit);

  Lagrangian& lagrangian_;
  LineSearcher searcher_;
  SubdomainGradient gradient_;
  double end_;
  NearPairs near_pairs_;
  TouchingBodies touching_;
  std::map<std::int32_t, int> apart_;  // looks at which a touching pair had no energy, one after the other
  std::vector<Progress> progress_;
  Earliest events_at_;                // known crossings, by subdomain
  Earliest none_before_;              // of the others that are awake: certainly none before
  std::vector<LineSearch> searches_;  // of each subdomain on its present line
  double last_event_ = 0;
  double lookahead_ = 0;               // guess of the time to the next event of any subdomain
  std::vector<std::uint8_t> changed_;  // nodes that got a new line in this event
  std::int64_t events_ = 0;
};

}  // namespace terrace
