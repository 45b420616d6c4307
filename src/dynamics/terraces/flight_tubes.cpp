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
  Box velocities;
  for (const std::int32_t node : at(surfaces_, body)) {
    const NodeLine& line = at(lines, node);
    tube.start.push_back({line.displacement_at(begin_), line.velocity});
    velocities.include(line.velocity);
  }
  follow(body, lines, velocities, begin_);
}

Box FlightTubes::places_from_whole(std::int32_t body, std::span<const NodeLine> lines, double time) const {
  const Tube& tube = at(tubes_, body);
  const std::vector<std::int32_t>& nodes = at(surfaces_, body);
  Box places;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    places.include(at(lines, nodes[i]).displacement_at(time) - tube.start[i].displacement);
  const Vector3 flown = (time - begin_) * tube.flight.velocity;
  return {places.low - flown, places.high - flown};
}

Box FlightTubes::places_node_by_node(std::int32_t body, std::span<const NodeLine> lines, double time) const {
  const std::vector<Start>& start = at(tubes_, body).start;
  const std::vector<std::int32_t>& nodes = at(surfaces_, body);
  const double elapsed = time - begin_;
  Box places;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    places.include(at(lines, nodes[i]).displacement_at(time) - start[i].displacement -
                   elapsed * start[i].velocity);
  return places;
}

Box FlightTubes::velocities_node_by_node(std::int32_t body, std::span<const NodeLine> lines) const {
  const std::vector<Start>& start = at(tubes_, body).start;
  const std::vector<std::int32_t>& nodes = at(surfaces_, body);
  Box velocities;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    velocities.include(at(lines, nodes[i]).velocity - start[i].velocity);
  return velocities;
}

void FlightTubes::follow(std::int32_t body, std::span<const NodeLine> lines, const Box& velocities,
                         double time) {
  Tube& tube = at(tubes_, body);
  if (!tube.in_use) return;
  const auto& [of_whole, radius, node_by_node] = tube.flight;
  const Box places =
      node_by_node ? places_node_by_node(body, lines, time) : places_from_whole(body, lines, time);
  tube.widest = std::max(tube.widest, largest_component(places));
  const Box strays = node_by_node ? velocities_node_by_node(body, lines)
                                  : Box{velocities.low - of_whole, velocities.high - of_whole};
  const double left = time_inside(places, strays, {{-radius, -radius, -radius}, {radius, radius, radius}});
  exits_.set(static_cast<std::size_t>(body), time + left);
}

FlightTubes::Deviation FlightTubes::deviation(std::int32_t body, std::span<const NodeLine> lines,
                                              double time) const {
  const Tube& tube = at(tubes_, body);
  Deviation deviation{largest_component(places_from_whole(body, lines, time)),
                      largest_component(places_node_by_node(body, lines, time))};
  double& from_flight = tube.flight.node_by_node ? deviation.node_by_node : deviation.from_whole;
  from_flight = std::max(from_flight, tube.widest);
  if (!(largest_component(velocities_node_by_node(body, lines)) > 0)) deviation.node_by_node = 0;  // rounding
  return deviation;
}

}  // namespace terrace
