// Surfaces of bodies in flight, as the planning of windows sees them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "geometry/box.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// A body's surface at one instant, as coarsely as most comparisons need it. The rank that works on the body
/// tells it to all others.
struct SurfaceOutline {
  Box box;
  Vector3 velocity{};  ///< of the surface as a whole: mean of its nodes [length/time]
  Vector3 centre{};    ///< mean of its nodes
  double radius = 0;   ///< largest distance of a node from the centre [length]
  double spread = 0;   ///< largest difference of a node's velocity from that of the whole [length/time]

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [box, velocity, centre, radius, spread] = self;
    archive(box, velocity, centre, radius, spread);
  }
};

/// The surfaces of all bodies at one instant. Nodes are looked at only for questions that outlines cannot
/// answer.
class WindowSurfaces {
 public:
  /// `system` holds all nodes. Both outlive this.
  WindowSurfaces(const Lagrangian& system, const ContactPairs& pairs);

  /// Computes the outline of a body whose surface nodes are on these lines, at `time`.
  [[nodiscard]] SurfaceOutline outline(std::int32_t body, std::span<const NodeLine> lines, double time) const;
  /// Stores the outline of a body; when those of all bodies are stored, know() names their instant.
  void learn(std::int32_t body, const SurfaceOutline& outline) { at(outlines_, body) = outline; }
  void know(double time) { known_at_ = time; }
  /// The instant of all outlines; NaN if there is none.
  [[nodiscard]] double known_at() const { return known_at_; }
  /// The boxes of all outlines, by body.
  [[nodiscard]] std::vector<Box> boxes() const;
  /// The outlines are out of date, as lines have changed.
  void forget() { know(std::numeric_limits<double>::quiet_NaN()); }
  /// Sets the instant of all following questions. Computes all outlines, unless they are known for it.
  /// `lines` must stay unchanged until the last question.
  void look_at(std::span<const NodeLine> lines, double time);
  /// From now on `looks(body)` is called before the nodes of a body are looked at.
  void tell_before_looks(std::function<void(std::int32_t)> looks) { looks_at_nodes_ = std::move(looks); }

  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(outlines_.size()); }
  [[nodiscard]] const SurfaceOutline& operator[](std::int32_t body) const { return at(outlines_, body); }
  [[nodiscard]] bool has_nodes(std::int32_t body) const { return !pairs_.surface_nodes(body).empty(); }

  /// The positions of a body's surface nodes now, in the order of ContactPairs::surface_nodes. Valid until
  /// the next look_at().
  [[nodiscard]] std::span<const Vector3> places(std::int32_t body) const;
  /// The largest product of `direction` and the position of a surface node of the body, after a time `length`
  /// in which each node keeps its velocity.
  [[nodiscard]] double farthest_later(std::int32_t body, const Vector3& direction, double length) const;
  /// The largest activation distance of contact between any two bodies [length].
  [[nodiscard]] double reach() const { return pairs_.largest_activation(); }
  /// The box of all that the surface may reach in a time `length`, if it flies on as a whole and no node
  /// strays from that by more than `radius` in any coordinate.
  [[nodiscard]] Box swept(std::int32_t body, double length, double radius) const;

 private:
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
  mutable std::vector<Places> places_;  // by body; empty where they were not asked for
};

}  // namespace terrace
