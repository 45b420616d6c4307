// Clocked energy-stepping of many bodies on many ranks without a message per event.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <vector>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/windows/known_bodies.hpp"
#include "dynamics/windows/known_terraces.hpp"
#include "dynamics/windows/rows_at_begin.hpp"
#include "dynamics/windows/shown_contact.hpp"
#include "dynamics/windows/window_helpers.hpp"
#include "dynamics/windows/window_plan.hpp"
#include "dynamics/windows/window_trace.hpp"
#include "parallel/questions.hpp"
#include "parallel/teams.hpp"

namespace terrace {

/// The bodies fall into clusters that cannot meet before a window of time ends (WindowPlanner). Every rank
/// takes its clusters through the window alone, any number of events, or with the other ranks of one team
/// those that are too much for one rank, and tells the others at the end what became of them. One that has
/// nothing left to do meanwhile asks others for clusters that these have not begun. Should a body
/// leave the flight that the clusters rest on, all who have come farther than that instant go back to the
/// begin of the window and come as far as it.
///
/// A rank works on the whole system as if it were one rank of one, or of its team: the motion is to the bit
/// that of ClockedEnergyStepping, whoever did which events. It has room for all nodes, and asks for those
/// that it needs (KnownBodies); elements and contact it has only of the bodies that it works on, if the whole
/// system is one whose elements come and go (Elements::on_demand). The State that others see has this rank's
/// share as any other integrator's.
class WindowedEnergyStepping : public Integrator {
 public:
  /// `share`: this rank's of the system, which it shares with those of `share.communicator`, as `state`, and
  /// in which pairs that are near when somebody looks have potentials (ShownContact); `whole`: all of it, for
  /// one rank, with room for its rows in `whole_state`; all must outlive this. The rows of a rank's own
  /// bodies come from `state`, and those of others that it shows go there. Collective. Throws Error(input)
  /// where bodies and terraces are not the same.
  WindowedEnergyStepping(Lagrangian& share, State& state, Lagrangian& whole, State& whole_state,
                         const ClockSettings& settings);
  ~WindowedEnergyStepping() override;

  /// From now on all is taken down; on one rank windows may be planned as so many ranks would (0: as those
  /// that run). Changes no trajectory.
  void trace(int planned_for);
  /// When clusters are several ranks', from now on; at first never. Changes no trajectory.
  void use_teams(TeamUse use) { planner_.use_teams(use); }
  /// When ranks give clusters to others that have nothing left, from now on; at first never. Changes no
  /// trajectory.
  void use_helpers(HelperUse use) { helper_use_ = use; }
  /// Of all ranks, on rank 0; nothing on the others. Collective; after `trace`.
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
  void describe_trouble(std::vector<Warning>& warnings) const override;
  void share() override { ask_for_monitors(); }
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  using EventKey = ClockedEnergyStepping::EventKey;
  /// How a rank came through a window.
  struct Outcome {
    double reached = 0;                       ///< with all events until then
    double farthest = 0;                      ///< that any cluster has come to
    bool failed = false;                      ///< there
    std::int64_t events = 0;                  ///< in the window
    std::array<std::int32_t, 2> failed_at{};  ///< the order of the event that failed
    bool is_broken = false;                   ///< by an error of the program itself
    bool went_ahead_in_vain = false;          ///< with its team, and is to go again
  };
  /// How all came through it.
  struct Passage {
    double end;
    std::int64_t events;
    std::optional<EventKey> last;  ///< where a number of events ends the run
  };

