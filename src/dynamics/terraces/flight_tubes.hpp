// Tubes about the flights of bodies: as long as every body stays in its own tube, bodies whose tubes are
// apart cannot meet.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dynamics/terraces/earliest.hpp"
#include "geometry/box.hpp"
#include "geometry/vector3.hpp"
#include "potentials/kernels/nodes_on_lines.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// The flight of a body's surface, that is the motion it is expected to continue with, and the radius of its
/// tube.
struct Flight {
  Vector3 velocity{};         ///< of the surface as a whole [length/time]
  double radius = 0;          ///< largest distance of a node from its flight in each coordinate [length]
  bool node_by_node = false;  ///< each node keeps its own velocity at the begin; else all have `velocity`

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [velocity, radius, node_by_node] = self;
    archive(velocity, radius, node_by_node);
  }
};

/// Watches until when the surface nodes of each body stay in its tube, from the time of `begin` on. Nodes
/// move in straight lines between events, so every event of a body gives a lower bound of the time of exit.
/// The bound takes boxes of places and of velocities: the outermost node is taken to be the fastest too.
class FlightTubes {
 public:
  /// `surfaces`: the local nodes of each body's surface.
  explicit FlightTubes(std::vector<std::vector<std::int32_t>> surfaces);

  /// Removes all tubes. Those that follow begin at `time`.
  void begin(double time);
  /// Gives a body the tube about `flight`, which starts from where `lines` are at the time of `begin`.
  void enclose(std::int32_t body, const Flight& flight, std::span<const NodeLine> lines);
  /// Notes that a body's surface has new lines from `time` on; `velocities` is the box of their velocities.
  void follow(std::int32_t body, std::span<const NodeLine> lines, const Box& velocities, double time);

  /// No node of any body leaves its tube before this time; +∞ if none does.
  [[nodiscard]] double exit() const { return exits_.time(); }
  /// The same for one body.
  [[nodiscard]] double exit(std::int32_t body) const { return exits_.at(static_cast<std::size_t>(body)); }
  /// Sets the exit of a body to an earlier result of `exit`, or to +∞.
  void set_exit(std::int32_t body, double time) { exits_.set(static_cast<std::size_t>(body), time); }
  /// How far surface nodes strayed from either kind of flight, as the largest coordinate [length]: from the
  /// kind that the body has, the largest at `time` and at all its events before; from the other kind at
  /// `time` alone.
  struct Deviation {
    double from_whole;    ///< from the flight of all nodes with one velocity
    double node_by_node;  ///< from the flight with each node's own velocity; 0 if no velocity has changed
  };
  [[nodiscard]] Deviation deviation(std::int32_t body, std::span<const NodeLine> lines, double time) const;

 private:
  struct Tube {
    bool in_use = false;
    Flight flight;
    double widest = 0;             // largest distance from the flight at an event so far
    std::vector<NodeStart> start;  // of the surface nodes, at the begin
  };
  /// How surface nodes moved since the begin; `strays` are measured from the flight node by node.
  [[nodiscard]] StraysOfNodes strays(std::int32_t body, std::span<const NodeLine> lines, double time) const;
  /// The box of `ways` less the way of the flight with one velocity for all.
  [[nodiscard]] Box places_from_whole(std::int32_t body, const Box& ways, double time) const;

  std::vector<std::vector<std::int32_t>> surfaces_;
  std::vector<Tube> tubes_;
  Earliest exits_;
  double begin_ = 0;
};

}  // namespace terrace
