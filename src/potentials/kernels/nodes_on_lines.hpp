// Surfaces whose nodes are on their lines, and boxes about them: what is looked at of every node at every
// event.
#pragma once

#include <cstdint>
#include <span>

#include "geometry/box.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// Where these nodes are at an instant [length], and how fast [length/time], in their order, which
/// `reference` has too: all are of one size.
void find_places(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                 std::span<const Vector3> reference, double instant, std::span<Vector3> places,
                 std::span<Vector3> velocities);

/// Of these nodes' velocities [length/time].
[[nodiscard]] Box box_of_velocities(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes);

/// Of their places at an instant [length]; `reference`: positions of all nodes.
[[nodiscard]] Box box_of_places(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                                std::span<const Vector3> reference, double instant);

/// Of their places, of the ways there from where they started, and of their velocities.
struct WaysOfNodes {
  Box places, ways, velocities;
};
/// `starts`: places, in the order of `nodes`.
[[nodiscard]] WaysOfNodes ways_of_nodes(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                                        std::span<const Vector3> reference, std::span<const Vector3> starts,
                                        double instant);

/// Where a node was, and how it went on.
struct NodeStart {
  Vector3 displacement, velocity;
};
/// Of the ways of nodes since they started, of how far these are from going on as they did then, and of how
/// much their velocities have changed.
struct StraysOfNodes {
  Box ways, strays, velocities;
};
/// `starts`: in the order of `nodes`, `elapsed` ago.
[[nodiscard]] StraysOfNodes strays_of_nodes(std::span<const NodeLine> lines,
                                            std::span<const std::int32_t> nodes,
                                            std::span<const NodeStart> starts, double instant,
                                            double elapsed);

/// When nodes leave a box, and the box of their velocities.
struct ExitOfNodes {
  double after;  ///< the instant that was asked for; +∞ if none does, 0 where one is outside and goes on
  Box velocities;
};
[[nodiscard]] ExitOfNodes exit_of_nodes(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                                        std::span<const Vector3> reference, double instant, const Box& room);

}  // namespace terrace
