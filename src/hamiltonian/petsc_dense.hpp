// PETSc's vectors and dense matrices of one process.
#pragma once

#include <petscsnes.h>

#include <string>

#include "hamiltonian/dense.hpp"
#include "parallel/petsc_calls.hpp"

namespace terrace {

[[nodiscard]] Vec dense_vector(std::size_t size);
[[nodiscard]] Mat dense_matrix(std::size_t size);
[[nodiscard]] Values values_of(Vec vector);
void set_values(Vec vector, const Values& values);
void set_values(Mat matrix, const Matrix& values);

/// Why Newton's method ended, as a sentence's part and PETSc's name.
[[nodiscard]] std::string in_words(SNESConvergedReason reason);

/// One factorisation for each linear system.
void use_dense_factors(SNES snes);

}  // namespace terrace
