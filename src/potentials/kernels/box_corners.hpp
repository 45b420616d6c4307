// Conversions between Box and BoxCorners, the plain type that the kernels use.
#pragma once

#include "geometry/box.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace {

/// The corners of an empty box.
inline constexpr BoxCorners no_corners = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};

[[nodiscard]] inline Box box_with(const BoxCorners& corners) {
  return {{corners.low[0], corners.low[1], corners.low[2]},
          {corners.high[0], corners.high[1], corners.high[2]}};
}

}  // namespace terrace
