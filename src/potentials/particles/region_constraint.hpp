// Regions that particles never get into: rigid walls, circles, and combinations of them.
#pragma once

#include <optional>
#include <vector>

#include "geometry/region.hpp"
#include "potentials/node_line.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// W = +∞ in a region: an energy step of infinite height for each of some nodes. They are reflected at the
/// region's surface, along its normal.
class RegionConstraint : public SetConstraint {
 public:
  /// `reference`: positions [length] of all local nodes; `nodes` ascending.
  RegionConstraint(std::span<const Vector3> reference, std::vector<std::int32_t> nodes, Region forbidden);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] std::unique_ptr<ConstraintOnLine> on_line() const override;
  [[nodiscard]] const Region& forbidden() const { return forbidden_; }
  /// The reference position of nodes()[i].
  [[nodiscard]] const Vector3& reference(std::size_t i) const { return reference_[i]; }

 private:
  std::vector<std::int32_t> nodes_;
  std::vector<Vector3> reference_;
  Region forbidden_;
};

/// Where a straight line first gets into a region.
struct RegionEntry {
  double instant = 0;
  Vector3 outward{};  ///< unit normal out of the region there
};

/// The first entry of x + s v into the region at some s ≥ from; nothing if it stays out. A line passes at
/// most two surfaces of every part of the region, at the roots of a quadratic or linear function, and between
/// neighbouring roots of all parts nothing changes. So no entry is missed, unless the region is entered and
/// left within rounding. A point that is in the region from the start, as rounding may leave one that has
/// just been reflected, enters at `from` if it moves inwards. The region must have no part given by a
/// formula.
[[nodiscard]] std::optional<RegionEntry> first_entry(const Region& region, const Vector3& x,
                                                     const Vector3& velocity, double from);

/// The constraint along its nodes' lines.
class RegionConstraintOnLine : public ConstraintOnLine {
 public:
  explicit RegionConstraintOnLine(const RegionConstraint& constraint);

  /// Of simultaneous collisions it finds that of the node with the lowest number.
  FirstCollision first_collision(double from, double to) override;
  /// Adds the gradient of the distance from the region of the node that first_collision found; nothing if it
  /// found none.
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double work() const override {
    return 0.02 * static_cast<double>(constraint_.nodes().size());
  }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  struct Motion {
    Vector3 position, velocity;  // at the origin of the line
  };
  struct Collision {
    std::size_t node;  // local
    Vector3 outward;
  };
  void set_motion(std::size_t i, const NodeLine& line, double origin);

  const RegionConstraint& constraint_;
  std::vector<Motion> motions_;  // of each node
  std::optional<Collision> colliding_;
};

}  // namespace terrace
