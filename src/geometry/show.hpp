// A point in messages.
#pragma once

#include <fmt/core.h>

#include <string>

#include "geometry/vector3.hpp"

namespace terrace {

/// "(x, y, z)", six digits each.
inline std::string show(const Vector3& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

}  // namespace terrace
