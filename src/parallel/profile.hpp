// The phases and the costly operations of a run, as PETSc's profile shows them (terrace run DECK --
// -log_view) and as terrace run DECK --trace books them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace terrace {

/// Phases. They may nest: what runs inside a stage is counted there and not in the outer one.
enum class Stage { mesh, set_up, stepping, output };
/// Operations, counted and timed in every stage: nodal gradients, new lines of potentials, V, V′, V″ along
/// them, and exchange with other ranks, shared nodes or the news of a window; then phases of windows:
/// planning, taking bodies over, events, going back with the events that are done again, putting news
/// together, and taking in those of all; then certificates that nothing happens on a line, impulses on nodes,
/// potentials of contact and walls wherever they are evaluated, boxes of bodies that follow new lines and who
/// is near whom, numbers summed over all ranks, and what one of several ranks evaluates alone. `rest`: none
/// of them; it is in no profile.
enum class Operation {
  gradient,
  line_set_up,
  sampling,
  exchange,
  planning,
  beginning,
  working,
  redoing,
  telling,
  learning,
  certificate,
  impulse,
  contact,
  following,
  reduction,
  alone,
  rest
};
constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::rest) + 1;
/// As tables have it: "line_set_up".
[[nodiscard]] const char* name_of(Operation operation);

/// What a rank has done of an operation in a stage. `seconds` are its own: those of operations and stages
/// inside of it are booked there. `collectives` as Communicator counts them, `messages` and `bytes`
/// that it sent, or bytes that it had summed; `to_all`: exchanges in which one of its messages went to every
/// other rank.
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

/// While there is one, operations are booked, in memory; all of a stage or operation that begins afterwards.
/// At most one at a time.
class OperationTrace {
 public:
  OperationTrace();
  ~OperationTrace();
  OperationTrace(const OperationTrace&) = delete;
  OperationTrace& operator=(const OperationTrace&) = delete;

  /// Of this rank, since this was made. An operation that lasts still has its seconds up to the last begin or
  /// end of one.
  [[nodiscard]] OperationRecord of(Stage stage, Operation operation) const;
};

/// Adds to what is booked of an operation in the present stage; nothing without an OperationTrace.
void book(Operation operation, const OperationRecord& record);

/// Makes the names known to PETSc; once, after PetscInitialize and before any other use of this file. Without
/// it everything here does nothing. Throws Error(run) when PETSc refuses.
void register_profile();

/// Lasts as long as the stage. Throws Error(run) when PETSc refuses to begin it; an end that it refuses is
/// told on stderr.
class StageScope {
 public:
  explicit StageScope(Stage stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  int stage_before_ = -1, operation_before_ = -1;  // −1: not booked
};

/// Lasts as long as the operation; as StageScope. Costs three loads where nobody asked for a profile or a
/// trace, and the clock's reading at either end where one is made. What lasts inside `Operation::alone`
/// counts its calls, but its seconds are those of `alone`.
class OperationScope {
 public:
  /// Nothing at all unless `applies`.
  explicit OperationScope(Operation operation, bool applies = true);
  /// More of an operation that was left meanwhile: its seconds, and no other call. PETSc's profile counts
  /// one.
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
  int before_ = -1;  // the operation; −1: not booked
};

}  // namespace terrace
