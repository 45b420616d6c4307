// Boxes as the kernels have them, which know nothing of other types.
#pragma once

#include "geometry/box.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace {

/// Of a box without points.
inline constexpr BoxCorners no_corners = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};

[[nodiscard]] inline Box box_with(const BoxCorners& corners) {
  return {{corners.low[0], corners.low[1], corners.low[2]},
          {corners.high[0], corners.high[1], corners.high[2]}};
}

}  // namespace terrace
