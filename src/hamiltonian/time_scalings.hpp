// The small systems' own scalings of time l(q), for steps that adapt to the state.
#pragma once

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

/// l = (1/q² + 1/(q − d)²)^{−½} (Modin 2009, paper III, example 3, where it is printed without the exponent).
class CentresScaling final : public TimeScaling {
 public:
  explicit CentresScaling(double distance) : distance_(distance) {}
  [[nodiscard]] double value(View q) const override;
  [[nodiscard]] Values gradient(View q) const override;

 private:
  double distance_;
};

/// l = |q|^a.
class RadiusScaling final : public TimeScaling {
 public:
  explicit RadiusScaling(double exponent) : exponent_(exponent) {}
  [[nodiscard]] double value(View q) const override;
  [[nodiscard]] Values gradient(View q) const override;
  void add_hessian(View q, double factor, Matrix& hessian) const override;

 private:
  double exponent_;
};

/// l = (K₁ H(q)² + K₂ H(−q)²)^{−½}, H(s) = atan(s/c)/π + ½: the first term of (28) of Modin and Führer 2006
/// with the smoothed contact (29).
class WallScaling final : public TimeScaling {
 public:
  WallScaling(double soft, double stiff, double smoothing)
      : soft_(soft), stiff_(stiff), smoothing_(smoothing) {}
  [[nodiscard]] double value(View q) const override;
  [[nodiscard]] Values gradient(View q) const override;
  void add_hessian(View q, double factor, Matrix& hessian) const override;

 private:
  double soft_, stiff_, smoothing_;
};

/// l = (‖V″‖ + c)^{−½} for balls in the unit square, c the `limit`. ‖V″‖ is estimated by the sum of the
/// smoothed contact stiffnesses K H(d)² of all pairs and walls, d the overlap.
class ContactScaling final : public TimeScaling {
 public:
  ContactScaling(double radius, double stiffness, double smoothing, double limit)
      : radius_(radius), stiffness_(stiffness), smoothing_(smoothing), limit_(limit) {}
  [[nodiscard]] double value(View q) const override;
  [[nodiscard]] Values gradient(View q) const override;

 private:
  /// Returns Σ K H(d)² and adds its gradient to `gradient` unless that is null.
  double stiffness_at(View q, Values* gradient) const;
  double radius_, stiffness_, smoothing_, limit_;
};

}  // namespace terrace
