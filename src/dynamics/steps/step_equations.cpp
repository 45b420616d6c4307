#include "dynamics/steps/step_equations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "parallel/petsc_options.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {

std::string words_of(SNESConvergedReason reason, KSPConvergedReason linear) {
  switch (reason) {
    case SNES_DIVERGED_LINEAR_SOLVE:
      switch (linear) {
        case KSP_DIVERGED_ITS:
          return "the linear solver needs more iterations than it may take (-ksp_max_it)";
        case KSP_DIVERGED_INDEFINITE_MAT:
        case KSP_DIVERGED_INDEFINITE_PC:
          return "the tangent is not positive definite: the step is too long for what stores energy (bodies "
                 "under compression, potentials that curve downwards)";
        default:
          return fmt::format("the linear solver gave up ({})", KSPConvergedReasons[linear]);
      }
    case SNES_DIVERGED_MAX_IT:
      return "Newton's method needs more iterations than it may take (-snes_max_it)";
    case SNES_DIVERGED_LINE_SEARCH:
      return "no step along Newton's direction lowers the residual";
    case SNES_DIVERGED_FNORM_NAN:
    case SNES_DIVERGED_FUNCTION_DOMAIN:
      return "elements invert, or nodes pass a barrier";
    case SNES_DIVERGED_DTOL:
      return "the residual grows";
    default:
      return fmt::format("Newton's method gave up ({})", SNESConvergedReasons[reason]);
  }
}

StepEquations::StepEquations(const Lagrangian& lagrangian, StepForce& force, SubdomainGradient& gradient,
                             double tolerance)
    : lagrangian_(lagrangian),
      force_(force),
      gradient_(gradient),
      tolerance_(tolerance),
      vectors_(lagrangian),
      change_(lagrangian.masses.size()),
      direction_(lagrangian.masses.size()),
      product_(lagrangian.masses.size()) {
  for (PetscVector* vector : {&unknowns_, &residual_, &momenta_, &stiffness_, &work_, &slope_})
    vectors_.create(*vector);
  for (const double mass : lagrangian.masses) root_mass_.push_back(std::sqrt(mass));
  for (const ElasticBlock& block : lagrangian.elastic_blocks)
    elements_ += static_cast<double>(block.tetrahedra.size());
  find_stiffness();
  set_up_solver();
}

void StepEquations::set_up_solver() {
  const MPI_Comm ranks = lagrangian_.communicator->handle();
  PetscInt size = 0;
  check_petsc(VecGetLocalSize(unknowns_.get(), &size), "VecGetLocalSize");
  check_petsc(MatCreateShell(ranks, size, size, PETSC_DETERMINE, PETSC_DETERMINE, this, jacobian_.put()),
              "MatCreateShell");
  check_petsc(MatShellSetOperation(jacobian_.get(), MATOP_MULT, reinterpret_cast<void (*)()>(multiply)),
              "MatShellSetOperation");
  check_petsc(
      MatShellSetOperation(jacobian_.get(), MATOP_GET_DIAGONAL, reinterpret_cast<void (*)()>(diagonal_of)),
      "MatShellSetOperation");
  SNES solver = nullptr;
  check_petsc(SNESCreate(ranks, solver_.put()), "SNESCreate");
  solver = solver_.get();
  check_petsc(SNESSetFunction(solver, residual_.get(), residual_of, this), "SNESSetFunction");
  check_petsc(SNESSetJacobian(solver, jacobian_.get(), jacobian_.get(), jacobian_of, this),
              "SNESSetJacobian");
  KSP linear = nullptr;
  PC preconditioner = nullptr;
  check_petsc(SNESGetKSP(solver, &linear), "SNESGetKSP");
  // Where compression gives the tangent of a long step negative eigenvalues, conjugate gradients stop and the
  // step is halved. Tried MINRES: it finds a solution there, but one that leads bodies to where no further
  // step has one.
  check_petsc(KSPSetType(linear, force_.is_symmetric() ? KSPCG : KSPGMRES), "KSPSetType");
  constexpr double relative = 1e-5;
  constexpr PetscInt most = 1000;
  // Absolute tolerance 0, as residuals have units: PETSC_DEFAULT would be an absolute number.
  check_petsc(KSPSetTolerances(linear, relative, 0, PETSC_DEFAULT, most), "KSPSetTolerances");
  check_petsc(KSPGetPC(linear, &preconditioner), "KSPGetPC");
  check_petsc(PCSetType(preconditioner, PCJACOBI), "PCSetType");
  constexpr PetscInt most_newton = 20;  // four iterations come near a solution, or there is none
  check_petsc(
      SNESSetTolerances(solver, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, most_newton, PETSC_DEFAULT),
      "SNESSetTolerances");
  // Unknowns have units: in some systems of units they are beyond 1e8, PETSc's limit for a step of the
  // search.
  SNESLineSearch search = nullptr;
  check_petsc(SNESGetLineSearch(solver, &search), "SNESGetLineSearch");
  check_petsc(SNESLineSearchSetTolerances(search, PETSC_DEFAULT, PETSC_MAX_REAL, PETSC_DEFAULT, PETSC_DEFAULT,
                                          PETSC_DEFAULT, PETSC_DEFAULT),
              "SNESLineSearchSetTolerances");
  take_petsc_options([&] { return SNESSetFromOptions(solver); });
}

