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
    features_.push_back({{static_cast<std::int32_t>(node), -1, -1}, 1});
  for (const auto* triangles : {&first, &second})
    for (const Triangle& triangle : *triangles) features_.push_back({triangle, 3});
  add_edges(first);
  add_edges(second);
}

void ContactFeatures::add_edges(const std::vector<Triangle>& triangles) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers;
  for (const Triangle& triangle : triangles) {
    std::array<std::int32_t, 3> edges{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(triangle[k], triangle[(k + 1) % 3]);
      const auto [place, is_new] = numbers.try_emplace({a, b}, static_cast<std::int32_t>(features_.size()));
      if (is_new) features_.push_back({{a, b, -1}, 2});
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

}  // namespace terrace
