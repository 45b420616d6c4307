// Tubes about bodies' free flights: as long as every body stays in its own, bodies whose tubes are apart
// cannot meet.
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

/// How a body's surface is expected to go on, and how nearly.
struct Flight {
  Vector3 velocity{};         ///< of the surface as a whole [length/time]
  double radius = 0;          ///< its nodes stay so near to the flight, in each coordinate [length]
  bool node_by_node = false;  ///< each node keeps the velocity that it had at first; else all have `velocity`

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [velocity, radius, node_by_node] = self;
    archive(velocity, radius, node_by_node);
  }
};

/// From `begin` on every surface node of a body is to stay near its flight. Nodes move in straight lines
/// between events, so it is known until when none leaves: the outermost might be the fastest too.
class FlightTubes {
 public:
  /// `surfaces`: the local nodes of each body's surface.
  explicit FlightTubes(std::vector<std::vector<std::int32_t>> surfaces);

  /// All tubes begin at `time`; no body is in one yet.
  void begin(double time);
  /// The tube of a body.
  void enclose(std::int32_t body, const Flight& flight, std::span<const NodeLine> lines);
  /// New lines of a body's surface from `time` on, with velocities in this box.
  void follow(std::int32_t body, std::span<const NodeLine> lines, const Box& velocities, double time);

  /// No node leaves the tube of its body before; +∞ if none does.
  [[nodiscard]] double exit() const { return exits_.time(); }
  [[nodiscard]] double exit(std::int32_t body) const { return exits_.at(static_cast<std::size_t>(body)); }
  /// As it was known before.
  void set_exit(std::int32_t body, double time) { exits_.set(static_cast<std::size_t>(body), time); }
  /// How far surface nodes strayed from either flight, in a coordinate [length]: from that which is the
  /// body's at `time` or at any event before, from the other at `time`.
  struct Deviation {
    double from_whole;
    double node_by_node;  ///< 0 where none has another velocity than at first
  };
  [[nodiscard]] Deviation deviation(std::int32_t body, std::span<const NodeLine> lines, double time) const;

 private:
  struct Tube {
    bool in_use = false;
    Flight flight;
    double widest = 0;
    std::vector<NodeStart> start;  // of the surface nodes
  };
  /// Of surface nodes since the begin: `strays` are from where they would be node by node.
  [[nodiscard]] StraysOfNodes strays(std::int32_t body, std::span<const NodeLine> lines, double time) const;
  /// Where they are, as they are seen from the flight of the whole.
  [[nodiscard]] Box places_from_whole(std::int32_t body, const Box& ways, double time) const;

  std::vector<std::vector<std::int32_t>> surfaces_;
  std::vector<Tube> tubes_;
  Earliest exits_;
  double begin_ = 0;
};

}  // namespace terrace
