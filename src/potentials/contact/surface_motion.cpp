#include "potentials/contact/surface_motion.hpp"

#include <algorithm>
#include <cmath>

#include "potentials/kernels/nodes_on_lines.hpp"
#include "potentials/kernels/point_boxes.hpp"

namespace terrace {
namespace {

/// The box that holds, after `time`, all points that are in `box` now and whose velocities are in
/// `velocities`; not rounded outwards.
Box moved(const Box& box, const Box& velocities, double time) {
  return {box.low + time * velocities.low, box.high + time * velocities.high};
}

}  // namespace

SurfaceMotion::SurfaceMotion(const ContactSurfaces& surfaces)
    : surfaces_(surfaces),
      start_(surfaces.reference()),
      velocity_(surfaces.size()),
      first_{0, surfaces.first_nodes()},
      second_{surfaces.first_nodes(), surfaces.size()} {}

void SurfaceMotion::set_line(std::span<const NodeLine> lines, double origin) {
  const auto set = [&](const TriangulatedSurface& surface, const Side& side) {
    const std::size_t count = side.end - side.begin;
    find_places(lines, surface.nodes, surface.reference, origin, std::span(start_).subspan(side.begin, count),
                std::span(velocity_).subspan(side.begin, count));
  };
  set(surfaces_.first(), first_);
  set(surfaces_.second(), second_);
  first_.forget();
  second_.forget();
}

void SurfaceMotion::update_line(std::span<const NodeLine> lines, double origin,
                                std::span<const std::uint8_t> changed) {
  surfaces_.visit_nodes([&](std::size_t own, std::size_t local, const Vector3& reference) {
    if (changed[local] == 0) return;
    start_[own] = reference + lines[local].displacement_at(origin);
    velocity_[own] = lines[local].velocity;
    (own < first_.end ? first_ : second_).forget();
  });
}

void SurfaceMotion::set_line(std::span<const NodeLine> lines, double origin,
                             std::span<const std::int32_t> nodes) {
  for (const std::int32_t node : nodes) {
    const std::size_t own = index(node);
    const NodeLine& line = at(lines, surfaces_.local(own));
    start_[own] = surfaces_.reference(own) + line.displacement_at(origin);
    velocity_[own] = line.velocity;
  }
  first_.forget();
  second_.forget();
}

void SurfaceMotion::positions_at(double s, std::span<Vector3> positions) const {
  for (std::size_t i = 0; i < start_.size(); ++i) positions[i] = start_[i] + s * velocity_[i];
}

void SurfaceMotion::positions_at(double s, std::span<const std::int32_t> nodes,
                                 std::span<Vector3> positions) const {
  for (const std::int32_t node : nodes) at(positions, node) = at(start_, node) + s * at(velocity_, node);
}

void SurfaceMotion::find_speeds(Side& side) const {
  if (side.speeds_known) return;
  side.velocities = box_about(side.of(velocity_));
  side.speeds_known = true;
}

void SurfaceMotion::find_positions(Side& side, double s) const {
  if (side.positions_known && side.at == s) return;
  side.positions = box_about_moved(side.of(start_), side.of(velocity_), s);
  side.positions_known = true;
  side.at = s;
}

void SurfaceMotion::find_relative_speeds() {
  find_speeds(first_);
  find_speeds(second_);
}

double SurfaceMotion::relative_component() {
  find_relative_speeds();
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k)
    largest = std::max({largest, first_.velocities.high[k] - second_.velocities.low[k],
                        second_.velocities.high[k] - first_.velocities.low[k]});
  return largest;
}

double SurfaceMotion::relative_speed() {
  find_relative_speeds();
  return largest_difference(first_.velocities, second_.velocities);
}

double SurfaceMotion::meeting_time(double s, double distance) {
  if (surfaces_.is_self()) return 0;
  find_relative_speeds();
  find_positions(first_, s);
  find_positions(second_, s);
  return boxes_meet(first_.positions, first_.velocities, second_.positions, second_.velocities, distance);
}

// Boxes of an earlier instant, moved on to s, are larger than boxes found at s: where they stay apart, with
// some room for rounding, those do too. Most events change the lines of only one of the two surfaces.
bool SurfaceMotion::stay_apart(double s, double distance, double duration) {
  if (surfaces_.is_self()) return false;
  find_relative_speeds();
  double room = 0;
  const auto box_at = [&](Side& side) {
    if (!side.positions_known || side.at > s) find_positions(side, s);
    room += largest_component(side.positions) + s * largest_component(side.velocities);
    return moved(side.positions, side.velocities, s - side.at);
  };
  const Box first = box_at(first_), second = box_at(second_);
  constexpr double rounding = 1e-12;
  const double meeting =
      boxes_meet(first, first_.velocities, second, second_.velocities, distance + rounding * room);
  return (1 + rounding) * duration < meeting || duration < meeting_time(s, distance);
}

}  // namespace terrace
