#include "hamiltonian/hamiltonian_system.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {

void TimeScaling::add_hessian(View q, double factor, Matrix& hessian) const {
  const std::size_t n = q.size();
  Values moved(q.begin(), q.end());
  for (std::size_t j = 0; j < n; ++j) {
    const double step = 1e-6 * (1 + std::abs(q[j]));
    moved[j] = q[j] + step;
    const Values above = gradient(moved);
    moved[j] = q[j] - step;
    const Values below = gradient(moved);
    moved[j] = q[j];
    for (std::size_t i = 0; i < n; ++i) hessian(i, j) += factor * (above[i] - below[i]) / (2 * step);
  }
}

double HamiltonianSystem::energy(const DenseState& state) const {
  if (general != nullptr) {
    Values z = state.q;
    z.insert(z.end(), state.p.begin(), state.p.end());
    return general->value(z);
  }
  if (inertia) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += 0.5 * state.q[i] * state.q[i] / (*inertia)[i];
    return sum;
  }
  return kinetic(state.p) + potential(state.q, state.time);
}

double HamiltonianSystem::kinetic(View p) const {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    sum += 0.5 * p[i] * p[i] / masses[i] - cubic * p[i] * p[i] * p[i] / 3;
  return sum;
}

double HamiltonianSystem::potential(View q, double time) const {
  double sum = 0;
  for (const auto& force : forces)
    if (force->on) sum += force->potential(q, time);
  return sum;
}

Values HamiltonianSystem::velocity(View p) const {
  Values v(p.begin(), p.end());
  for (std::size_t i = 0; i < p.size(); ++i) v[i] = p[i] / masses[i] - cubic * p[i] * p[i];
  return v;
}

Values HamiltonianSystem::gradient(View q, double time) const {
  ++evaluations;
  Values sum(q.size(), 0.0);
  for (const auto& force : forces)
    if (force->on) force->add_gradient(q, time, sum);
  return sum;
}

void HamiltonianSystem::add_hessian(View q, double time, Matrix& hessian) const {
  ++hessians;
  for (const auto& force : forces)
    if (force->on) force->add_hessian(q, time, hessian);
}

static bool belongs(const ForceTerm& force, HamiltonianSystem::Part part) {
  return force.on && (part == HamiltonianSystem::Part::all ||
                      force.implicit == (part == HamiltonianSystem::Part::implicit_part));
}

Values HamiltonianSystem::force(View q, View v, double time, Part part) const {
  if (part != Part::implicit_part) ++evaluations;
  Values sum(q.size(), 0.0);
  for (const auto& force : forces)
    if (belongs(*force, part)) force->add_force(q, v, time, sum);
  return sum;
}

void HamiltonianSystem::add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v,
                                              Part part) const {
  if (part != Part::implicit_part) ++hessians;
  for (const auto& force : forces)
    if (belongs(*force, part)) force->add_force_derivatives(q, v, time, by_q, by_v);
}

bool HamiltonianSystem::time_dependent() const {
  return std::any_of(forces.begin(), forces.end(),
                     [](const auto& force) { return force->on && force->traits().time_dependent; });
}

bool HamiltonianSystem::dissipative() const {
  return std::any_of(forces.begin(), forces.end(),
                     [](const auto& force) { return force->on && !force->traits().conservative; });
}

void HamiltonianSystem::step_done(const DenseState& state) {
  if (general != nullptr || inertia) return;
  const Values v = velocity(state.p);
  for (const auto& force : forces)
    if (force->on) force->step_done(state.q, v);
}

ForceTerm* find_force(const HamiltonianSystem& system, const std::string& name) {
  for (const auto& force : system.forces)
    if (force->name() == name) return force.get();
  return nullptr;
}

}  // namespace terrace
