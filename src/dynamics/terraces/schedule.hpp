// Which event is next, and which searches have to go on to find that out.
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
/// than the next event; only the crossing of that event itself is found to the last digit.
///
/// `next` gives one event after the other; ConcurrentEnergyStepping asks subdomain by subdomain (search,
/// renew).
class Schedule {
 public:
  /// All arguments must outlive this; `states` has one entry for each of lagrangian.subdomains.
  Schedule(const Lagrangian& lagrangian, SubdomainStates& states, Lines& lines)
      : lagrangian_(lagrangian),
        states_(states),
        searcher_(lagrangian, states, lines),
        lookahead_(lagrangian.stable_step) {}

  /// These subdomains have new lines from `instant` on: what was known of their crossings is void, and their
  /// searches begin anew.
  void renew(double instant, std::span<const std::int32_t> subdomains);
  /// For a waiting pair: one or both of its bodies have new lines from `instant` on, on which their nodes
  /// approach each other no faster than `speed` [length/time]. Returns true if the room that is left
  /// (Approach) still excludes a crossing for a while; then the pair keeps its old line, and has to be
  /// renewed before it is searched again (come_near). False if the pair has to be renewed now.
  [[nodiscard]] bool stays_apart(std::int32_t subdomain, double instant, double speed);
  /// Returns the waiting pairs whose room (Approach) may be used up by `limit`: they have to be renewed now.
  [[nodiscard]] std::vector<std::int32_t> come_near(double limit) const;
  /// The functions of the same names of LineSearcher.
  void follow_approach(std::int32_t subdomain, double instant, double speed) {
    searcher_.follow_approach(subdomain, instant, speed);
  }
  void forget_approach(std::int32_t subdomain) { searcher_.forget_approach(subdomain); }
  void forget_approaches() { searcher_.forget_approaches(); }
  /// Guess of how far the first certificate of a subdomain that starts should reach [time].
  [[nodiscard]] double first_horizon(std::int32_t subdomain) const;
  /// The subdomain has no events until it is renewed.
  void stop(std::int32_t subdomain);

  /// Returns the subdomain whose crossing is the next event, of simultaneous ones the first
  /// (Subdomain::order); nothing if that is later than `limit`. Searches until the next crossing is known and
  /// all others are certain to come later, or all are certain to come after `limit`. No result depends on
  /// `limit`. Collective.
  [[nodiscard]] std::optional<std::int32_t> next(double limit);
  /// Whether it is known without a search that no event comes until `limit`.
  [[nodiscard]] bool is_idle_until(double limit) const {
    return !knows_one_until(limit) && none_before_.time() > limit;
  }
  /// Whether no subdomain has any event: all are stopped.
  [[nodiscard]] bool is_idle() const { return std::min(events_at_.time(), none_before_.time()) == infinity; }
  /// Whether a crossing is known that is not later than `limit`.
  [[nodiscard]] bool knows_one_until(double limit) const { return events_at_.time() <= limit; }

  /// Asks whether all crossings come after `limit`, without a reduction of its own. `ask` takes one sample of
  /// each search and returns numbers that the caller sums over all ranks. `understand` takes the sums and
  /// returns whether all crossings are certain to come after `limit`; if not, `next` goes on. `withdraw`, in
  /// place of `understand`, puts everything back to how it was before `ask`.
  [[nodiscard]] std::vector<double> ask(double limit);
  [[nodiscard]] bool understand(std::span<const double> sums);
  void withdraw() { searcher_.withdraw(); }
  /// Continues the search of one awake subdomain until its crossing is known or certain to come after
  /// `limit`. Collective where several ranks have a share of it.
  void search(std::int32_t subdomain, double limit);
  /// Notes that an event was done at `time`.
  void note_event(double time);
  /// Time of a subdomain's crossing; +∞ while it is not known.
  [[nodiscard]] double time_of(std::int32_t subdomain) const;

  /// The time of the event of a subdomain that is not stopped; +∞ while it is not known.
  [[nodiscard]] double known_event(std::int32_t subdomain) const {
    return events_at_.at(static_cast<std::size_t>(subdomain));
  }
  /// A time before which a subdomain that is not stopped has no event; +∞ if its event is known.
  [[nodiscard]] double none_before(std::int32_t subdomain) const {
    return none_before_.at(static_cast<std::size_t>(subdomain));
  }
  /// Sets both for a subdomain that was searched elsewhere.
  void set(std::int32_t subdomain, double known_event, double none_before);
  /// From now on `next` calls `done` each time it has advanced a search, with the number of the subdomain, on
  /// all ranks that share it; with an empty function it calls nothing.
  void watch(std::function<void(std::int32_t)> done) { watch_ = std::move(done); }
  /// Looks ahead from `time` on, which may be before the last event.
  void go_on_from(double time) { last_event_ = time; }
  /// Stops all subdomains, and looks ahead from `time` on as if nothing had been searched yet.
  void forget(double time);
  /// Forgets the guess of how far to look ahead; no result depends on it.
  void forget_guesses() { lookahead_ = lagrangian_.stable_step; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.events_at_, self.none_before_, self.last_event_, self.lookahead_);
  }

  /// Sends what one rank alone knows of its searches to all ranks. Collective.
  void share() { searcher_.share(); }
  /// Returns V of a subdomain at the origin of its line [J]. Collective.
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
  Earliest events_at_;    // times of known crossings, by subdomain
  Earliest none_before_;  // of other subdomains that are not stopped: no crossing before this time
  std::vector<PendingSearch> pending_;
  double asked_until_ = 0;
  std::function<void(std::int32_t)> watch_;
  double last_event_ = 0;
  double lookahead_;  // guess of the time to the next event of any subdomain; decides speed alone
};

}  // namespace terrace