// The diagonal of the stiffness: Σ_e volume ((λ + μ)/3 + μ) |∇N_a|² of the undeformed elements. The mean over
// the three axes, so that rotations do not change it.
void StepEquations::find_stiffness() {
  std::vector<Vector3> sums(root_mass_.size(), Vector3{});
  for (const ElasticBlock& block : lagrangian_.elastic_blocks) {
    const Material& material = block.elastic->material();
    const double modulus = (material.lame_lambda + material.lame_mu) / 3 + material.lame_mu;
    for (const Tetrahedron& tetrahedron : block.tetrahedra)
      for (std::size_t a = 0; a < 4; ++a) {
        const auto x = [&](std::size_t i) { return at(lagrangian_.reference, tetrahedron[(a + i) % 4]); };
        const Vector3 normal = cross(x(2) - x(1), x(3) - x(1));  // of the opposite face, twice its area long
        const double volume = std::abs(dot(x(0) - x(1), normal)) / 6;
        const double stiffness = modulus * dot(normal, normal) / (36 * volume);
        at(sums, tetrahedron[a]) += Vector3{stiffness, stiffness, stiffness};
      }
  }
  vectors_.add_up(sums, stiffness_.get());
}

PetscErrorCode StepEquations::residual_of(SNES /*solver*/, Vec unknowns, Vec residual, void* self) {
  auto& equations = *static_cast<StepEquations*>(self);
  return equations.callbacks_.guarded([&] { equations.find_residual(unknowns, residual); });
}

