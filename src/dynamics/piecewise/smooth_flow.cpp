#include "dynamics/piecewise/smooth_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/system/reactions_of_potentials.hpp"
#include "hamiltonian/compositions.hpp"
#include "numerics/at.hpp"

namespace terrace {

SmoothForces::SmoothForces(const Lagrangian& system, double steepness)
    : system_(system), reactions_(reactions_of_potentials(system)), steepness_(steepness) {}

std::vector<Vector3> SmoothForces::displacements(std::span<const Vector3> positions) const {
  std::vector<Vector3> displacements(positions.size());
  for (std::size_t a = 0; a < positions.size(); ++a) displacements[a] = positions[a] - system_.reference[a];
  return displacements;
}

SmoothForces::Rates SmoothForces::rates(std::span<const Vector3> positions) const {
  const std::vector<Vector3> places = displacements(positions);
  Rates rates{std::vector<Vector3>(positions.size(), Vector3{}),
              std::vector<Vector3>(system_.reaction_names.size(), Vector3{})};
  std::vector<Vector3>& result = rates.accelerations;
  for (std::size_t p = 0; p < reactions_.size(); ++p)
    if (reactions_[p] < 0)
      system_.potentials[p]->add_gradient(Displacements(places), Grid{}, result);
    else
      add_reaction(p, places, result, at(rates.received, reactions_[p]));
  if (steepness_ > 0) add_steps(positions, result, rates.received);
  for (std::size_t a = 0; a < result.size(); ++a) result[a] = (-1 / system_.masses[a]) * result[a];
  return rates;
}

// Adds the gradient of a potential that acts from outside; its sum over the nodes is what the reaction
// receives.
void SmoothForces::add_reaction(std::size_t potential, std::span<const Vector3> places,
                                std::span<Vector3> gradient, Vector3& received) const {
  std::vector<Vector3> of_one(gradient.size(), Vector3{});
  system_.potentials[potential]->add_gradient(Displacements(places), Grid{}, of_one);
  for (const std::int32_t node : system_.potentials[potential]->nodes()) {
    at(gradient, node) += at(of_one, node);
    received += at(of_one, node);
  }
}

void SmoothForces::add_steps(std::span<const Vector3> positions, std::span<Vector3> gradient,
                             std::span<Vector3> received) const {
  for (const PotentialStep& step : system_.potential_steps)
    for (const std::int32_t node : step.nodes) {
      const double y = steepness_ * step.region.signed_distance(at(positions, node)),
                   root = std::sqrt(1 + y * y);
      const double slope = -0.5 * step.height * steepness_ / (root * root * root);
      const Vector3 force = slope * step.region.outward(at(positions, node));
      at(gradient, node) += force;
      at(received, step.reaction) += force;
    }
}

SmoothForces::Bounds SmoothForces::bounds_nearby(std::span<const Vector3> positions, double radius) const {
  const std::vector<Vector3> places = displacements(positions);
  std::vector<double> slope(positions.size(), 0), stiffness(positions.size(), 0);
  for (const auto& potential : system_.potentials)
    potential->add_bounds_nearby(Displacements(places), radius, slope, stiffness);
  Bounds bounds;
  for (std::size_t a = 0; a < positions.size(); ++a) {
    bounds.acceleration = std::max(bounds.acceleration, slope[a] / system_.masses[a]);
    bounds.rate = std::max(bounds.rate, stiffness[a] / system_.masses[a]);
  }
  return bounds;
}

double SmoothForces::energy(std::span<const Vector3> positions) const {
  const std::vector<Vector3> places = displacements(positions);
  double sum = 0;
  for (const auto& potential : system_.potentials) sum += potential->value(Displacements(places));
  if (!(steepness_ > 0)) return sum;
  for (const PotentialStep& step : system_.potential_steps)
    for (const std::int32_t node : step.nodes) {
      const double y = steepness_ * step.region.signed_distance(at(positions, node));
      sum += 0.5 * step.height * (1 - y / std::sqrt(1 + y * y));
    }
  return sum;
}

void kick(const SmoothForces::Rates& rates, Phase& phase, double step) {
  for (std::size_t a = 0; a < rates.accelerations.size(); ++a)
    phase.velocities[a] += step * rates.accelerations[a];
  for (std::size_t r = 0; r < phase.received.size(); ++r) phase.received[r] += step * rates.received[r];
}

void kick(const SmoothForces& forces, Phase& phase, double step) {
  kick(forces.rates(phase.positions), phase, step);
}

void drift(Phase& phase, double step) {
  for (std::size_t a = 0; a < phase.positions.size(); ++a) phase.positions[a] += step * phase.velocities[a];
}

Phase symmetric_step(const SmoothForces& forces, Phase phase, double step, int order) {
  for (const double part : symmetric_composition(order)) {
    kick(forces, phase, 0.5 * part * step);
    drift(phase, part * step);
    kick(forces, phase, 0.5 * part * step);
  }
  return phase;
}

Phase runge_kutta_step(const SmoothForces& forces, const Phase& phase, double step) {
  const std::size_t count = phase.positions.size();
  Phase sum = phase, stage = phase;
  constexpr std::array<double, 4> weight = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, next = {0.5, 0.5, 1, 0};
  for (std::size_t k = 0; k < weight.size(); ++k) {
    const std::vector<Vector3> velocities = stage.velocities;
    const SmoothForces::Rates rates = forces.rates(stage.positions);
    const std::vector<Vector3>& accelerations = rates.accelerations;
    for (std::size_t r = 0; r < sum.received.size(); ++r)
      sum.received[r] += weight[k] * step * rates.received[r];
    for (std::size_t a = 0; a < count; ++a) {
      sum.positions[a] += weight[k] * step * velocities[a];
      sum.velocities[a] += weight[k] * step * accelerations[a];
      stage.positions[a] = phase.positions[a] + next[k] * step * velocities[a];
      stage.velocities[a] = phase.velocities[a] + next[k] * step * accelerations[a];
    }
  }
  return sum;
}

}  // namespace terrace
