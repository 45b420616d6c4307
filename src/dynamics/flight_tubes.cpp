#include "dynamics/flight_tubes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/at.hpp"

namespace terrace {

static constexpr double infinity = std::numeric_limits<double>::infinity();

FlightTubes::FlightTubes(std::vector<std::vector<std::int32_t>> surfaces)
    : surfaces_(std::move(surfaces)), tubes_(surfaces_.size()) {
  exits_.resize(surfaces_.size());
}

void FlightTubes::begin(double time) {
  begin_ = time;
  for (std::size_t body = 0; body < tubes_.size(); ++body) {
    tubes_[body].in_use = false;
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
  for (const std::int32_t node : at(surfaces_, body))
    tube.start.push_back(at(lines, node).displacement_at(begin_));
  follow(body, lines, begin_);
}

Vector3 FlightTubes::from_axis(const Tube& tube, std::size_t node, const NodeLine& line, double time) const {
  return line.displacement_at(time) - tube.start[node] - (time - begin_) * tube.velocity;
}

void FlightTubes::follow(std::int32_t body, std::span<const NodeLine> lines, double time) {
  Tube& tube = at(tubes_, body);
  if (!tube.in_use) return;
  const std::vector<std::int32_t>& nodes = at(surfaces_, body);
  double left = infinity;  // of time
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeLine& line = at(lines, nodes[i]);
    const Vector3 apart = from_axis(tube, i, line, time), drift = line.velocity - tube.velocity;
    for (std::size_t k = 0; k < 3; ++k) {
      tube.widest = std::max(tube.widest, std::abs(apart[k]));
      if (drift[k] != 0)
        left = std::min(left, (tube.radius - std::copysign(1.0, drift[k]) * apart[k]) / std::abs(drift[k]));
    }
  }
  exits_.set(static_cast<std::size_t>(body), time + std::max(left, 0.0));
}

double FlightTubes::deviation(std::int32_t body, std::span<const NodeLine> lines, double time) const {
  const Tube& tube = at(tubes_, body);
  const std::vector<std::int32_t>& nodes = at(surfaces_, body);
  double widest = tube.widest;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const double component : from_axis(tube, i, at(lines, nodes[i]), time))
      widest = std::max(widest, std::abs(component));
  return widest;
}

}  // namespace terrace