PetscErrorCode StepEquations::jacobian_of(SNES /*solver*/, Vec /*unknowns*/, Mat /*jacobian*/,
                                          Mat preconditioner, void* self) {
  auto& equations = *static_cast<StepEquations*>(self);
  return equations.callbacks_.guarded([&] {
    const double started = MPI_Wtime();
    equations.force_.linearize();
    equations.seconds_of_tangents_ += MPI_Wtime() - started;
    check_petsc(MatAssemblyBegin(preconditioner, MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
    check_petsc(MatAssemblyEnd(preconditioner, MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
  });
}

PetscErrorCode StepEquations::multiply(Mat jacobian, Vec direction, Vec product) {
  StepEquations* equations = nullptr;
  if (const PetscErrorCode code = MatShellGetContext(jacobian, static_cast<void*>(&equations)); code != 0)
    return code;
  return equations->callbacks_.guarded([&] { equations->find_product(direction, product); });
}

PetscErrorCode StepEquations::diagonal_of(Mat jacobian, Vec diagonal) {
  StepEquations* self = nullptr;
  if (const PetscErrorCode code = MatShellGetContext(jacobian, static_cast<void*>(&self)); code != 0)
    return code;
  return self->callbacks_.guarded([&] {
    const NodalView sum(diagonal), stiffness(self->stiffness_.get());
    const double factor = 0.5 * self->duration_ * self->duration_ * self->force_.implicitness();
    for (std::size_t i = 0; i < self->vectors_.nodes().size(); ++i) {
      const std::size_t a = self->vectors_.nodes()[i];
      const double mass = self->lagrangian_.masses[a];
      for (std::size_t d = 0; d < 3; ++d)
        sum[i][d] = self->is_held(a, d) ? 1.0 : 1 + factor * stiffness[i][d] / mass;
    }
  });
}

// The residual y + M^(−1/2) (h/2 G − p). Infinite where V has no value, which makes the line search turn
// back.
void StepEquations::find_residual(Vec unknowns, Vec residual) {
  const double started = MPI_Wtime();
  vectors_.spread(unknowns, change_);
  for (std::size_t a = 0; a < change_.size(); ++a)
    for (std::size_t d = 0; d < 3; ++d)
      change_[a][d] =
          duration_ * (is_held(a, d) ? state_->lines[a].velocity[d] : change_[a][d] / root_mass_[a]);
  try {
    force_.evaluate(change_, gradient_);
  } catch (const Error& error) {
    if (!error.on_all_ranks()) throw;
    check_petsc(VecSet(residual, infinity), "VecSet");
    seconds_of_forces_ += MPI_Wtime() - started;
    return;
  }
  const NodalView y(unknowns), momenta(momenta_.get()), sum(residual);
  for (std::size_t i = 0; i < vectors_.nodes().size(); ++i) {
    const std::size_t a = vectors_.nodes()[i];
    for (std::size_t d = 0; d < 3; ++d)
      sum[i][d] = is_held(a, d)
                      ? y[i][d] - momenta[i][d]
                      : y[i][d] + 0.5 * duration_ * gradient_.values()[a][d] / root_mass_[a] - momenta[i][d];
  }
  seconds_of_forces_ += MPI_Wtime() - started;
}

// The product (1 + h²/2 M^(−1/2) ∂G/∂D M^(−1/2)) · direction at the last D.
void StepEquations::find_product(Vec direction, Vec product) {
  const double started = MPI_Wtime();
  vectors_.spread(direction, direction_);
  for (std::size_t a = 0; a < direction_.size(); ++a) {
    product_[a] = Vector3{};
    for (std::size_t d = 0; d < 3; ++d)
      direction_[a][d] = is_held(a, d) ? 0.0 : duration_ * direction_[a][d] / root_mass_[a];
  }
  force_.add_change(direction_, product_);
  vectors_.add_up(product_, product);
  tangent_evaluations_ += static_cast<std::int64_t>(elements_);
  const NodalView x(direction), sum(product);
  for (std::size_t i = 0; i < vectors_.nodes().size(); ++i) {
    const std::size_t a = vectors_.nodes()[i];
    for (std::size_t d = 0; d < 3; ++d)
      sum[i][d] = x[i][d] + (is_held(a, d) ? 0.0 : 0.5 * duration_ * sum[i][d] / root_mass_[a]);
  }
  seconds_of_tangents_ += MPI_Wtime() - started;
}

void StepEquations::begin(const State& state, double duration) {
  state_ = &state;
  duration_ = duration;
  const NodalView momenta(momenta_.get());
  for (std::size_t i = 0; i < vectors_.nodes().size(); ++i) {
    const std::size_t a = vectors_.nodes()[i];
    for (std::size_t d = 0; d < 3; ++d) momenta[i][d] = root_mass_[a] * state.lines[a].velocity[d];
  }
  force_.begin(state, duration);
}

// Sets the first iterate: the present velocity (`moves`), or rest, but for components that supports move.
void StepEquations::guess(bool moves) {
  const NodalView y(unknowns_.get()), momenta(momenta_.get());
  for (std::size_t i = 0; i < vectors_.nodes().size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      y[i][d] = moves || is_held(vectors_.nodes()[i], d) ? momenta[i][d] : 0.0;
}

// Norm of what forces would add to the momenta over half the step if displacements were strains. Rounding
// errors of forces are a share of that, however small the strains are in a body that has turned or gone far.
double StepEquations::forces_of_displacements() {
  {
    const NodalView sum(work_.get()), stiffness(stiffness_.get());
    for (std::size_t i = 0; i < vectors_.nodes().size(); ++i) {
      const std::size_t a = vectors_.nodes()[i];
      const Vector3 displacement = state_->lines[a].displacement_at(state_->time);
      for (std::size_t d = 0; d < 3; ++d)
        sum[i][d] = is_held(a, d) ? 0.0 : 0.5 * duration_ * stiffness[i][d] * displacement[d] / root_mass_[a];
    }
  }
  PetscReal norm = 0;
  check_petsc(VecNorm(work_.get(), NORM_2, &norm), "VecNorm");
  return norm;
}

StepEquations::Outcome StepEquations::attempt() {
  SNES solver = solver_.get();
  check_petsc(callbacks_.call([&] { return SNESSolve(solver, nullptr, unknowns_.get()); }), "SNESSolve");
  Outcome outcome;
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  PetscInt newton = 0, linear = 0;
  check_petsc(SNESGetConvergedReason(solver, &reason), "SNESGetConvergedReason");
  check_petsc(SNESGetIterationNumber(solver, &newton), "SNESGetIterationNumber");
  check_petsc(SNESGetLinearSolveIterations(solver, &linear), "SNESGetLinearSolveIterations");
  outcome.solved = reason > 0;
  outcome.newton_iterations = static_cast<int>(newton);
  outcome.linear_iterations = static_cast<int>(linear);
  if (!outcome.solved) {
    KSP inner = nullptr;
    KSPConvergedReason inner_reason = KSP_CONVERGED_ITERATING;
    check_petsc(SNESGetKSP(solver, &inner), "SNESGetKSP");
    check_petsc(KSPGetConvergedReason(inner, &inner_reason), "KSPGetConvergedReason");
    outcome.reason = words_of(reason, inner_reason);
  }
  return outcome;
}

StepEquations::Outcome StepEquations::solve(const State& state, double duration) {
  begin(state, duration);
  if (!predicted_) guess(true);
  predicted_ = false;
  // The tolerance is relative to the step's momenta: those at its start, and what forces may add to them.
  check_petsc(
      callbacks_.call([&] { return SNESComputeFunction(solver_.get(), unknowns_.get(), residual_.get()); }),
      "SNESComputeFunction");
  PetscReal of_momenta = 0, of_forces = 0;
  check_petsc(VecNorm(momenta_.get(), NORM_2, &of_momenta), "VecNorm");
  check_petsc(VecWAXPY(work_.get(), -1, unknowns_.get(), residual_.get()), "VecWAXPY");
  check_petsc(VecAXPY(work_.get(), 1, momenta_.get()), "VecAXPY");
  check_petsc(VecNorm(work_.get(), NORM_2, &of_forces), "VecNorm");
  if (!std::isfinite(of_forces)) {
    guess(false);
    of_forces = 0;
  }
  const double scale = of_momenta + std::min(of_forces, of_momenta > 0 ? of_momenta : of_forces);
  constexpr double nothing = 1e-300;  // where nothing moves, the residual 0 must be below the tolerance
  // At a turning point momenta are next to nothing, and rounding errors of forces exceed a share of them.
  constexpr double rounding = 0x1p-50;
  const double rounded = of_momenta + of_forces + forces_of_displacements();
  const double enough = std::max({tolerance_ * scale, std::min(tolerance_, rounding) * rounded, nothing});
  check_petsc(SNESSetTolerances(solver_.get(), enough, 0, 0, PETSC_DEFAULT, PETSC_DEFAULT),
              "SNESSetTolerances");
  return attempt();
}

double StepEquations::kinetic_energy() const {
  PetscReal norm = 0;
  check_petsc(VecNorm(unknowns_.get(), NORM_2, &norm), "VecNorm");
  return 0.5 * norm * norm;
}

// Let g = M^(−1/2) ∇V(middle), q = M^(−1/2) p = y + (h/2) g, and K = M^(−1/2) ∇∇V(middle) M^(−1/2). Then
// J dy/dh = −(½ g + (h/4) K y) with J = 1 + (h²/4) K, and dE/dh = q · dy/dh + ½ g · y.
// As (h/4) K y = (J y − y)/h, dy/dh = −(y + w)/h with J w = q − 2 y.
double StepEquations::energy_by_duration() {
  KSP linear = nullptr;
  check_petsc(SNESGetKSP(solver_.get(), &linear), "SNESGetKSP");
  check_petsc(VecWAXPY(work_.get(), -2, unknowns_.get(), momenta_.get()), "VecWAXPY");
  check_petsc(callbacks_.call([&] { return KSPSolve(linear, work_.get(), slope_.get()); }), "KSPSolve");
  check_petsc(VecAXPY(slope_.get(), 1, unknowns_.get()), "VecAXPY");
  check_petsc(VecScale(slope_.get(), -1 / duration_), "VecScale");
  PetscScalar along = 0, with_momenta = 0, square = 0;
  check_petsc(VecDot(momenta_.get(), slope_.get(), &along), "VecDot");
  check_petsc(VecDot(momenta_.get(), unknowns_.get(), &with_momenta), "VecDot");
  check_petsc(VecDot(unknowns_.get(), unknowns_.get(), &square), "VecDot");
  return along + (with_momenta - square) / duration_;
}

void StepEquations::predict(double duration) {
  check_petsc(VecAXPY(unknowns_.get(), duration - duration_, slope_.get()), "VecAXPY");
  predicted_ = true;
}

}  // namespace terrace
