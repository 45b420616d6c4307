// Two boundary surfaces on their nodes' straight lines.
#pragma once

#include <span>
#include <vector>

#include "geometry/box.hpp"
#include "potentials/contact_surfaces.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// Positions and velocities of the nodes of two surfaces in the surfaces' own numbering.
class SurfaceMotion {
 public:
  /// `surfaces` outlives this.
  explicit SurfaceMotion(const ContactSurfaces& surfaces);

  void set_line(std::span<const NodeLine> lines, double origin);
  void update_line(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed);

  void positions_at(double s, std::span<Vector3> positions) const;
  [[nodiscard]] const Vector3& start(std::size_t own) const { return start_[own]; }
  [[nodiscard]] const Vector3& velocity(std::size_t own) const { return velocity_[own]; }
  [[nodiscard]] std::span<const Vector3> velocities() const { return velocity_; }

  /// Bound of every component of the velocity of a node of one surface relative to a node of the other.
  [[nodiscard]] double relative_component();
  /// No node of one surface moves faster than this relative to a node of the other: the norm of the largest
  /// components.
  [[nodiscard]] double relative_speed();
  /// Earliest time from s on at which the surfaces' boxes can come within `distance`; +∞ if never. 0 for a
  /// surface against itself.
  [[nodiscard]] double meeting_time(double s, double distance);

 private:
  void find_velocity_boxes();

  const ContactSurfaces& surfaces_;
  std::vector<Vector3> start_, velocity_;

  // Found when first asked for on a line.
  bool speeds_known_ = false;
  Box first_velocities_, second_velocities_, first_box_, second_box_;
  double box_at_ = -1;
};

}  // namespace terrace
