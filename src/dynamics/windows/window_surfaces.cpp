#include "dynamics/windows/window_surfaces.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/infinity.hpp"

namespace terrace {
WindowSurfaces::WindowSurfaces(const Lagrangian& system, const ContactPairs& pairs)
    : system_(system),
      pairs_(pairs),
      outlines_(static_cast<std::size_t>(pairs.bodies())),
      known_at_(std::numeric_limits<double>::quiet_NaN()),
      places_(outlines_.size()) {}

SurfaceOutline WindowSurfaces::outline(std::int32_t body, std::span<const NodeLine> lines,
                                       double time) const {
  SurfaceOutline outline;
  const std::span<const std::int32_t> nodes = pairs_.surface_nodes(body);
  if (nodes.empty()) return outline;
  const auto place = [&](std::int32_t node) {
    return at(system_.reference, node) + at(lines, node).displacement_at(time);
  };
  for (const std::int32_t node : nodes) {
    outline.box.include(place(node));
    outline.velocity += at(lines, node).velocity;
    outline.centre += place(node);
  }
  const double share = 1 / static_cast<double>(nodes.size());
  outline.velocity = share * outline.velocity;
  outline.centre = share * outline.centre;
  double radius_squared = 0, spread_squared = 0;
  for (const std::int32_t node : nodes) {
    const Vector3 away = place(node) - outline.centre, faster = at(lines, node).velocity - outline.velocity;
    radius_squared = std::max(radius_squared, dot(away, away));
    spread_squared = std::max(spread_squared, dot(faster, faster));
  }
  outline.radius = std::sqrt(radius_squared);
  outline.spread = std::sqrt(spread_squared);
  return outline;
}

std::vector<Box> WindowSurfaces::boxes() const {
  std::vector<Box> boxes;
  for (const SurfaceOutline& outline : outlines_) boxes.push_back(outline.box);
  return boxes;
}

void WindowSurfaces::look_at(std::span<const NodeLine> lines, double time) {
  lines_ = lines;
  for (Places& places : places_)
    if (places.look < looks_)
      std::vector<Vector3>().swap(places.of_nodes);  // not asked for since the last look
  ++looks_;
  if (known_at_ == time) return;
  for (std::int32_t body = 0; body < bodies(); ++body) {
    looks_at_nodes_(body);
    learn(body, outline(body, lines, time));
  }
  know(time);
}

std::span<const Vector3> WindowSurfaces::places(std::int32_t body) const {
  Places& places = at(places_, body);
  if (places.look == looks_) return places.of_nodes;
  looks_at_nodes_(body);
  places.of_nodes.clear();
  for (const std::int32_t node : pairs_.surface_nodes(body))
    places.of_nodes.push_back(at(system_.reference, node) + at(lines_, node).displacement_at(known_at_));
  places.look = looks_;  // last, so that no incomplete list counts if an exception came before
  return places.of_nodes;
}

double WindowSurfaces::farthest_later(std::int32_t body, const Vector3& direction, double length) const {
  const std::span<const Vector3> now = places(body);
  const std::span<const std::int32_t> nodes = pairs_.surface_nodes(body);
  const Vector3 way = length * direction;
  double farthest = -infinity;
  for (std::size_t i = 0; i < now.size(); ++i)
    farthest = std::max(farthest, dot(now[i], direction) + dot(at(lines_, nodes[i]).velocity, way));
  return farthest;
}

Box WindowSurfaces::swept(std::int32_t body, double length, double radius) const {
  const SurfaceOutline& outline = at(outlines_, body);
  Box box = outline.box;
  if (!has_nodes(body)) return box;
  box.include(outline.box.low + length * outline.velocity);
  box.include(outline.box.high + length * outline.velocity);
  for (std::size_t k = 0; k < 3; ++k) {
    box.low[k] -= radius;
    box.high[k] += radius;
  }
  return box;
}

}  // namespace terrace
