// How the end of a step of the smooth part of a system moves as the step grows: what makes the first meeting
// with an interface certain.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dynamics/piecewise/smooth_flow.hpp"

namespace terrace {

/// The velocity of every node on its way is within a ball about a constant one, all the time.
struct MotionBound {
  std::vector<Vector3> velocities;  ///< of each node
  double spread = 0;                ///< radius of the balls
  /// A bound of every node's speed.
  [[nodiscard]] double speed() const;
};

/// Of x(s), s in [0, step], where x(s) is the end of symmetric_step of length s and this order, or of
/// runge_kutta_step with order 0. By bounds of forces and stiffnesses in a ball about the nodes that all
/// stages of all these steps stay in; nothing where there is no such ball, as near a singularity.
[[nodiscard]] std::optional<MotionBound> bound_of_steps(const SmoothForces& forces, const Phase& phase,
                                                        double step, int order);

}  // namespace terrace
