#include "potentials/contact/contact_surfaces.hpp"

#include <algorithm>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

ContactSurfaces surfaces_of(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first,
                            const std::vector<Triangle>& second, const std::string& where) {
  auto surface = make_surface(reference_positions, first, where);
  if (first == second) return {surface, surface};
  return {surface, make_surface(reference_positions, second, where)};
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

ContactSurfaces::ContactSurfaces(Surface first, Surface second)
    : first_(std::move(first)), second_(std::move(second)) {
  std::set_union(first_->nodes.begin(), first_->nodes.end(), second_->nodes.begin(), second_->nodes.end(),
                 std::back_inserter(nodes_));
  double sum = 0;
  smallest_edge_ = infinity;
  for (const TriangulatedSurface* surface : {first_.get(), second_.get()})
    for (const double length : surface->edge_lengths) {
      sum += length;
      smallest_edge_ = std::min(smallest_edge_, length);
    }
  mean_edge_ = sum / static_cast<double>(first_->edges.size() + second_->edges.size());
}

ContactSurfaces::ContactSurfaces(std::span<const Vector3> reference_positions,
                                 const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                                 const std::string& where)
    : ContactSurfaces(surfaces_of(reference_positions, first, second, where)) {}

std::vector<Vector3> ContactSurfaces::reference() const {
  std::vector<Vector3> positions = first_->reference;
  positions.insert(positions.end(), second_->reference.begin(), second_->reference.end());
  return positions;
}

void ContactSurfaces::positions_at(const Displacements& displacements, std::span<Vector3> positions) const {
  visit_nodes([&](std::size_t own, std::size_t local, const Vector3& reference) {
    positions[own] = reference + displacements[local];
  });
}

bool ContactSurfaces::share_a_node(const std::array<std::int32_t, 4>& nodes, std::size_t first_count) const {
  if (!is_self()) return false;
  for (std::size_t i = 0; i < first_count; ++i)
    for (std::size_t j = first_count; j < 4; ++j)
      if (local(index(nodes[i])) == local(index(nodes[j]))) return true;
  return false;
}

std::optional<NearestPair> nearest_pair(const ContactSurfaces& surfaces, double within) {
  BroadPhase candidates = surfaces.broad_phase(within);
  const std::vector<Vector3> x = surfaces.reference();
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
