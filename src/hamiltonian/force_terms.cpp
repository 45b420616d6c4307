#include "hamiltonian/force_terms.hpp"

#include <cmath>

#include "numerics/elementary.hpp"

namespace terrace {

CurveTerm::CurveTerm(std::string name, std::size_t coordinate, Curve curve)
    : ForceTerm(std::move(name), false), coordinate_(coordinate), curve_(std::move(curve)) {}

double CurveTerm::potential(View q, double /*time*/) const { return curve_(q[coordinate_]).value; }

void CurveTerm::add_gradient(View q, double /*time*/, Values& gradient) const {
  gradient[coordinate_] += curve_(q[coordinate_]).first;
}

void CurveTerm::add_hessian(View q, double /*time*/, Matrix& hessian) const {
  hessian(coordinate_, coordinate_) += curve_(q[coordinate_]).second;
}

void CurveTerm::add_discrete_gradient(View q0, View q1, double /*time*/, Values& gradient) const {
  gradient[coordinate_] += difference_quotient(curve_, q0[coordinate_], q1[coordinate_]).value;
}

void CurveTerm::add_discrete_hessian(View q0, View q1, double /*time*/, Matrix& by_q1) const {
  by_q1(coordinate_, coordinate_) += difference_quotient(curve_, q0[coordinate_], q1[coordinate_]).slope;
}

SpringTerm::SpringTerm(std::string name, Matrix stiffness, bool stiff)
    : ForceTerm(std::move(name), stiff), stiffness_(std::move(stiffness)) {}

double SpringTerm::potential(View q, double /*time*/) const { return 0.5 * dot(q, times(stiffness_, q)); }

void SpringTerm::add_gradient(View q, double /*time*/, Values& gradient) const {
  gradient = plus(gradient, 1, times(stiffness_, q));
}

void SpringTerm::add_hessian(View q, double /*time*/, Matrix& hessian) const {
  for (std::size_t i = 0; i < q.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) hessian(i, j) += stiffness_(i, j);
}

DamperTerm::DamperTerm(std::string name, Matrix damping, bool stiff)
    : ForceTerm(std::move(name), stiff), damping_(std::move(damping)) {}

void DamperTerm::add_force(View /*q*/, View v, double /*time*/, Values& force) const {
  force = plus(force, -1, times(damping_, v));
}

void DamperTerm::add_force_derivatives(View /*q*/, View v, double /*time*/, Matrix& /*by_q*/,
                                       Matrix& by_v) const {
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) by_v(i, j) -= damping_(i, j);
}

UniformTerm::UniformTerm(std::string name, Values force)
    : ForceTerm(std::move(name), false), force_(std::move(force)) {}

double UniformTerm::potential(View q, double /*time*/) const { return -dot(force_, q); }

void UniformTerm::add_gradient(View /*q*/, double /*time*/, Values& gradient) const {
  gradient = plus(gradient, -1, force_);
}

RotatingLoad::RotatingLoad(std::string name, double amplitude, double frequency)
    : ForceTerm(std::move(name), false), amplitude_(amplitude), frequency_(frequency) {}

std::array<double, 2> RotatingLoad::load(double time) const {
  const double angle = frequency_ * time;
  return {-amplitude_ * numerics::cosine(angle), amplitude_ * numerics::sine(angle)};
}

double RotatingLoad::potential(View q, double time) const {
  const auto force = load(time);
  return -force[0] * q[0] - force[1] * q[1];
}

void RotatingLoad::add_gradient(View /*q*/, double time, Values& gradient) const {
  const auto force = load(time);
  for (std::size_t i = 0; i < 2; ++i) gradient[i] -= force[i];
}

RadialForceTerm::RadialForceTerm(std::string name, std::size_t dimension, Curve of_square, bool stiff)
    : ForceTerm(std::move(name), stiff), dimension_(dimension), of_square_(std::move(of_square)) {}

Values RadialForceTerm::distance(View q, const Pair& pair) const {
  Values d(dimension_);
  for (std::size_t i = 0; i < dimension_; ++i) {
    d[i] = q[dimension_ * pair.one + i];
    if (pair.other != pair.one) d[i] -= q[dimension_ * pair.other + i];
  }
  return d;
}

void RadialForceTerm::add_along(const Pair& pair, double factor, View direction, Values& gradient) const {
  for (std::size_t i = 0; i < dimension_; ++i) {
    gradient[dimension_ * pair.one + i] += factor * direction[i];
    if (pair.other != pair.one) gradient[dimension_ * pair.other + i] -= factor * direction[i];
  }
}

void RadialForceTerm::add_block(const Pair& pair, const Matrix& block, Matrix& hessian) const {
  const std::size_t a = dimension_ * pair.one, b = dimension_ * pair.other;
  for (std::size_t i = 0; i < dimension_; ++i)
    for (std::size_t j = 0; j < dimension_; ++j) {
      hessian(a + i, a + j) += block(i, j);
      if (a == b) continue;
      hessian(b + i, b + j) += block(i, j);
      hessian(a + i, b + j) -= block(i, j);
      hessian(b + i, a + j) -= block(i, j);
    }
}

double RadialForceTerm::potential(View q, double /*time*/) const {
  double sum = 0;
  for (const Pair& pair : pairs_) {
    const Values d = distance(q, pair);
    sum += of_square_(dot(d, d)).value;
  }
  return sum;
}

void RadialForceTerm::add_gradient(View q, double /*time*/, Values& gradient) const {
  for (const Pair& pair : pairs_) {
    const Values d = distance(q, pair);
    add_along(pair, 2 * of_square_(dot(d, d)).first, d, gradient);
  }
}

void RadialForceTerm::add_hessian(View q, double /*time*/, Matrix& hessian) const {
  for (const Pair& pair : pairs_) {
    const Values d = distance(q, pair);
    const Derivatives f = of_square_(dot(d, d));
    Matrix block(dimension_);
    for (std::size_t i = 0; i < dimension_; ++i)
      for (std::size_t j = 0; j < dimension_; ++j)
        block(i, j) = 4 * f.second * d[i] * d[j] + (i == j ? 2 * f.first : 0);
    add_block(pair, block, hessian);
  }
}

void RadialForceTerm::add_discrete_gradient(View q0, View q1, double /*time*/, Values& gradient) const {
  for (const Pair& pair : pairs_) {
    const Values d0 = distance(q0, pair), d1 = distance(q1, pair);
    add_along(pair, difference_quotient(of_square_, dot(d0, d0), dot(d1, d1)).value, plus(d0, 1, d1),
              gradient);
  }
}

void RadialForceTerm::add_discrete_hessian(View q0, View q1, double /*time*/, Matrix& by_q1) const {
  for (const Pair& pair : pairs_) {
    const Values d0 = distance(q0, pair), d1 = distance(q1, pair), sum = plus(d0, 1, d1);
    const DifferenceQuotient f = difference_quotient(of_square_, dot(d0, d0), dot(d1, d1));
    Matrix block(dimension_);
    for (std::size_t i = 0; i < dimension_; ++i)
      for (std::size_t j = 0; j < dimension_; ++j)
        block(i, j) = 2 * f.slope * sum[i] * d1[j] + (i == j ? f.value : 0);
    add_block(pair, block, by_q1);
  }
}

}  // namespace terrace
