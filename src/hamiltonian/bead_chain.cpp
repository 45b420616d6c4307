#include "hamiltonian/bead_chain.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "hamiltonian/powers.hpp"
#include "numerics/elementary.hpp"
#include "parallel/error.hpp"

namespace terrace {

double restitution_factor(double restitution) {
  const double e = restitution;
  if (!(e < 1)) return 0;
  const auto defect = [&](double x) { return numerics::log1p(x) - numerics::log1p(-x * e) - x * (1 + e); };
  // The defect is negative just above 0, by its series −x²(1 − e²)/2 + x³(1 + e³)/3 + …, and positive just
  // below 1/e.
  double low = 0.1 * (1 - e), high = e > 0 ? std::nextafter(1 / e, 0.0) : 1e300;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (defect(middle) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

HertzContacts::HertzContacts(std::string name, double stiffness, double loss, double exponent)
    : ForceTerm(std::move(name), false), stiffness_(stiffness), loss_(loss), exponent_(exponent) {}

Derivatives HertzContacts::spring(double overlap) const {
  const double depth = std::max(overlap, 0.0), root = std::sqrt(depth);
  return {0.4 * stiffness_ * depth * depth * root, stiffness_ * depth * root, 1.5 * stiffness_ * root};
}

double HertzContacts::potential(View q, double /*time*/) const {
  double sum = 0;
  for (std::size_t k = 1; k < q.size(); ++k) sum += spring(q[k - 1] - q[k]).value;
  return sum;
}

static void add_pair(std::size_t k, double force, Values& gradient) {
  gradient[k - 1] += force;
  gradient[k] -= force;
}

void HertzContacts::add_gradient(View q, double /*time*/, Values& gradient) const {
  for (std::size_t k = 1; k < q.size(); ++k) add_pair(k, spring(q[k - 1] - q[k]).first, gradient);
}

static void add_pair(std::size_t k, double value, Matrix& matrix) {
  matrix(k - 1, k - 1) += value;
  matrix(k, k) += value;
  matrix(k - 1, k) -= value;
  matrix(k, k - 1) -= value;
}

void HertzContacts::add_hessian(View q, double /*time*/, Matrix& hessian) const {
  for (std::size_t k = 1; k < q.size(); ++k) add_pair(k, spring(q[k - 1] - q[k]).second, hessian);
}

void HertzContacts::add_discrete_gradient(View q0, View q1, double /*time*/, Values& gradient) const {
  const auto of_pair = [this](double overlap) { return spring(overlap); };
  for (std::size_t k = 1; k < q0.size(); ++k)
    add_pair(k, difference_quotient(of_pair, q0[k - 1] - q0[k], q1[k - 1] - q1[k]).value, gradient);
}

void HertzContacts::add_discrete_hessian(View q0, View q1, double /*time*/, Matrix& by_q1) const {
  const auto of_pair = [this](double overlap) { return spring(overlap); };
  for (std::size_t k = 1; k < q0.size(); ++k)
    add_pair(k, difference_quotient(of_pair, q0[k - 1] - q0[k], q1[k - 1] - q1[k]).slope, by_q1);
}

void HertzContacts::add_force(View q, View v, double /*time*/, Values& force) const {
  for (std::size_t k = 1; k < q.size(); ++k) {
    const double depth = std::max(q[k - 1] - q[k], 0.0);
    const double of_loss = k < factor_.size() ? 1 + factor_[k] * (v[k - 1] - v[k]) : 1;
    const double push = stiffness_ * depth * std::sqrt(depth) * std::max(of_loss, 0.0);
    force[k - 1] -= push;
    force[k] += push;
  }
}

void HertzContacts::add_force_derivatives(View q, View v, double /*time*/, Matrix& by_q, Matrix& by_v) const {
  for (std::size_t k = 1; k < q.size(); ++k) {
    const double depth = std::max(q[k - 1] - q[k], 0.0), root = std::sqrt(depth);
    const double factor = k < factor_.size() ? factor_[k] : 0;
    const double of_loss = 1 + factor * (v[k - 1] - v[k]);
    if (!(of_loss > 0)) continue;
    add_pair(k, -1.5 * stiffness_ * root * of_loss, by_q);
    add_pair(k, -stiffness_ * depth * root * factor, by_v);
  }
}

// The appendix of chapter 5 of the thesis: v begins with the first touch, grows with the speed of approach,
// and is forgotten when the beads part.
void HertzContacts::step_done(View q, View v) {
  if (!(loss_ > 0)) return;
  approach_.resize(q.size(), 0.0);
  factor_.resize(q.size(), 0.0);
  for (std::size_t k = 1; k < q.size(); ++k) {
    if (!(q[k - 1] > q[k])) {
      approach_[k] = factor_[k] = 0;
      continue;
    }
    const double speed = v[k - 1] - v[k];
    if (!(speed > approach_[k])) continue;
    approach_[k] = speed;
    if (!(loss_ * power(speed, exponent_) < 1))
      throw Error(
          Error::Kind::run, name(), "beads whose coefficient of restitution stays above 0",
          fmt::format("beads {} and {} that approach each other at {:.4g}: lower the loss or the speed", k,
                      k + 1, speed));
    factor_[k] = restitution_factor(1 - loss_ * power(speed, exponent_)) / speed;
  }
}

LaplacianDrag::LaplacianDrag(std::string name, double mass, double prefactor, double exponent)
    : ForceTerm(std::move(name), false), factor_(mass * std::abs(prefactor)), exponent_(exponent) {}

void LaplacianDrag::add_force(View /*q*/, View v, double /*time*/, Values& force) const {
  for (std::size_t k = 1; k + 1 < v.size(); ++k) {
    const double laplacian = v[k - 1] - 2 * v[k] + v[k + 1];
    force[k] += factor_ * std::copysign(power(std::abs(laplacian), exponent_), laplacian);
  }
}

void LaplacianDrag::add_force_derivatives(View /*q*/, View v, double /*time*/, Matrix& /*by_q*/,
                                          Matrix& by_v) const {
  for (std::size_t k = 1; k + 1 < v.size(); ++k) {
    const double laplacian = std::abs(v[k - 1] - 2 * v[k] + v[k + 1]);
    if (laplacian == 0 && exponent_ < 1) continue;  // the slope is infinite; Newton's method does without
    const double slope = factor_ * exponent_ * power(laplacian, exponent_ - 1);
    by_v(k, k - 1) += slope;
    by_v(k, k) -= 2 * slope;
    by_v(k, k + 1) += slope;
  }
}

}  // namespace terrace
