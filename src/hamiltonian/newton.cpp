#include "hamiltonian/newton.hpp"

#include <petscsnes.h>

#include <algorithm>
#include <cmath>

#include "hamiltonian/petsc_dense.hpp"
#include "parallel/error.hpp"
#include "parallel/petsc_options.hpp"

namespace terrace {

/// PETSc's objects, and the functions that PETSc calls.
struct NewtonSolver::Objects {
  static PetscErrorCode residual_at(SNES /*snes*/, Vec unknowns, Vec defect, void* context) {
    auto& objects = *static_cast<Objects*>(context);
    return objects.callbacks.guarded([&] {
      Values result(objects.size);
      objects.problem->residual(values_of(unknowns), result);
      set_values(defect, result);
    });
  }
  static PetscErrorCode tangent_at(SNES /*snes*/, Vec unknowns, Mat /*tangent*/, Mat used, void* context) {
    auto& objects = *static_cast<Objects*>(context);
    return objects.callbacks.guarded([&] {
      Matrix matrix(objects.size);
      objects.problem->tangent(values_of(unknowns), matrix);
      set_values(used, matrix);
    });
  }

  PetscCallbacks callbacks;
  SNES snes = nullptr;
  Vec unknowns = nullptr, defect = nullptr;
  Mat tangent = nullptr;
  const NewtonProblem* problem = nullptr;
  std::size_t size = 0;
};

static constexpr double least_residual = 1e-300;

// PETSc reports the factorisation of an exactly singular tangent as an error; here it is no convergence.
static SNESConvergedReason solve_or_say_why(SNES snes, Vec unknowns, PetscCallbacks& callbacks) {
  const PetscErrorCode code = callbacks.call([&] { return SNESSolve(snes, nullptr, unknowns); });
  if (code == PETSC_ERR_MAT_LU_ZRPVT) return SNES_DIVERGED_LINEAR_SOLVE;
  check_petsc(code, "SNESSolve");
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  check_petsc(SNESGetConvergedReason(snes, &reason), "SNESGetConvergedReason");
  return reason;
}

NewtonSolver::NewtonSolver(std::size_t size) : objects_(std::make_unique<Objects>()) {
  Objects& own = *objects_;
  own.size = size;
  own.unknowns = dense_vector(size);
  own.defect = dense_vector(size);
  own.tangent = dense_matrix(size);
  check_petsc(SNESCreate(PETSC_COMM_SELF, &own.snes), "SNESCreate");
  check_petsc(SNESSetFunction(own.snes, own.defect, Objects::residual_at, &own), "SNESSetFunction");
  check_petsc(SNESSetJacobian(own.snes, own.tangent, own.tangent, Objects::tangent_at, &own),
              "SNESSetJacobian");
  SNESLineSearch search = nullptr;
  check_petsc(SNESGetLineSearch(own.snes, &search), "SNESGetLineSearch");
  check_petsc(SNESLineSearchSetType(search, SNESLINESEARCHBASIC), "SNESLineSearchSetType");
  use_dense_factors(own.snes);
  check_petsc(SNESSetTolerances(own.snes, least_residual, 1e-300, 1e-10, 30, -1), "SNESSetTolerances");
  take_petsc_options([&] { return SNESSetFromOptions(own.snes); });
}

NewtonSolver::~NewtonSolver() {
  tell_petsc(SNESDestroy(&objects_->snes), "SNESDestroy");
  tell_petsc(VecDestroy(&objects_->unknowns), "VecDestroy");
  tell_petsc(VecDestroy(&objects_->defect), "VecDestroy");
  tell_petsc(MatDestroy(&objects_->tangent), "MatDestroy");
}

// Whether rounding keeps the steps from getting smaller although the solution is found: the residual is tiny
// compared with that of the first guess, or as small as the problem's noise. If it is not that small, but
// many iterations have come near a solution and no nearer, rounding is to blame too: `held_` remembers that.
bool NewtonSolver::at_round_off(const Values& guess, std::int64_t taken) {
  PetscReal last = 0;
  check_petsc(SNESGetFunctionNorm(objects_->snes, &last), "SNESGetFunctionNorm");
  Values defect(guess.size());
  objects_->problem->residual(guess, defect);
  const double first = std::sqrt(dot(defect, defect));
  constexpr std::int64_t many = 10;
  held_ = taken >= many && last <= 1e-6 * first;
  return last <= std::max(1e-9 * first, objects_->problem->noise());
}

bool NewtonSolver::try_solve(Values& unknowns, const NewtonProblem& problem) {
  Objects& own = *objects_;
  own.problem = &problem;
  set_values(own.unknowns, unknowns);
  if (problem.round_off > 0)
    check_petsc(SNESSetTolerances(own.snes, problem.round_off, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT,
                                  PETSC_DEFAULT),
                "SNESSetTolerances");
  const SNESConvergedReason reason = solve_or_say_why(own.snes, own.unknowns, own.callbacks);
  PetscInt taken = 0;
  check_petsc(SNESGetIterationNumber(own.snes, &taken), "SNESGetIterationNumber");
  ++solves_;
  iterations_ += taken;
  reason_ = in_words(reason);
  const Values found = values_of(own.unknowns);
  const bool finite = std::all_of(found.begin(), found.end(), [](double x) { return std::isfinite(x); });
  held_ = false;
  if (!finite || (reason <= 0 && !at_round_off(unknowns, taken))) {
    ++failures_;
    return false;
  }
  unknowns = found;
  return true;
}

Error NewtonSolver::no_solution(double time) const {
  // No advice to take a smaller step if rounding is to blame: it weighs more the smaller the step is.
  const std::string advice = held_ ? "" : "; take a smaller step";
  const std::string held = held_ ? ", near a solution, where rounding holds it" : "";
  return Error(Error::Kind::run, at_time(time), "Newton's method to converge" + advice, reason_ + held,
               Error::Reach::all_ranks);
}

MethodRecord record_of(const NewtonSolver& newton) {
  MethodRecord record;
  record.newton_solves = newton.solves();
  record.newton_iterations = newton.iterations();
  record.last_reason = newton.reason();
  return record;
}

void NewtonSolver::solve(Values& unknowns, const NewtonProblem& problem, double time) {
  if (!try_solve(unknowns, problem)) throw no_solution(time);
}

}  // namespace terrace
