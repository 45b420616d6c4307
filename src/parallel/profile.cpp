#include "parallel/profile.hpp"

#include <petsclog.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

#include "parallel/error.hpp"

namespace terrace {

namespace {

// In the order of the enumerators.
constexpr std::array stage_names = {"mesh", "set-up", "stepping", "output"};
constexpr std::array operation_names = {"Gradient",  "LineSetUp", "Sampling", "Exchange", "Planning",
                                        "Beginning", "Working",   "Redoing",  "Telling",  "Learning"};

struct Registered {
  bool done = false;
  std::array<PetscLogStage, stage_names.size()> stages{};
  std::array<PetscLogEvent, operation_names.size()> events{};
};
Registered registered;

void check_petsc(PetscErrorCode code, const char* call) {
  if (code != 0) throw Error(Error::Kind::run, call, "success", "PETSc error " + std::to_string(code));
}

// For destructors, which must not throw.
void tell_petsc(PetscErrorCode code, const char* call) {
  if (code != 0)
    std::fprintf(stderr, "warning: %s failed, PETSc error %d: do not trust the profile\n", call, int{code});
}

}  // namespace

void register_profile() {
  PetscClassId terrace_class = 0;
  check_petsc(PetscClassIdRegister("terrace", &terrace_class), "PetscClassIdRegister");
  for (std::size_t k = 0; k < stage_names.size(); ++k)
    check_petsc(PetscLogStageRegister(stage_names[k], &registered.stages[k]), "PetscLogStageRegister");
  for (std::size_t k = 0; k < operation_names.size(); ++k)
    check_petsc(PetscLogEventRegister(operation_names[k], terrace_class, &registered.events[k]),
                "PetscLogEventRegister");
  registered.done = true;
}

StageScope::StageScope(Stage stage) {
  if (registered.done)
    check_petsc(PetscLogStagePush(registered.stages[static_cast<std::size_t>(stage)]), "PetscLogStagePush");
}

StageScope::~StageScope() {
  if (registered.done) tell_petsc(PetscLogStagePop(), "PetscLogStagePop");
}

OperationScope::OperationScope(Operation operation)
    : event_(registered.done ? registered.events[static_cast<std::size_t>(operation)] : -1) {
  if (event_ >= 0) check_petsc(PetscLogEventBegin(event_, 0, 0, 0, 0), "PetscLogEventBegin");
}

OperationScope::~OperationScope() {
  if (event_ >= 0) tell_petsc(PetscLogEventEnd(event_, 0, 0, 0, 0), "PetscLogEventEnd");
}

}  // namespace terrace
