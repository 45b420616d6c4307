// Clocked energy-stepping: events at equal intervals of each terrace's own clock, with the energy balanced at
// each of them.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/clocked/agenda.hpp"
#include "dynamics/clocked/body_monitors.hpp"
#include "dynamics/clocked/clocked_terrace.hpp"
#include "dynamics/clocked/clocks.hpp"
#include "dynamics/clocked/far_sides.hpp"
#include "dynamics/clocked/kick_control.hpp"
#include "dynamics/clocked/waiting_pairs.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/terraces/lowest_values.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"
#include "dynamics/terraces/terrace_graph.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Every terrace holds an energy U. An event corrects leapfrog's kick −τ n to λ n with −λ near τ, so that
/// K + Σ U stays constant and U follows V half a step ahead (balanced_kick). A terrace is a body, or a group
/// of bodies that touch. Where a correction of at most κ kicks does not balance the energy, the rest is a
/// debt, which KickControl watches. Where terraces share nodes, κ = 0: the method is then an asynchronous
/// variational integrator, and U the ledger of its energy.
///
/// A terrace at rest or in rigid flight has no events: a certified search finds when its V is no longer next
/// to nothing. Every step needs a certificate that no element inverts and no surfaces touch in it (P4, P5).
/// Where ranks share an event, each adds its objection to the step to the sums of the next event. So an event
/// takes one reduction; where the step was too long, the next event's gradient was evaluated in vain.
class ClockedEnergyStepping : public Integrator {
 public:
  /// Starts the clocks and searches of the whole system. `lagrangian` must outlive this. Collective. Throws
  /// Error(input) for a step that is not positive.
  ClockedEnergyStepping(Lagrangian& lagrangian, State& state, const ClockSettings& settings);

  /// For an executor that works on parts of the system in turn: starts no terrace and wakes up no pair (see
  /// start_lines_of, begin, take_over).
  struct InParts {};
  ClockedEnergyStepping(Lagrangian& lagrangian, State& state, const ClockSettings& settings, InParts);