  /// A part of the system that this rank works on.
  struct Cluster {
    std::vector<std::int32_t> bodies;              ///< ascending
    std::vector<int> ranks;                        ///< of each of them, among all
    std::vector<std::uint8_t> is_everywhere = {};  ///< each of them, in a team: all of its ranks do its work
    std::vector<int> members = {};                 ///< of these the different ones, ascending
    Communicator* team = nullptr;                  ///< of these, where they are several
    /// Of each body, if the cluster was planned for another rank, which had widened them.
    std::vector<Flight> flights = {};
    [[nodiscard]] bool is_same(const Cluster& other) const {
      return team == other.team && bodies == other.bodies && ranks == other.ranks &&
             is_everywhere == other.is_everywhere;
    }
    /// Several ranks do the same events, which one of them counts.
    [[nodiscard]] bool is_counted_elsewhere() const { return team != nullptr && team->rank() != 0; }
  };
  using Clusters = std::map<std::int32_t, Cluster>;  // by their numbers
  class Turn;
  /// An error of this rank alone after which others would wait for it: it ends the run, whatever else goes
  /// on.
  struct LeavesOthersWaiting {
    std::exception_ptr error;
  };
  /// A cluster in a passage.
  struct Due {
    std::int32_t number;
    const Cluster* cluster;
    Agenda agenda;
    OfferedCluster foreseen;
  };

  static constexpr double long_ = 60;  // for a window, on the wall [s]
  /// With a window, until a user is told of it [s] on the wall.
  struct Patience {
    double begin = MPI_Wtime(), ends = long_;
  };

  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(holder_.size()); }
  [[nodiscard]] std::vector<std::int32_t> active_bodies() const;
  [[nodiscard]] std::vector<std::int32_t> held_bodies() const;
  void begin_with_rows_of(const State& state);
  void begin_own_bodies(double kinetic);
  void tell_of_surfaces();
  void start_boxes();
  void learn(ToldTerrace terrace);
  [[nodiscard]] double pace(std::int32_t body, const Clock& clock) const;
  [[nodiscard]] WindowOutlook outlook() const;
  void ask(std::span<const KnownBodies::Need> needs);
  void stop_if_any_failed(const std::exception_ptr& failure, State& state);
  [[nodiscard]] std::vector<WindowPlanner::Meeting> meetings(double until, State& state);
  [[nodiscard]] std::vector<WindowPlanner::Meeting> meetings_of_all(
      const std::vector<WindowPlanner::Meeting>& mine, const std::exception_ptr& failure, State& state);
  [[nodiscard]] std::vector<std::int32_t> own_bodies() const;
  [[nodiscard]] std::vector<KnownBodies::Need> needs_beside(std::span<const std::int32_t> bodies) const;
  [[nodiscard]] std::vector<KnownBodies::Need> needs_of(const Window& window) const;
  [[nodiscard]] Window open(double until, State& state);
  [[nodiscard]] std::vector<std::uint8_t> own_clusters(const Window& window) const;
  [[nodiscard]] Clusters clusters_of(const Window& window);
  [[nodiscard]] bool stays(std::int32_t body, const Cluster* before, const Cluster* next) const;
  void let_go(const Window& window, const Clusters& next);
  void work_no_more_on(std::span<const std::int32_t> bodies, std::span<const std::int32_t> ending);
  void share_out(const Cluster& cluster);
  void take_over(const Cluster& cluster, double time);
  void take_holders(const Window& window);
  void begin(const Window& window);
  void enclose(const Window& window, const Cluster& cluster);
  void enclose(const Window& window);
  void begin_passage(const Window& window);
  void keep_rows_of(std::int32_t terrace);
  void tell_of_long_windows(std::int64_t events, Patience& patience) const;
  void do_events(const Cluster& cluster, Patience& patience, Outcome& outcome);
  void go_on(const Cluster& cluster, Patience& patience, Outcome& outcome);
  [[nodiscard]] Due due_of(const Window& window, std::int32_t number, const Cluster& cluster);
  void list_due(const Window& window);
  void take_turn(const Window& window, std::size_t place, Patience& patience, Outcome& outcome);
  [[nodiscard]] Outcome go(const Window& window, double end);
  [[nodiscard]] static std::vector<std::byte> no_cluster(int) { return {}; }
  [[nodiscard]] bool may_be_asked() const;
  void look_for_questions(const Outcome& outcome);
  [[nodiscard]] double left_to_do(const Outcome& outcome) const;
  [[nodiscard]] std::vector<std::byte> cluster_for(const Outcome& outcome);
  [[nodiscard]] std::vector<std::byte> packed(const Due& due) const;
  void let_go_of_due(std::size_t place);
  void help(const Window& window, Patience& patience, Outcome& outcome);
  void tell_of_waiting(double seconds, const Outcome& outcome) const;
  void take_cluster(const Window& window, std::span<const std::byte> told);
  [[nodiscard]] bool is_in_team() const;
  [[nodiscard]] bool leaves_others_waiting(const std::exception& error) const;
  [[nodiscard]] static bool is_known_to_all(const std::exception& error);
  [[nodiscard]] bool may_be_waited_for(const Window& window) const;
  [[nodiscard]] double largest_planned_share(std::int32_t body) const;
  void note_event(const Cluster& cluster);
  [[nodiscard]] bool is_beyond(double end, std::span<const Outcome> all) const;
  void go_back(const Window& window);
  void go_again(const Window& window, double end, Outcome& mine);
  Passage pass(const Window& window, State& state);
  Passage pass_until_all_agree(const Window& window, State& state);
  void fail(const Window& window, const Passage& passage, const Outcome& mine, std::span<const Outcome> all,
            State& state);
  [[nodiscard]] std::vector<Outcome> outcomes(const Outcome& mine);
  [[nodiscard]] EventKey last_of_all(std::int64_t events) const;
  void tell_of_bodies(const Window& window, const Outcome& outcome, ByteWriter& writer) const;
  void tell_of_changes(ByteWriter& writer) const;
  void know_active_bodies();
  [[nodiscard]] std::vector<std::byte> news(const Window& window, const Outcome& outcome) const;
  void tell(const Window& window, std::span<const std::byte> news_of_mine, double reached);
  void read_news(const Window& window, ByteReader& reader);
  void note(const Window& window, const Passage& passage);
  void release_bodies();
  [[nodiscard]] bool knows_surfaces() const;
  [[nodiscard]] std::vector<KnownBodies::Need> needs_of_share(std::span<const BodyPair> shown) const;
  void give(State& state);
  void ask_for_monitors();
  [[nodiscard]] std::vector<EventMonitor> no_monitors() const;

