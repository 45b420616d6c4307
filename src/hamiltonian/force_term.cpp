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

void ForceTerm::add_discrete_gradient(View q0, View q1, double time, Values& gradient) const {
  add_gradient(plus(q0, 0.5, plus(q1, -1, q0)), time, gradient);
}

void ForceTerm::add_discrete_hessian(View q0, View q1, double time, Matrix& by_q1) const {
  Matrix hessian(q0.size());
  add_hessian(plus(q0, 0.5, plus(q1, -1, q0)), time, hessian);
  for (std::size_t i = 0; i < q0.size(); ++i)
    for (std::size_t j = 0; j < q0.size(); ++j) by_q1(i, j) += 0.5 * hessian(i, j);
}

}  // namespace terrace
