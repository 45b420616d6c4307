// Exact motion of one coordinate in a quadratic potential with a step: the half of DP2 that meets the step.
#pragma once

#include "dynamics/piecewise/smooth_flow.hpp"
#include "dynamics/piecewise/step_interfaces.hpp"

namespace terrace {

/// U near an interface q* of one coordinate is replaced by its Taylor polynomial of second degree there,
/// whose arcs are known; the rest of U kicks (Tao and Jin, section 3.3).
class QuadraticArcs {
 public:
  /// `forces`: of a system of one particle on a line with one interface; Throws Error(input) for another.
  explicit QuadraticArcs(const SmoothForces& forces);

  /// On along the arcs, with the impacts that are met. Returns the number of reflections.
  int flow(Phase& phase, double step, StepInterfaces& interfaces) const;
  /// By what the polynomial leaves of U.
  void kick_by_rest(Phase& phase, double step) const;

 private:
  /// What a reaction receives in a time while U is the polynomial: at q*, and more for every distance.
  struct Received {
    double at_interface = 0, stiffness = 0;
  };
  [[nodiscard]] double acceleration(double x) const { return at_interface_ - stiffness_ * (x - interface_); }

  const SmoothForces& forces_;
  double interface_ = 0;                     // q*
  double at_interface_ = 0, stiffness_ = 0;  // −U′(q*)/m, U″(q*)/m
  std::vector<Received> received_;           // by each reaction
};

}  // namespace terrace
