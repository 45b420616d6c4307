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
    if (!std::exchange(tubes_[body].in_use, false)) std::vector<Start>().swap(tubes_[body].start);
    exits_.set(body, infinity);
  }
}

void FlightTubes::enclose(std::int32_t body, const Flight& flight, std::span<const NodeLine> lines) {
  Tube& tube = at(tubes_, body);
  tube.in_use = true;
  tube.flight = flight;
  tube.widest = 0;
  tube.start.clear();
  for (const std::int32_t node : at(surfaces_, body))
    tube.start.push_back({at(lines, node).displacement_at(begin_), at(lines, node).velocity});
  follow(body, lines, begin_);
}

FlightTubes::Strayed FlightTubes::strayed(std::int32_t body, bool node_by_node,
                                          std::span<const NodeLine> lines, double time) const {
  const Tube& tube = at(tubes_, body);
  const std::vector<std::int32_t>& nodes = at(surfaces_, body);
  const double elapsed = time - begin_;
  Strayed strayed;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeLine& line = at(lines, nodes[i]);
    const Vector3& velocity = node_by_node ? tube.start[i].velocity : tube.flight.velocity;
    strayed.places.include(line.displacement_at(time) - tube.start[i].displacement - elapsed * velocity);
    strayed.velocities.include(line.velocity - velocity);
  }
  return strayed;
}

void FlightTubes::follow(std::int32_t body, std::span<const NodeLine> lines, double time) {
  Tube& tube = at(tubes_, body);
  if (!tube.in_use) return;
  const auto [places, velocities] = strayed(body, tube.flight.node_by_node, lines, time);
  tube.widest = std::max(tube.widest, largest_component(places));
  const double radius = tube.flight.radius;
  const double left =
      time_inside(places, velocities, {{-radius, -radius, -radius}, {radius, radius, radius}});
  exits_.set(static_cast<std::size_t>(body), time + left);
}

FlightTubes::Deviation FlightTubes::deviation(std::int32_t body, std::span<const NodeLine> lines,
                                              double time) const {
  const Tube& tube = at(tubes_, body);
  Deviation deviation{largest_component(strayed(body, false, lines, time).places),
                      largest_component(strayed(body, true, lines, time).places)};
  double& from_flight = tube.flight.node_by_node ? deviation.node_by_node : deviation.from_whole;
  from_flight = std::max(from_flight, tube.widest);
  return deviation;
}

}  // namespace terrace
