// Clocked energy-stepping: events at equal times on each terrace's own clock, with the energy balanced at
// each of them.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/clocked/agenda.hpp"
#include "dynamics/clocked/balanced_kick.hpp"
#include "dynamics/clocked/clock.hpp"
#include "dynamics/clocked/clocked_terrace.hpp"
#include "dynamics/clocked/far_sides.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"
#include "dynamics/terraces/terrace_graph.hpp"
#include "numerics/at.hpp"

namespace terrace {

struct ClockSettings {
  double time_step = 0;             ///< [s]; 0: time_step_factor times the stable step of each terrace
  double time_step_factor = 0.4;    ///< of the stable step
  double largest_correction = 0.1;  ///< κ, in kicks of leapfrog
  double debt_tolerance = 1e-6;     ///< of the energy
};

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

  [[nodiscard]] std::optional<BalanceRecord> balance() const override { return balance_; }

  /// When an event is, and its place among those of the same time.
  struct EventKey {
    std::int64_t tick = -1;
    std::array<std::int32_t, 2> order{};
    friend auto operator<=>(const EventKey&, const EventKey&) = default;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [tick, order] = self;
      archive(tick, order);
    }
  };

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
  /// These begin, whose lines have started; `kinetic` and `values`: K, and V of all bodies, in their order.
  void begin(const State& state, double kinetic, std::span<const double> values,
             std::span<const std::int32_t> bodies);
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
  /// Of each of so many bodies, and of all groups together.
  [[nodiscard]] std::vector<EventMonitor> monitors(std::int32_t bodies) const;
  void set_monitors(std::vector<EventMonitor> monitors);
  /// What they have counted since the last time.
  [[nodiscard]] std::vector<EventMonitor> take_monitors(std::int32_t bodies);
  /// What monitors count from now on can be taken back.
  void keep_monitors() { earlier_monitors_.emplace().clear(); }
  void recall_monitors();
  /// What contact has seen, and what an event that threw may have left behind, where all bodies are taken
  /// over anew.
  void forget_passage() {
    lines_ = {};
    unconfirmed_.reset();
    std::fill(changed_.begin(), changed_.end(), std::uint8_t{0});
  }
  [[nodiscard]] double time_of(const EventKey& event) const { return time_of(event.tick); }
  void set_counts(std::int64_t events, const BalanceRecord& balance) {
    events_ = events;
    balance_ = balance;
  }
  /// The last event that was done.
  [[nodiscard]] const EventKey& last_event() const { return last_event_; }
  /// advance() does no event after this one.
  void do_none_after(const std::optional<EventKey>& last) { last_to_do_ = last; }
  /// Thrown by advance() on all ranks alike where they object to a kick that others went ahead of: what came
  /// after it was in vain, and is to be done again without going ahead.
  struct WentAheadInVain {};
  /// Events that each of several ranks does by itself need not wait for what they say of the last kick that
  /// they share: they are asked with the next one. Hardly ever does one object. At first all wait.
  void go_ahead(bool may) { may_go_ahead_ = may; }
  [[nodiscard]] double energy_quantum() const { return energy_quantum_; }
  [[nodiscard]] double tick() const { return tick_; }  ///< [s]
  /// Of a body that moves and touches others, at least.
  [[nodiscard]] double events_per_time(std::int32_t body) const {
    const Subdomain& alone = at(lagrangian_.subdomains, body);
    return 1 / longest_step(alone.stable_step,
                            std::min(alone.stable_contact_step, lagrangian_.stable_contact_step));
  }
  /// `tell(terrace)` is called before each change of the lines of its nodes.
  void tell_before_pushes(std::function<void(std::int32_t)> tell) { before_push_ = std::move(tell); }
  /// As Schedule::watch.
  void watch_searches(std::function<void(std::int32_t)> done) { schedule_.watch(std::move(done)); }
  /// Adds what a user should know of so many events and how they balanced.
  void describe_balance(std::int64_t events, const BalanceRecord& balance,
                        std::vector<Warning>& warnings) const;

 private:
  [[nodiscard]] double time_of(std::int64_t tick) const { return start_ + static_cast<double>(tick) * tick_; }
  [[nodiscard]] double unit_of(std::int32_t subdomain) const;
  [[nodiscard]] std::string name_of(std::int32_t subdomain) const;
  [[nodiscard]] std::int64_t tick_after(double time, std::int32_t subdomain) const;
  [[nodiscard]] std::int64_t tick_of_touch(std::int32_t pair, const State& state, double time);
  [[nodiscard]] double longest_step(double stable, double stable_contact) const;
  [[nodiscard]] double longest_step(const Subdomain& subdomain) const {
    return longest_step(subdomain.stable_step, subdomain.stable_contact_step);
  }
  [[nodiscard]] bool balances(std::int32_t subdomain) const;
  [[nodiscard]] double stored(const Clock& clock) const { return clock.stored.value() * energy_quantum_; }

  // What debts are measured by: gravity may give more than there was.
  [[nodiscard]] double share_of_energy(double energy, const Clock& clock) const {
    return share_of(energy_, energy, clock);
  }
  [[nodiscard]] static double share_of(double scale, double energy, const Clock& clock) {
    return energy == 0 ? 0 : std::abs(energy) / std::max(scale, clock.most_stored);  // 0 of nothing is 0
  }

  void begin_all(const State& state);
  std::int32_t adopt(const ClockedTerrace& terrace);
  void make_room(std::int32_t subdomain);
  void start_line(std::int32_t subdomain, const State& state, double time);
  void rest(std::int32_t subdomain, const State& state, double time);
  void start_clock(std::int32_t subdomain, std::int64_t tick);
  void start_gently(std::int32_t subdomain, std::int64_t tick);
  void set_next(std::int32_t subdomain, std::int64_t tick);
  void sort_by_order(std::vector<std::int32_t>& subdomains) const;
  [[nodiscard]] std::int32_t first_of_next() const;
  /// Of its next event.
  [[nodiscard]] EventKey key_of(std::int32_t number) const {
    return {at(clocks_, number).next, at(lagrangian_.subdomains, number).order};
  }

  bool advance_without_failure(State& state, double until);
  template <class Work>
  auto with_all_sides_after_failure(State& state, Work work);
  void leave_far_sides(const State& state, std::int32_t number);
  void bring_far_sides(State& state);
  [[nodiscard]] bool process(State& state, std::int32_t subdomain);
  using PairLooks = SubdomainGradient::PairLooks;
  [[nodiscard]] bool kick(State& state, std::int32_t subdomain, PairLooks* looks = nullptr);
  void close(State& state, std::int32_t subdomain, std::int64_t tick);
  // What is known at an event before the kick.
  struct Event {
    std::int32_t number;
    std::int64_t now;
    double instant;
    bool is_first = false, is_balanced = false;
    double stored = 0;     // U [J]
    double elapsed = 0;    // since the last event [s]
    double curvature = 0;  // of the drift [J/s²]
    SubdomainGradient::Products products{};
    [[nodiscard]] Event after(double multiplier) const {
      Event event = *this;
      event.products.normal_velocity += multiplier * products.compliance;
      return event;
    }
  };
  struct PlannedKick : BalancedKick {
    double offset = 0;  // b with it
  };
  [[nodiscard]] std::optional<Event> event_of(State& state, std::int32_t subdomain, PairLooks* looks);
  [[nodiscard]] std::optional<SubdomainGradient::Products> products_of(State& state, const Event& event,
                                                                       std::span<const Vector3> before,
                                                                       PairLooks* looks);
  [[nodiscard]] PlannedKick kick_for(const Event& event, std::int64_t step, double kept,
                                     double correction) const;
  [[nodiscard]] PlannedKick kick_with_step_control(const Event& event);
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
  [[nodiscard]] PlannedKick settle(const Event& event, PlannedKick kick);
  void finish(const Event& event, const PlannedKick& kick);
  double push(State& state, const Event& event, double multiplier);
  [[nodiscard]] std::vector<std::int32_t> uncertified(const State& state,
                                                      std::vector<std::int32_t> subdomains, std::int64_t now);
  [[nodiscard]] std::int64_t shorter(std::int32_t subdomain, std::int64_t ticks, std::int64_t now);
  std::vector<std::int32_t> renew_lines(const State& state, std::int32_t subdomain, double instant);
  [[nodiscard]] bool has_to_look(const State& state, std::int32_t pair, double instant);
  [[nodiscard]] bool stays_apart(std::int32_t pair, double instant);
  void follow_approach(const State& state, std::int32_t pair, double instant, bool is_searched);
  template <class Visit>
  void for_each_approach_to(std::int32_t terrace, Visit visit);
  void forget_flights_of_approaches(std::int32_t terrace);
  void go_by_lines_again(const State& state, std::int32_t terrace);
  void renew_line_of(const State& state, std::int32_t pair, double origin);
  void search_anew(const State& state, std::int32_t pair);
  void look_at_what_came_near(const State& state, double limit);
  void guard(const State& state, std::vector<std::int32_t> subdomains, std::int64_t now);
  [[nodiscard]] double invalid_until_next(const State& state, std::int32_t subdomain, std::int64_t now);
  [[nodiscard]] std::int64_t next_step(Clock& clock, const BalancedKick& kick, bool is_balanced) const;
  void note(std::int32_t subdomain, const BalancedKick& kick, bool has_force, double instant);
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
  ClockSettings settings_;
  SubdomainStates states_;
  Lines lines_;
  SubdomainGradient gradient_;
  TerraceGraph graph_;
  const bool can_divide_;
  FarSides far_sides_;                          // of touching bodies on several ranks
  Schedule schedule_;                           // of what rests
  std::deque<Clock> clocks_;                    // by subdomain
  std::deque<std::vector<Vector3>> gradients_;  // of their last kicks, on counted nodes
  Earliest ticks_;                              // of their next events
  std::vector<std::uint8_t> changed_;
  double start_ = 0, tick_ = 1;
  double energy_ = 0;  // of the system at its start [J]
  // Powers of two that are hardly less than that, with what gravity may add: what steps and what is next to
  // nothing are measured by, so that other bodies change no bit as long as they leave these as they are.
  double energy_scale_ = 0, largest_energy_scale_ = 1;
  double energy_quantum_ = 1;  // of U
  std::int64_t events_ = 0, bound_evaluations_ = 0;
  EventKey last_event_;
  EventMonitor other_groups_;  // of runs before, and of other ranks
  std::optional<std::map<std::int32_t, EventMonitor>> earlier_monitors_;  // where they may be asked for again
  std::optional<EventKey> last_to_do_;
  std::function<void(std::int32_t)> before_push_ = [](std::int32_t) {};
  BalanceRecord balance_;
  std::optional<Given> unconfirmed_;  // the last kick, where several ranks have a say
  bool owes_reduction_ = false;       // one rank is to count what several would need
  bool goes_together_ = false;        // the next event, with what is to be said of the last one
  bool goes_ahead_ = false;           // of what is to be said of it
  bool may_go_ahead_ = false;
  int searches_first_ = 0;  // for so many events, as a sample was not enough to know
};

}  // namespace terrace
