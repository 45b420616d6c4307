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

  /// Where its nodes are now, in the order of ContactPairs::surface_nodes. It stays until the next look.
  [[nodiscard]] std::span<const Vector3> places(std::int32_t body) const;
  /// How far any of its nodes is along `direction` after `length`, in lengths of it, if they go on each by
  /// itself.
  [[nodiscard]] double farthest_later(std::int32_t body, const Vector3& direction, double length) const;
  /// At which bodies touch at most [length].
  [[nodiscard]] double reach() const { return pairs_.largest_activation(); }
  /// All that the body may reach in a time `length` if it stays so near to its flight, in each coordinate.
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
  mutable std::vector<Places> places_;  // of bodies that were asked for
};

}  // namespace terrace
