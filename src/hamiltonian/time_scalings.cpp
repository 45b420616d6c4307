#include "hamiltonian/time_scalings.hpp"

#include <cmath>

#include "hamiltonian/powers.hpp"

namespace terrace {

double CentresScaling::value(View q) const {
  const double a = q[0], b = q[0] - distance_;
  return 1 / std::sqrt(1 / (a * a) + 1 / (b * b));
}

Values CentresScaling::gradient(View q) const {
  const double a = q[0], b = q[0] - distance_, l = value(q);
  return {l * l * l * (1 / (a * a * a) + 1 / (b * b * b))};
}

double RadiusScaling::value(View q) const { return power(dot(q, q), 0.5 * exponent_); }

Values RadiusScaling::gradient(View q) const {
  const double factor = exponent_ * value(q) / dot(q, q);
  return plus(Values(q.size(), 0.0), factor, q);
}

void RadiusScaling::add_hessian(View q, double factor, Matrix& hessian) const {
  const double square = dot(q, q), slope = factor * exponent_ * value(q) / square;
  for (std::size_t i = 0; i < q.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j)
      hessian(i, j) += slope * ((i == j ? 1 : 0) + (exponent_ - 2) * q[i] * q[j] / square);
}

namespace {

/// H(s)², where H(s) = atan(s/c)/π + ½, and its derivatives.
struct Step {
  double value, first, second;
};

Step squared_step(double s, double c) {
  const double h = arc_tangent(s / c) / pi + 0.5;
  const double h1 = c / (pi * (c * c + s * s)), h2 = -2 * s * pi / c * h1 * h1;
  return {h * h, 2 * h * h1, 2 * (h1 * h1 + h * h2)};
}

}  // namespace

double WallScaling::value(View q) const {
  return 1 / std::sqrt(soft_ * squared_step(q[0], smoothing_).value +
                       stiff_ * squared_step(-q[0], smoothing_).value);
}

Values WallScaling::gradient(View q) const {
  const Step soft = squared_step(q[0], smoothing_), stiff = squared_step(-q[0], smoothing_);
  const double l = value(q);
  return {-0.5 * l * l * l * (soft_ * soft.first - stiff_ * stiff.first)};
}

void WallScaling::add_hessian(View q, double factor, Matrix& hessian) const {
  const Step soft = squared_step(q[0], smoothing_), stiff = squared_step(-q[0], smoothing_);
  const double k = soft_ * soft.value + stiff_ * stiff.value, k1 = soft_ * soft.first - stiff_ * stiff.first;
  const double k2 = soft_ * soft.second + stiff_ * stiff.second, l = 1 / std::sqrt(k);
  hessian(0, 0) += factor * l * l * l * (0.75 * k1 * k1 / k - 0.5 * k2);
}

double ContactScaling::stiffness_at(View q, Values* gradient) const {
  double sum = 0;
  const std::size_t balls = q.size() / 2;
  for (std::size_t i = 0; i < q.size(); ++i)
    for (const double sign : {1.0, -1.0}) {
      // The wall at 0 (sign 1) and the one at 1.
      const double overlap = sign > 0 ? radius_ - q[i] : q[i] - 1 + radius_;
      const Step step = squared_step(overlap, smoothing_);
      sum += stiffness_ * step.value;
      if (gradient != nullptr) (*gradient)[i] -= sign * stiffness_ * step.first;
    }
  for (std::size_t a = 0; a < balls; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double x = q[2 * a] - q[2 * b], y = q[2 * a + 1] - q[2 * b + 1], r = std::sqrt(x * x + y * y);
      const Step step = squared_step(2 * radius_ - r, smoothing_);
      sum += stiffness_ * step.value;
      if (gradient == nullptr) continue;
      const double along = stiffness_ * step.first / r;
      (*gradient)[2 * a] -= along * x;
      (*gradient)[2 * a + 1] -= along * y;
      (*gradient)[2 * b] += along * x;
      (*gradient)[2 * b + 1] += along * y;
    }
  return sum;
}

double ContactScaling::value(View q) const { return 1 / std::sqrt(stiffness_at(q, nullptr) + limit_); }

Values ContactScaling::gradient(View q) const {
  Values gradient(q.size(), 0.0);
  const double l = 1 / std::sqrt(stiffness_at(q, &gradient) + limit_);
  for (double& component : gradient) component *= -0.5 * l * l * l;
  return gradient;
}

}  // namespace terrace
