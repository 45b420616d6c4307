#include "hamiltonian/first_order_form.hpp"

#include "hamiltonian/rigid_body.hpp"

namespace terrace {

Values joined(const DenseState& state) {
  Values z = state.q;
  z.insert(z.end(), state.p.begin(), state.p.end());
  return z;
}

void split(View z, DenseState& state) {
  const auto n = static_cast<std::ptrdiff_t>(state.q.size());
  state.q.assign(z.begin(), z.begin() + n);
  state.p.assign(z.begin() + n, z.end());
}

Values rate(const HamiltonianSystem& system, View z, double time) {
  if (system.inertia) {
    ++system.evaluations;
    return RigidBody(*system.inertia).rate(z);
  }
  const std::size_t n = z.size() / 2;
  const View q = z.first(n), p = z.last(n);
  Values result;
  if (system.general != nullptr) {
    ++system.evaluations;
    const Values gradient = system.general->gradient(z);
    result.assign(gradient.begin() + static_cast<std::ptrdiff_t>(n), gradient.end());
    for (std::size_t i = 0; i < n; ++i) result.push_back(-gradient[i]);
    return result;
  }
  result = system.velocity(p);
  const Values force = system.force(q, result, time);
  result.insert(result.end(), force.begin(), force.end());
  return result;
}

static void set_general_derivative(const HamiltonianSystem& system, View z, Matrix& derivative) {
  const std::size_t n = z.size() / 2;
  Matrix hessian(2 * n);
  system.general->add_hessian(z, hessian);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < 2 * n; ++j) {
      derivative(i, j) = hessian(n + i, j);
      derivative(n + i, j) = -hessian(i, j);
    }
}

void set_rate_derivative(const HamiltonianSystem& system, View z, double time, Matrix& derivative) {
  derivative.clear();
  if (system.inertia) {
    ++system.hessians;
    return RigidBody(*system.inertia).add_rate_derivative(z, derivative);
  }
  if (system.general != nullptr) {
    ++system.hessians;
    return set_general_derivative(system, z, derivative);
  }
  const std::size_t n = z.size() / 2;
  const View q = z.first(n), p = z.last(n);
  Matrix by_q(n), by_v(n);
  system.add_force_derivatives(q, system.velocity(p), time, by_q, by_v);
  for (std::size_t i = 0; i < n; ++i) {
    derivative(i, n + i) = 1 / system.masses[i] - 2 * system.cubic * p[i];
    for (std::size_t j = 0; j < n; ++j) {
      derivative(n + i, j) = by_q(i, j);
      derivative(n + i, n + j) = by_v(i, j) * (1 / system.masses[j] - 2 * system.cubic * p[j]);
    }
  }
}

}  // namespace terrace
