// The set constraint along the nodes' lines: the first collision of two surfaces.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "geometry/nearest_points.hpp"
#include "potentials/contact/set_constraint.hpp"
#include "potentials/contact/surface_motion.hpp"

namespace terrace {

/// The boxes of triangles are kept until the surfaces have moved relative to each other. Every result depends
/// on the lines, the origin and `from` alone, not on what is kept.
class ImpenetrabilityOnLine : public ConstraintOnLine {
 public:
  explicit ImpenetrabilityOnLine(const ImpenetrabilityConstraint& constraint);

  /// The first collision from origin + from on, looked for until the bodies could have moved a quarter of the
  /// boxes' skin relative to each other, or, while their boxes are apart, until these can meet.
  FirstCollision first_collision(double from, double to) override;

  /// The gradient of the distance of the pair that first_collision found, ∂g/∂x_i = w_i n: its four terms sum
  /// to zero to the bit. Nothing if it found none.
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double work() const override { return 0.2 * static_cast<double>(surfaces_.nodes().size()); }

  /// The least distance of any two features at origin + s, exact where it is below the skin. For tests.
  [[nodiscard]] double distance(double s);
  /// Near which node, at origin + s, an edge of one surface pierces a triangle of the other by more than
  /// rounding.
  [[nodiscard]] std::optional<Vector3> intersection(double s);

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  /// A vertex and a triangle or two edges, one of each surface, and their places in features_.
  struct FeaturePair {
    PairKind kind;
    std::array<std::int32_t, 4> nodes;
    std::array<std::size_t, 2> features;
  };

  using Numbers = std::array<std::size_t, 2>;
  /// Every vertex, then triangle, then edge, of the first surface and then the second, has a number.
  void number_features();
  /// A feature's nodes, the last one repeated to three.
  [[nodiscard]] Triangle nodes_of(std::size_t number) const;
  [[nodiscard]] Numbers numbers_of(const BroadPhase::Pair& triangles) const {
    return {triangles_at_[0] + index(triangles.first), triangles_at_[1] + index(triangles.second)};
  }
  void list_pairs();
  void list_pairs_of(const BroadPhase::Pair& triangles);
  void find_features();
  [[nodiscard]] bool intersects(const BroadPhase::Pair& triangles) const;
  void test(const FeaturePair& pair, double from, double to, FirstCollision& result);
  /// Returns the largest magnitude of a coordinate in them.
  double sweep_boxes(double from, double to);
  [[nodiscard]] NearestPoints nearest(const FeaturePair& pair, std::span<const Vector3> positions) const;

  const ImpenetrabilityConstraint& constraint_;
  const ContactSurfaces& surfaces_;
  SurfaceMotion motion_;
  std::optional<FeaturePair> colliding_;
  Numbers triangles_at_{}, edges_at_{};  ///< their first numbers

  BroadPhase broad_phase_;
  std::uint64_t listed_build_ = 0;
  std::vector<FeaturePair> pairs_;
  std::vector<std::size_t> pairs_end_;  ///< for each candidate pair of triangles, the end of its pairs
  std::vector<Numbers> triangles_;      ///< of each candidate, their places in features_
  std::vector<std::size_t> features_;   ///< numbers of those in a pair, ascending
  std::vector<Box> swept_;              ///< by place in features_
  std::vector<Vector3> now_;
};

}  // namespace terrace
