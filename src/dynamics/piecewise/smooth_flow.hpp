// Steps of time in the smooth part of a potential: accelerations, and compositions of kicks and drifts.
#pragma once

#include <span>
#include <vector>

#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// Places and velocities of all nodes, and the momentum that each of Lagrangian::reaction_names has received.
struct Phase {
  std::vector<Vector3> positions, velocities, received{};
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [positions, velocities, received] = self;
    archive(positions, velocities, received);
  }
};

/// The smooth potential U of a system whose nodes are all on this rank. With a steepness > 0 [1/length] it
/// includes the potential's steps, smoothed: W = height · ½ (1 − y/√(1 + y²)), y = steepness · g, with the
/// signed distance g. This sigmoid needs no function whose last bits depend on the machine.
class SmoothForces {
 public:
  /// `system` must outlive this.
  SmoothForces(const Lagrangian& system, double steepness);

  struct Rates {
    std::vector<Vector3> accelerations;  ///< −M⁻¹ ∇U, of each node
    std::vector<Vector3> received;       ///< momentum that each reaction receives per time [N]
  };
  [[nodiscard]] Rates rates(std::span<const Vector3> positions) const;
  [[nodiscard]] std::vector<Vector3> accelerations(std::span<const Vector3> positions) const {
    return rates(positions).accelerations;
  }
  [[nodiscard]] double energy(std::span<const Vector3> positions) const;
  /// Bounds for U alone, without smoothed steps, while no node is farther than `radius` from `positions`: no
  /// node's acceleration is larger than `acceleration`, nor changes by more than `rate` times the largest
  /// displacement of any node. +∞ where a potential knows no bound.
  struct Bounds {
    double acceleration = 0, rate = 0;
  };
  [[nodiscard]] Bounds bounds_nearby(std::span<const Vector3> positions, double radius) const;
  [[nodiscard]] const Lagrangian& system() const { return system_; }

 private:
  void add_reaction(std::size_t potential, std::span<const Vector3> places, std::span<Vector3> gradient,
                    Vector3& received) const;
  void add_steps(std::span<const Vector3> positions, std::span<Vector3> gradient,
                 std::span<Vector3> received) const;
  [[nodiscard]] std::vector<Vector3> displacements(std::span<const Vector3> positions) const;

  const Lagrangian& system_;
  std::vector<int> reactions_;  // of each potential
  double steepness_;
};

/// A step of half kick, drift, half kick, composed to an order that symmetric_composition has: symmetric and
/// symplectic. Other orders are a broken contract.
[[nodiscard]] Phase symmetric_step(const SmoothForces& forces, Phase phase, double step, int order);

/// A step of the classical Runge-Kutta method of fourth order.
[[nodiscard]] Phase runge_kutta_step(const SmoothForces& forces, const Phase& phase, double step);

/// v += step · a, and adds to phase.received what reactions receive meanwhile.
void kick(const SmoothForces::Rates& rates, Phase& phase, double step);
void kick(const SmoothForces& forces, Phase& phase, double step);
/// x += step · v.
void drift(Phase& phase, double step);

}  // namespace terrace
