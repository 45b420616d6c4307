// Where the nodes of a rank are and how they move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/exact_momentum.hpp"
#include "dynamics/lagrangian.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// Lines, integer momenta and the walls' ledger. Copies of a node on several ranks hold the same bits.
class State {
 public:
  /// At rest in the reference configuration. `largest_momentum` bounds every nodal momentum of the run (P2).
  State(const Lagrangian& lagrangian, double largest_momentum);

  /// Gives every local node its initial velocity, rounded to the momentum grid.
  void set_velocities(std::span<const Vector3> velocities);

  /// p_a += R N_a quanta for every node in `nodes` with n_a = N_a · grid ≠ 0 (thesis (4.31)), from `instant`
  /// on. Sets changed[a] = 1 there. Throws Error(run) if a momentum leaves the grid's range.
  void apply_impulse(double instant, const IntegerMultiplier& factor, double grid,
                     std::span<const Vector3> gradient, std::span<const std::int32_t> nodes,
                     std::span<std::uint8_t> changed);

  /// Books − R N quanta as momentum that a wall received by one force n = N · grid of its own.
  void add_to_ledger(std::size_t wall, const IntegerMultiplier& factor, double grid, const Vector3& gradient);

  double time = 0;
  double quantum = 0;                    ///< of momentum [kg m/s]
  std::vector<NodeLine> lines;           ///< per local node
  std::vector<IntegerMomentum> momenta;  ///< per local node, in quanta
  /// Momentum each wall has received from the wall potentials of this rank, in quanta.
  std::vector<IntegerMomentum> wall_ledger;

  [[nodiscard]] Vector3 momentum(std::size_t node) const { return to_momentum(momenta[node], quantum); }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [time, quantum, lines, momenta, wall_ledger, velocity_per_quantum] = self;
    archive(time, quantum, lines, momenta, wall_ledger, velocity_per_quantum);
  }

 private:
  std::vector<double> velocity_per_quantum_;
};

}  // namespace terrace
