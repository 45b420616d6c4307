// Where nodes are: on their lines at an instant, or anywhere.
#pragma once

#include <limits>
#include <span>

#include "potentials/node_line.hpp"

namespace terrace {

/// The displacements [length] of all local nodes from their reference positions. A view: what it was made of
/// must outlive it.
class Displacements {
 public:
  /// On their lines at `instant`.
  Displacements(std::span<const NodeLine> lines, double instant) : lines_(lines), instant_(instant) {}
  /// As given, one for each local node.
  explicit Displacements(std::span<const Vector3> values) : values_(values) {}

  [[nodiscard]] Vector3 operator[](std::size_t node) const {
    return values_.empty() ? lines_[node].displacement_at(instant_) : values_[node];
  }
  /// Time at which the nodes are there; not a number where they are nowhere in time.
  [[nodiscard]] double instant() const { return instant_; }

 private:
  std::span<const NodeLine> lines_;
  std::span<const Vector3> values_;
  double instant_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace terrace
