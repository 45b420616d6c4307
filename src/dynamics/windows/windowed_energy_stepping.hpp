// Clocked energy-stepping of many bodies on many ranks, without a message for each event.
#pragma once

#include <exception>
#include <vector>

#include "dynamics/windows/rank_passage.hpp"
#include "dynamics/windows/shown_contact.hpp"

namespace terrace {

/// The bodies fall into clusters that cannot meet before a window of time ends (WindowPlanner). Every rank
/// takes its clusters through the window alone, with any number of events. Clusters that are too much for one
/// rank are taken through it by a team of ranks. At the end ranks tell each other what became of the bodies.
/// A rank that has nothing left to do in a window asks others for clusters that they have not begun. Should a
/// body leave its tube, on which the clusters rest, all ranks that have come farther than that instant go
/// back to the begin of the window and then on to that instant.
///
/// A rank works on the whole system as if it were the only rank, or in a team of ranks that are the only
/// ones: the motion is to the bit that of ClockedEnergyStepping, whichever rank did which events. A rank has
/// room for all nodes, and asks for those that it needs (KnownBodies). If the elements of the whole system
/// come and go (Elements::on_demand), it has elements and contact only of the bodies that it works on. The
/// State that others see holds this rank's share of the system, as with any other integrator.
class WindowedEnergyStepping : public Integrator {
 public:
  /// `share` and `state`: this rank's share of the system, of whole bodies, among the ranks of
  /// `share.communicator`. `whole`: the whole system as for one rank, with room for its rows in
  /// `whole_state`. All must outlive this. The rows of the share's bodies come from `state`, and go back
  /// there when somebody looks. Collective. Throws Error(input) when terraces are not bodies, or groups of
  /// bodies that touch.
  WindowedEnergyStepping(const Lagrangian& share, State& state, Lagrangian& whole, State& whole_state,
                         const ClockSettings& settings);

  /// From now on a trace is kept. On one rank windows may be planned as for `planned_for` ranks (0: those
  /// that run). Changes no trajectory.
  void trace(int planned_for);
  /// Sets when a cluster goes to a team of ranks; at first never. Changes no trajectory.
  void use_teams(TeamUse use) { planner_.use_teams(use); }
  /// Sets when ranks give clusters to others that have nothing left to do; at first never. Changes no
  /// trajectory.
  void use_helpers(HelperUse use) { passage_.use_helpers(use); }
  /// The traces of all ranks, on rank 0; nothing on the others. Collective. Precondition: `trace` was called.
  [[nodiscard]] WindowTraces traces() const { return system_.trace->of_all(element_evaluations()); }

  /// Does one window, which ends at `until` at the latest. Throws BrokenContract when `until` is past
  /// already.
  bool advance(State& state, double until) override;
  void bring_up_to_date(State& state) override;
  void stop_after(std::int64_t events) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override;
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override;
  [[nodiscard]] std::int64_t events() const override { return events_; }
  [[nodiscard]] double average_step() const override;
  [[nodiscard]] std::int64_t element_evaluations() const override {
    return system_.clocks.element_evaluations();
  }
  [[nodiscard]] std::int64_t gradient_evaluations() const override {
    return system_.clocks.gradient_evaluations();
  }
  [[nodiscard]] std::int64_t searches() const override { return searches_; }
  [[nodiscard]] std::optional<BalanceRecord> balance() const override { return balance_; }
  [[nodiscard]] std::optional<WindowRecord> window_record() const override { return record_; }
  /// Contact of pairs of bodies that were near when the State was last brought up to date.
  [[nodiscard]] ShownPotentials shown_contact() const override {
    return {shown_contact_.potentials(), system_.state.lines};
  }
  void report(ContactExtremes& extremes) const override;
  void describe_trouble(std::vector<Warning>& warnings) const override;
  void share() override { ask_for_monitors(); }
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  using Outcome = RankPassage::Outcome;
  /// How all ranks came through a window.
  struct Passage {
    double end;
    std::int64_t events;
    std::optional<ClockedEvent> last;  ///< the run ends with this event, and none after it is done
    bool last_fails = false;           ///< because the event fails; else it is the last that was asked for
  };

  [[nodiscard]] std::int32_t bodies() const { return system_.bodies(); }
  [[nodiscard]] int rank() const { return system_.ranks.rank(); }
  void begin_with_rows_of(const State& state);
  void begin_own_bodies(double kinetic);
  void tell_of_surfaces();
  void start_boxes();

  // The plan of a window, in which all ranks take part.
  void ask(std::span<const KnownBodies::Need> needs);
  void stop_if_any_failed(const std::exception_ptr& failure, State& state);
  [[nodiscard]] std::vector<KnownBodies::Need> needs_beside(std::span<const std::int32_t> bodies) const;
  [[nodiscard]] std::vector<WindowPlanner::Meeting> meetings(double until, State& state);
  [[nodiscard]] std::vector<WindowPlanner::Meeting> meetings_of_all(
      const std::vector<WindowPlanner::Meeting>& mine, const std::exception_ptr& failure, State& state);
  [[nodiscard]] std::vector<KnownBodies::Need> needs_of(const Window& window) const;
  [[nodiscard]] bool may_be_waited_for(const Window& window) const;
  [[nodiscard]] Window open(double until, State& state);

  // windowed_passage.cpp
  Passage pass(const Window& window, State& state);
  [[nodiscard]] bool is_beyond(double end, std::span<const Outcome> all) const;
  void fail(const Window& window, const Passage& passage, const Outcome& mine, std::span<const Outcome> all,
            State& state);
  [[nodiscard]] std::vector<Outcome> outcomes(const Outcome& mine);
  [[nodiscard]] int first_to_fail(std::span<const Outcome> all) const;
  void find_last_to_do(Passage& passage, const Outcome& mine, std::span<const Outcome> all);
  [[nodiscard]] ClockedEvent last_of_all(std::int64_t events) const;

  // windowed_news.cpp
  void tell_of_bodies(const Window& window, const Outcome& outcome, ByteWriter& writer) const;
  void tell_of_changes(ByteWriter& writer) const;
  [[nodiscard]] std::vector<std::byte> news(const Window& window, const Outcome& outcome) const;
  void tell(const Window& window, std::span<const std::byte> news_of_mine, double reached);
  void read_news(const Window& window, ByteReader& reader, std::vector<double>& speeds);
  void know_active_bodies();

  // windowed_records.cpp
  void note(const Window& window, const Passage& passage);
  [[nodiscard]] bool knows_surfaces() const;
  [[nodiscard]] std::vector<KnownBodies::Need> needs_of_share(std::span<const BodyPair> shown) const;
  void give(State& state);
  void ask_for_monitors();
  [[nodiscard]] std::vector<EventMonitor> no_monitors() const;

  const Lagrangian& share_;
  ShownContact shown_contact_;  // of the share
  WindowedSystem system_;
  WindowPlanner planner_;
  OwnClusters clusters_;
  RankPassage passage_;

  // The same on all ranks.
  std::int64_t events_ = 0, most_events_ = 0;
  std::int64_t searches_ = 0;
  BalanceRecord balance_;
  WindowRecord record_;
  std::vector<EventMonitor> monitors_;  // sums over all ranks, when they were last asked for them
  bool monitors_are_of_now_ = false;
};

}  // namespace terrace
