// Calls of PETSc, what it calls back, and how either fails.
#pragma once

#include <petscsys.h>

#include <exception>
#include <utility>

namespace terrace {

/// Throws Error(run) naming `call` when a function of PETSc did not succeed.
void check_petsc(PetscErrorCode code, const char* call);
/// The same for destructors: a warning on stderr.
void tell_petsc(PetscErrorCode code, const char* call);

/// What C++ throws must not pass through PETSc, which is C: it waits here until PETSc has returned.
class PetscCallbacks {
 public:
  /// Of a callback: `work()`, or PETSc is told that it failed.
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

  /// `call()` of PETSc, which may call back, and what it returns; PETSc prints nothing of what fails. Throws
  /// what a callback threw.
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
