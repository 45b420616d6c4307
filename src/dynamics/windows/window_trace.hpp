// What ranks did in windows of time, and how long it took: to foretell how long other numbers of ranks take.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dynamics/windows/window_plan.hpp"
#include "numerics/at.hpp"
#include "parallel/communicator.hpp"
#include "parallel/profile.hpp"

namespace terrace {

/// One cluster in one window, as the passage had it that counted: a former one, which a body that left its
/// flight made void, is not in it.
struct ClusterTrace {
  std::int64_t window = 0;  ///< from 0
  double begin = 0, end = 0, reached = 0;
  std::int32_t cluster = 0;  ///< its first body
  /// That the plan gave it to, or that took it when it was done; of a team this one, or the first where one
  /// runs.
  std::int32_t rank = 0;
  std::vector<std::int32_t> team = {};  ///< all that the plan gave it to, ascending, or the one that took it
  std::int32_t bodies = 0;
  TakenOver to_take_over = {};  ///< by a rank that had none of them
  double leaves = 0;  ///< when one of its bodies leaves its flight, by the lines as `reached`; `end` if none
  double foreseen = 0;  ///< until `end` [elements]
  std::int64_t events = 0, element_evaluations = 0, news_bytes = 0;
  double seconds = 0;  ///< of its events and searches
  /// The same, of each event the largest share that a rank of the team would have had, where one rank does
  /// what was planned for several (largest_share).
  double critical_seconds = 0;

  /// A body of it, as the plan of its window foresees it.
  void add(std::size_t body, const Window& of, const WindowOutlook& outlook);

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [window, begin, end, reached, cluster, rank, team, bodies, to_take_over, leaves, foreseen, events,
           element_evaluations, news_bytes, seconds, critical_seconds] = self;
    auto& [elements, contact] = to_take_over;
    archive(window, begin, end, reached, cluster, rank, team, bodies, elements, contact, leaves, foreseen,
            events, element_evaluations, news_bytes, seconds, critical_seconds);
  }
};

/// The phases of a window, in the order of RankTrace::seconds.
constexpr std::array window_phases = {Operation::planning, Operation::beginning, Operation::working,
                                      Operation::redoing,  Operation::telling,   Operation::exchange,
                                      Operation::learning};

/// One rank in one window.
struct RankTrace {
  std::int64_t window = 0;
  std::int32_t rank = 0, planned_for = 1;  ///< ranks
  std::int64_t events = 0;
  std::int64_t element_evaluations = 0;  ///< since the window before; of the last also those after it
  std::int64_t news_bytes = 0, collectives = 0;
  std::int64_t fetched_bytes = 0;  ///< of bodies that others had: none where one rank runs
  /// Of bodies that others had and it is to work on; where one rank does what is planned for several, of the
  /// rank that would have most of them.
  std::int64_t coming_elements = 0;
  double coming_contact = 0;  ///< of these: TakenOver::contact
  std::array<double, window_phases.size()> seconds{};
  double divided_planning = 0;  ///< seconds of planning that each rank has for its part of the bodies

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [window, rank, planned_for, events, element_evaluations, news_bytes, collectives, fetched_bytes,
           coming_elements, coming_contact, seconds, divided_planning] = self;
    archive(window, rank, planned_for, events, element_evaluations, news_bytes, collectives, fetched_bytes,
            coming_elements, coming_contact, seconds, divided_planning);
  }
};

/// Both tables of all ranks, by windows.
struct WindowTraces {
  std::vector<ClusterTrace> clusters;
  std::vector<RankTrace> ranks;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [clusters, ranks] = self;
    archive(clusters, ranks);
  }
};

/// Takes down what a rank does, all of it in memory. Changes nothing of what is done.
class WindowTrace {
 public:
  /// `planned_for`: ranks; either those that run, or any number where one runs. `holders`: which of them has
  /// each body at first.
  WindowTrace(const Communicator& communicator, int planned_for, std::vector<int> holders);

