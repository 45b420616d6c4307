#include "dynamics/smooth_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/elementary.hpp"

namespace terrace {

std::vector<Vector3> SmoothForces::displacements(std::span<const Vector3> positions) const {
  std::vector<Vector3> displacements(positions.size());
  for (std::size_t a = 0; a < positions.size(); ++a) displacements[a] = positions[a] - system_.reference[a];
  return displacements;
}

std::vector<Vector3> SmoothForces::accelerations(std::span<const Vector3> positions) const {
  const std::vector<Vector3> places = displacements(positions);
  std::vector<Vector3> result(positions.size(), Vector3{});
  for (const auto& potential : system_.potentials)
    potential->add_gradient(Displacements(places), Grid{}, result);
  if (steepness_ > 0) add_steps(positions, result);
  for (std::size_t a = 0; a < result.size(); ++a) result[a] = (-1 / system_.masses[a]) * result[a];
  return result;
}

void SmoothForces::add_steps(std::span<const Vector3> positions, std::span<Vector3> gradient) const {
  for (const PotentialStep& step : system_.potential_steps)
    for (const std::int32_t node : step.nodes) {
      const double y = steepness_ * step.region.signed_distance(at(positions, node)),
                   root = std::sqrt(1 + y * y);
      const double slope = -0.5 * step.height * steepness_ / (root * root * root);
      at(gradient, node) += slope * step.region.outward(at(positions, node));
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

void kick(const SmoothForces& forces, Phase& phase, double step) {
  const std::vector<Vector3> accelerations = forces.accelerations(phase.positions);
  for (std::size_t a = 0; a < accelerations.size(); ++a) phase.velocities[a] += step * accelerations[a];
}

void drift(Phase& phase, double step) {
  for (std::size_t a = 0; a < phase.positions.size(); ++a) phase.positions[a] += step * phase.velocities[a];
}

std::span<const double> composition(int order) {
  static constexpr std::array<double, 1> second = {1};
  static const double gamma = 1 / (2 - numerics::cube_root(2));
  static const std::array<double, 3> fourth = {gamma, 1 - 2 * gamma, gamma};
  // Yoshida (1990), solution A of sixth order.
  static constexpr double w1 = -1.17767998417887100695, w2 = 0.23557321335935813368,
                          w3 = 0.78451361047755726382;
  static constexpr std::array<double, 7> sixth = {w3, w2, w1, 1 - 2 * (w1 + w2 + w3), w1, w2, w3};
  TERRACE_VERIFY(order == 2 || order == 4 || order == 6, order);
  if (order == 2) return second;
  if (order == 4) return fourth;
  return sixth;
}

Phase symmetric_step(const SmoothForces& forces, Phase phase, double step, int order) {
  for (const double part : composition(order)) {
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
    const std::vector<Vector3> rates = stage.velocities,
                               accelerations = forces.accelerations(stage.positions);
    for (std::size_t a = 0; a < count; ++a) {
      sum.positions[a] += weight[k] * step * rates[a];
      sum.velocities[a] += weight[k] * step * accelerations[a];
      stage.positions[a] = phase.positions[a] + next[k] * step * rates[a];
      stage.velocities[a] = phase.velocities[a] + next[k] * step * accelerations[a];
    }
  }
  return sum;
}

}  // namespace terrace
