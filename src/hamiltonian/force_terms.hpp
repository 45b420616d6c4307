// The forces of which small systems are made.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hamiltonian/curve.hpp"
#include "hamiltonian/force_term.hpp"

namespace terrace {

/// V = f(q_i) for one coordinate.
class CurveTerm final : public ForceTerm {
 public:
  CurveTerm(std::string name, std::size_t coordinate, Curve curve);
  [[nodiscard]] double potential(View q, double time) const override;
  void add_gradient(View q, double time, Values& gradient) const override;
  void add_hessian(View q, double time, Matrix& hessian) const override;
  void add_discrete_gradient(View q0, View q1, double time, Values& gradient) const override;
  void add_discrete_hessian(View q0, View q1, double time, Matrix& by_q1) const override;

 private:
  std::size_t coordinate_;
  Curve curve_;
};

/// V = ½ qᵀK q.
class SpringTerm final : public ForceTerm {
 public:
  SpringTerm(std::string name, Matrix stiffness, bool stiff);
  [[nodiscard]] double potential(View q, double time) const override;
  void add_gradient(View q, double time, Values& gradient) const override;
  void add_hessian(View q, double time, Matrix& hessian) const override;

 private:
  Matrix stiffness_;
};

/// F = −C v.
class DamperTerm final : public ForceTerm {
 public:
  DamperTerm(std::string name, Matrix damping, bool stiff);
  [[nodiscard]] ForceTraits traits() const override { return {.conservative = false}; }
  void add_force(View q, View v, double time, Values& force) const override;
  void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v) const override;

 private:
  Matrix damping_;
};

/// A constant force: V = −F · q.
class UniformTerm final : public ForceTerm {
 public:
  UniformTerm(std::string name, Values force);
  [[nodiscard]] double potential(View q, double time) const override;
  void add_gradient(View q, double time, Values& gradient) const override;

 private:
  Values force_;
};

/// F = A (−cos Ωt, sin Ωt): the load of an unbalanced rotating mass (Modin and Söderlind 2011). As it depends
/// on time, H is not constant.
class RotatingLoad final : public ForceTerm {
 public:
  RotatingLoad(std::string name, double amplitude, double frequency);
  [[nodiscard]] ForceTraits traits() const override { return {.time_dependent = true}; }
  [[nodiscard]] double potential(View q, double time) const override;
  void add_gradient(View q, double time, Values& gradient) const override;

 private:
  [[nodiscard]] std::array<double, 2> load(double time) const;
  double amplitude_, frequency_;
};

/// V = Σ f(|x_i − x_j|²) over pairs of points, or f(|x_i|²) of single points, which have `dimension`
/// coordinates each. Its discrete gradient is along the mean of the distance vectors before and after, which
/// keeps the angular momentum (Gonzalez 1996; Simo and Tarnow 1992).
class RadialForceTerm final : public ForceTerm {
 public:
  RadialForceTerm(std::string name, std::size_t dimension, Curve of_square, bool stiff);
  /// Adds f(|x|²) of one point.
  void add_point(std::size_t point) { pairs_.push_back({point, point}); }
  void add_pair(std::size_t one, std::size_t other) { pairs_.push_back({one, other}); }

  [[nodiscard]] double potential(View q, double time) const override;
  void add_gradient(View q, double time, Values& gradient) const override;
  void add_hessian(View q, double time, Matrix& hessian) const override;
  void add_discrete_gradient(View q0, View q1, double time, Values& gradient) const override;
  void add_discrete_hessian(View q0, View q1, double time, Matrix& by_q1) const override;

 private:
  struct Pair {
    std::size_t one, other;
  };
  [[nodiscard]] Values distance(View q, const Pair& pair) const;
  void add_along(const Pair& pair, double factor, View direction, Values& gradient) const;
  void add_block(const Pair& pair, const Matrix& block, Matrix& hessian) const;

  std::size_t dimension_;
  Curve of_square_;
  std::vector<Pair> pairs_;
};

}  // namespace terrace
