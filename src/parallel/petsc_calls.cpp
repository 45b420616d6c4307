#include "parallel/petsc_calls.hpp"

#include <cstdio>
#include <string>

#include "parallel/error.hpp"

namespace terrace {

void check_petsc(PetscErrorCode code, const char* call) {
  if (code != 0) throw Error(Error::Kind::run, call, "success", "PETSc error " + std::to_string(code));
}

void tell_petsc(PetscErrorCode code, const char* call) {
  if (code != 0) std::fprintf(stderr, "warning: %s failed, PETSc error %d\n", call, int{code});
}

}  // namespace terrace
