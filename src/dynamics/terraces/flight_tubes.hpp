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
#include "potentials/node_line.hpp"

namespace terrace {

/// From `begin` on every surface node of a body is to stay within a radius, in each coordinate, of where it
/// would be if the whole body went on with one velocity. Nodes move in straight lines between events, so it
/// is known until when none leaves: the outermost might be the fastest too.
class FlightTubes {
 public:
  /// `surfaces`: the local nodes of each body's surface.
  explicit FlightTubes(std::vector<std::vector<std::int32_t>> surfaces);

  /// All tubes begin at `time`; no body is in one yet.
  void begin(double time);
  /// The tube of a body.
  void enclose(std::int32_t body, const Vector3& velocity, double radius, std::span<const NodeLine> lines);
  /// New lines of a body's surface from `time` on, with velocities in this box.
  void follow(std::int32_t body, std::span<const NodeLine> lines, const Box& velocities, double time);

  /// No node leaves the tube of its body before; +∞ if none does.
  [[nodiscard]] double exit() const { return exits_.time(); }
  [[nodiscard]] double exit(std::int32_t body) const { return exits_.at(static_cast<std::size_t>(body)); }
  /// As it was known before.
  void set_exit(std::int32_t body, double time) { exits_.set(static_cast<std::size_t>(body), time); }
  /// How far a body's surface nodes are from the axis of its tube at `time`, or have been at an event
  /// [length].
  [[nodiscard]] double deviation(std::int32_t body, std::span<const NodeLine> lines, double time) const;

 private:
  struct Tube {
    bool in_use = false;
    Vector3 velocity{};
    double radius = 0, widest = 0;
    std::vector<Vector3> start;  // displacements of the surface nodes
  };
  [[nodiscard]] Box places(std::int32_t body, std::span<const NodeLine> lines, double time) const;

  std::vector<std::vector<std::int32_t>> surfaces_;
  std::vector<Tube> tubes_;
  Earliest exits_;
  double begin_ = 0;
};

}  // namespace terrace
