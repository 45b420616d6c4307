#include "hamiltonian/dense_motion.hpp"

#include "hamiltonian/motion.hpp"

namespace terrace {

static_assert(QuadraticMotion<DenseMotion>);
static_assert(SemiExplicitMotion<SplitMotion>);

const Values& DenseMotion::gradient() {
  const bool same_time = known_.time == state_.time || !system_.time_dependent();
  if (known_.q != state_.q || !same_time)
    known_ = {state_.q, system_.gradient(state_.q, state_.time), state_.time};
  return known_.gradient;
}

void DenseMotion::kick(double duration) {
  if (system_.dissipative()) {
    state_.p = plus(state_.p, duration, system_.force(state_.q, system_.velocity(state_.p), state_.time));
  } else {
    state_.p = plus(state_.p, -duration, gradient());
  }
}

void DenseMotion::drift(double duration) {
  state_.q = plus(state_.q, duration, system_.velocity(state_.p));
  state_.time += duration;
}

double DenseMotion::squared_force() {
  const Values& force = gradient();
  double sum = 0;
  for (std::size_t i = 0; i < force.size(); ++i) sum += force[i] * force[i] / system_.masses[i];
  return sum;
}

void SplitMotion::drift(double duration) {
  state_.q = plus(state_.q, duration, system_.velocity(state_.p));
  state_.time += duration;
}

void SplitMotion::hold_explicit_force() {
  held_ = system_.force(state_.q, system_.velocity(state_.p), state_.time,
                        HamiltonianSystem::Part::explicit_part);
}

void SplitMotion::solve_acceleration(double duration, double beta) {
  const std::size_t n = state_.q.size();
  const Values v = system_.velocity(state_.p);
  const double of_q = 0.5 * beta * duration * duration, of_v = beta * duration;
  constexpr auto part = HamiltonianSystem::Part::implicit_part;
  acceleration_.resize(n);
  for (std::size_t i = 0; i < n; ++i) acceleration_[i] = held_[i] / system_.masses[i];
  const auto residual = [&](const Values& a, Values& defect) {
    defect = system_.force(plus(state_.q, of_q, a), plus(v, of_v, a), state_.time, part);
    for (std::size_t i = 0; i < n; ++i) defect[i] = system_.masses[i] * a[i] - held_[i] - defect[i];
  };
  const auto tangent = [&](const Values& a, Matrix& matrix) {
    Matrix by_q(n), by_v(n);
    system_.add_force_derivatives(plus(state_.q, of_q, a), plus(v, of_v, a), state_.time, by_q, by_v, part);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        matrix(i, j) = (i == j ? system_.masses[i] : 0) - of_q * by_q(i, j) - of_v * by_v(i, j);
  };
  newton_.solve(acceleration_, {residual, tangent}, state_.time);
}

void SplitMotion::accelerate(double duration) {
  for (std::size_t i = 0; i < state_.p.size(); ++i)
    state_.p[i] += duration * system_.masses[i] * acceleration_[i];
}

}  // namespace terrace
