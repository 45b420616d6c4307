// One force of a small system: the derivative of a potential, or a force that has none.
#pragma once

#include <string>
#include <utility>

#include "hamiltonian/dense.hpp"

namespace terrace {

/// What a method may have to know of a force.
struct ForceTraits {
  bool conservative = true;     ///< −∇V(q, t); otherwise F(q, v, t)
  bool time_dependent = false;  ///< t enters
};

/// A term of the system's forces. Sizes: q, v and gradients of all n coordinates, matrices n × n. Everything
/// is added to what is given.
class ForceTerm {
 public:
  ForceTerm(std::string name, bool stiff) : implicit(stiff), name_(std::move(name)) {}
  virtual ~ForceTerm() = default;
  ForceTerm(const ForceTerm&) = delete;
  ForceTerm& operator=(const ForceTerm&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual ForceTraits traits() const { return {}; }

  /// V(q, t); 0 of a force that has none.
  [[nodiscard]] virtual double potential(View /*q*/, double /*time*/) const { return 0; }
  virtual void add_gradient(View /*q*/, double /*time*/, Values& /*gradient*/) const {}
  virtual void add_hessian(View /*q*/, double /*time*/, Matrix& /*hessian*/) const {}

  /// F and its derivatives by q and v; of a conservative force what follows from V.
  virtual void add_force(View q, View v, double time, Values& force) const;
  virtual void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v) const;

  /// A discrete gradient of V: its product with q1 − q0 is V(q1) − V(q0). And its derivative by q1. As it
  /// stands ∇V in the middle, which is one where V is of the second degree; every other V has its own.
  virtual void add_discrete_gradient(View q0, View q1, double time, Values& gradient) const;
  virtual void add_discrete_hessian(View q0, View q1, double time, Matrix& by_q1) const;

  /// After every whole step: what a force remembers from one step to the next.
  virtual void step_done(View /*q*/, View /*v*/) {}

  bool on = true;  ///< acts at all
  bool implicit;   ///< stiff and cheap: of the implicit part of a semi-explicit method

 private:
  std::string name_;
};

}  // namespace terrace
