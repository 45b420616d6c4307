// The words after -- on the command line: options of PETSc, which takes those it knows and is silent about
// the rest.
#pragma once

#include <petscsys.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace terrace {

/// Throws Error(input) for a word that is neither an option (-name) nor the value after one, and for a word
/// with two dashes, as terrace's own options have.
void require_petsc_options(std::span<char* const> words);

/// Calls `take`, in which PETSc looks for its options, and keeps PETSc from printing messages. If PETSc
/// refuses an option, throws Error(input) with its reason; if memory, the system or MPI fails, Error(run).
void take_petsc_options(const std::function<PetscErrorCode()>& take);

/// The words that followed -- on the command line, as PETSc writes them: "-name value -name"; empty without
/// options. PETSc must be initialised.
[[nodiscard]] std::string petsc_options();

/// A warning for each option that nothing has asked for so far; options that PETSc asks for only when it ends
/// are left out. PETSc must be initialised.
[[nodiscard]] std::vector<std::string> warnings_of_unused_petsc_options();

}  // namespace terrace
