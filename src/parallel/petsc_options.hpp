// What follows -- on the command line: options of PETSc, which takes what it knows and says nothing of the
// rest.
#pragma once

#include <petscsys.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace terrace {

/// Throws Error(input) for a word that is neither an option (-name) nor the value behind one, and for one
/// with two dashes, as options of terrace have.
void require_petsc_options(std::span<char* const> words);

/// Calls `take`, in which PETSc looks for its options, and holds back what it says. Throws Error(input) with
/// the reason where it refuses one.
void take_petsc_options(const std::function<PetscErrorCode()>& take);

/// What followed -- on the command line, as PETSc has it: "-name value -name"; empty without options. PETSc
/// is initialised.
[[nodiscard]] std::string petsc_options();

/// A warning for each option that nobody has asked for so far, and nobody will at the end. PETSc is
/// initialised.
[[nodiscard]] std::vector<std::string> warnings_of_unused_petsc_options();

}  // namespace terrace
