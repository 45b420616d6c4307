// Surfaces of bodies in flight, as the planning of windows sees them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "geometry/box.hpp"
#include "geometry/hull_separation.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// What most comparisons of a surface need, at an instant. Who works on a body tells it to all.
struct SurfaceOutline {
  Box box;
  Vector3 velocity{};  ///< of the surface as a whole [length/time]
  Vector3 centre{};    ///< mean of its nodes
  double radius = 0;   ///< no node is farther from the centre [length]
  double spread = 0;   ///< no node's velocity is farther from that of the whole [length/time]

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [box, velocity, centre, radius, spread] = self;
    archive(box, velocity, centre, radius, spread);
  }
};

/// Of all bodies, at one instant. Nodes are looked at only where outlines do not tell.
class WindowSurfaces {
 public:
  /// `system` holds all nodes. Both outlive this.
  WindowSurfaces(const Lagrangian& system, const ContactPairs& pairs);

  [[nodiscard]] SurfaceOutline outline(std::int32_t body, std::span<const NodeLine> lines, double time) const;
  /// Of a body, at the instant that know() names when all have been learnt.
  void learn(std::int32_t body, const SurfaceOutline& outline) { at(outlines_, body) = outline; }
  void know(double time) { known_at_ = time; }
  [[nodiscard]] double known_at() const { return known_at_; }
  [[nodiscard]] std::vector<Box> boxes() const;
  /// Lines are others than those that were learnt.
  void forget() { know(std::numeric_limits<double>::quiet_NaN()); }
  /// The instant at which surfaces are asked for from now on; all are looked at unless they were learnt for
  /// it. `lines` must stay until the last question.
  void look_at(std::span<const NodeLine> lines, double time);
  /// `looks(body)` is called before a body's nodes are looked at.
  void tell_before_looks(std::function<void(std::int32_t)> looks) { looks_at_nodes_ = std::move(looks); }

  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(outlines_.size()); }
  [[nodiscard]] const SurfaceOutline& operator[](std::int32_t body) const { return at(outlines_, body); }
  [[nodiscard]] bool has_nodes(std::int32_t body) const { return !pairs_.surface_nodes(body).empty(); }

  /// A body, and whether it goes on node by node or as a whole (Flight).
  struct Course {
    std::int32_t body;
    bool node_by_node;
  };
  /// The room that two bodies may take together beside their courses for a time `length`, along an axis, or
  /// the line of centres now and then, or, `closely`, the shortest way between their hulls; negative where no
  /// such direction separates them. Where it is certainly `enough(room)`, more is not looked for.
  template <class Enough>
  [[nodiscard]] double room_between(const Course& a, const Course& b, double length, bool closely,
                                    Enough enough) const;
  /// All that the body may reach in a time `length` if it stays so near to its flight, in each coordinate.
  [[nodiscard]] Box swept(std::int32_t body, double length, double radius) const;

 private:
  /// Two bodies from now on.
  struct Encounter {
    const SurfaceOutline &first, &second;
    Vector3 velocity, now;  // of the second as the first sees it
    double spread;          // no two nodes' velocities differ from that by more, where they go on by nodes
    double reach;           // of contact, with what rounding may take
  };
  [[nodiscard]] Encounter encounter(const Course& a, const Course& b) const;
  [[nodiscard]] static double room_along_axes(const Encounter& encounter, double length);
  /// With so much between the surfaces along `direction` now and later, in lengths of it.
  [[nodiscard]] static double room_along(const Encounter& encounter, const Vector3& direction, double now,
                                         double later);
  /// What is between them after `length`, at least, where so much is now.
  [[nodiscard]] static double later_between(const Encounter& encounter, const Vector3& direction, double now,
                                            double length);
  /// The same of their hulls, exactly.
  [[nodiscard]] double later_between_hulls(const Encounter& encounter, const std::array<Course, 2>& courses,
                                           const HullSeparation& hulls, double length) const;
  [[nodiscard]] double farthest_later(const Course& course, const Vector3& direction, double length) const;
  [[nodiscard]] std::span<const Vector3> places(std::int32_t body) const;

  const Lagrangian& system_;
  const ContactPairs& pairs_;
  std::vector<SurfaceOutline> outlines_;
  double known_at_;
  std::span<const NodeLine> lines_;
  std::int64_t looks_ = 0;
  std::function<void(std::int32_t)> looks_at_nodes_ = [](std::int32_t) {};
  struct Places {
    std::int64_t look = -1;
    std::vector<Vector3> of_nodes;
  };
  mutable std::vector<Places> places_;  // of bodies that were asked for
};

// Axes, then balls about the centres, which cost nothing, tell of most bodies.
template <class Enough>
double WindowSurfaces::room_between(const Course& a, const Course& b, double length, bool closely,
                                    Enough enough) const {
  const Encounter met = encounter(a, b);
  double room = room_along_axes(met, length);
  if (enough(room)) return room;
  const Vector3 then = met.now + length * met.velocity;
  const Vector3 directions[] = {met.now, then, met.now + then};
  for (const Vector3& direction : directions) {
    const double of_balls =
        dot(direction, met.now) - (met.first.radius + met.second.radius) * norm(direction);
    const double later = later_between(met, direction, of_balls, length);
    const double at_least = std::max(room, room_along(met, direction, of_balls, later));
    if (enough(at_least)) return at_least;
  }
  std::optional<HullSeparation> hulls;
  const auto is_enough = [&] {
    const double later = later_between_hulls(met, {a, b}, *hulls, length);
    room = std::max(room, room_along(met, hulls->direction(), hulls->between(), later));
    return enough(room);
  };
  for (const Vector3& direction : directions) {
    hulls.emplace(places(a.body), places(b.body), direction);
    if (is_enough()) return room;
  }
  constexpr int most = 20;
  for (int more = closely ? most : 0; more > 0 && hulls->improve(); --more)
    if (is_enough()) break;
  return room;
}

}  // namespace terrace
