// Displacements of nodes: those on their lines at an instant, or arbitrary ones.
#pragma once

#include <limits>
#include <span>

#include "potentials/node_line.hpp"

namespace terrace {

/// The displacements [length] of all local nodes from their reference positions. A view: the lines or values
/// it refers to must outlive it.
class Displacements {
 public:
  /// The displacements of nodes on their lines at `instant`.
  Displacements(std::span<const NodeLine> lines, double instant) : lines_(lines), instant_(instant) {}
  /// The given displacements, one for each local node.
  explicit Displacements(std::span<const Vector3> values) : values_(values) {}

  [[nodiscard]] Vector3 operator[](std::size_t node) const {
    return values_.empty() ? lines_[node].displacement_at(instant_) : values_[node];
  }
  /// The time of these displacements; NaN where they were given as values.
  [[nodiscard]] double instant() const { return instant_; }

 private:
  std::span<const NodeLine> lines_;
  std::span<const Vector3> values_;
  double instant_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace terrace
