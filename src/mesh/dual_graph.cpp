#include "mesh/dual_graph.hpp"

#include <algorithm>
#include <numeric>

#include "numerics/at.hpp"

namespace terrace {
namespace {

/// The tetrahedra at each node, ascending, in compressed rows.
class TetrahedraAtNode {
 public:
  TetrahedraAtNode(std::span<const Tetrahedron> tetrahedra, std::int32_t node_count)
      : first_(static_cast<std::size_t>(node_count) + 1, 0), members_(4 * tetrahedra.size()) {
    for (const Tetrahedron& tetrahedron : tetrahedra)
      for (const std::int32_t node : tetrahedron) ++at(first_, node);
    std::exclusive_scan(first_.begin(), first_.end(), first_.begin(), std::int32_t{0});
    for (std::size_t e = 0; e < tetrahedra.size(); ++e)
      for (const std::int32_t node : tetrahedra[e])
        at(members_, at(first_, node)++) = static_cast<std::int32_t>(e);
    // Filling has moved the begin of every row to the begin of the next one.
    std::shift_right(first_.begin(), first_.end(), 1);
    first_.front() = 0;
  }
  [[nodiscard]] std::span<const std::int32_t> operator()(std::int32_t node) const {
    const auto from = static_cast<std::size_t>(at(first_, node)),
               to = static_cast<std::size_t>(at(first_, node + 1));
    return std::span(members_).subspan(from, to - from);
  }

 private:
  std::vector<std::int32_t> first_, members_;
};

}  // namespace

DualGraph dual_graph(std::span<const Tetrahedron> tetrahedra, std::int32_t node_count) {
  constexpr int nodes_of_a_face = 3;
  const TetrahedraAtNode tetrahedra_at(tetrahedra, node_count);
  DualGraph graph;
  graph.first.reserve(tetrahedra.size() + 1);
  graph.neighbours.reserve(4 * tetrahedra.size());
  graph.first.push_back(0);
  std::vector<std::uint8_t> common_nodes(tetrahedra.size(), 0);
  std::vector<std::int32_t> met;
  for (std::size_t e = 0; e < tetrahedra.size(); ++e) {
    for (const std::int32_t node : tetrahedra[e])
      for (const std::int32_t other : tetrahedra_at(node))
        if (at(common_nodes, other)++ == 0) met.push_back(other);
    for (const std::int32_t other : met) {
      if (at(common_nodes, other) >= nodes_of_a_face && static_cast<std::size_t>(other) != e)
        graph.neighbours.push_back(other);
      at(common_nodes, other) = 0;
    }
    met.clear();
    graph.first.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
  }
  return graph;
}

}  // namespace terrace
