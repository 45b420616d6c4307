// Newton's method for small dense systems, by PETSc's SNES: what follows -- on the command line reaches it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "hamiltonian/dense.hpp"
#include "hamiltonian/method.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// What is to vanish, and its derivative, of as many unknowns.
struct NewtonProblem {
  std::function<void(const Values&, Values&)> residual;
  std::function<void(const Values&, Matrix&)> tangent;  ///< every entry is to be set
  double round_off = 0;                                 ///< of the residual: it need not be smaller
  /// Of the residual: a solution where the method comes no nearer. Asked for where it comes no nearer.
  std::function<double()> noise = [] { return 0.0; };
};

/// A solver that lives as long as a run. By default full Newton steps with a dense factorisation until the
/// step is 1e−10 of the unknowns, after which with an exact tangent they are off by round-off.
class NewtonSolver {
 public:
  /// Of so many unknowns. Throws Error(run) when PETSc refuses.
  explicit NewtonSolver(std::size_t size);
  ~NewtonSolver();
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  /// From the unknowns given to the solution. Throws Error(run) with the time and PETSc's reason in words
  /// where it does not converge, and what the problem throws.
  void solve(Values& unknowns, const NewtonProblem& problem, double time);
  /// The same; false and `reason()` where it does not converge.
  [[nodiscard]] bool try_solve(Values& unknowns, const NewtonProblem& problem);

  /// What to throw after `try_solve` failed.
  [[nodiscard]] Error no_solution(double time) const;

  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] std::int64_t iterations() const { return iterations_; }
  [[nodiscard]] std::int64_t solves() const { return solves_; }
  [[nodiscard]] std::int64_t failures() const { return failures_; }

 private:
  struct Objects;
  [[nodiscard]] bool at_round_off(const Values& guess, std::int64_t taken);
  std::unique_ptr<Objects> objects_;
  std::string reason_;
  bool held_ = false;  ///< by rounding, near a solution, the last solve
  std::int64_t iterations_ = 0, solves_ = 0, failures_ = 0;
};

/// Its part of what a run did.
[[nodiscard]] MethodRecord record_of(const NewtonSolver& newton);

}  // namespace terrace