  bool advance(State& state, double until) override;
  /// Confirms the last event on all ranks; after it all ranks hold all surfaces.
  void bring_up_to_date(State& state) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override;  ///< Σ U
  /// Where can_divide(): a record of each body, and last one of all groups together; else of each subdomain.
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override;
  [[nodiscard]] std::int64_t events() const override { return events_; }
  [[nodiscard]] double average_step() const override;
  void report(ContactExtremes& extremes) const override { lines_.report(extremes); }
  void describe_trouble(std::vector<Warning>& warnings) const override;
  void share() override { schedule_.share(); }
  void save(ByteWriter& writer) const override;
  void save_motion(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;
  [[nodiscard]] std::int64_t element_evaluations() const override {
    return schedule_.element_evaluations() + gradient_.element_evaluations() + bound_evaluations_;
  }
  [[nodiscard]] std::int64_t gradient_evaluations() const override { return gradient_.element_evaluations(); }
  [[nodiscard]] std::int64_t searches() const override { return schedule_.searches(); }

  [[nodiscard]] std::optional<BalanceRecord> balance() const override { return control_.balance(); }

  /// From here on: for an executor that works on parts of the system in turn (WindowedEnergyStepping). None
  /// of it changes the motion. The number of a body is also that of its subdomain. True where each body is
  /// one subdomain, and bodies that touch share a terrace.
  [[nodiscard]] bool can_divide() const { return can_divide_; }
  [[nodiscard]] TerraceGraph& graph() { return graph_; }
  [[nodiscard]] const TerraceGraph& graph() const { return graph_; }
  /// Of a system InParts: makes the elements of these bodies and starts their lines at state.time. Returns V
  /// of each [J].
  [[nodiscard]] std::vector<double> start_lines_of(const State& state, std::span<const std::int32_t> bodies);
  /// Kinetic energy of all nodes [J], an exact sum. Collective.
  [[nodiscard]] static double kinetic_energy(const Lagrangian& system, const State& state);
  /// Begins the clocks and searches of `bodies`, after start_lines_of. `kinetic`: K of the system, `values`:
  /// V of every body of the system, in order, `of_first_steps`: energy that forces give in the first steps of
  /// a system that has no energy at the start [J].
  void begin(const State& state, double kinetic, std::span<const double> values,
             std::span<const std::int32_t> bodies, double of_first_steps = 0);
  /// The terrace that a body is part of, for another rank or a restart file.
  [[nodiscard]] ClockedTerrace terrace_of(std::int32_t body) const;
  /// Ends the terraces of these bodies: they have no events from now on. No terrace may have other bodies
  /// too.
  void release(std::span<const std::int32_t> bodies);
  /// Frees the elements (where they come and go, LivingSubdomains) and the gradients of released bodies.
  void end_elements_of(std::span<const std::int32_t> bodies);
  /// Released bodies go on as `terrace`; `state` has their nodes as they were when it was made. Makes their
  /// elements where this rank works on them. Collective where ranks share them.
  void take_over(const State& state, const ClockedTerrace& terrace);
  /// Gives these bodies new boxes at `time` and wakes up or puts to sleep their pairs accordingly. Needed
  /// after take_over.
  void look_for_pairs(const State& state, std::span<const std::int32_t> bodies, double time);
  /// Takes everything that is due for these bodies out of the queues, and returns it for go_on. They cannot
  /// meet any other bodies.
  [[nodiscard]] Agenda suspend(std::span<const std::int32_t> bodies);
  /// Puts back what suspend() took out; all of it is due at `time` or later.
  void go_on(const Agenda& agenda, double time);
  /// Resets guesses that this rank made from its own events (how far to search ahead, whether to ask with an
  /// event's sums): ranks that go on together must make the same choices.
  void forget_guesses();
  /// Whether no event, search or exit from a box is due for any body.
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] BodyMonitors& monitors() { return monitors_; }
  [[nodiscard]] const BodyMonitors& monitors() const { return monitors_; }
  /// Forgets all lines, with what contact has seen, and what an event that threw may have left behind. For
  /// use where all bodies are taken over anew.
  void forget_passage() {
    lines_ = {};
    unconfirmed_.reset();
    std::fill(changed_.begin(), changed_.end(), std::uint8_t{0});
  }
  [[nodiscard]] double time_of(const ClockedEvent& event) const { return clocks_.time_of(event.tick); }
  void set_counts(std::int64_t events, const BalanceRecord& balance) {
    events_ = events;
    control_.set_balance(balance);
  }
  /// The last event that advance() began.
  [[nodiscard]] const ClockedEvent& last_event() const { return last_event_; }
  /// The event in which the last call of advance() or bring_up_to_date() threw; none where it threw between
  /// events.
  [[nodiscard]] const std::optional<ClockedEvent>& failing_event() const { return failing_event_; }
  /// advance() does no event after `last`; nothing: no limit.
  void do_none_after(const std::optional<ClockedEvent>& last) { last_to_do_ = last; }
  [[nodiscard]] bool does_all() const { return !last_to_do_; }
  /// Thrown by advance() on all ranks alike, where one objects to a kick after which other events were
  /// already done (go_ahead). These events are void and must be done again without going ahead.
  struct WentAheadInVain {};
  /// Whether events that every rank of a team does by itself may come before all ranks have confirmed the
  /// last kick that they share; it is then confirmed with the next shared one. Objections are rare. Initially
  /// false.
  void go_ahead(bool may) { may_go_ahead_ = may; }
  [[nodiscard]] double energy_quantum() const { return control_.scales().quantum; }
  [[nodiscard]] double tick() const { return clocks_.tick(); }  ///< [s]
  /// Events of a moving body that touches others, per second, at least.
  [[nodiscard]] double events_per_time(std::int32_t body) const {
    const Subdomain& alone = at(lagrangian_.subdomains, body);
    return 1 / clocks_.longest_step(alone.stable_step,
                                    std::min(alone.stable_contact_step, lagrangian_.stable_contact_step));
  }
  /// `tell(terrace)` is called before each kick of a terrace, which changes the lines of its nodes.
  void tell_before_pushes(std::function<void(std::int32_t)> tell) { before_push_ = std::move(tell); }
  /// As Schedule::watch.
  void watch_searches(std::function<void(std::int32_t)> done) { schedule_.watch(std::move(done)); }
  /// As KickControl::describe.
  void describe_balance(std::int64_t events, const BalanceRecord& balance,
                        std::vector<Warning>& warnings) const {
    control_.describe(events, balance, warnings);
  }

 private:
  using Event = KickEvent;
  using PairLooks = SubdomainGradient::PairLooks;

  [[nodiscard]] std::string name_of(std::int32_t subdomain) const;
  [[nodiscard]] std::int64_t tick_of_touch(std::int32_t pair, const State& state, double time);
  [[nodiscard]] bool balances(std::int32_t subdomain) const;

  void begin_all(const State& state);
  [[nodiscard]] double energy_of_first_steps(const State& state);
  std::int32_t adopt(const ClockedTerrace& terrace);
  void make_room(std::int32_t subdomain);
  void start_line(std::int32_t subdomain, const State& state, double time);
  [[nodiscard]] std::vector<double> thresholds(const State& state, std::span<const double> values,
                                               std::span<const std::int32_t> subdomains) const;
  void rest(std::int32_t subdomain, const State& state, double time, double threshold);
  void start_clock(std::int32_t subdomain, std::int64_t tick);
  void start_gently(std::int32_t subdomain, std::int64_t tick);

