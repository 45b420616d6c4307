// The equations of an implicit step, solved by Newton's method.
#pragma once

#include <petscsnes.h>

#include <map>
#include <string>
#include <vector>

#include "dynamics/state/nodal_vectors.hpp"
#include "dynamics/steps/step_force.hpp"

namespace terrace {

/// Solves M D/h + (h/2) G(D) = p for the displacements D over a step of h; then p′ = p − h G and u′ = u + h
/// M⁻¹ (p + p′)/2. The solvers are PETSc's: SNES with line search, KSP with conjugate gradients (GMRES where
/// the tangent is not symmetric), products with the exact tangent, and a Jacobi preconditioner with the
/// diagonal of the tangent at small strains. PETSc's options apply, except for the tolerances of the
/// residual. The unknowns are y = √M D/h, so that norms are square roots of energies.
class StepEquations {
 public:
  /// `tolerance`: of the residual, as a share of the step's momenta. All arguments must outlive this.
  /// Collective.
  StepEquations(const Lagrangian& lagrangian, StepForce& force, SubdomainGradient& gradient,
                double tolerance);

  struct Outcome {
    bool solved = false;
    int newton_iterations = 0, linear_iterations = 0;
    std::string reason;  ///< in words, where not solved
  };
  /// Solves for a step of `duration` [s] that begins at state.time. Collective.
  Outcome solve(const State& state, double duration);

  /// D of the last solution, by local node [length].
  [[nodiscard]] std::span<const Vector3> change() const { return change_; }
  /// ½ yᵀy, the kinetic energy of the mean velocity D/h of the last solution [J]. Collective.
  [[nodiscard]] double kinetic_energy() const;
  /// dE/dh of E = ½ yᵀy + V(middle) along the solutions of the midpoint rule [J/s]. Also keeps dy/dh for
  /// predict(). Collective; only after `solve`.
  [[nodiscard]] double energy_by_duration();
  /// Lets the next `solve`, of the same step with another duration, begin from the solution that is
  /// extrapolated with the dy/dh of energy_by_duration().
  void predict(double duration);

  /// Wall time of this rank in forces and in tangents [s].
  [[nodiscard]] double seconds_of_forces() const { return seconds_of_forces_; }
  [[nodiscard]] double seconds_of_tangents() const { return seconds_of_tangents_; }
  /// Number of products of an element's tangent on this rank.
  [[nodiscard]] std::int64_t tangent_evaluations() const { return tangent_evaluations_; }

 private:
  static PetscErrorCode residual_of(SNES solver, Vec unknowns, Vec residual, void* self);
  static PetscErrorCode jacobian_of(SNES solver, Vec unknowns, Mat jacobian, Mat preconditioner, void* self);
  static PetscErrorCode multiply(Mat jacobian, Vec direction, Vec product);
  static PetscErrorCode diagonal_of(Mat jacobian, Vec diagonal);
  void find_residual(Vec unknowns, Vec residual);
  void find_product(Vec direction, Vec product);
  void set_up_solver();
  void find_stiffness();
  void begin(const State& state, double duration);
  void guess(bool moves);
  [[nodiscard]] double forces_of_displacements();
  Outcome attempt();
  [[nodiscard]] bool is_held(std::size_t node, std::size_t component) const {
    return !lagrangian_.held_by.empty() && lagrangian_.held_by[node][component] != nothing_holds;
  }

  const Lagrangian& lagrangian_;
  StepForce& force_;
  SubdomainGradient& gradient_;
  double tolerance_;
  NodalVectors vectors_;
  PetscVector unknowns_, residual_, momenta_, stiffness_, work_, slope_;
  PetscObjectOf<Mat, MatDestroy> jacobian_;
  PetscObjectOf<SNES, SNESDestroy> solver_;
  const State* state_ = nullptr;
  double duration_ = 0, elements_ = 0;
  bool predicted_ = false;
  std::vector<double> root_mass_;  // of local nodes
  std::vector<Vector3> change_, direction_, product_;
  PetscCallbacks callbacks_;
  double seconds_of_forces_ = 0, seconds_of_tangents_ = 0;
  std::int64_t tangent_evaluations_ = 0;
};

/// Why SNES stopped without a solution, in words.
[[nodiscard]] std::string words_of(SNESConvergedReason reason, KSPConvergedReason linear);

}  // namespace terrace
