// Clocked energy-stepping: events at equal times on each terrace's own clock, with the energy balanced at
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

/// Every terrace holds an energy U. At its events V is not looked at as a level but as a function: the kick
/// −τ n of leapfrog is corrected by a multiplier near τ so that K + Σ U stays what it is and U follows V
/// half a step ahead (balanced_kick). Terraces are bodies, or groups of bodies that touch. Where the energy
/// does not balance within κ of a kick, the rest is a debt, which is watched. Where terraces share nodes,
/// κ = 0: an asynchronous variational integrator, and U is the ledger of its energy.
///
/// What is at rest or in rigid flight has no events: a certified search finds when its V is no longer next to
/// nothing. No step is taken in which a certificate does not exclude that an element inverts or surfaces
/// touch (P4, P5). Where ranks share an event, what their certificates say of its step goes with the sums of
/// the next event: one reduction an event, and the next gradient is in vain where the step was too long.
class ClockedEnergyStepping : public Integrator {
 public:
  /// Collective. Throws Error(input) for a step that is not positive.
  ClockedEnergyStepping(Lagrangian& lagrangian, State& state, const ClockSettings& settings);

  /// For a system of which parts are worked on in turn: nothing has begun yet, no pair is awake.
  struct InParts {};
  ClockedEnergyStepping(Lagrangian& lagrangian, State& state, const ClockSettings& settings, InParts);

  bool advance(State& state, double until) override;
  /// Concludes the last event; all ranks hold all surfaces.
  void bring_up_to_date(State& state) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override;  ///< Σ U
  /// Where each body is one subdomain: of the bodies, and of all groups that touched together.
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

  /// For an executor that works on parts of the system in turn (WindowedEnergyStepping); nothing of it leaves
  /// a trace in the motion. `body`: number of a body and of its subdomain.
  /// True where each body is one subdomain, and those that touch are one terrace.
  [[nodiscard]] bool can_divide() const { return can_divide_; }
  [[nodiscard]] TerraceGraph& graph() { return graph_; }
  [[nodiscard]] const TerraceGraph& graph() const { return graph_; }
  /// Of a system InParts: these bodies, which get their elements, are at the start of their lines. V of each
  /// [J].
  [[nodiscard]] std::vector<double> start_lines_of(const State& state, std::span<const std::int32_t> bodies);
  /// K [J] of all nodes, exactly added up. Collective.
  [[nodiscard]] static double kinetic_energy(const Lagrangian& system, const State& state);
  /// These begin, whose lines have started; `kinetic` and `values`: K, and V of all bodies, in their order;
  /// `of_first_steps`: what forces do in the first steps of a system that has no energy [J].
  void begin(const State& state, double kinetic, std::span<const double> values,
             std::span<const std::int32_t> bodies, double of_first_steps = 0);
  /// What is to be known of the terrace that a body is part of.
  [[nodiscard]] ClockedTerrace terrace_of(std::int32_t body) const;
  /// No events of these bodies from now on, whose terraces are whole.
  void release(std::span<const std::int32_t> bodies);
  /// Of bodies that were released the elements end, where they come and go (LivingSubdomains), and surfaces.
  void end_elements_of(std::span<const std::int32_t> bodies);
  /// Bodies that were released go on as a terrace of which this is known, their nodes being as they were
  /// then, with their elements where this rank has them. Collective where ranks share them.
  void take_over(const State& state, const ClockedTerrace& terrace);
  /// Which pairs of these bodies are near each other from `time` on; pairs of bodies that were taken over are
  /// looked for anew.
  void look_for_pairs(const State& state, std::span<const std::int32_t> bodies, double time);
  /// Nothing is due of these bodies, which cannot meet any others, until they go on.
  [[nodiscard]] Agenda suspend(std::span<const std::int32_t> bodies);
  /// What was due of some bodies, at `time` or later, is due again.
  void go_on(const Agenda& agenda, double time);
  /// What this rank guessed of what is worth while from what it has seen is as at the start: ranks that go on
  /// together must come to the same conclusions.
  void forget_guesses();
  /// Whether nothing is due of any body.
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] BodyMonitors& monitors() { return monitors_; }
  [[nodiscard]] const BodyMonitors& monitors() const { return monitors_; }
  /// What contact has seen, and what an event that threw may have left behind, where all bodies are taken
  /// over anew.
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
  /// The last event that was begun.
  [[nodiscard]] const ClockedEvent& last_event() const { return last_event_; }
  /// That in which the last call threw; none where it was between events.
  [[nodiscard]] const std::optional<ClockedEvent>& failing_event() const { return failing_event_; }
  /// advance() does no event after this one.
  void do_none_after(const std::optional<ClockedEvent>& last) { last_to_do_ = last; }
  [[nodiscard]] bool does_all() const { return !last_to_do_; }
  /// Thrown by advance() on all ranks alike where they object to a kick that others went ahead of: what came
  /// after it was in vain, and is to be done again without going ahead.
  struct WentAheadInVain {};
  /// Events that each of several ranks does by itself need not wait for what they say of the last kick that
  /// they share: they are asked with the next one. Hardly ever does one object. At first all wait.
  void go_ahead(bool may) { may_go_ahead_ = may; }
  [[nodiscard]] double energy_quantum() const { return control_.scales().quantum; }
  [[nodiscard]] double tick() const { return clocks_.tick(); }  ///< [s]
  /// Of a body that moves and touches others, at least.
  [[nodiscard]] double events_per_time(std::int32_t body) const {
    const Subdomain& alone = at(lagrangian_.subdomains, body);
    return 1 / clocks_.longest_step(alone.stable_step,
                                    std::min(alone.stable_contact_step, lagrangian_.stable_contact_step));
  }
  /// `tell(terrace)` is called before each change of the lines of its nodes.
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
  // A kick that was given, before all ranks have said whether its step is one without inversion or touch.
  struct Given {
    Event event;
    PlannedKick kick;
    double pushed = 0;     // λ, as it is exactly
    Clock clock;           // before it was told of the event
    double time = 0;       // State::time
    bool objects = false;  // this rank
    bool counted = false;  // among the events
    bool others_went_ahead = false;
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
  LowestValues lowest_;                         // none of bodies InParts, whose energies are not negative
  FarSides far_sides_;                          // of touching bodies on several ranks
  Schedule schedule_;                           // of what rests
  std::deque<std::vector<Vector3>> gradients_;  // of their last kicks, on counted nodes
  std::vector<std::uint8_t> changed_;
  WaitingPairs waiting_;
  BodyMonitors monitors_;
  std::int64_t events_ = 0, bound_evaluations_ = 0;
  ClockedEvent last_event_;
  std::optional<ClockedEvent> failing_event_;  // and that which is being done
  std::optional<ClockedEvent> last_to_do_;
  std::function<void(std::int32_t)> before_push_ = [](std::int32_t) {};
  std::optional<Given> unconfirmed_;  // the last kick, where several ranks have a say
  bool owes_reduction_ = false;       // one rank is to count what several would need
  bool goes_together_ = false;        // the next event, with what is to be said of the last one
  bool goes_ahead_ = false;           // of what is to be said of it
  bool may_go_ahead_ = false;
  int searches_first_ = 0;  // for so many events, as a sample was not enough to know
};

}  // namespace terrace
