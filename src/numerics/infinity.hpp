// Infinity: the time of what never happens, and the bound of what has none.
#pragma once

#include <limits>

namespace terrace {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace terrace
