// Candidate pairs of triangles of two surfaces, kept until the surfaces have moved relative to each other.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/box.hpp"
#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Remembers the positions of two sets of nodes, [0, first_nodes) and all others, and tells how far the sets
/// have moved relative to each other since. A motion that both sets share does not count.
class RelativeMotion {
 public:
  explicit RelativeMotion(std::size_t first_nodes) : first_nodes_(first_nodes) {}
  void start_at(std::span<const Vector3> positions) { start_.assign(positions.begin(), positions.end()); }
  /// Largest |component| of the relative displacement of a node of one set and a node of the other; +∞ before
  /// start_at.
  [[nodiscard]] double drift(std::span<const Vector3> positions) const;

 private:
  std::size_t first_nodes_;
  std::vector<Vector3> start_;
};

/// Pairs (triangle of the first surface, triangle of the second) whose boxes came within `skin` of each other
/// at the last build, found by a sorted sweep. A pair that is not listed stays apart by at least skin −
/// drift(). A motion that both surfaces share does not count.
class BroadPhase {
 public:
  /// Of all positions given later, [0, first_nodes) are those of the first surface's nodes, the others those
  /// of the second's. The triangles of each surface number its own nodes from 0 on. The spans must outlive
  /// this. `skin` > 0 [length].
  BroadPhase(std::span<const Triangle> first, std::span<const Triangle> second, std::size_t first_nodes,
             double skin);

  using Pair = std::pair<std::int32_t, std::int32_t>;
  /// The listed pairs, ascending.
  [[nodiscard]] std::span<const Pair> candidates() const { return candidates_; }
  [[nodiscard]] double skin() const { return skin_; }
  /// Number of builds so far; 0: there is no list yet.
  [[nodiscard]] std::uint64_t builds() const { return builds_; }

  /// Largest |component| of a relative displacement since the build; +∞ before the first build.
  [[nodiscard]] double drift(std::span<const Vector3> positions) const { return motion_.drift(positions); }

  /// Builds anew if the drift exceeds `allowed` ≤ skin. Returns the drift since the last build: 0 after a new
  /// one.
  double cover(std::span<const Vector3> positions, double allowed);

  /// Lists all pairs whose boxes, at these positions, are within the skin.
  void build(std::span<const Vector3> positions);

 private:
  std::span<const Triangle> first_, second_;
  std::size_t first_nodes_;
  double skin_;
  RelativeMotion motion_;
  std::vector<Pair> candidates_;
  std::uint64_t builds_ = 0;
};

}  // namespace terrace
