#include "hamiltonian/petsc_dense.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "parallel/error.hpp"

namespace terrace {

Vec dense_vector(std::size_t size) {
  Vec vector = nullptr;
  check_petsc(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(size), &vector), "VecCreateSeq");
  return vector;
}

Mat dense_matrix(std::size_t size) {
  Mat matrix = nullptr;
  const auto n = static_cast<PetscInt>(size);
  check_petsc(MatCreateSeqDense(PETSC_COMM_SELF, n, n, nullptr, &matrix), "MatCreateSeqDense");
  return matrix;
}

Values values_of(Vec vector) {
  PetscInt size = 0;
  const PetscScalar* entries = nullptr;
  check_petsc(VecGetLocalSize(vector, &size), "VecGetLocalSize");
  check_petsc(VecGetArrayRead(vector, &entries), "VecGetArrayRead");
  Values values(entries, entries + size);
  check_petsc(VecRestoreArrayRead(vector, &entries), "VecRestoreArrayRead");
  return values;
}

void set_values(Vec vector, const Values& values) {
  PetscScalar* entries = nullptr;
  check_petsc(VecGetArrayWrite(vector, &entries), "VecGetArrayWrite");
  std::copy(values.begin(), values.end(), entries);
  check_petsc(VecRestoreArrayWrite(vector, &entries), "VecRestoreArrayWrite");
}

// PETSc stores dense matrices column by column.
void set_values(Mat matrix, const Matrix& values) {
  PetscScalar* entries = nullptr;
  check_petsc(MatDenseGetArrayWrite(matrix, &entries), "MatDenseGetArrayWrite");
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j) entries[j * values.size() + i] = values(i, j);
  check_petsc(MatDenseRestoreArrayWrite(matrix, &entries), "MatDenseRestoreArrayWrite");
  check_petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  check_petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
}

std::string in_words(SNESConvergedReason reason) {
  const auto words = [&]() -> const char* {
    switch (reason) {
      case SNES_CONVERGED_FNORM_ABS:
      case SNES_CONVERGED_FNORM_RELATIVE:
        return "the residual became small";
      case SNES_CONVERGED_SNORM_RELATIVE:
        return "the steps became small";
      case SNES_DIVERGED_MAX_IT:
        return "too many iterations";
      case SNES_DIVERGED_FNORM_NAN:
        return "a residual that is no number";
      case SNES_DIVERGED_LINEAR_SOLVE:
        return "a singular tangent";
      case SNES_DIVERGED_LINE_SEARCH:
        return "no smaller residual along the step";
      case SNES_DIVERGED_DTOL:
        return "a residual that grows";
      default:
        return reason > 0 ? "converged" : "not converged";
    }
  }();
  return std::string(words) + " (" + SNESConvergedReasons[reason] + ")";
}

void use_dense_factors(SNES snes) {
  KSP linear = nullptr;
  PC factors = nullptr;
  check_petsc(SNESGetKSP(snes, &linear), "SNESGetKSP");
  check_petsc(KSPSetType(linear, KSPPREONLY), "KSPSetType");
  check_petsc(KSPGetPC(linear, &factors), "KSPGetPC");
  check_petsc(PCSetType(factors, PCLU), "PCSetType");
}

}  // namespace terrace
