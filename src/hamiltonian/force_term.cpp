#include "hamiltonian/force_term.hpp"

namespace terrace {

void ForceTerm::add_force(View q, View /*v*/, double time, Values& force) const {
  Values gradient(q.size(), 0.0);
  add_gradient(q, time, gradient);
  for (std::size_t i = 0; i < q.size(); ++i) force[i] -= gradient[i];
}

void ForceTerm::add_force_derivatives(View q, View /*v*/, double time, Matrix& by_q, Matrix& /*by_v*/) const {
  Matrix hessian(q.size());
  add_hessian(q, time, hessian);
  for (std::size_t i = 0; i < q.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) by_q(i, j) -= hessian(i, j);
}

// ∇V in the middle, and along q1 − q0 what it lacks of V(q1) − V(q0).
void ForceTerm::add_discrete_gradient(View q0, View q1, double time, Values& gradient) const {
  const std::size_t n = q0.size();
  const Values change = plus(q1, -1, q0), middle = plus(q0, 0.5, change);
  Values at_middle(n, 0.0);
  add_gradient(middle, time, at_middle);
  const double square = dot(change, change);
  const double lacking = potential(q1, time) - potential(q0, time) - dot(at_middle, change);
  for (std::size_t i = 0; i < n; ++i)
    gradient[i] += at_middle[i] + (square > 0 ? lacking / square * change[i] : 0);
}

void ForceTerm::add_discrete_hessian(View q0, View q1, double time, Matrix& by_q1) const {
  const std::size_t n = q0.size();
  const Values change = plus(q1, -1, q0), middle = plus(q0, 0.5, change);
  Values at_middle(n, 0.0), at_end(n, 0.0);
  Matrix hessian(n);
  add_gradient(middle, time, at_middle);
  add_gradient(q1, time, at_end);
  add_hessian(middle, time, hessian);
  const double square = dot(change, change);
  const double lacking = potential(q1, time) - potential(q0, time) - dot(at_middle, change);
  const Values turned = times(hessian, change);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      by_q1(i, j) += 0.5 * hessian(i, j);
      if (!(square > 0)) continue;
      const double slope = at_end[j] - at_middle[j] - 0.5 * turned[j];
      by_q1(i, j) += change[i] / square * (slope - 2 * lacking * change[j] / square);
      if (i == j) by_q1(i, j) += lacking / square;
    }
}

}  // namespace terrace
