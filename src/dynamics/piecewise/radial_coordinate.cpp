#include "dynamics/piecewise/radial_coordinate.hpp"

#include <array>
#include <optional>
#include <string>

#include "numerics/elementary.hpp"
#include "parallel/error.hpp"

namespace terrace {

static const char* const radius_asked_for = "integrator.coordinates = \"radius\"";

/// The one centre of all fields; the origin without any. Throws Error(input) if there is none.
static Vector3 common_centre(const Lagrangian& system) {
  std::optional<Vector3> centre;
  for (const auto& potential : system.potentials) {
    const auto terms = potential->radial_terms(system.dimension);
    const bool of_a_point =
        terms != nullptr && terms->count() > 0 && terms->term(0).other == RadialTerm::a_point;
    if (!of_a_point || (centre && *centre != terms->term(0).centre))
      throw Error(Error::Kind::input, radius_asked_for,
                  "fields that depend on the distance from one point alone",
                  of_a_point ? "two centres" : "a potential that does not");
    centre = terms->term(0).centre;
  }
  return centre.value_or(Vector3{});
}

RadialCoordinate::RadialCoordinate(const Lagrangian& system, const State& state, double scale)
    : GridCoordinates(scale), system_(system), mass_(system.masses.empty() ? 0 : system.masses[0]) {
  if (system.masses.size() != 1)
    throw Error(Error::Kind::input, radius_asked_for, "one particle in a central field",
                std::to_string(system.masses.size()) + " particles");
  centre_ = common_centre(system);
  if (!(norm(system.reference[0] + state.lines[0].displacement_at(state.time) - centre_) > 0))
    throw Error(Error::Kind::input, radius_asked_for, "a particle away from the centre of its field",
                "one at the centre");
  list_ = {{mass_, 0}};
}

void RadialCoordinate::read(const State& state, std::span<double> values, std::span<double> rates) {
  const Vector3 x = system_.reference[0] + state.lines[0].displacement_at(state.time) - centre_,
                v = state.lines[0].velocity;
  values[0] = norm(x);
  radial_ = (1 / values[0]) * x;
  rates[0] = dot(v, radial_);
  const Vector3 sideways = v - rates[0] * radial_;
  const double speed = norm(sideways);
  start_momentum_ = state.momenta[0];
  angular_momentum_ = mass_ * values[0] * speed;
  across_ = speed > 0 ? (1 / speed) * sideways : Vector3{};
  angle_ = 0;
}

// Θ²/(2 m r²); 0 for a node that falls straight to the centre, also at r = 0.
double RadialCoordinate::centrifugal(double distance) const {
  if (angular_momentum_ == 0) return 0;
  return angular_momentum_ * angular_momentum_ / (2 * mass_ * distance * distance);
}

// V + Θ²/(2 m r²), two terms.
Integer128 RadialCoordinate::energy_at(double distance) {
  const std::array<Vector3, 1> displacement = {centre_ + distance * radial_ - system_.reference[0]};
  Integer128 sum = whole(centrifugal(distance));
  for (const auto& potential : system_.potentials)
    for (const double energy : potential->energies(Displacements(displacement))) sum += whole(energy);
  return sum;
}

double RadialCoordinate::kinetic_part(const SimplexWalk& walk, double time) const {
  return centrifugal(walk.value(0, time));
}

// ∫ Θ/(m r²) dt since the last crossing, by Gauss' rule of eight points: r is a parabola that changes by less
// than a spacing, a small part of r.
double RadialCoordinate::turn(const SimplexWalk& walk, double time) const {
  constexpr std::array<double, 4> place = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                           0.9602898564975363},
                                  weight = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                            0.1012285362903763};
  if (angular_momentum_ == 0) return 0;
  const double half = 0.5 * (time - walk.time()), middle = walk.time() + half;
  double sum = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    for (const double side : {-1.0, 1.0}) {
      const double r = walk.value(0, middle + side * half * place[i]);
      sum += weight[i] / (r * r);
    }
  return angular_momentum_ / mass_ * half * sum;
}

void RadialCoordinate::write(const SimplexWalk& walk, double time, State& state) const {
  const double r = walk.value(0, time), angle = angle_ + turn(walk, time);
  const double cosine = numerics::cosine(angle), sine = numerics::sine(angle);
  const Vector3 outward = cosine * radial_ + sine * across_, onward = cosine * across_ - sine * radial_;
  state.lines[0].displacement = centre_ + r * outward - system_.reference[0];
  state.lines[0].time = time;
  const double sideways = angular_momentum_ == 0 ? 0 : angular_momentum_ / (mass_ * r);
  const std::array<Vector3, 1> velocity = {walk.rate(0, time) * outward + sideways * onward};
  state.set_velocities(velocity);
  if (state.ledger.size() != 1) return;
  for (std::size_t axis = 0; axis < 3; ++axis)
    state.ledger[0][axis] = start_momentum_[axis] - state.momenta[0][axis];
}

}  // namespace terrace
