// A rank's way through a window, with one of its clusters after the other.
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

/// Without others but those of its teams, until the window ends, a body leaves its flight, or an event fails.
/// Meanwhile, between two events, others that have nothing left may ask for clusters that it has not begun;
/// in the end it asks itself. What was done can be taken back, to go through the window again to an earlier
/// end.
class RankPassage {
 public:
  /// How a rank came through a window.
  struct Outcome {
    double reached = 0;               ///< with all events until then
    double farthest = 0;              ///< that any cluster has come to
    bool failed = false;              ///< there
    std::int64_t events = 0;          ///< in the window
    ClockedEvent failed_at{};         ///< the event that failed; of no tick where it was none
    bool is_broken = false;           ///< by an error of the program itself
    bool went_ahead_in_vain = false;  ///< with its team, and is to go again
  };
  static constexpr double long_time = 60;  ///< for a window, on the wall [s]

  /// Both outlive this, which is told of each push of the clocks.
  RankPassage(WindowedSystem& system, OwnClusters& clusters);

  /// When clusters go to other ranks, from now on; at first never.
  void use_helpers(HelperUse use) { helper_use_ = use; }
  [[nodiscard]] bool ranks_help() const {
    return helper_use_ != HelperUse::never && system_.ranks.size() > 1;
  }
  /// Events are listed, for `events_done`.
  void list_events() { lists_events_ = true; }

  /// From here on all can be taken back; the clusters are those of the window.
  void begin(const Window& window);
  /// To its end. Others may ask for clusters until close_to_questions(). Throws Error(run) where others would
  /// wait for what this rank alone has; what other errors it meets is in the outcome.
  [[nodiscard]] Outcome go(const Window& window);
  /// Back to the begin, and to an earlier end. Throws what leaves ranks of a team waiting; what other errors
  /// this rank meets is in the outcome.
  void go_again(const Window& window, double end, Outcome& mine);
  void close_to_questions() { asked_about_ = nullptr; }
  /// Has nothing to give any more, and says so to whoever asks.
  void answer_with_nothing();
  /// The rows of bodies, and what monitors count, are again as at the begin; the clocks are not.
  void put_back_rows();

  /// Of the window, where they are listed.
  [[nodiscard]] const std::vector<ClockedEvent>& events_done() const { return done_; }
  /// What made this rank's passage fail.
  [[nodiscard]] const std::exception_ptr& error() const { return error_; }
  /// [elements/s] of what was foreseen.
  [[nodiscard]] double speed() const { return speed_.value(); }
  /// Of teams, as far as this rank counts them.
  [[nodiscard]] std::int64_t team_events() const { return team_events_; }
  /// What contact has seen, in this window and before.
  void report(ContactExtremes& extremes) const;
  void tell_of_waiting(double seconds, const Outcome& outcome) const;

 private:
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
  /// With a window, until a user is told of it [s] on the wall.
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
  std::vector<Due> due_;                 // of the passage
  std::size_t begun_ = 0;                // so many of them
  const Window* asked_about_ = nullptr;  // as long as others may ask for clusters of it
  double looked_for_questions_ = 0;      // [s] on the wall
  std::vector<ClockedEvent> done_;
  std::exception_ptr error_;
  std::int64_t team_events_ = 0;
  ContactExtremes extremes_;  // of the windows before
  // To go back.
  RowsAtBegin rows_;
  BalanceRecord balance_at_begin_;
  std::int64_t team_events_at_begin_ = 0;
};

}  // namespace terrace
