// The exact set constraint (thesis (2.89), (2.92)): two bodies never pass through each other, and reflect
// where their distance reaches zero.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/nearest_points.hpp"
#include "potentials/contact_surfaces.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = 0 while the bodies are apart, +∞ where they intersect: an energy step of infinite height, from which
/// the trajectory always reflects, along the gradient of the distance g of the pair of features that
/// collides. All others that touch at the same instant follow as events of their own.
///
/// The surfaces are triangles with their normals outwards. "Zero" is a ten-billionth of the smallest edge
/// (touching_per_size): as far apart the bodies stay, and the side on which a feature lies is never in doubt.
///
/// The boxes of triangles are kept until the surfaces have moved relative to each other. Every result depends
/// on the lines, the origin and `from` alone, not on what is kept.
class ImpenetrabilityConstraint : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; triangles in local node numbers, a complete boundary
  /// each, outwards. `where` names the pair in messages. Throws as ContactSurfaces.
  ImpenetrabilityConstraint(std::span<const Vector3> reference_positions,
                            const std::vector<Triangle>& first_boundary,
                            const std::vector<Triangle>& second_boundary, const std::string& where);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return surfaces_.nodes(); }

  /// The first collision from origin + from on, looked for until the bodies could have moved a quarter of the
  /// boxes' skin relative to each other, or, while their boxes are apart, until these can meet.
  FirstCollision first_collision(double from, double to) override;

  /// The gradient of the distance of the pair that first_collision found, ∂g/∂x_i = w_i n: its four terms sum
  /// to zero to the bit. Nothing if it found none.
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  void set_line(std::span<const NodeLine> lines, double origin) override;
  void update_line(std::span<const NodeLine> lines, double origin,
                   std::span<const std::uint8_t> changed) override;
  /// V = 0 on the side where the bodies are.
  void sample(double /*s*/, const LineGrids& /*grids*/, LineSample& /*sum*/) const override {}
  void bound(double /*from*/, double /*to*/, const LineGrids& /*grids*/, LineBound& /*sum*/) const override {}
  [[nodiscard]] double work() const override { return 0.2 * static_cast<double>(surfaces_.nodes().size()); }

  /// The distance [length] at which features touch.
  [[nodiscard]] double touching() const { return touching_; }
  /// The least distance of any two features at origin + s, exact where it is below the skin. For tests.
  [[nodiscard]] double distance(double s);
  /// Near which node, at origin + s, an edge of one surface pierces a triangle of the other by more than
  /// rounding.
  [[nodiscard]] std::optional<Vector3> intersection(double s);

 private:
  /// A vertex and a triangle or two edges, one of each surface, and the places of their boxes.
  struct FeaturePair {
    PairKind kind;
    std::array<std::int32_t, 4> nodes;
    std::array<std::size_t, 2> features;
  };

  void number_features();
  void list_pairs();
  void list_pairs_of(const BroadPhase::Pair& triangles);
  [[nodiscard]] bool intersects(const BroadPhase::Pair& triangles) const;
  void test(const FeaturePair& pair, double from, double to, FirstCollision& result);
  /// Of the boxes of two triangles.
  [[nodiscard]] std::array<std::size_t, 2> places_of(const BroadPhase::Pair& triangles) const {
    return {triangles_at_[0] + static_cast<std::size_t>(triangles.first),
            triangles_at_[1] + static_cast<std::size_t>(triangles.second)};
  }
  void sweep_boxes(double from, double to);
  [[nodiscard]] NearestPoints nearest(const FeaturePair& pair, std::span<const Vector3> positions) const;

  ContactSurfaces surfaces_;
  std::vector<Vector3> normals_;  ///< at the nodes, out of the surfaces in the reference configuration
  double touching_ = 0;
  std::optional<FeaturePair> colliding_;
  /// The nodes of every vertex, then triangle, then edge, of the first surface and then the second; the last
  /// one repeated to three.
  std::vector<std::array<std::int32_t, 3>> features_;
  std::array<std::size_t, 2> triangles_at_{}, edges_at_{};  ///< where they begin in features_

  // Caches; no result depends on what they hold.
  BroadPhase broad_phase_;
  std::uint64_t listed_build_ = 0;
  std::vector<FeaturePair> pairs_;
  std::vector<std::size_t> pairs_end_;  ///< for each candidate pair of triangles, the end of its pairs
  std::vector<std::size_t> paired_features_;
  std::vector<Box> swept_;  ///< of each paired feature
  std::vector<Vector3> now_;
};

/// Throws Error(input), naming `where`, if an edge of one surface pierces a triangle of the other by more
/// than a touch: from there the constraint could not tell inside from outside. Triangles index `positions`.
void require_apart(std::span<const Vector3> positions, const std::vector<Triangle>& first,
                   const std::vector<Triangle>& second, const std::string& where);

}  // namespace terrace
