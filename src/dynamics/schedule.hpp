// Which event is next, and which searches go on to know it.
#pragma once

#include <optional>
#include <span>

#include "dynamics/earliest.hpp"
#include "dynamics/line_search.hpp"

namespace terrace {

/// Crossings are searched lazily: an event changes the lines of all neighbours, most of which get new lines
/// again before they reach a surface. For those it is enough to be certain that their crossing comes later
/// than the next event; only that event's own crossing is found to the last digit.
///
/// One event after the other. An executor of several at once would ask for all that come before the certain
/// bounds of their neighbours; states and searches are made for that.
class Schedule {
 public:
  /// All outlive this; `states` has one entry for each of lagrangian.subdomains. Nothing after `end` is
  /// looked for.
  Schedule(const Lagrangian& lagrangian, SubdomainStates& states, double end)
      : lagrangian_(lagrangian), states_(states), searcher_(lagrangian, states), end_(end) {}

  /// New lines of these subdomains from `instant` on: what was known of their crossings is void.
  void renew(double instant, std::span<const std::int32_t> subdomains);
  /// How far the first certificate of a subdomain that starts at `time` should reach.
  [[nodiscard]] double first_horizon(std::int32_t subdomain, double time) const;
  /// No events of this subdomain until it is renewed.
  void stop(std::int32_t subdomain);

  /// An event happened: the search for the next one begins at `now`.
  void look_ahead_from(double now, bool event = true);
  /// Searches until one crossing is known and all others are certain to come later, and returns true; false
  /// if all are certain to come after `limit` (an instant at which other subdomains may come up). Collective.
  bool find_next(double limit);

  /// Time of the earliest crossing known, and whose it is: of simultaneous ones the first subdomain's.
  [[nodiscard]] double next_time() const { return events_at_.time(); }
  [[nodiscard]] std::int32_t next() const { return static_cast<std::int32_t>(events_at_.index()); }
  /// Time of a subdomain's crossing; +∞ while it is not known.
  [[nodiscard]] double time_of(std::int32_t subdomain) const;

  /// V of a subdomain at the origin of its line; collective.
  [[nodiscard]] double value(std::int32_t subdomain) { return searcher_.value(subdomain); }
  [[nodiscard]] std::int64_t element_evaluations() const { return searcher_.element_evaluations(); }

 private:
  void make_room();
  void note(std::size_t subdomain, double limit);

  const Lagrangian& lagrangian_;
  SubdomainStates& states_;
  LineSearcher searcher_;
  double end_;
  Earliest events_at_;    // known crossings, by subdomain
  Earliest none_before_;  // of the others that are awake: certainly none before
  double now_ = 0, reach_ = 0;
  double last_event_ = 0;
  double lookahead_ = 0;  // guess of the time to the next event of any subdomain
};

}  // namespace terrace
