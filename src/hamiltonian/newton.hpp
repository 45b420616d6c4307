// Newton's method for small dense systems, by PETSc's SNES, which heeds the options after -- on the command
// line.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "hamiltonian/dense.hpp"
#include "hamiltonian/method.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// Equations residual(x) = 0, as many as unknowns, with their derivative.
struct NewtonProblem {
  std::function<void(const Values&, Values&)> residual;
  std::function<void(const Values&, Matrix&)> tangent;  ///< the derivative; sets every entry
  double round_off = 0;                                 ///< the norm of the residual need not be smaller
  /// Size of the residual's rounding error. Where the method comes no nearer, a residual of this size counts
  /// as a solution; it is evaluated only then.
  std::function<double()> noise = [] { return 0.0; };
};

/// A solver that lives as long as a run. By default it takes full Newton steps with a dense factorisation
/// until the step is 1e−10 of the unknowns; with an exact tangent these are then exact to round-off.
class NewtonSolver {
 public:
  /// For `size` unknowns. Throws Error(run) when PETSc refuses.
  explicit NewtonSolver(std::size_t size);
  ~NewtonSolver();
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  /// Replaces `unknowns`, the first guess, by the solution. Throws Error(run) with `time` and PETSc's reason
  /// in words if it does not converge, and what the problem throws.
  void solve(Values& unknowns, const NewtonProblem& problem, double time);
  /// The same, but returns false if it does not converge; `unknowns` stay as they were, `reason()` says why.
  [[nodiscard]] bool try_solve(Values& unknowns, const NewtonProblem& problem);

  /// The error to throw after `try_solve` has failed.
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
  bool held_ = false;  ///< whether rounding held the last solve near a solution
  std::int64_t iterations_ = 0, solves_ = 0, failures_ = 0;
};

/// The record of a method that solves by `newton` alone.
[[nodiscard]] MethodRecord record_of(const NewtonSolver& newton);

}  // namespace terrace
