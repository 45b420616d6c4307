#include "dynamics/piecewise/jacobi_coordinates.hpp"

#include "parallel/error.hpp"

namespace terrace {

JacobiCoordinates::JacobiCoordinates(const Lagrangian& system, std::size_t dimension, double scale)
    : GridCoordinates(scale), system_(system), dimension_(dimension) {
  const std::string asked = "integrator.coordinates = \"jacobi\"";
  if (!system.reaction_names.empty())
    throw Error(Error::Kind::input, asked, "forces between the system's own parts alone",
                system.reaction_names.front() + ", which acts from outside");
  if (system.masses.size() < 2) throw Error(Error::Kind::input, asked, "two particles or more", "one");
  double sum = 0;
  for (const double mass : system.masses) mass_up_to_.push_back(sum += mass);
  for (std::size_t j = 1; j < system.masses.size(); ++j)
    for (std::size_t axis = 0; axis < dimension; ++axis)
      list_.push_back({system.masses[j] * mass_up_to_[j - 1] / mass_up_to_[j], axis});
  places_ = system.reference;
}

void JacobiCoordinates::read(const State& state, std::span<double> values, std::span<double> rates) {
  start_ = state.time;
  total_ = {};
  Vector3 weighted{}, momentum{};  // of the first j nodes
  for (std::size_t j = 0; j < system_.masses.size(); ++j) {
    const Vector3 x = system_.reference[j] + state.lines[j].displacement_at(state.time),
                  v = state.lines[j].velocity;
    for (std::size_t axis = 0; j > 0 && axis < dimension_; ++axis) {
      values[(j - 1) * dimension_ + axis] = x[axis] - weighted[axis] / mass_up_to_[j - 1];
      rates[(j - 1) * dimension_ + axis] = v[axis] - momentum[axis] / mass_up_to_[j - 1];
    }
    weighted += system_.masses[j] * x;
    momentum += system_.masses[j] * v;
    for (std::size_t axis = 0; axis < 3; ++axis) total_[axis] += state.momenta[j][axis];
  }
  centre_ = (1 / mass_up_to_.back()) * weighted;
  velocity_ = (1 / mass_up_to_.back()) * momentum;
}

template <class Component>
void JacobiCoordinates::unfold(double centre, std::size_t axis, Component component,
                               std::span<Vector3> nodes) const {
  for (std::size_t j = nodes.size() - 1; j > 0; --j) {
    const double q = component((j - 1) * dimension_ + axis);
    nodes[j][axis] = centre + q * (mass_up_to_[j - 1] / mass_up_to_[j]);
    centre -= q * (system_.masses[j] / mass_up_to_[j]);
  }
  nodes[0][axis] = centre;
}

void JacobiCoordinates::write(const SimplexWalk& walk, double time, State& state) const {
  const std::size_t count = state.lines.size();
  std::vector<Vector3> places(count), velocities(count);
  for (std::size_t axis = 0; axis < dimension_; ++axis) {
    unfold(
        centre_[axis] + (time - start_) * velocity_[axis], axis,
        [&](std::size_t i) { return walk.value(i, time); }, places);
    unfold(
        velocity_[axis], axis, [&](std::size_t i) { return walk.rate(i, time); }, velocities);
  }
  for (std::size_t axis = dimension_; axis < 3; ++axis)
    for (std::size_t j = 0; j < count; ++j)
      places[j][axis] = system_.reference[j][axis] + state.lines[j].displacement_at(time)[axis];
  for (std::size_t j = 0; j < count; ++j) {
    state.lines[j].displacement = places[j] - system_.reference[j];
    state.lines[j].time = time;
  }
  state.set_velocities(velocities);
  state.complete_momentum(count - 1, total_);
}

Integer128 JacobiCoordinates::value(const Vertex& vertex) {
  for (std::size_t axis = 0; axis < dimension_; ++axis)
    unfold(
        centre_[axis], axis, [&](std::size_t i) { return vertex[i]; }, places_);
  std::vector<Vector3> displacements(places_.size());
  for (std::size_t j = 0; j < places_.size(); ++j) displacements[j] = places_[j] - system_.reference[j];
  Integer128 sum = 0;
  for (const auto& potential : system_.potentials)
    for (const double energy : potential->energies(Displacements(displacements))) sum += whole(energy);
  return sum;
}

Integer128 JacobiCoordinates::value_beyond(const Vertex& vertex, Integer128 /*value*/, std::size_t coordinate,
                                           double to) {
  struct Moved : Vertex {
    Moved(const Vertex& from, std::size_t i, double x) : vertex(from), coordinate(i), moved_to(x) {}
    [[nodiscard]] double operator[](std::size_t i) const override {
      return i == coordinate ? moved_to : vertex[i];
    }
    const Vertex& vertex;
    std::size_t coordinate;
    double moved_to;
  };
  return value(Moved(vertex, coordinate, to));
}

}  // namespace terrace