  /// Of each body, that worked on it last; where one rank does what is planned for several, by the plan.
  [[nodiscard]] const std::vector<int>& holders() const { return holders_; }
  /// Whatever comes from now on belongs to the next window.
  void begin() { collectives_at_begin_ = communicator_.collectives(); }
  /// One rank is given what was planned for several. `outlook`: what the plan went by.
  void open(Window& window, const WindowOutlook& outlook);
  /// This rank's cluster of these bodies goes to another one.
  void give(std::span<const std::int32_t> bodies);
  /// One that was another's comes to this rank.
  void take(const Window& window, const WindowOutlook& outlook, std::int32_t cluster,
            std::span<const std::int32_t> bodies);
  /// What was done since the last note is no cluster's; `evaluations` as `start`.
  void skip(std::int64_t evaluations);
  /// It was `rank` that had a body last, not the one that was to have it.
  void note_holder(std::int32_t body, int rank) { at(holders_, body) = rank; }
  /// A passage through the window begins: what was noted of former ones is void. `evaluations` (everywhere):
  /// of elements, by this rank so far.
  void start(std::int64_t evaluations);
  /// What was done since the last note was for the cluster of this body. Returns its seconds, all of which
  /// are critical.
  double note_work(std::int32_t body, std::int64_t evaluations);
  /// So many more of them are, or less.
  void note_critical(std::int32_t body, double seconds) { row_of(body).critical_seconds += seconds; }
  void note_event(std::int32_t body) { ++row_of(body).events; }
  /// Whether the plan gave a share of a body's events to each of several ranks.
  [[nodiscard]] bool is_divided(std::int32_t body) {
    return row_of(body).team.size() > 1 && at(is_everywhere_, body) == 0;
  }
  [[nodiscard]] double foreseen_work(std::int32_t body) const { return at(work_, body); }  ///< Window::work
  void note_news(std::int32_t body, std::size_t bytes);
  void note_fetched(std::int64_t bytes) { now_.fetched_bytes += bytes; }
  /// `leaves`: when a body leaves its flight.
  void close(double reached, std::int64_t evaluations, const std::function<double(std::int32_t)>& leaves);
  void book(Operation phase, double seconds, bool divided);

  /// At the end; on rank 0, nothing on the others. Collective.
  [[nodiscard]] WindowTraces of_all(std::int64_t evaluations) const;

 private:
  [[nodiscard]] ClusterTrace& row_of(std::int32_t body);
  ClusterTrace& add_row(const Window& window, std::int32_t cluster);
  [[nodiscard]] TakenOver coming(std::span<const int> ranks, const WindowOutlook& outlook) const;

  const Communicator& communicator_;
  std::vector<int> holders_;
  std::vector<int> holders_of_window_;       // by body: those that run
  std::vector<std::int32_t> cluster_of_;     // by body
  std::vector<std::uint8_t> is_everywhere_;  // by body: in each rank of its team
  std::vector<double> work_;                 // by body
  std::vector<std::size_t> row_;             // of this rank's clusters in `all_`, by their numbers
  std::size_t first_row_ = 0;                // of the window
  RankTrace now_;
  std::int64_t evaluations_at_close_ = 0, noted_evaluations_ = 0, collectives_at_begin_ = 0;
  std::chrono::steady_clock::time_point noted_;
  WindowTraces all_;
};

/// Lasts as long as a phase of a window: an operation of the profile, and booked in the trace if there is
/// one.
class WindowPhase {
 public:
  /// What of a phase ranks divide, where others do all of it.
  static constexpr bool divided = true;

  WindowPhase(WindowTrace* trace, Operation phase, bool is_divided = false)
      : operation_(phase), trace_(trace), phase_(phase), divided_(is_divided) {
    if (trace_ != nullptr) begin_ = std::chrono::steady_clock::now();
  }
  ~WindowPhase() {
    if (trace_ != nullptr)
      trace_->book(phase_, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(),
                   divided_);
  }
  WindowPhase(const WindowPhase&) = delete;
  WindowPhase& operator=(const WindowPhase&) = delete;

 private:
  OperationScope operation_;
  WindowTrace* trace_;
  Operation phase_;
  bool divided_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace terrace
