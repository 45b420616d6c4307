// Candidate pairs of triangles of two surfaces, kept until the surfaces have moved relative to each other.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/box.hpp"
#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Remembers positions of two sets of nodes, [0, first_nodes) and the others, and how far the sets have since
/// moved relative to each other; a motion that both share costs nothing.
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
/// at the last build, by a sorted sweep. A pair that is not listed stays apart by at least skin − drift(),
/// where drift is the largest relative displacement of a node of one surface and a node of the other since
/// the build; a motion that both surfaces share costs nothing.
class BroadPhase {
 public:
  /// Of the positions given later [0, first_nodes) are those of the first surface's nodes, all others of the
  /// second's; the triangles number either surface's own from 0 on, and outlive this. `skin` [length] > 0.
  BroadPhase(std::span<const Triangle> first, std::span<const Triangle> second, std::size_t first_nodes,
             double skin);

  using Pair = std::pair<std::int32_t, std::int32_t>;
  /// Ascending.
  [[nodiscard]] std::span<const Pair> candidates() const { return candidates_; }
  [[nodiscard]] double skin() const { return skin_; }
  /// Number of builds so far; 0: there is no list yet.
  [[nodiscard]] std::uint64_t builds() const { return builds_; }

  /// Largest |component| of a relative displacement since the build; +∞ before the first build.
  [[nodiscard]] double drift(std::span<const Vector3> positions) const { return motion_.drift(positions); }

  /// Builds anew if the drift exceeds `allowed` ≤ skin; returns the drift that is left, 0 after a build.
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
