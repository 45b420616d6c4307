// Which event is next, and which searches go on to know it.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/terraces/earliest.hpp"
#include "dynamics/terraces/line_search.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// Crossings are searched lazily: an event changes the lines of all neighbours, most of which get new lines
/// again before they reach a surface. For those it is enough to be certain that their crossing comes later
/// than the next event; only that event's own crossing is found to the last digit.
///
/// One event after the other; ConcurrentEnergyStepping asks subdomain by subdomain (search, renew).
class Schedule {
 public:
  /// All outlive this; `states` has one entry for each of lagrangian.subdomains.
  Schedule(const Lagrangian& lagrangian, SubdomainStates& states, Lines& lines)
      : lagrangian_(lagrangian),
        states_(states),
        searcher_(lagrangian, states, lines),
        lookahead_(lagrangian.stable_step) {}

  /// New lines of these subdomains from `instant` on: what was known of their crossings is void.
  void renew(double instant, std::span<const std::int32_t> subdomains);
  /// Of a pair that waits one or both of its bodies have new lines from `instant` on, on which nodes come
  /// nearer to each other no faster than `speed`. True if it is known to have no crossing for a while all the
  /// same (Approach), without being renewed; it must be before it is searched again (come_near).
  [[nodiscard]] bool stays_apart(std::int32_t subdomain, double instant, double speed);
  /// Those of which it is not known until `limit`.
  [[nodiscard]] std::vector<std::int32_t> come_near(double limit) const;
  /// As LineSearcher has them.
  void follow_approach(std::int32_t subdomain, double instant, double speed) {
    searcher_.follow_approach(subdomain, instant, speed);
  }
  void forget_approach(std::int32_t subdomain) { searcher_.forget_approach(subdomain); }
  void forget_approaches() { searcher_.forget_approaches(); }
  /// How far the first certificate of a subdomain that starts should reach.
  [[nodiscard]] double first_horizon(std::int32_t subdomain) const;
  /// No events of this subdomain until it is renewed.
  void stop(std::int32_t subdomain);

  /// The subdomain whose crossing is the next event, of simultaneous ones the first (Subdomain::order), if it
  /// is not later than `limit`. Searches until it is known and all others are certain to come later, or all
  /// are certain to come after `limit`. How far they go leaves no trace: no result depends on `limit`.
  /// Collective.
  [[nodiscard]] std::optional<std::int32_t> next(double limit);
  /// Whether `next` would find none until then without a search.
  [[nodiscard]] bool is_idle_until(double limit) const {
    return !knows_one_until(limit) && none_before_.time() > limit;
  }
  /// Whether no subdomain has any: all are stopped.
  [[nodiscard]] bool is_idle() const { return std::min(events_at_.time(), none_before_.time()) == infinity; }
  /// Whether a crossing is known that is not later.
  [[nodiscard]] bool knows_one_until(double limit) const { return events_at_.time() <= limit; }

  /// Whether all crossings are certain to come after `limit`, without a reduction of its own: what this rank
  /// knows after one sample of each search, to be added up over all ranks by others; then `understand` the
  /// sums, or `withdraw` the question, as if it had not been asked. Where that is not enough `next` goes on.
  [[nodiscard]] std::vector<double> ask(double limit);
  [[nodiscard]] bool understand(std::span<const double> sums);
  void withdraw() { searcher_.withdraw(); }
  /// Goes on with the search of one subdomain that is awake, until its crossing is known or certain to come
  /// after `limit`. Collective where several ranks have a share of it.
  void search(std::int32_t subdomain, double limit);
  /// An event was done at `time`.
  void note_event(double time);
  /// Time of a subdomain's crossing; +∞ while it is not known.
  [[nodiscard]] double time_of(std::int32_t subdomain) const;

  /// What is known of a subdomain that is not stopped: its event (+∞: not known), or before when there is
  /// none
  /// (+∞ where it is known).
  [[nodiscard]] double known_event(std::int32_t subdomain) const {
    return events_at_.at(static_cast<std::size_t>(subdomain));
  }
  [[nodiscard]] double none_before(std::int32_t subdomain) const {
    return none_before_.at(static_cast<std::size_t>(subdomain));
  }
  /// The same, of what was searched elsewhere.
  void set(std::int32_t subdomain, double known_event, double none_before);
  /// `done` is called after every search for a while, with its subdomain. On all ranks that share it.
  void watch(std::function<void(std::int32_t)> done) { watch_ = std::move(done); }
  /// What is due comes after `time`, which may be before the last event.
  void go_on_from(double time) { last_event_ = time; }
  /// As if nothing had been searched before `time`; all are stopped.
  void forget(double time);
  /// How far to look ahead is guessed anew.
  void forget_guesses() { lookahead_ = lagrangian_.stable_step; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.events_at_, self.none_before_, self.last_event_, self.lookahead_);
  }

  /// What one rank alone knows of its searches goes to all. Collective.
  void share() { searcher_.share(); }
  /// V of a subdomain at the origin of its line; collective.
  [[nodiscard]] double value(std::int32_t subdomain) { return searcher_.value(subdomain); }
  [[nodiscard]] std::int64_t element_evaluations() const { return searcher_.element_evaluations(); }
  [[nodiscard]] std::int64_t searches() const { return searcher_.searches(); }

 private:
  void make_room();
  [[nodiscard]] std::int32_t first_of_earliest() const;
  void list_pending(double limit);
  void note_pending(double limit);
  void note(std::size_t subdomain, double limit);

  const Lagrangian& lagrangian_;
  SubdomainStates& states_;
  LineSearcher searcher_;
  Earliest events_at_;    // known crossings, by subdomain
  Earliest none_before_;  // of the others that are awake: certainly none before
  std::vector<PendingSearch> pending_;
  double asked_until_ = 0;
  std::function<void(std::int32_t)> watch_;
  double last_event_ = 0;
  double lookahead_;  // guess of the time to the next event of any subdomain; decides speed alone
};

}  // namespace terrace
