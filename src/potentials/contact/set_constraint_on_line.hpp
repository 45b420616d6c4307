// The set constraint along the nodes' lines: the first collision of two surfaces.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "geometry/nearest_points.hpp"
#include "potentials/contact/set_constraint.hpp"
#include "potentials/contact/surface_motion.hpp"

namespace terrace {

/// The list of feature pairs is kept until the surfaces have moved too far relative to each other. Every
/// result depends on the lines, the origin and `from` alone, not on what is kept.
class ImpenetrabilityOnLine : public ConstraintOnLine {
 public:
  explicit ImpenetrabilityOnLine(const ImpenetrabilityConstraint& constraint);

  /// The first collision from origin + from on. The search ends where the bodies could have moved a quarter
  /// of the candidates' skin relative to each other; or, while their boxes are apart, where these can meet.
  FirstCollision first_collision(double from, double to) override;

  /// Adds the gradient of the distance g of the pair that first_collision found, ∂g/∂x_i = w_i n
  /// (NearestPoints): its four terms sum to zero to the bit. Adds nothing if it found none.
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double work() const override { return 0.2 * static_cast<double>(surfaces_.nodes().size()); }

  /// The least distance of any two features at origin + s; exact where it is below half the candidates' skin.
  /// For tests.
  [[nodiscard]] double distance(double s);
  /// Position of a node near which, at origin + s, an edge of one surface pierces a triangle of the other by
  /// more than rounding; nothing if there is none.
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
  /// Numbers all features: every vertex, then every triangle, then every edge, each time the first surface's
  /// before the second's.
  void number_features();
  /// The nodes of the feature with this number, the last one repeated to make three.
  [[nodiscard]] Triangle nodes_of(std::size_t number) const;
  [[nodiscard]] Numbers numbers_of(const BroadPhase::Pair& triangles) const {
    return {triangles_at_[0] + index(triangles.first), triangles_at_[1] + index(triangles.second)};
  }
  /// Lists the pairs of features near each other at the positions now_, unless the present list still holds.
  void list_pairs();
  /// Appends the pairs of features that a pair of triangles stands for: each feature is listed with one
  /// triangle alone.
  void list_pairs_of(const BroadPhase::Pair& triangles);
  /// Lists in features_ all features that are in a pair, and replaces their numbers by their places there.
  void find_features();
  [[nodiscard]] bool intersects(const BroadPhase::Pair& triangles) const;
  /// Keeps the pair in `result` and colliding_ if it touches before all others so far; of simultaneous ones
  /// the first tested.
  void test(const FeaturePair& pair, double from, double to, FirstCollision& result);
  /// Writes to swept_ the box of every feature in features_ on its way from s = from to s = to. Returns the
  /// largest magnitude of a coordinate of these boxes.
  double sweep_boxes(double from, double to);
  [[nodiscard]] NearestPoints nearest(const FeaturePair& pair, std::span<const Vector3> positions) const;

  const ImpenetrabilityConstraint& constraint_;
  const ContactSurfaces& surfaces_;
  SurfaceMotion motion_;
  std::optional<FeaturePair> colliding_;
  Numbers triangles_at_{}, edges_at_{};  ///< numbers of either surface's first triangle and edge

  BroadPhase broad_phase_;
  std::uint64_t listed_build_ = 0;
  std::vector<FeaturePair> pairs_;
  std::vector<std::size_t> pairs_end_;  ///< for each candidate pair of triangles, the end of its pairs
  std::vector<Numbers> triangles_;      ///< for each candidate pair, the places of its triangles in features_
  std::vector<std::size_t> features_;   ///< numbers of the features that are in a pair, ascending
  std::vector<Box> swept_;              ///< by place in features_
  std::vector<Vector3> now_;
};

}  // namespace terrace
