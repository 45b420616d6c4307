// The stages and the costly operations of a run, which PETSc's profile shows (terrace run DECK -- -log_view)
// and a trace books (terrace run DECK --trace).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace terrace {

/// The phases of a run. They may nest: time inside an inner stage is not counted in the outer one.
enum class Stage { mesh, set_up, stepping, output };
/// Operations, counted and timed in every stage.
enum class Operation {
  gradient,     ///< nodal gradients
  line_set_up,  ///< new lines of potentials
  sampling,     ///< V, V′, V″ along lines
  exchange,     ///< exchange with other ranks: of shared nodes, or of the news of a window
  planning,     ///< of windows: planning
  beginning,    ///< of windows: taking bodies over
  working,      ///< of windows: events
  redoing,      ///< of windows: going back, and the events that are done again
  telling,      ///< of windows: putting this rank's news together
  learning,     ///< of windows: taking in the news of all ranks
  certificate,  ///< certificates that nothing happens on a line
  impulse,      ///< impulses on nodes
  contact,      ///< potentials of contact and walls, wherever they are evaluated
  following,    ///< boxes of bodies that follow new lines, and which bodies are near each other
  reduction,    ///< numbers summed over all ranks
  alone,        ///< what one of several ranks evaluates alone
  rest          ///< none of these; it is in no profile
};
constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::rest) + 1;
/// The name that tables use: "line_set_up".
[[nodiscard]] const char* name_of(Operation operation);

/// What a rank has done of an operation in a stage. `seconds` leaves out nested operations and stages, whose
/// time is booked under their own names. `collectives` is counted as by Communicator. `messages` and `bytes`
/// are those that the rank sent; of a reduction, the bytes that were summed. `to_all` counts exchanges in
/// which one message of the rank went to every other rank.
struct OperationRecord {
  std::int64_t calls = 0;
  double seconds = 0;
  std::int64_t collectives = 0, messages = 0, bytes = 0, to_all = 0;

  OperationRecord& operator+=(const OperationRecord& more);
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [calls, seconds, collectives, messages, bytes, to_all] = self;
    archive(calls, seconds, collectives, messages, bytes, to_all);
  }
};

/// While an object of this class lives, all stages and operations that begin are booked in memory. There is
/// at most one at a time.
class OperationTrace {
 public:
  OperationTrace();
  ~OperationTrace();
  OperationTrace(const OperationTrace&) = delete;
  OperationTrace& operator=(const OperationTrace&) = delete;

  /// What this rank has booked since the trace was made. An operation that still lasts has its seconds up to
  /// the last begin or end of any stage or operation.
  [[nodiscard]] OperationRecord of(Stage stage, Operation operation) const;
};

/// Adds to what is booked of an operation in the present stage. Does nothing without an OperationTrace.
void book(Operation operation, const OperationRecord& record);

/// Registers stages and operations with PETSc. To be called once, after PetscInitialize and before any other
/// use of this file; without it PETSc's profile has none of them. Throws Error(run) when PETSc refuses.
void register_profile();

/// A stage, from construction to destruction. Throws Error(run) when PETSc refuses to begin it; if PETSc
/// refuses to end it, a warning goes to stderr.
class StageScope {
 public:
  explicit StageScope(Stage stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  int stage_before_ = -1, operation_before_ = -1;  // −1: not booked
};

/// An operation, from construction to destruction; throws as StageScope. Costs three loads without profile
/// and trace; with one of them, a reading of the clock at either end. An operation inside `Operation::alone`
/// counts its calls, but its seconds are booked as those of `alone`.
class OperationScope {
 public:
  /// Does nothing unless `applies`.
  explicit OperationScope(Operation operation, bool applies = true);
  /// Continues an operation that was left meanwhile: books its seconds, but no further call. PETSc's profile
  /// counts a call.
  [[nodiscard]] static OperationScope resumed(Operation operation) {
    return OperationScope(operation, Resumed{});
  }
  ~OperationScope();
  OperationScope(const OperationScope&) = delete;
  OperationScope& operator=(const OperationScope&) = delete;

 private:
  struct Resumed {};
  OperationScope(Operation operation, Resumed);
  void begin(Operation operation, std::int64_t calls);

  int event_ = -1;
  int before_ = -1;  // the operation that goes on afterwards; −1: not booked
};

}  // namespace terrace
