// What PETSc calls of ours, and what that throws.
#pragma once

#include <petscsys.h>

#include <exception>
#include <utility>

#include "hamiltonian/petsc_dense.hpp"

namespace terrace {

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
    require_petsc(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), "PetscPushErrorHandler");
    const PetscErrorCode code = call();
    require_petsc(PetscPopErrorHandler(), "PetscPopErrorHandler");
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return code;
  }

 private:
  std::exception_ptr failure_;
};

}  // namespace terrace
