#include "dynamics/terraces/flight_tubes.hpp"

#include <algorithm>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

FlightTubes::FlightTubes(std::vector<std::vector<std::int32_t>> surfaces)
    : surfaces_(std::move(surfaces)), tubes_(surfaces_.size()) {
  exits_.resize(surfaces_.size());
}

// A body that was in none since the last begin is another rank's: its places go.
void FlightTubes::begin(double time) {
  begin_ = time;
  for (std::size_t body = 0; body < tubes_.size(); ++body) {
    if (!std::exchange(tubes_[body].in_use, false)) std::vector<Vector3>().swap(tubes_[body].start);
    exits_.set(body, infinity);
  }
}

void FlightTubes::enclose(std::int32_t body, const Vector3& velocity, double radius,
                          std::span<const NodeLine> lines) {
  Tube& tube = at(tubes_, body);
  tube.in_use = true;
  tube.velocity = velocity;
  tube.radius = radius;
  tube.widest = 0;
  tube.start.clear();
  Box velocities;
  for (const std::int32_t node : at(surfaces_, body)) {
    tube.start.push_back(at(lines, node).displacement_at(begin_));
    velocities.include(at(lines, node).velocity);
  }
  follow(body, lines, velocities, begin_);
}

// As a box about what is measured from the axis.
Box FlightTubes::places(std::int32_t body, std::span<const NodeLine> lines, double time) const {
  const Tube& tube = at(tubes_, body);
  const std::vector<std::int32_t>& nodes = at(surfaces_, body);
  Box places;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    places.include(at(lines, nodes[i]).displacement_at(time) - tube.start[i]);
  const Vector3 flown = (time - begin_) * tube.velocity;
  return {places.low - flown, places.high - flown};
}

void FlightTubes::follow(std::int32_t body, std::span<const NodeLine> lines, const Box& velocities,
                         double time) {
  Tube& tube = at(tubes_, body);
  if (!tube.in_use) return;
  const Box from_axis = places(body, lines, time);
  tube.widest = std::max(tube.widest, largest_component(from_axis));
  const double left =
      time_inside(from_axis, {velocities.low - tube.velocity, velocities.high - tube.velocity},
                  {{-tube.radius, -tube.radius, -tube.radius}, {tube.radius, tube.radius, tube.radius}});
  exits_.set(static_cast<std::size_t>(body), time + left);
}

double FlightTubes::deviation(std::int32_t body, std::span<const NodeLine> lines, double time) const {
  return std::max(at(tubes_, body).widest, largest_component(places(body, lines, time)));
}

}  // namespace terrace
