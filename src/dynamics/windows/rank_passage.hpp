// A rank's passage through a window, one of its clusters after the other.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "dynamics/windows/own_clusters.hpp"
#include "dynamics/windows/rows_at_begin.hpp"
#include "dynamics/windows/window_helpers.hpp"
#include "parallel/questions.hpp"

namespace terrace {

/// Takes this rank's clusters through a window until the window ends, a body leaves its tube, or an event
/// fails. The rank works alone, or with its team. Other ranks that have nothing left to do may ask, and are
/// answered between two events, for clusters that this rank has not begun; when it is done it asks others
/// itself. The passage can be taken back, to go through the window again to an earlier end.
class RankPassage {
 public:
  /// How a rank came through a window.
  struct Outcome {
    double reached = 0;               ///< time until which all events were done [s]
    double farthest = 0;              ///< the latest time that any cluster has come to [s]
    bool failed = false;              ///< whether an error occurred, at `reached`
    std::int64_t events = 0;          ///< counted by this rank in the window
    ClockedEvent failed_at{};         ///< the event that failed; tick −1 if the error was between events
    bool is_broken = false;           ///< by a broken contract, or as the way back failed: state is unusable
    bool went_ahead_in_vain = false;  ///< with its team: the passage is to be done again
  };
  static constexpr double long_time = 60;  ///< wall-clock time of a window after which the user is told [s]

  /// Both outlive this. The clocks call it before each push, so that it keeps the rows of pushed bodies.
  RankPassage(WindowedSystem& system, OwnClusters& clusters);

  /// Sets when clusters go to ranks that have nothing left to do; at first never.
  void use_helpers(HelperUse use) { helper_use_ = use; }
  [[nodiscard]] bool ranks_help() const {
    return helper_use_ != HelperUse::never && system_.ranks.size() > 1;
  }
  /// From now on events are listed, for `events_done`.
  void list_events() { lists_events_ = true; }

  /// Begins a window, whose clusters OwnClusters already has. What is done from here on can be taken back.
  void begin(const Window& window);
  /// Goes to the end of the window, or as far as possible. Others may ask for clusters until
  /// close_to_questions(). Throws (an Error becomes Error(run)) when another rank would wait in vain for what
  /// this rank alone has; all other errors are in the outcome.
  [[nodiscard]] Outcome go(const Window& window);
  /// Goes back to the begin and on to an earlier `end`; `mine` becomes the new outcome. Throws errors that
  /// leave ranks of a team waiting; all other errors are in the outcome.
  void go_again(const Window& window, double end, Outcome& mine);
  void close_to_questions() { asked_about_ = nullptr; }
  /// Answers ranks that have asked that there is no cluster to give any more.
  void answer_with_nothing();
  /// Puts the rows of bodies, and what monitors count, back to the begin of the window; not the clocks.
  void put_back_rows();

  /// The events of the window that this rank counted, if they are listed.
  [[nodiscard]] const std::vector<ClockedEvent>& events_done() const { return done_; }
  /// The error that made this rank's passage fail; null if none did.
  [[nodiscard]] const std::exception_ptr& error() const { return error_; }
  /// Foreseen work that this rank did per second, in the last windows [elements/s].
  [[nodiscard]] double speed() const { return speed_.value(); }
  /// Number of events of teams that this rank counts.
  [[nodiscard]] std::int64_t team_events() const { return team_events_; }
  /// Adds what contact has seen, in this window and before.
  void report(ContactExtremes& extremes) const;
  /// Warns the user, on rank 0, that this rank has waited so long for others at the end of a window [s].
  void tell_of_waiting(double seconds, const Outcome& outcome) const;

 private:
  /// Thrown for an error of this rank alone after which others would wait for it: ends the run in any case.
  struct LeavesOthersWaiting {
    std::exception_ptr error;
  };
  /// A cluster in a passage, with what is due of its bodies while other clusters have their turn.
  struct Due {
    std::int32_t number;
    const Cluster* cluster;
    Agenda agenda;
    OfferedCluster foreseen;
  };
  /// Wall-clock times [s]: when the passage began, and after how long the user is next told that it lasts.
  struct Patience {
    double begin = MPI_Wtime(), ends = long_time;
  };

  void keep_rows_of(std::int32_t terrace);
  void go_back(const Window& window);
  [[nodiscard]] Outcome go_to(const Window& window, double end, Operation kind);
  void do_own(const Window& window, Patience& patience, Outcome& outcome);
  [[nodiscard]] Due due_of(const Window& window, std::int32_t number, const Cluster& cluster);
  void list_due(const Window& window);
  void take_turn(const Window& window, std::size_t place, Patience& patience, Outcome& outcome);
  void do_events(const Cluster& cluster, Patience& patience, Outcome& outcome);
  void go_on(const Cluster& cluster, Patience& patience, Outcome& outcome);

  // rank_passage_helpers.cpp
  [[nodiscard]] static std::vector<std::byte> no_cluster(int) { return {}; }
  [[nodiscard]] bool may_be_asked() const { return asked_about_ != nullptr && ranks_help(); }
  void look_for_questions(const Outcome& outcome);
  [[nodiscard]] double left_to_do(const Outcome& outcome) const;
  [[nodiscard]] std::vector<std::byte> cluster_for(const Outcome& outcome);
  [[nodiscard]] std::vector<std::byte> packed(const Due& due) const;
  void let_go_of_due(std::size_t place);
  [[nodiscard]] std::vector<std::byte> cluster_of(int rank, const Outcome& outcome);
  void help(const Window& window, Patience& patience, Outcome& outcome);
  void take_cluster(const Window& window, std::span<const std::byte> told);

  // rank_passage_notes.cpp
  [[nodiscard]] double largest_planned_share(std::int32_t body) const;
  void note_event(const Cluster& cluster);
  void tell_of_long_windows(std::int64_t events, Patience& patience) const;

  WindowedSystem& system_;
  ClockedEnergyStepping& clocks_;
  State& state_;
  OwnClusters& clusters_;
  Questions questions_;
  HelperUse helper_use_ = HelperUse::never;
  bool lists_events_ = false;
  Speed speed_;
  std::vector<Due> due_;                 // clusters of the passage, in the order in which they are done
  std::size_t begun_ = 0;                // how many of them have been begun
  const Window* asked_about_ = nullptr;  // the window while others may ask for its clusters, else null
  double looked_for_questions_ = 0;      // when last, by the wall clock [s]
  std::vector<ClockedEvent> done_;
  std::exception_ptr error_;
  std::int64_t team_events_ = 0;
  ContactExtremes extremes_;  // of the windows before
  // What it takes to go back.
  RowsAtBegin rows_;
  BalanceRecord balance_at_begin_;
  std::int64_t team_events_at_begin_ = 0;
};

}  // namespace terrace
