// Two boundary surfaces on their nodes' straight lines.
#pragma once

#include <span>
#include <vector>

#include "geometry/box.hpp"
#include "potentials/contact/contact_surfaces.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// Positions and velocities of the nodes of two surfaces, in the surfaces' own numbering, on lines x(origin +
/// s). `relative_*`, `meeting_time` and `stay_apart` use boxes about the nodes of each surface.
class SurfaceMotion {
 public:
  /// `surfaces` must outlive this.
  explicit SurfaceMotion(const ContactSurfaces& surfaces);

  void set_line(std::span<const NodeLine> lines, double origin);
  void update_line(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed);

  /// Sets the lines of these nodes alone (own numbering). Questions about all nodes are then void until the
  /// lines of all are set.
  void set_line(std::span<const NodeLine> lines, double origin, std::span<const std::int32_t> nodes);

  void positions_at(double s, std::span<Vector3> positions) const;
  void positions_at(double s, std::span<const std::int32_t> nodes, std::span<Vector3> positions) const;
  [[nodiscard]] const Vector3& start(std::size_t own) const { return start_[own]; }
  [[nodiscard]] const Vector3& velocity(std::size_t own) const { return velocity_[own]; }
  [[nodiscard]] std::span<const Vector3> velocities() const { return velocity_; }

  /// Bound of the magnitude of every component of the velocity of a node of one surface relative to a node of
  /// the other.
  [[nodiscard]] double relative_component();
  /// Bound of the speed of a node of one surface relative to a node of the other: the norm of the largest
  /// components.
  [[nodiscard]] double relative_speed();
  /// Earliest time from s on at which the surfaces' boxes can come within `distance`; +∞ if never. 0 for a
  /// surface against itself.
  [[nodiscard]] double meeting_time(double s, double distance);
  /// Whether meeting_time(s, distance) > duration. Usually decided from boxes found at an earlier s, without
  /// looking at the nodes.
  [[nodiscard]] bool stay_apart(double s, double distance, double duration);

 private:
  /// The nodes [begin, end) of one surface: boxes of their velocities, and of their positions at one s. Each
  /// is computed when first asked for after the lines have changed.
  struct Side {
    std::size_t begin, end;
    Box velocities{}, positions{};
    bool speeds_known = false, positions_known = false;
    double at = 0;  ///< the s of `positions`
    [[nodiscard]] std::span<const Vector3> of(std::span<const Vector3> all) const {
      return all.subspan(begin, end - begin);
    }
    void forget() { speeds_known = positions_known = false; }
  };

  void find_speeds(Side& side) const;
  void find_positions(Side& side, double s) const;
  void find_relative_speeds();

  const ContactSurfaces& surfaces_;
  std::vector<Vector3> start_, velocity_;
  Side first_, second_;
};

}  // namespace terrace
