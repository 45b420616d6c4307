// A small system: H(q, p, t), forces that have no potential, and constraints.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamiltonian/dense.hpp"
#include "hamiltonian/force_term.hpp"

namespace terrace {

/// A scaling of time l(q) > 0, for steps that follow the state, with its derivatives.
class TimeScaling {
 public:
  virtual ~TimeScaling() = default;
  [[nodiscard]] virtual double value(View q) const = 0;
  [[nodiscard]] virtual Values gradient(View q) const = 0;
  /// By central differences of the gradient where nothing else is known.
  virtual void add_hessian(View q, double factor, Matrix& hessian) const;
};

/// g(q) = 0, one row per constraint.
class Constraint {
 public:
  virtual ~Constraint() = default;
  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual Values values(View q) const = 0;
  /// Dg, `count()` rows of n.
  [[nodiscard]] virtual std::vector<Values> gradients(View q) const = 0;
  /// hessian += Σ λ_k D²g_k.
  virtual void add_hessian(View q, View multipliers, Matrix& hessian) const = 0;
};

/// An energy that is no sum of T(p) and V(q); z = (q, p).
class GeneralEnergy {
 public:
  virtual ~GeneralEnergy() = default;
  [[nodiscard]] virtual double value(View z) const = 0;
  [[nodiscard]] virtual Values gradient(View z) const = 0;
  virtual void add_hessian(View z, Matrix& hessian) const = 0;
};

/// A quantity the exact motion keeps, besides the energy.
struct Invariant {
  std::string name;
  std::function<double(const DenseState&)> value;
  std::string broken_by = {};  ///< the force that does not keep it where it is on; empty: none
};

/// The system: kinetic energy Σ p²/2m − `cubic` Σ p³/3, forces, and what else there is. `general` stands for
/// all of these if it is there; `inertia` makes it a free rigid body, whose q is its angular momentum in its
/// own frame.
class HamiltonianSystem {
 public:
  std::string kind;
  Values masses;     ///< of the coordinates
  double cubic = 0;  ///< not reversible: T(−p) ≠ T(p)
  std::vector<std::unique_ptr<ForceTerm>> forces;
  std::unique_ptr<const Constraint> constraint;
  std::unique_ptr<const GeneralEnergy> general;
  std::optional<Values> inertia;
  std::shared_ptr<const TimeScaling> scaling;  ///< l(q) of its own; may be none
  std::vector<Invariant> invariants;
  /// Of things that may not start in each other: how far they are [m], not positive if they are not; may be
  /// none.
  std::function<double(View q)> overlap;
  std::vector<std::string> coordinate_names, momentum_names;
  DenseState initial;  ///< where it starts if nothing else is said

  [[nodiscard]] std::size_t size() const { return initial.q.size(); }

  [[nodiscard]] double energy(const DenseState& state) const;
  [[nodiscard]] double kinetic(View p) const;
  [[nodiscard]] double potential(View q, double time) const;
  /// ∂T/∂p.
  [[nodiscard]] Values velocity(View p) const;
  [[nodiscard]] Values gradient(View q, double time) const;
  void add_hessian(View q, double time, Matrix& hessian) const;

  /// Which forces to add up: of a semi-explicit method one part alone.
  enum class Part { all, explicit_part, implicit_part };
  [[nodiscard]] Values force(View q, View v, double time, Part part = Part::all) const;
  void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v,
                             Part part = Part::all) const;

  [[nodiscard]] bool time_dependent() const;
  [[nodiscard]] bool dissipative() const;  ///< some force that is on has no potential
  /// Tells the forces that a step has ended.
  void step_done(const DenseState& state);

  /// Counts of gradients (or forces) and of Hessians (or derivatives of forces) so far.
  mutable std::int64_t evaluations = 0, hessians = 0;
};

/// The same sum of forces, one by one, whether they are on or not: nullptr if there is none of this name.
[[nodiscard]] ForceTerm* find_force(const HamiltonianSystem& system, const std::string& name);

}  // namespace terrace
