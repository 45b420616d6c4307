// Positions and velocities of surface nodes on their lines, and boxes about them: computed for every node at
// every event, by packet kernels.
#pragma once

#include <cstdint>
#include <span>

#include "geometry/box.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// Writes the positions [length] of these nodes at an instant, and their velocities [length/time]. `nodes`,
/// `reference` (their reference positions), `places` and `velocities` have the same size and order.
void find_places(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                 std::span<const Vector3> reference, double instant, std::span<Vector3> places,
                 std::span<Vector3> velocities);

/// The box of these nodes' velocities [length/time].
[[nodiscard]] Box box_of_velocities(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes);

/// The box of these nodes' positions at an instant [length]. `reference`: reference positions of all nodes.
[[nodiscard]] Box box_of_places(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                                std::span<const Vector3> reference, double instant);

/// Boxes of positions, of displacements since a start, and of velocities.
struct WaysOfNodes {
  Box places, ways, velocities;
};
/// The boxes of these nodes at an instant. `starts`: their positions at the start, in the order of `nodes`;
/// `reference`: as for box_of_places.
[[nodiscard]] WaysOfNodes ways_of_nodes(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                                        std::span<const Vector3> reference, std::span<const Vector3> starts,
                                        double instant);

/// Displacement and velocity of a node at the start.
struct NodeStart {
  Vector3 displacement, velocity;
};
/// Boxes of the displacements since the start, of the deviations from straight motion with the velocities at
/// the start, and of the changes of velocity.
struct StraysOfNodes {
  Box ways, strays, velocities;
};
/// The boxes of these nodes at an instant. `starts`: in the order of `nodes`, at the time `elapsed` before.
[[nodiscard]] StraysOfNodes strays_of_nodes(std::span<const NodeLine> lines,
                                            std::span<const std::int32_t> nodes,
                                            std::span<const NodeStart> starts, double instant,
                                            double elapsed);

/// The time after an instant at which the first node leaves a box, and the box of all velocities.
struct ExitOfNodes {
  double after;  ///< [time]; +∞ if no node leaves, 0 if one is outside and goes farther out
  Box velocities;
};
/// When the first of these nodes leaves `room`, if all stay on their lines. `reference`: as for
/// box_of_places.
[[nodiscard]] ExitOfNodes exit_of_nodes(std::span<const NodeLine> lines, std::span<const std::int32_t> nodes,
                                        std::span<const Vector3> reference, double instant, const Box& room);

}  // namespace terrace