  const Lagrangian& share_;
  ShownContact shown_contact_;  // of the share
  Lagrangian& system_;
  State& state_;
  Communicator& communicator_;
  ClockedEnergyStepping inner_;
  FlightTubes tubes_;
  WindowPlanner planner_;
  KnownBodies known_;
  WindowOutlook outlook_;

  // Known to all ranks.
  KnownTerraces terraces_;                     // at the end of the last window
  std::vector<double> deviation_, departure_;  // by body: WindowOutlook
  std::vector<double> pace_;                   // by body: events [1/time]
  std::vector<int> holder_;                    // the rank that had each body last
  std::vector<std::int32_t> former_cluster_;   // of each body, then; empty at first
  std::vector<double> work_;                   // elements of each body
  std::vector<double> speeds_;                 // of each rank, where they help each other
  std::int64_t events_ = 0, most_events_ = 0;
  std::int64_t searches_ = 0;
  BalanceRecord balance_;
  WindowRecord record_;
  std::vector<EventMonitor> monitors_;  // what all ranks had counted when they were last asked
  bool monitors_are_of_now_ = false;

  // This rank's.
  Communicator& one_rank_;  // the whole system's
  Teams teams_;
  Questions questions_;
  HelperUse helper_use_ = HelperUse::never;
  Speed speed_;
  Clusters clusters_;
  std::vector<Due> due_;                 // of the passage
  std::size_t begun_ = 0;                // so many of them
  const Window* asked_about_ = nullptr;  // the window, as long as others may ask for clusters of it
  double looked_for_questions_ = 0;      // [s] on the wall
  std::int64_t searches_elsewhere_ = 0, team_events_ = 0, team_collectives_ = 0;
  RowsAtBegin rows_;
  BalanceRecord balance_at_begin_;
  std::int64_t team_events_at_begin_ = 0;
  ContactExtremes extremes_;          // of the windows before
  std::vector<std::uint8_t> active_;  // by body: whether `inner_` has it, or its surface
  std::vector<EventKey> done_;        // in the window, where a number of events ends the run
  std::exception_ptr error_;
  std::unique_ptr<WindowTrace> trace_;  // where it was asked for
};

}  // namespace terrace
