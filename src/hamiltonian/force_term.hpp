// One force of a small system, with a potential or without.
#pragma once

#include <string>
#include <utility>

#include "hamiltonian/dense.hpp"

namespace terrace {

/// What methods need to know about a force.
struct ForceTraits {
  bool conservative = true;     ///< the force is −∇V(q, t); otherwise F(q, v, t)
  bool time_dependent = false;  ///< it depends on t
};

/// A term of the system's forces. q, v, forces and gradients have all n coordinates, matrices are n × n. The
/// functions add_… add to the values in their last arguments.
class ForceTerm {
 public:
  ForceTerm(std::string name, bool stiff) : implicit(stiff), name_(std::move(name)) {}
  virtual ~ForceTerm() = default;
  ForceTerm(const ForceTerm&) = delete;
  ForceTerm& operator=(const ForceTerm&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual ForceTraits traits() const { return {}; }

  /// V(q, t); 0 for a force without a potential.
  [[nodiscard]] virtual double potential(View /*q*/, double /*time*/) const { return 0; }
  virtual void add_gradient(View /*q*/, double /*time*/, Values& /*gradient*/) const {}
  virtual void add_hessian(View /*q*/, double /*time*/, Matrix& /*hessian*/) const {}

  /// F and its derivatives by q and v; by default those of −∇V.
  virtual void add_force(View q, View v, double time, Values& force) const;
  virtual void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v) const;

  /// A discrete gradient of V, whose product with q1 − q0 is V(q1) − V(q0), and its derivative by q1. By
  /// default it is ∇V at the midpoint, which is a discrete gradient if V is of the second degree; terms with
  /// any other V override it.
  virtual void add_discrete_gradient(View q0, View q1, double time, Values& gradient) const;
  virtual void add_discrete_hessian(View q0, View q1, double time, Matrix& by_q1) const;

  /// Called after every whole step, for forces that remember something from one step to the next.
  virtual void step_done(View /*q*/, View /*v*/) {}

  bool on = true;  ///< whether the force acts at all
  bool implicit;   ///< stiff and cheap: a semi-explicit method treats it implicitly

 private:
  std::string name_;
};

}  // namespace terrace
