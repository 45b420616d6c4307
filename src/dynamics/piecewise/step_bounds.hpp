// Bounds on how the end of a step in the smooth part of a potential moves as the step grows: they make the
// first meeting with an interface certain.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dynamics/piecewise/smooth_flow.hpp"

namespace terrace {

/// A bound of a motion: each node's velocity is within a ball about a constant one all the time.
struct MotionBound {
  std::vector<Vector3> velocities;  ///< of each node
  double spread = 0;                ///< radius of the balls
  /// A bound of every node's speed.
  [[nodiscard]] double speed() const;
};

/// A bound of the motion x(s), s in [0, step], where x(s) is the end of symmetric_step of length s and this
/// order, or of runge_kutta_step with order 0. It is found from bounds of forces and stiffnesses in balls
/// about the nodes in which all stages of all these steps stay; nothing where no such balls are found, as
/// near a singularity.
[[nodiscard]] std::optional<MotionBound> bound_of_steps(const SmoothForces& forces, const Phase& phase,
                                                        double step, int order);

}  // namespace terrace
