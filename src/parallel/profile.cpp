#include "parallel/profile.hpp"

#include <petsclog.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>

#include "numerics/contract.hpp"
#include "parallel/petsc_calls.hpp"

namespace terrace {

namespace {

// In the order of the enumerators.
constexpr std::array stage_names = {"mesh", "set-up", "stepping", "output"};
struct OperationName {
  const char *in_profile, *in_tables;
};
constexpr std::array operation_names = {OperationName{"Gradient", "gradient"},
                                        OperationName{"LineSetUp", "line_set_up"},
                                        OperationName{"Sampling", "sampling"},
                                        OperationName{"Exchange", "exchange"},
                                        OperationName{"Planning", "planning"},
                                        OperationName{"Beginning", "beginning"},
                                        OperationName{"Working", "working"},
                                        OperationName{"Redoing", "redoing"},
                                        OperationName{"Telling", "telling"},
                                        OperationName{"Learning", "learning"},
                                        OperationName{"Certificate", "certificate"},
                                        OperationName{"Impulse", "impulse"},
                                        OperationName{"Contact", "contact"},
                                        OperationName{"Following", "following"},
                                        OperationName{"Reduction", "reduction"},
                                        OperationName{"Alone", "alone"},
                                        OperationName{"Rest", "rest"}};
static_assert(operation_names.size() == operation_count);

struct Registered {
  bool done = false;
  std::array<PetscLogStage, stage_names.size()> stages{};
  std::array<PetscLogEvent, operation_count - 1> events{};  // all but the rest
};
Registered registered;

/// What a trace has booked. At any time there is one present stage and one present operation, so that no
/// second is booked twice.
struct Booking {
  bool on = false;
  std::array<std::array<OperationRecord, operation_count>, stage_names.size() + 1> table{};  // last: no stage
  std::size_t stage = stage_names.size();
  Operation operation = Operation::rest;
  std::chrono::steady_clock::time_point since;

  OperationRecord& record(Operation of) { return table[stage][static_cast<std::size_t>(of)]; }
  /// Books the time since the last change and makes another operation the present one.
  void change(std::size_t to_stage, Operation to) {
    const auto now = std::chrono::steady_clock::now();
    record(operation).seconds += std::chrono::duration<double>(now - since).count();
    since = now;
    stage = to_stage;
    operation = to;
  }
};
Booking booking;

// For destructors, which must not throw.
void tell_of_profile(PetscErrorCode code, const char* call) {
  if (code != 0)
    std::fprintf(stderr, "warning: %s failed, PETSc error %d: do not trust the profile\n", call, int{code});
}

}  // namespace

void register_profile() {
  PetscClassId terrace_class = 0;
  check_petsc(PetscClassIdRegister("terrace", &terrace_class), "PetscClassIdRegister");
  for (std::size_t k = 0; k < stage_names.size(); ++k)
    check_petsc(PetscLogStageRegister(stage_names[k], &registered.stages[k]), "PetscLogStageRegister");
  for (std::size_t k = 0; k < registered.events.size(); ++k)
    check_petsc(PetscLogEventRegister(operation_names[k].in_profile, terrace_class, &registered.events[k]),
                "PetscLogEventRegister");
  registered.done = true;
}

const char* name_of(Operation operation) {
  return operation_names[static_cast<std::size_t>(operation)].in_tables;
}

OperationRecord& OperationRecord::operator+=(const OperationRecord& more) {
  calls += more.calls;
  seconds += more.seconds;
  collectives += more.collectives;
  messages += more.messages;
  bytes += more.bytes;
  to_all += more.to_all;
  return *this;
}

OperationTrace::OperationTrace() {
  TERRACE_VERIFY(!booking.on, booking.on);
  booking = {};
  booking.on = true;
  booking.since = std::chrono::steady_clock::now();
}

OperationTrace::~OperationTrace() { booking.on = false; }

OperationRecord OperationTrace::of(Stage stage, Operation operation) const {
  return booking.table[static_cast<std::size_t>(stage)][static_cast<std::size_t>(operation)];
}

void book(Operation operation, const OperationRecord& record) {
  if (booking.on) booking.record(operation) += record;
}

StageScope::StageScope(Stage stage) {
  if (registered.done)
    check_petsc(PetscLogStagePush(registered.stages[static_cast<std::size_t>(stage)]), "PetscLogStagePush");
  if (!booking.on) return;
  stage_before_ = static_cast<int>(booking.stage);
  operation_before_ = static_cast<int>(booking.operation);
  booking.change(static_cast<std::size_t>(stage), Operation::rest);
}

StageScope::~StageScope() {
  if (stage_before_ >= 0 && booking.on)
    booking.change(static_cast<std::size_t>(stage_before_), static_cast<Operation>(operation_before_));
  if (registered.done) tell_of_profile(PetscLogStagePop(), "PetscLogStagePop");
}

OperationScope::OperationScope(Operation operation, bool applies) {
  if (applies) begin(operation, 1);
}

OperationScope::OperationScope(Operation operation, Resumed) { begin(operation, 0); }

void OperationScope::begin(Operation operation, std::int64_t calls) {
  if (registered.done) {
    TERRACE_VERIFY(static_cast<std::size_t>(operation) < registered.events.size(),
                   static_cast<int>(operation));
    event_ = registered.events[static_cast<std::size_t>(operation)];
    check_petsc(PetscLogEventBegin(event_, 0, 0, 0, 0), "PetscLogEventBegin");
  }
  if (!booking.on) return;
  booking.record(operation).calls += calls;
  before_ = static_cast<int>(booking.operation);
  booking.change(booking.stage, booking.operation == Operation::alone ? Operation::alone : operation);
}

OperationScope::~OperationScope() {
  if (before_ >= 0 && booking.on) booking.change(booking.stage, static_cast<Operation>(before_));
  if (event_ >= 0) tell_of_profile(PetscLogEventEnd(event_, 0, 0, 0, 0), "PetscLogEventEnd");
}

}  // namespace terrace
