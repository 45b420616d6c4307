// A small system: its energy H(q, p, t), forces without a potential, and constraints.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamiltonian/dense.hpp"
#include "hamiltonian/force_term.hpp"

namespace terrace {

/// A scaling of time l(q) > 0, for steps that adapt to the state, with its derivatives.
class TimeScaling {
 public:
  virtual ~TimeScaling() = default;
  [[nodiscard]] virtual double value(View q) const = 0;
  [[nodiscard]] virtual Values gradient(View q) const = 0;
  /// hessian += factor · D²l; by default from central differences of the gradient.
  virtual void add_hessian(View q, double factor, Matrix& hessian) const;
};

/// Constraints g(q) = 0, one component of g per constraint.
class Constraint {
 public:
  virtual ~Constraint() = default;
  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual Values values(View q) const = 0;
  /// Dg: `count()` rows of n values.
  [[nodiscard]] virtual std::vector<Values> gradients(View q) const = 0;
  /// hessian += Σ λ_k D²g_k.
  virtual void add_hessian(View q, View multipliers, Matrix& hessian) const = 0;
};

/// An energy that is not a sum of T(p) and V(q), as a function of z = (q, p).
class GeneralEnergy {
 public:
  virtual ~GeneralEnergy() = default;
  [[nodiscard]] virtual double value(View z) const = 0;
  [[nodiscard]] virtual Values gradient(View z) const = 0;
  virtual void add_hessian(View z, Matrix& hessian) const = 0;
};

/// A quantity that the exact motion keeps, besides the energy.
struct Invariant {
  std::string name;
  std::function<double(const DenseState&)> value;
  std::string broken_by = {};  ///< the force that changes it if it is on; empty: none
};

/// A system with the kinetic energy Σ p²/2m − `cubic` Σ p³/3, forces, and possibly constraints. If `general`
/// is set, it is the energy instead of all these. If `inertia` is set, the system is a free rigid body, whose
/// q is its angular momentum in its own frame.
class HamiltonianSystem {
 public:
  std::string kind;
  Values masses;     ///< one for each coordinate
  double cubic = 0;  ///< if not 0, T(−p) ≠ T(p): the system is not reversible
  std::vector<std::unique_ptr<ForceTerm>> forces;
  std::unique_ptr<const Constraint> constraint;
  std::unique_ptr<const GeneralEnergy> general;
  std::optional<Values> inertia;
  std::shared_ptr<const TimeScaling> scaling;  ///< the system's own l(q); may be null
  std::vector<Invariant> invariants;
  /// How deep things that must not overlap at the start do overlap [m]; not positive if they do not. Empty
  /// for systems without such things.
  std::function<double(View q)> overlap;
  std::vector<std::string> coordinate_names, momentum_names;
  DenseState initial;  ///< the initial state; the deck may set another

  [[nodiscard]] std::size_t size() const { return initial.q.size(); }

  [[nodiscard]] double energy(const DenseState& state) const;
  [[nodiscard]] double kinetic(View p) const;
  [[nodiscard]] double potential(View q, double time) const;
  /// ∂T/∂p.
  [[nodiscard]] Values velocity(View p) const;
  [[nodiscard]] Values gradient(View q, double time) const;
  void add_hessian(View q, double time, Matrix& hessian) const;

  /// Which forces to add up: all, or only those that a semi-explicit method treats explicitly or implicitly.
  enum class Part { all, explicit_part, implicit_part };
  [[nodiscard]] Values force(View q, View v, double time, Part part = Part::all) const;
  void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v,
                             Part part = Part::all) const;

  [[nodiscard]] bool time_dependent() const;
  [[nodiscard]] bool dissipative() const;  ///< whether some force that is on has no potential
  /// Tells all forces that are on that a step has ended in `state`.
  void step_done(const DenseState& state);

  /// Numbers of evaluated gradients (or forces) and of Hessians (or derivatives of forces) so far.
  mutable std::int64_t evaluations = 0, hessians = 0;
};

/// The force of this name, whether it is on or not; nullptr if there is none.
[[nodiscard]] ForceTerm* find_force(const HamiltonianSystem& system, const std::string& name);

}  // namespace terrace
