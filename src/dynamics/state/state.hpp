// Where the nodes of a rank are and how they move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/state/exact_momentum.hpp"
#include "dynamics/state/node_row.hpp"
#include "dynamics/state/wide_momentum.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "numerics/untouched_array.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// Lines, integer momenta and the ledger. Copies of a node on several ranks hold the same bits.
class State {
 public:
  /// At rest in the reference configuration. `largest_momentum` bounds every nodal momentum of the run (P2).
  State(const Lagrangian& lagrangian, double largest_momentum);
  /// For who works on parts of the system: room for all rows, of which none is there yet.
  struct InParts {};
  State(const Lagrangian& lagrangian, double largest_momentum, InParts);

  /// Gives every local node its initial velocity, rounded to the momentum grid but for components that are
  /// held. Throws Error(run) if a momentum is beyond the grid's range.
  void set_velocities(std::span<const Vector3> velocities);
  /// The row of a node that has this mass [kg] begins in its reference position. Throws likewise.
  void start_row(std::size_t node, double mass, const Vector3& velocity);

  /// Gives one node the momentum that makes the sum over this rank's nodes `total` [quanta], and its
  /// velocity.
  void complete_momentum(std::size_t node, const IntegerMomentum& total);

  /// p_a += R N_a quanta for every free component of every node in `nodes` with n_a = N_a · grid ≠ 0 (thesis
  /// (4.31)), from `instant` on, and sets changed[a] = 1 there. Supports receive what their nodes would, of
  /// nodes that are marked in `books`, by local node; empty: of none. Of ranks that push a node one alone may
  /// book it. Throws Error(run) if a momentum leaves the grid's range.
  void apply_impulse(double instant, const IntegerMultiplier& factor, double grid,
                     std::span<const Vector3> gradient, std::span<const std::int32_t> nodes,
                     std::span<std::uint8_t> changed, std::span<const std::uint8_t> books);

  /// Books − R N quanta as momentum that what acts from outside received by one force n = N · grid of its
  /// own.
  void add_to_ledger(std::size_t reaction, const IntegerMultiplier& factor, double grid,
                     const Vector3& gradient);

  double time = 0;
  double quantum = 0;                       ///< of momentum [kg m/s]
  UntouchedArray<NodeLine> lines;           ///< per local node
  UntouchedArray<IntegerMomentum> momenta;  ///< per local node, in quanta
  /// Momentum each of Lagrangian::reaction_names has received on this rank, in quanta.
  std::vector<WideMomentum> ledger;

  /// A local node as it is stored, and as it was.
  [[nodiscard]] NodeRow row(std::size_t node) const;
  void set_row(std::size_t node, const NodeRow& row);
  /// Of one that may not be there yet, with its mass.
  void set_row(std::size_t node, const NodeRow& row, double mass);

  [[nodiscard]] Vector3 momentum(std::size_t node) const { return to_momentum(momenta[node], quantum); }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [time, quantum, lines, momenta, ledger, held_by] = self;
    archive(time, quantum, lines, momenta, ledger, held_by);
  }

 private:
  // The quantum is a power of two.
  [[nodiscard]] double velocity_per_quantum(std::size_t node) const {
    return quantum * lines[node].inverse_mass;
  }
  void set_velocity(std::size_t node, const Vector3& velocity);
  template <bool may_be_held>
  [[nodiscard]] bool push(std::size_t node, IntegerMultiplier::Unsigned128 factor, double per_grid,
                          const Vector3& normal, bool books);
  template <bool may_be_held>
  [[nodiscard]] bool push_nodes(double instant, const IntegerMultiplier& factor, double grid,
                                std::span<const Vector3> gradient, std::span<const std::int32_t> nodes,
                                std::span<std::uint8_t> changed, std::span<const std::uint8_t> books);

  std::vector<HeldBy> held_by_;  ///< Lagrangian's: whose ledgers impulses of what is held go to
};

}  // namespace terrace
