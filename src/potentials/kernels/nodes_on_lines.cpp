#include "potentials/kernels/nodes_on_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "numerics/contract.hpp"
#include "potentials/kernels/box_corners.hpp"

namespace terrace {
namespace {

static_assert(sizeof(Vector3) == 3 * sizeof(double) && sizeof(NodeLine) == 8 * sizeof(double) &&
              offsetof(NodeLine, velocity) == 3 * sizeof(double) &&
              offsetof(NodeLine, time) == 6 * sizeof(double) && sizeof(NodeStart) == 6 * sizeof(double) &&
              offsetof(NodeStart, velocity) == 3 * sizeof(double) && std::is_standard_layout_v<NodeLine> &&
              std::is_standard_layout_v<NodeStart>);

template <class Value>
const double* doubles(std::span<const Value> values) {
  return reinterpret_cast<const double*>(values.data());
}

void require_numbers_below([[maybe_unused]] std::size_t count,
                           [[maybe_unused]] std::span<const std::int32_t> nodes) {
  TERRACE_ASSERT(std::ranges::all_of(
                     nodes, [&](auto node) { return node >= 0 && static_cast<std::size_t>(node) < count; }),
                 count, nodes.size());
}

}  // namespace

void find_places(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                 std::span<const Vector3> reference, double instant, std::span<Vector3> places,
                 std::span<Vector3> velocities) {
  require_numbers_below(lines.size(), nodes);
  for ([[maybe_unused]] const std::size_t size : {reference.size(), places.size(), velocities.size()})
    TERRACE_ASSERT(size == nodes.size(), size, nodes.size());
  packet_kernels().places_and_velocities(doubles(lines), nodes.data(), nodes.size(), doubles(reference),
                                         instant, reinterpret_cast<double*>(places.data()),
                                         reinterpret_cast<double*>(velocities.data()));
}

Box box_of_velocities(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes) {
  require_numbers_below(lines.size(), nodes);
  BoxCorners velocities = no_corners;
  packet_kernels().box_of_velocities(doubles(lines), nodes.data(), nodes.size(), velocities);
  return box_with(velocities);
}

Box box_of_places(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                  std::span<const Vector3> reference, double instant) {
  require_numbers_below(std::min(lines.size(), reference.size()), nodes);
  BoxCorners places = no_corners;
  packet_kernels().box_of_places(doubles(lines), nodes.data(), nodes.size(), doubles(reference), instant,
                                 places);
  return box_with(places);
}

WaysOfNodes ways_of_nodes(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                          std::span<const Vector3> reference, std::span<const Vector3> starts,
                          double instant) {
  require_numbers_below(std::min(lines.size(), reference.size()), nodes);
  TERRACE_ASSERT(starts.size() == nodes.size(), starts.size(), nodes.size());
  WayBoxes boxes = {no_corners, no_corners, no_corners};
  packet_kernels().boxes_of_ways(doubles(lines), nodes.data(), nodes.size(), doubles(reference),
                                 doubles(starts), instant, boxes);
  return {box_with(boxes.places), box_with(boxes.ways), box_with(boxes.velocities)};
}

StraysOfNodes strays_of_nodes(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                              std::span<const NodeStart> starts, double instant, double elapsed) {
  require_numbers_below(lines.size(), nodes);
  TERRACE_ASSERT(starts.size() == nodes.size(), starts.size(), nodes.size());
  StrayBoxes boxes = {no_corners, no_corners, no_corners};
  packet_kernels().boxes_of_strays(doubles(lines), nodes.data(), nodes.size(), doubles(starts), instant,
                                   elapsed, boxes);
  return {box_with(boxes.ways), box_with(boxes.strays), box_with(boxes.velocities)};
}

ExitOfNodes exit_of_nodes(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                          std::span<const Vector3> reference, double instant, const Box& room) {
  require_numbers_below(std::min(lines.size(), reference.size()), nodes);
  BoxCorners corners = no_corners, velocities = no_corners;
  std::ranges::copy(room.low, corners.low);
  std::ranges::copy(room.high, corners.high);
  const double after = packet_kernels().find_exit(doubles(lines), nodes.data(), nodes.size(),
                                                  doubles(reference), instant, corners, velocities);
  return {after, box_with(velocities)};
}

}  // namespace terrace