  bool advance_without_failure(State& state, double until);
  template <class Work>
  auto with_all_sides_after_failure(State& state, Work work);
  void leave_far_sides(const State& state, std::int32_t number);
  void bring_far_sides(State& state);
  [[nodiscard]] bool process(State& state, std::int32_t subdomain);
  [[nodiscard]] bool kick(State& state, std::int32_t subdomain, PairLooks* looks = nullptr);
  void close(State& state, std::int32_t subdomain, std::int64_t tick);
  [[nodiscard]] std::optional<Event> event_of(State& state, std::int32_t subdomain, PairLooks* looks);
  [[nodiscard]] std::optional<SubdomainGradient::Products> products_of(State& state, const Event& event,
                                                                       std::span<const Vector3> before,
                                                                       PairLooks* looks);
  // A kick that was given, until all ranks have certified its step to be without inversion and touch.
  struct Given {
    Event event;
    PlannedKick kick;
    double pushed = 0;               // λ that was applied, exactly
    Clock clock;                     // before settle() stored the event in it
    double time = 0;                 // State::time
    bool objects = false;            // this rank has no certificate for the step
    bool counted = false;            // in events_
    bool others_went_ahead = false;  // events were done after it (go_ahead)
  };
  [[nodiscard]] bool goes_with_the_next(double limit, double event) const;
  [[nodiscard]] bool goes_ahead(double limit, double event) const;
  [[nodiscard]] bool asks() const { return goes_together_ && lagrangian_.communicator->size() > 1; }
  bool confirm(State& state);
  bool conclude(State& state, bool holds);
  [[nodiscard]] bool is_certified(State& state, const Event& event);
  std::vector<std::int32_t> shorten(State& state, const Given& given);
  [[nodiscard]] PlannedKick settle(const Event& event, const PlannedKick& kick);
  void finish(const Event& event, const PlannedKick& kick);
  double push(State& state, const Event& event, double multiplier);
  [[nodiscard]] std::vector<std::int32_t> uncertified(const State& state,
                                                      std::vector<std::int32_t> subdomains, std::int64_t now);
  [[nodiscard]] bool collapses(std::int32_t subdomain, std::int64_t now, std::int64_t ticks);
  [[nodiscard]] std::int64_t shorter(std::int32_t subdomain, std::int64_t ticks, std::int64_t now);
  std::vector<std::int32_t> renew_lines(const State& state, std::int32_t subdomain, double instant);
  void guard(const State& state, std::vector<std::int32_t> subdomains, std::int64_t now);
  [[nodiscard]] double invalid_until_next(const State& state, std::int32_t subdomain, std::int64_t now);
  void join(State& state, std::int32_t pair);
  void divide_joined(std::span<const std::int32_t> terraces, std::int32_t pair);
  void set_touching(std::int32_t pair, bool touching);
  [[nodiscard]] std::optional<PairLooks> due_looks(std::int32_t group) const;
  [[nodiscard]] std::int64_t look_after(std::int32_t group, std::int64_t tick) const;
  void part_what_is_apart(State& state, std::int32_t group, const PairLooks& looks);
  void part(const State& state, std::int32_t group, std::span<const std::int32_t> pairs);
  [[nodiscard]] bool may_sleep(std::int32_t pair) const;
  void forget(std::int32_t pair);
  void forget_gradient(std::int32_t number);
  void follow(const State& state, double time, const NearPairs::Changes& changes);
  void renew_box(const State& state, double time);
  [[nodiscard]] ClockedSystem whole_system() const;
  void restore_bodies(const State& state, ByteReader& reader);
  void stop(std::int32_t subdomain);
  void put_pairs_to_sleep(std::int32_t body);
  void restore_line(const State& state, std::int32_t subdomain);

  const Lagrangian& lagrangian_;
  Clocks clocks_;
  KickControl control_;
  SubdomainStates states_;
  Lines lines_;
  SubdomainGradient gradient_;
  TerraceGraph graph_;
  const bool can_divide_;
  LowestValues lowest_;  // empty for a system InParts, whose bodies have no negative energies
  FarSides far_sides_;   // of touching bodies on several ranks
  Schedule schedule_;    // of terraces at rest and pairs that wait
  std::deque<std::vector<Vector3>> gradients_;  // by subdomain: of the last kick, on counted nodes
  std::vector<std::uint8_t> changed_;           // by local node: has a new line at this event
  WaitingPairs waiting_;
  BodyMonitors monitors_;
  std::int64_t events_ = 0, bound_evaluations_ = 0;
  ClockedEvent last_event_;
  std::optional<ClockedEvent> failing_event_;  // also set while an event is being done
  std::optional<ClockedEvent> last_to_do_;
  std::function<void(std::int32_t)> before_push_ = [](std::int32_t) {};
  std::optional<Given> unconfirmed_;  // the last kick, while other ranks may still object
  bool owes_reduction_ = false;       // on one rank: do the reduction that several ranks would need
  bool goes_together_ = false;        // the last kick is confirmed with the sums of the next event
  bool goes_ahead_ = false;           // the next event comes before the last kick is confirmed
  bool may_go_ahead_ = false;
  int searches_first_ = 0;  // for so many events search first: one sample of each search was not enough
};

}  // namespace terrace
