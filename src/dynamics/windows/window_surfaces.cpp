#include "dynamics/windows/window_surfaces.hpp"

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
  for (const std::int32_t node : nodes) {
    outline.radius = std::max(outline.radius, norm(place(node) - outline.centre));
    outline.spread = std::max(outline.spread, norm(at(lines, node).velocity - outline.velocity));
  }
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
    if (places.look < looks_) std::vector<Vector3>().swap(places.of_nodes);  // not asked for any more
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
  places.look = looks_;
  places.of_nodes.clear();
  for (const std::int32_t node : pairs_.surface_nodes(body))
    places.of_nodes.push_back(at(system_.reference, node) + at(lines_, node).displacement_at(known_at_));
  return places.of_nodes;
}

WindowSurfaces::Encounter WindowSurfaces::encounter(const Course& a, const Course& b) const {
  constexpr double rounding = 1e-9, of_places = 1e-14;
  const SurfaceOutline &first = at(outlines_, a.body), &second = at(outlines_, b.body);
  const Vector3 now = second.centre - first.centre;
  const double reach = pairs_.largest_activation() +
                       rounding * (first.box.diagonal() + second.box.diagonal() + norm(now)) +
                       of_places * (norm(first.centre) + norm(second.centre));
  const double spread = (a.node_by_node ? first.spread : 0) + (b.node_by_node ? second.spread : 0);
  return {first, second, second.velocity - first.velocity, now, spread, reach};
}

double WindowSurfaces::room_along_axes(const Encounter& met, double length) {
  double room = -met.reach;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool backwards = met.now[k] < 0;
    const double between = backwards ? met.first.box.low[k] - met.second.box.high[k]
                                     : met.second.box.low[k] - met.first.box.high[k];
    const double later = between + length * ((backwards ? -met.velocity[k] : met.velocity[k]) - met.spread);
    room = std::max(room, std::min(between, later) - met.reach);
  }
  return room;
}

double WindowSurfaces::later_between(const Encounter& met, const Vector3& direction, double now,
                                     double length) {
  return now + length * (dot(met.velocity, direction) - met.spread * norm(direction));
}

// Hulls of bodies that go on as wholes keep their shapes.
double WindowSurfaces::later_between_hulls(const Encounter& met, const std::array<Course, 2>& courses,
                                           const HullSeparation& hulls, double length) const {
  const Vector3& direction = hulls.direction();
  if (!(met.spread > 0)) return later_between(met, direction, hulls.between(), length);
  return -farthest_later(courses[1], -1.0 * direction, length) -
         farthest_later(courses[0], direction, length);
}

double WindowSurfaces::room_along(const Encounter& met, const Vector3& direction, double now, double later) {
  const double sum = std::abs(direction[0]) + std::abs(direction[1]) + std::abs(direction[2]);
  if (!(sum > 0)) return -infinity;
  return (std::min(now, later) - norm(direction) * met.reach) / sum;
}

// Of any node, in lengths of the direction.
double WindowSurfaces::farthest_later(const Course& course, const Vector3& direction, double length) const {
  const std::span<const Vector3> now = places(course.body);
  const std::span<const std::int32_t> nodes = pairs_.surface_nodes(course.body);
  const Vector3 way = length * direction;
  const double of_whole = dot(at(outlines_, course.body).velocity, way);
  double farthest = -infinity;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double along = course.node_by_node ? dot(at(lines_, nodes[i]).velocity, way) : of_whole;
    farthest = std::max(farthest, dot(now[i], direction) + along);
  }
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
