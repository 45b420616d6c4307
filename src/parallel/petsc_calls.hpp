// Calls of PETSc and callbacks from it: their error codes become exceptions, and the other way round.
#pragma once

#include <petscsys.h>

#include <exception>
#include <utility>

namespace terrace {

/// Throws Error(run) naming `call` when a function of PETSc did not succeed.
void check_petsc(PetscErrorCode code, const char* call);
/// The same for destructors, which must not throw: writes a warning to stderr.
void tell_petsc(PetscErrorCode code, const char* call);

/// Takes exceptions of callbacks around PETSc: as PETSc is C, they must not pass through it, and are kept
/// here until it has returned.
class PetscCallbacks {
 public:
  /// Runs `work()` inside a callback. Returns 0, or an error code for PETSc if `work` throws.
  template <class Work>
  [[nodiscard]] PetscErrorCode guarded(Work work) noexcept {
    try {
      work();
      return 0;
    } catch (...) {
      failure_ = std::current_exception();
      return PETSC_ERR_LIB;
    }
  }

  /// Runs `call()`, a call of PETSc that may call back, and returns its error code. PETSc prints no message
  /// of a failure. Rethrows what a callback threw.
  template <class Call>
  [[nodiscard]] PetscErrorCode call(Call call) {
    failure_ = nullptr;
    check_petsc(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), "PetscPushErrorHandler");
    const PetscErrorCode code = call();
    check_petsc(PetscPopErrorHandler(), "PetscPopErrorHandler");
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return code;
  }

 private:
  std::exception_ptr failure_;
};

}  // namespace terrace
