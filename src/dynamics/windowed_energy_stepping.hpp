// Clocked energy-stepping of many bodies on many ranks without a message per event.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <vector>

#include "dynamics/clocked_energy_stepping.hpp"
#include "dynamics/window_plan.hpp"
#include "dynamics/window_trace.hpp"

namespace terrace {

/// The bodies fall into clusters that cannot meet before a window of time ends (WindowPlanner). Every rank
/// takes its clusters through the window alone, any number of events, and tells the others at the end what
/// became of them. Should a body leave the flight that the clusters rest on, all go back to the begin of the
/// window and come as far as that instant.
///
/// A rank works on the whole system as if it were one rank of one: the motion is to the bit that of
/// ClockedEnergyStepping, whoever did which events. It holds a copy of all nodes; elements and contact it has
/// only of the bodies that it works on, if the whole system is one whose elements come and go
/// (Elements::on_demand). The State that others see has this rank's share as any other integrator's.
class WindowedEnergyStepping : public Integrator {
 public:
  /// `share`: this rank's of the system, which it shares with those of `share.communicator`, as `state`, and
  /// in which the pairs that are near when somebody looks are awake; `whole`: all of it, for one rank, as
  /// `whole_state`; all must outlive this. Collective. Throws Error(input) where bodies and terraces are not
  /// the same.
  WindowedEnergyStepping(Lagrangian& share, const State& state, Lagrangian& whole, State& whole_state,
                         const ClockSettings& settings);
  ~WindowedEnergyStepping() override;

  /// From now on all is taken down; on one rank windows may be planned as so many ranks would (0: as those
  /// that run). Changes no trajectory.
  void trace(int planned_for);
  /// Of all ranks. Collective; after `trace`.
  [[nodiscard]] WindowTraces traces() const { return trace_->of_all(inner_.element_evaluations()); }

  /// One window, which `until` may end.
  bool advance(State& state, double until) override;
  void bring_up_to_date(State& state) override;
  void stop_after(std::int64_t events) override { most_events_ = events; }

  [[nodiscard]] std::optional<double> conserved_potential() const override;
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override;
  [[nodiscard]] std::int64_t events() const override { return events_; }
  [[nodiscard]] double average_step() const override;
  [[nodiscard]] std::int64_t element_evaluations() const override { return inner_.element_evaluations(); }
  [[nodiscard]] std::int64_t gradient_evaluations() const override { return inner_.gradient_evaluations(); }
  [[nodiscard]] std::int64_t searches() const override { return searches_; }
  [[nodiscard]] std::optional<BalanceRecord> balance() const override { return balance_; }
  [[nodiscard]] std::optional<WindowRecord> window_record() const override { return record_; }
  void report(ContactExtremes& extremes) const override;
  void describe_trouble(double stable_step, std::vector<Warning>& warnings) const override;
  void share() override;
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  using EventKey = ClockedEnergyStepping::EventKey;
  /// How a rank came through a window.
  struct Outcome {
    double reached = 0;                       ///< with all events until then
    bool failed = false;                      ///< there
    std::int64_t events = 0;                  ///< in the window
    std::array<std::int32_t, 2> failed_at{};  ///< the order of the event that failed
  };
  /// How all came through it.
  struct Passage {
    double end;
    std::int64_t events;
    std::optional<EventKey> last;  ///< where a number of events ends the run
  };

  static constexpr double long_ = 60;  // for a window, on the wall [s]
  /// With a window, until a user is told of it [s] on the wall.
  struct Patience {
    double begin = MPI_Wtime(), ends = long_;
  };

  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(holder_.size()); }
  [[nodiscard]] std::vector<std::int32_t> own_bodies() const;
  void begin_own_bodies();
  void learn_terraces();
  void hold_no_bodies();
  void learn(ClockedTerrace terrace);
  [[nodiscard]] double pace(std::int32_t body, const Clock& clock) const;
  [[nodiscard]] WindowOutlook outlook() const;
  [[nodiscard]] std::vector<WindowPlanner::Meeting> meetings(double until);
  [[nodiscard]] std::vector<WindowPlanner::Meeting> meetings_of_all(
      const std::vector<WindowPlanner::Meeting>& mine, const std::exception_ptr& failure) const;
  [[nodiscard]] Window open(double until);
  void begin(const Window& window);
  void enclose(const Window& window);
  void keep_rows();
  void tell_of_long_windows(std::int64_t events, Patience& patience) const;
  void go_on(double end, Patience& patience, Outcome& outcome);
  [[nodiscard]] bool go_by_clusters(const Window& window, Outcome& outcome);
  [[nodiscard]] Outcome go_in_order(double end);
  [[nodiscard]] bool go(const Window& window, Outcome& outcome);
  void recall_rows(const Window& window);
  void go_back(const Window& window);
  void go_again(const Window& window, double end, Outcome& mine);
  Passage pass(const Window& window, State& state);
  void fail(const Window& window, const Passage& passage, const Outcome& mine, std::span<const Outcome> all,
            State& state);
  [[nodiscard]] std::vector<Outcome> outcomes(const Outcome& mine) const;
  [[nodiscard]] EventKey last_of_all(std::int64_t events) const;
  [[nodiscard]] std::vector<std::byte> news(const Window& window, const Outcome& outcome) const;
  void tell(std::span<const std::byte> news_of_mine, double reached);
  void read_news(ByteReader& reader, int rank);
  void note(const Window& window, const Passage& passage);
  void give(State& state);
  void ask_for_monitors();
  [[nodiscard]] std::vector<EventMonitor> no_monitors() const;

  const Lagrangian& share_;
  LivingSubdomains shown_;  // of the share
  NearPairs shown_pairs_;
  Lagrangian& system_;
  State& state_;
  Communicator& communicator_;
  ClockedEnergyStepping inner_;
  FlightTubes tubes_;
  WindowPlanner planner_;
  WindowOutlook outlook_;
  std::vector<std::byte> first_graph_;  // as it was at the start

  // Known to all ranks.
  std::map<std::int32_t, ClockedTerrace> terraces_;  // at the end of the last window, by their first bodies
  std::vector<std::int32_t> terrace_of_;             // its first body, by body
  std::vector<double> deviation_, pace_;             // by body: WindowOutlook; events [1/time]
  std::vector<int> holder_;                          // the rank that worked on each body last
  std::vector<double> work_;                         // elements of each body
  std::int64_t events_ = 0, most_events_ = 0;
  std::int64_t searches_ = 0;
  BalanceRecord balance_;
  WindowRecord record_;
  std::vector<EventMonitor> monitors_;  // of all ranks, when they were last asked for

  // This rank's.
  std::map<std::int32_t, std::vector<std::int32_t>> clusters_;  // its own, by their numbers
  struct Row {
    NodeLine line;
    IntegerMomentum momentum;
    std::int32_t node;
  };
  std::vector<Row> rows_;  // of its bodies at the begin of the window
  std::vector<IntegerMomentum> ledger_;
  BalanceRecord balance_at_begin_;
  ContactExtremes extremes_;          // of the windows before
  std::vector<std::uint8_t> active_;  // by body: whether `inner_` has it
  std::vector<EventKey> done_;        // in the window, where a number of events ends the run
  std::exception_ptr error_;
  std::unique_ptr<WindowTrace> trace_;  // where it was asked for
  std::vector<std::byte> saved_;
};

}  // namespace terrace
