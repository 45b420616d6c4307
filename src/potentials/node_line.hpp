// The straight line on which a node moves between events.
#pragma once

#include "geometry/vector3.hpp"

namespace terrace {

/// The displacement u(τ) = u + (τ − time) v of a node from its reference position, exact for every τ until
/// the node's next impulse. It fills one cache line, because the kernels gather these.
struct alignas(64) NodeLine {
  Vector3 displacement;
  Vector3 velocity;
  double time;
  double inverse_mass;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [displacement, velocity, time, inverse_mass] = self;
    archive(displacement, velocity, time, inverse_mass);
  }
  [[nodiscard]] Vector3 displacement_at(double instant) const {
    const double elapsed = instant - time;
    return {displacement[0] + elapsed * velocity[0], displacement[1] + elapsed * velocity[1],
            displacement[2] + elapsed * velocity[2]};
  }
};

}  // namespace terrace
