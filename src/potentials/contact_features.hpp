// Vertices, edges and triangles of two surfaces, and which of them are worth testing for a touch.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"
#include "potentials/broad_phase.hpp"
#include "potentials/continuous_collision.hpp"

namespace terrace {

/// A vertex, an edge or a triangle: its 1, 2 or 3 nodes.
struct Feature {
  std::array<std::int32_t, 3> nodes{-1, -1, -1};
  std::int32_t size = 0;
};

/// A feature of the first surface and one of the second that may touch each other: a vertex and a triangle,
/// a triangle and a vertex, or two edges.
struct FeaturePair {
  std::int32_t first, second;
  friend auto operator<=>(const FeaturePair&, const FeaturePair&) = default;
};

/// The features of two surfaces whose nodes are numbered [0, first_nodes) and on from there.
class ContactFeatures {
 public:
  ContactFeatures() = default;
  ContactFeatures(const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                  std::size_t node_count);

  [[nodiscard]] const Feature& operator[](std::int32_t feature) const {
    return features_[static_cast<std::size_t>(feature)];
  }
  [[nodiscard]] std::size_t size() const { return features_.size(); }

  /// The pairs of features of pairs of triangles, each once, ascending: two triangles touch where a vertex of
  /// the one touches the other, or two edges each other.
  [[nodiscard]] std::vector<FeaturePair> pairs_of(std::span<const BroadPhase::Pair> triangles) const;

  /// The nodes of a pair in the order of FourPoints.
  [[nodiscard]] std::array<std::size_t, 4> nodes_of(const FeaturePair& pair) const;
  [[nodiscard]] PairKind kind_of(const FeaturePair& pair) const {
    return (*this)[pair.first].size == 2 ? PairKind::edge_edge : PairKind::vertex_triangle;
  }

 private:
  void add_edges(const std::vector<Triangle>& triangles);

  std::vector<Feature> features_;  ///< vertices, numbered as nodes; then triangles; then edges
  std::int32_t first_triangle_ = 0, second_triangles_ = 0;
  std::vector<std::array<std::int32_t, 3>> edges_of_;  ///< of each triangle: features
};

}  // namespace terrace
