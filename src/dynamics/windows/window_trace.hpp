// Traces of windows: what ranks did and how long it took, to predict how long other numbers of ranks take.
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

/// One cluster in one window, in the last passage through it. Earlier passages, which were void because a
/// body left its tube, are not included.
struct ClusterTrace {
  std::int64_t window = 0;  ///< number, from 0
  double begin = 0, end = 0, reached = 0;
  std::int32_t cluster = 0;  ///< number: its first body
  /// The rank that the plan gave the cluster to, or the helper that took it. In a team: the rank that wrote
  /// this trace, or, where one rank runs, the first of the team.
  std::int32_t rank = 0;
  std::vector<std::int32_t> team = {};  ///< all ranks that the plan gave it to, ascending, or the helper
  std::int32_t bodies = 0;
  TakenOver to_take_over = {};  ///< what a rank would take over that had none of the bodies
  double leaves = 0;    ///< when a body leaves its tube, if all go on as at `reached`; `end` if none does
  double foreseen = 0;  ///< work until `end` [elements]
  std::int64_t events = 0, element_evaluations = 0, news_bytes = 0;
  double seconds = 0;  ///< spent on its events and searches
  /// The same, if one rank does what was planned for a team: of each event only the largest share that a rank
  /// of the team would have had (largest_share).
  double critical_seconds = 0;

  /// Adds a body, as the plan of its window foresees it.
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
  std::int32_t rank = 0, planned_for = 1;  ///< the second: how many ranks
  std::int64_t events = 0;
  std::int64_t element_evaluations = 0;  ///< since the last window; the last row also has those after it
  std::int64_t news_bytes = 0, collectives = 0;
  std::int64_t fetched_bytes = 0;  ///< received for bodies that other ranks had: none if one rank runs
  /// Elements of the bodies that the rank takes over from others. If one rank does what was planned for
  /// several: those of the rank that would take over most.
  std::int64_t coming_elements = 0;
  double coming_contact = 0;  ///< TakenOver::contact of the same bodies
  std::array<double, window_phases.size()> seconds{};
  double divided_planning = 0;  ///< the seconds of planning that this rank spent on its part of the bodies

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [window, rank, planned_for, events, element_evaluations, news_bytes, collectives, fetched_bytes,
           coming_elements, coming_contact, seconds, divided_planning] = self;
    archive(window, rank, planned_for, events, element_evaluations, news_bytes, collectives, fetched_bytes,
            coming_elements, coming_contact, seconds, divided_planning);
  }
};

/// Both tables for all ranks, sorted by windows.
struct WindowTraces {
  std::vector<ClusterTrace> clusters;
  std::vector<RankTrace> ranks;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [clusters, ranks] = self;
    archive(clusters, ranks);
  }
};

/// Records what this rank does, in memory. Changes nothing of what is done. Arguments `evaluations` are the
/// number of element evaluations of this rank so far.
class WindowTrace {
 public:
  /// `planned_for`: number of ranks that plans are made for: those that run, or, if one runs, any number.
  /// `holders`: by body, which of them has it at first.
  WindowTrace(const Communicator& communicator, int planned_for, std::vector<int> holders);

  /// By body, the rank that worked on it last; if one rank does what was planned for several, the planned
  /// one.
  [[nodiscard]] const std::vector<int>& holders() const { return holders_; }
  /// Collectives from now on belong to the next window.
  void begin() { collectives_at_begin_ = communicator_.collectives(); }
  /// Begins the rows of a planned window. If a single rank runs, `window` then gives it all bodies, whatever
  /// number of ranks the plan was for. `outlook`: what the plan was made from.
  void open(Window& window, const WindowOutlook& outlook);
  /// This rank's cluster with these bodies goes to another rank.
  void give(std::span<const std::int32_t> bodies);
  /// A cluster of another rank comes to this one.
  void take(const Window& window, const WindowOutlook& outlook, std::int32_t cluster,
            std::span<const std::int32_t> bodies);
  /// What was done since the last note is booked for no cluster.
  void skip(std::int64_t evaluations);
  /// Another rank than planned, `rank`, worked on a body last.
  void note_holder(std::int32_t body, int rank) { at(holders_, body) = rank; }
  /// A passage through the window begins: what was noted of former ones is void.
  void start(std::int64_t evaluations);
  /// Books what was done since the last note for the cluster of this body, all of its seconds as critical
  /// ones too. Returns these seconds.
  double note_work(std::int32_t body, std::int64_t evaluations);
  /// Adds to the critical seconds of a body's cluster, or takes from them if `seconds` is negative.
  void note_critical(std::int32_t body, double seconds) { row_of(body).critical_seconds += seconds; }
  void note_event(std::int32_t body) { ++row_of(body).events; }
  /// Whether the plan divides the events of a body over several ranks.
  [[nodiscard]] bool is_divided(std::int32_t body) {
    return row_of(body).team.size() > 1 && at(is_everywhere_, body) == 0;
  }
  [[nodiscard]] double foreseen_work(std::int32_t body) const { return at(work_, body); }  ///< Window::work
  void note_news(std::int32_t body, std::size_t bytes);
  void note_fetched(std::int64_t bytes) { now_.fetched_bytes += bytes; }
  /// Ends the window, of which all ranks have come to `reached`. `leaves(body)`: when the body leaves its
  /// tube.
  void close(double reached, std::int64_t evaluations, const std::function<double(std::int32_t)>& leaves);
  /// Adds to the seconds of a phase; `divided`: they are for this rank's part of the bodies (WindowPhase).
  void book(Operation phase, double seconds, bool divided);

  /// The traces of all ranks, on rank 0; nothing on the others. To be called at the end. Collective.
  [[nodiscard]] WindowTraces of_all(std::int64_t evaluations) const;

 private:
  [[nodiscard]] ClusterTrace& row_of(std::int32_t body);
  ClusterTrace& add_row(const Window& window, std::int32_t cluster);
  [[nodiscard]] TakenOver coming(std::span<const int> ranks, const WindowOutlook& outlook) const;

  const Communicator& communicator_;
  std::vector<int> holders_;
  std::vector<int> holders_of_window_;       // by body: its rank among those that run
  std::vector<std::int32_t> cluster_of_;     // by body
  std::vector<std::uint8_t> is_everywhere_;  // by body: 1 if each rank of its team does all of its work
  std::vector<double> work_;                 // by body: Window::work
  std::vector<std::size_t> row_;             // by number of a cluster of this rank: its row in `all_`
  std::size_t first_row_ = 0;                // the first row of this window in `all_`
  RankTrace now_;
  std::int64_t evaluations_at_close_ = 0, noted_evaluations_ = 0, collectives_at_begin_ = 0;
  std::chrono::steady_clock::time_point noted_;
  WindowTraces all_;
};

/// The time from construction to destruction is a phase of a window: it counts as an operation of the
/// profile, and is booked in the trace if there is one.
class WindowPhase {
 public:
  /// For `is_divided`: each rank does the phase for its part of the bodies; else all do the same.
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
