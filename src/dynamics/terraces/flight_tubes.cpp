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

// A body without a tube since the last begin belongs to another rank now: its nodes' starts are freed.
void FlightTubes::begin(double time) {
  begin_ = time;
  for (std::size_t body = 0; body < tubes_.size(); ++body) {
    if (!std::exchange(tubes_[body].in_use, false)) std::vector<NodeStart>().swap(tubes_[body].start);
    exits_.set(body, infinity);
  }
}

void FlightTubes::enclose(std::int32_t body, const Flight& flight, std::span<const NodeLine> lines) {
  Tube& tube = at(tubes_, body);
  tube.in_use = true;
  tube.flight = flight;
  tube.widest = 0;
  tube.start.clear();
  Box velocities;
  for (const std::int32_t node : at(surfaces_, body)) {
    const NodeLine& line = at(lines, node);
    tube.start.push_back({line.displacement_at(begin_), line.velocity});
    velocities.include(line.velocity);
  }
  follow(body, lines, velocities, begin_);
}

StraysOfNodes FlightTubes::strays(std::int32_t body, std::span<const NodeLine> lines, double time) const {
  return strays_of_nodes(lines, at(surfaces_, body), at(tubes_, body).start, time, time - begin_);
}

Box FlightTubes::places_from_whole(std::int32_t body, const Box& ways, double time) const {
  const Vector3 flown = (time - begin_) * at(tubes_, body).flight.velocity;
  return {ways.low - flown, ways.high - flown};
}

void FlightTubes::follow(std::int32_t body, std::span<const NodeLine> lines, const Box& velocities,
                         double time) {
  Tube& tube = at(tubes_, body);
  if (!tube.in_use) return;
  const auto& [of_whole, radius, node_by_node] = tube.flight;
  const StraysOfNodes strayed = strays(body, lines, time);
  const Box places = node_by_node ? strayed.strays : places_from_whole(body, strayed.ways, time);
  tube.widest = std::max(tube.widest, largest_component(places));
  const Box speeds =
      node_by_node ? strayed.velocities : Box{velocities.low - of_whole, velocities.high - of_whole};
  const double left = time_inside(places, speeds, {{-radius, -radius, -radius}, {radius, radius, radius}});
  exits_.set(static_cast<std::size_t>(body), time + left);
}

FlightTubes::Deviation FlightTubes::deviation(std::int32_t body, std::span<const NodeLine> lines,
                                              double time) const {
  const Tube& tube = at(tubes_, body);
  const StraysOfNodes strayed = strays(body, lines, time);
  Deviation deviation{largest_component(places_from_whole(body, strayed.ways, time)),
                      largest_component(strayed.strays)};
  double& from_flight = tube.flight.node_by_node ? deviation.node_by_node : deviation.from_whole;
  from_flight = std::max(from_flight, tube.widest);
  // Where no velocity has changed, what is left is rounding.
  if (!(largest_component(strayed.velocities) > 0)) deviation.node_by_node = 0;
  return deviation;
}

}  // namespace terrace
