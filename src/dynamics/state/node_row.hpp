// A node as restart files and messages hold it.
#pragma once

#include <array>
#include <cstdint>

namespace terrace {

/// A node's line and its momentum.
struct NodeRow {
  std::array<double, 7> line{};             ///< displacement [m] at `time`, velocity [m/s], time [s]
  std::array<std::uint64_t, 6> momentum{};  ///< by axis, low and high half of the integer in quanta
  bool operator==(const NodeRow&) const = default;
};

}  // namespace terrace
