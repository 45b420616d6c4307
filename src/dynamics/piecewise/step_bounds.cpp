#include "dynamics/piecewise/step_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "hamiltonian/compositions.hpp"

namespace terrace {
namespace {

constexpr double room_for_rounding = 1 + 0x1p-40;  // factor for bounds

/// SmoothForces::Bounds in balls that all stages of a step stay in.
struct Nearby {
  double acceleration, rate;
};

/// Coefficients of a bound for the places x_j of a step's stages: |x_j − x| / s ≤ along · V + across · s A,
/// with the largest speed V at the start and the largest acceleration A.
struct Stages {
  double along, across;
};

/// Calls visit(|coefficient of the kick|, coefficient of the drift after it) for each stage of a composition;
/// two half kicks at one place are one kick.
template <class Visit>
void for_each_stage(int order, Visit visit) {
  double before = 0;
  for (const double part : symmetric_composition(order)) {
    visit(std::abs(0.5 * (before + part)), part);
    before = part;
  }
}

Stages stages_of(int order) {
  if (order == 0) return {1, 1};  // Runge-Kutta: x + s (v + s a) at most
  double sum = 0, kicks = 0;
  Stages stages{0, 0};
  for_each_stage(order, [&](double kick, double drift) {
    kicks += kick;
    sum += drift;
    stages.along = std::max(stages.along, std::abs(sum));
    stages.across += std::abs(drift) * kicks;
  });
  return stages;
}

// Tries larger and larger balls, a few, until the bounds of the forces in them keep all stages within.
std::optional<Nearby> bound_nearby(const SmoothForces& forces, const Phase& phase, double step, int order) {
  const Stages stages = stages_of(order);
  const double speed = largest_norm(phase.velocities);
  double radius = room_for_rounding * step * stages.along * speed;
  constexpr int most = 8;
  for (int trial = 0; trial < most; ++trial) {
    const SmoothForces::Bounds found = forces.bounds_nearby(phase.positions, radius);
    const double reach =
        room_for_rounding * step * (stages.along * speed + stages.across * step * found.acceleration);
    if (!std::isfinite(reach) || !std::isfinite(found.rate)) return {};
    if (reach <= radius) return Nearby{found.acceleration, found.rate};
    radius = 1.5 * reach;
  }
  return {};
}

// A bound of |dx/ds − v| for kicks and drifts with the parts c and w of s: v′ = v + c s a(x), x′ = x + w s
// v′, and so on; Σ w = 1.
double spread_of_composition(const Nearby& nearby, double speed, double step, int order) {
  double turned = 0, velocity_rate = 0, place_rate = 0,
         spread = 0;  // |v′ − v|, |dv′/ds|, |dx/ds|, |dx/ds − v|
  for_each_stage(order, [&](double kick, double drift) {
    turned += kick * step * nearby.acceleration;
    velocity_rate += kick * (nearby.acceleration + step * nearby.rate * place_rate);
    place_rate += std::abs(drift) * (speed + turned + step * velocity_rate);
    spread += std::abs(drift) * (turned + step * velocity_rate);
  });
  return spread;
}

// The same for x(s) = x + s v + s²/6 (a₁ + a₂ + a₃), with a_j at stages whose places change at most at
// place_rate.
double spread_of_runge_kutta(const Nearby& nearby, double speed, double step) {
  const double place_rate = speed + step * nearby.acceleration + 0.5 * step * step * nearby.rate * speed;
  return step * nearby.acceleration + 0.5 * step * step * nearby.rate * place_rate;
}

}  // namespace

double MotionBound::speed() const { return room_for_rounding * (largest_norm(velocities) + spread); }

std::optional<MotionBound> bound_of_steps(const SmoothForces& forces, const Phase& phase, double step,
                                          int order) {
  const auto nearby = bound_nearby(forces, phase, step, order);
  if (!nearby) return {};
  const double speed = largest_norm(phase.velocities);
  const double spread = order == 0 ? spread_of_runge_kutta(*nearby, speed, step)
                                   : spread_of_composition(*nearby, speed, step, order);
  return MotionBound{phase.velocities, room_for_rounding * spread};
}

}  // namespace terrace
