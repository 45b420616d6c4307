#include "potentials/contact_features.hpp"

#include <algorithm>
#include <map>

namespace terrace {
namespace {

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

ContactFeatures::ContactFeatures(const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                                 std::size_t node_count)
    : first_triangle_(static_cast<std::int32_t>(node_count)),
      second_triangles_(static_cast<std::int32_t>(node_count + first.size())) {
  for (std::size_t node = 0; node < node_count; ++node)
    features_.push_back({{static_cast<std::int32_t>(node), -1, -1}, 1, {-1, -1}});
  for (const auto* triangles : {&first, &second})
    for (const Triangle& triangle : *triangles) {
      const auto number = static_cast<std::int32_t>(features_.size());
      features_.push_back({triangle, 3, {number, -1}});
    }
  add_edges(first, first_triangle_);
  add_edges(second, second_triangles_);
}

void ContactFeatures::add_edges(const std::vector<Triangle>& triangles, std::int32_t first_triangle) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::int32_t triangle = first_triangle + static_cast<std::int32_t>(t);
    std::array<std::int32_t, 3> edges{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      const auto [place, is_new] =
          numbers.try_emplace(std::minmax(a, b), static_cast<std::int32_t>(features_.size()));
      if (is_new) features_.push_back({{std::min(a, b), std::max(a, b), -1}, 2, {triangle, -1}});
      if (!is_new) features_[index(place->second)].beside[1] = triangle;
      edges[k] = place->second;
    }
    edges_of_.push_back(edges);
  }
}

std::vector<FeaturePair> ContactFeatures::pairs_of(std::span<const BroadPhase::Pair> triangles) const {
  std::vector<FeaturePair> pairs;
  pairs.reserve(15 * triangles.size());
  for (const BroadPhase::Pair& pair : triangles) {
    const std::int32_t first = first_triangle_ + pair.first, second = second_triangles_ + pair.second;
    for (const std::int32_t vertex : (*this)[first].nodes) pairs.push_back({vertex, second});
    for (const std::int32_t vertex : (*this)[second].nodes) pairs.push_back({first, vertex});
    for (const std::int32_t a : edges_of_[index(first - first_triangle_)])
      for (const std::int32_t b : edges_of_[index(second - first_triangle_)]) pairs.push_back({a, b});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

std::array<std::size_t, 4> ContactFeatures::nodes_of(const FeaturePair& pair) const {
  const Feature &a = (*this)[pair.first], &b = (*this)[pair.second];
  if (a.size == 2) return {index(a.nodes[0]), index(a.nodes[1]), index(b.nodes[0]), index(b.nodes[1])};
  const Feature &vertex = a.size == 1 ? a : b, &triangle = a.size == 1 ? b : a;
  return {index(vertex.nodes[0]), index(triangle.nodes[0]), index(triangle.nodes[1]),
          index(triangle.nodes[2])};
}

Vector3 ContactFeatures::normal_of(const Feature& feature, std::span<const Vector3> positions) const {
  Vector3 sum{};
  for (const std::int32_t triangle : feature.beside) {
    if (triangle < 0) continue;
    const auto& nodes = (*this)[triangle].nodes;
    const Vector3& corner = positions[index(nodes[0])];
    const Vector3 area = cross(positions[index(nodes[1])] - corner, positions[index(nodes[2])] - corner);
    if (norm(area) > 0) sum += (1 / norm(area)) * area;
  }
  return sum;
}

Vector3 ContactFeatures::outward(const FeaturePair& pair, std::span<const Vector3> positions) const {
  const Feature &a = (*this)[pair.first], &b = (*this)[pair.second];
  if (a.size == 3) return normal_of(a, positions);  // the vertex comes first
  return normal_of(b, positions) - normal_of(a, positions);
}

}  // namespace terrace
