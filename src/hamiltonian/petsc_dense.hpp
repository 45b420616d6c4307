// Vectors and dense matrices of PETSc on one process.
#pragma once

#include <petscsnes.h>

#include <string>

#include "hamiltonian/dense.hpp"
#include "parallel/petsc_calls.hpp"

namespace terrace {

// All throw Error(run) when PETSc refuses. The caller destroys what dense_vector and dense_matrix make.
[[nodiscard]] Vec dense_vector(std::size_t size);
[[nodiscard]] Mat dense_matrix(std::size_t size);
[[nodiscard]] Values values_of(Vec vector);
void set_values(Vec vector, const Values& values);
void set_values(Mat matrix, const Matrix& values);

/// Why Newton's method ended: a phrase, and PETSc's name of the reason in brackets.
[[nodiscard]] std::string in_words(SNESConvergedReason reason);

/// Makes `snes` solve each linear system directly, by one LU factorisation.
void use_dense_factors(SNES snes);

}  // namespace terrace
