// Exact motion of one coordinate in a quadratic potential with a step: the part of DP2 that meets the step.
#pragma once

#include "dynamics/piecewise/smooth_flow.hpp"
#include "dynamics/piecewise/step_interfaces.hpp"

namespace terrace {

/// Divides U of one coordinate with an interface q* in two: its Taylor polynomial of second degree at q*, in
/// which the motion is exact arcs, and the rest, which kicks (Tao and Jin, section 3.3).
class QuadraticArcs {
 public:
  /// `forces`, which must outlive this, are those of one particle on a line with one interface. Throws
  /// Error(input) for another system, Error(run) for a potential without a Hessian.
  explicit QuadraticArcs(const SmoothForces& forces);

  /// Moves along the arcs for `step`, which may be negative, with the impacts that are met. Returns the
  /// number of reflections. Throws Error(run) for 1000 impacts or more.
  int flow(Phase& phase, double step, StepInterfaces& interfaces) const;
  /// Kicks by the forces of U less those of the polynomial.
  void kick_by_rest(Phase& phase, double step) const;

 private:
  /// What a reaction receives per time with the polynomial: at q*, and more per distance from q*.
  struct Received {
    double at_interface = 0, stiffness = 0;
  };
  [[nodiscard]] double acceleration(double x) const { return at_interface_ - stiffness_ * (x - interface_); }

  const SmoothForces& forces_;
  double interface_ = 0;                     // q*
  double at_interface_ = 0, stiffness_ = 0;  // −U′(q*)/m, U″(q*)/m
  std::vector<Received> received_;           // of each reaction
};

}  // namespace terrace
