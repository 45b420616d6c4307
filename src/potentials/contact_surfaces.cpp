#include "potentials/contact_surfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void verify(const std::vector<Triangle>& triangles, std::size_t node_count, const std::string& where) {
  if (triangles.empty()) throw Error(Error::Kind::input, where, "a boundary with triangles", "none");
  for (const Triangle& triangle : triangles)
    for (const std::int32_t node : triangle)
      if (node < 0 || index(node) >= node_count)
        throw Error(Error::Kind::input, where, fmt::format("node numbers from 0 to {}", node_count - 1),
                    fmt::format("node {}", node));
}

/// The triangles with each node's number replaced by `offset` plus its place in the ascending list `nodes`.
std::vector<Triangle> renumber(std::vector<Triangle> triangles, const std::vector<std::int32_t>& nodes,
                               std::size_t offset) {
  for (Triangle& triangle : triangles)
    for (std::int32_t& node : triangle) {
      const auto place = std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin();
      node = static_cast<std::int32_t>(offset + static_cast<std::size_t>(place));
    }
  return triangles;
}

TriangulatedSurface make_surface(std::vector<Triangle> triangles, std::size_t first_node,
                                 std::size_t node_count, std::span<const Vector3> x) {
  TriangulatedSurface surface;
  surface.triangles = std::move(triangles);
  surface.vertices_of.resize(surface.triangles.size());
  surface.edges_of.resize(surface.triangles.size());
  surface.vertex_areas.assign(node_count, 0.0);
  for (std::size_t a = 0; a < node_count; ++a)
    surface.vertices.push_back(static_cast<std::int32_t>(first_node + a));
  std::vector<std::uint8_t> listed(node_count, 0);
  std::map<Edge, std::size_t> places;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Triangle& triangle = surface.triangles[t];
    const double third = triangle_area(triangle, x) / 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t a = index(triangle[k]) - first_node;
      surface.vertex_areas[a] += third;
      if (!listed[a]) surface.vertices_of[t].push_back(static_cast<std::int32_t>(a));
      listed[a] = 1;
      Edge edge = {triangle[k], triangle[(k + 1) % 3]};
      std::sort(edge.begin(), edge.end());
      const auto [entry, is_new] = places.try_emplace(edge, surface.edges.size());
      if (is_new) {
        surface.edges.push_back(edge);
        surface.edge_areas.push_back(0);
        surface.edge_lengths.push_back(norm(x[index(edge[1])] - x[index(edge[0])]));
        surface.edges_of[t].push_back(static_cast<std::int32_t>(entry->second));
      }
      surface.edge_areas[entry->second] += third;
    }
  }
  return surface;
}

}  // namespace

double boxes_meet(const Box& first, const Box& first_velocities, const Box& second,
                  const Box& second_velocities, double distance) {
  double enter = 0, leave = infinity;
  const auto restrict_to = [&](double gap, double rate) {  // gap + s rate ≤ 0
    if (gap > 0) {
      enter = rate < 0 ? std::max(enter, -gap / rate) : infinity;
    } else if (rate > 0) {
      leave = std::min(leave, -gap / rate);
    }
  };
  for (std::size_t k = 0; k < 3; ++k) {
    restrict_to(second.low[k] - first.high[k] - distance,
                second_velocities.low[k] - first_velocities.high[k]);
    restrict_to(first.low[k] - second.high[k] - distance,
                first_velocities.low[k] - second_velocities.high[k]);
  }
  return enter <= leave ? enter : infinity;
}

ContactSurfaces::ContactSurfaces(std::span<const Vector3> reference_positions,
                                 const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                                 const std::string& where) {
  verify(first, reference_positions.size(), where);
  verify(second, reference_positions.size(), where);
  const auto first_nodes = surface_nodes(first), second_nodes = surface_nodes(second);
  std::set_union(first_nodes.begin(), first_nodes.end(), second_nodes.begin(), second_nodes.end(),
                 std::back_inserter(nodes_));
  self_ = first == second;
  first_nodes_ = first_nodes.size();
  local_ = first_nodes;
  local_.insert(local_.end(), second_nodes.begin(), second_nodes.end());
  for (const std::int32_t node : local_) reference_.push_back(reference_positions[index(node)]);
  first_ = make_surface(renumber(first, first_nodes, 0), 0, first_nodes_, reference_);
  second_ = make_surface(renumber(second, second_nodes, first_nodes_), first_nodes_, second_nodes.size(),
                         reference_);
  double sum = 0;
  smallest_edge_ = infinity;
  for (const TriangulatedSurface* surface : {&first_, &second_})
    for (const double length : surface->edge_lengths) {
      if (!(length > 0))
        throw Error(Error::Kind::input, where, "boundary triangles with edges of positive length",
                    fmt::format("an edge of length {}", length));
      sum += length;
      smallest_edge_ = std::min(smallest_edge_, length);
    }
  mean_edge_ = sum / static_cast<double>(first_.edges.size() + second_.edges.size());
}

void ContactSurfaces::positions_at(const Displacements& displacements, std::span<Vector3> positions) const {
  for (std::size_t i = 0; i < local_.size(); ++i) positions[i] = reference_[i] + displacements[local(i)];
}

bool ContactSurfaces::share_a_node(const std::array<std::int32_t, 4>& nodes, std::size_t first_count) const {
  if (!self_) return false;
  for (std::size_t i = 0; i < first_count; ++i)
    for (std::size_t j = first_count; j < 4; ++j)
      if (local(index(nodes[i])) == local(index(nodes[j]))) return true;
  return false;
}

std::optional<NearestPair> nearest_pair(const ContactSurfaces& surfaces, double within) {
  BroadPhase candidates(surfaces.first().triangles, surfaces.second().triangles, surfaces.first_nodes(),
                        within);
  const std::span<const Vector3> x = surfaces.reference();
  candidates.build(x);
  std::optional<NearestPair> nearest;
  for (const BroadPhase::Pair& triangles : candidates.candidates())
    surfaces.visit_pairs(triangles.first, triangles.second, [&](const SurfacePair& pair) {
      PairNodes relative{};
      for (std::size_t i = 1; i < 4; ++i) relative[i] = x[index(pair.nodes[i])] - x[index(pair.nodes[0])];
      const double distance = norm(closest_points(pair.kind, relative).difference);
      if (distance < (nearest ? nearest->distance : within)) nearest = {distance, x[index(pair.nodes[0])]};
    });
  return nearest;
}

}  // namespace terrace
