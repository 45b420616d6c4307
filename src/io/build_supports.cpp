// Which nodes the supports of a deck hold.
#include "io/build_supports.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "geometry/show.hpp"
#include "io/deck_sections.hpp"
#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

std::vector<std::int32_t> nodes_in_box(const Model& model, const Body& body,
                                       const std::array<Vector3, 2>& box) {
  std::vector<std::int32_t> nodes;
  for (std::int32_t node = body.first_node; node < body.first_node + body.node_count; ++node) {
    const Vector3& x = at(model.positions, node);
    bool inside = true;
    for (std::size_t d = 0; d < 3; ++d) inside = inside && x[d] >= box[0][d] && x[d] <= box[1][d];
    if (inside) nodes.push_back(node);
  }
  return nodes;
}

std::vector<std::int32_t> nodes_of(const Model& model, const Body& body, const SupportEntry& entry,
                                   const NodeGroups& groups) {
  switch (entry.nodes) {
    case SupportEntry::Nodes::box:
      return nodes_in_box(model, body, entry.box);
    case SupportEntry::Nodes::surface:
      return surface_nodes(body.boundary);
    case SupportEntry::Nodes::group:
      break;
  }
  std::vector<std::int32_t> nodes = groups.at(entry.group);
  for (std::int32_t& node : nodes) node += body.first_node;
  return nodes;
}

void require_alone(const Model& model, const Support& support, const SupportEntry& entry) {
  for (const Support& other : model.supports)
    for (std::size_t d = 0; d < 3; ++d) {
      if (!support.components[d] || !other.components[d]) continue;
      std::vector<std::int32_t> both;
      std::set_intersection(support.nodes.begin(), support.nodes.end(), other.nodes.begin(),
                            other.nodes.end(), std::back_inserter(both));
      if (both.empty()) continue;
      const Vector3& x = at(model.positions, both.front());
      throw Error(
          Error::Kind::input, entry.where, "every component of a node held by one support at most",
          fmt::format("{} of the node at {} held by {} and {}", "xyz"[d], show(x), other.name, support.name));
    }
}

}  // namespace

void add_support(Model& model, const SupportEntry& entry, std::span<const Body> bodies,
                 const NodeGroups& groups) {
  Support support{entry.name, entry.velocity, entry.components, {}};
  for (const Body& body : bodies) {
    const std::vector<std::int32_t> nodes = nodes_of(model, body, entry, groups);
    support.nodes.insert(support.nodes.end(), nodes.begin(), nodes.end());
  }
  if (support.nodes.empty())
    throw Error(Error::Kind::input, entry.where,
                fmt::format("a node of {} in the box of support {}", entry.body.name, entry.name), "none");
  require_alone(model, support, entry);
  for (const std::int32_t node : support.nodes)
    for (std::size_t d = 0; d < 3; ++d)
      if (support.components[d]) at(model.velocities, node)[d] = support.velocity[d];
  model.supports.push_back(std::move(support));
}

}  // namespace terrace
