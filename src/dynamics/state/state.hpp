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

/// Lines, integer momenta and the ledger of what acts from outside. Copies of a node on several ranks hold
/// the same bits.
class State {
 public:
  /// All nodes at rest in the reference configuration. `largest_momentum` [kg m/s] is an upper bound on every
  /// nodal momentum of the run (P2).
  State(const Lagrangian& lagrangian, double largest_momentum);
  /// For an executor that works on parts of the system: room for all nodes, none of which is there before
  /// start_row or set_row.
  struct InParts {};
  State(const Lagrangian& lagrangian, double largest_momentum, InParts);

  /// Gives every local node its initial velocity [m/s], rounded to a multiple of the momentum quantum except
  /// for held components. Throws Error(run) if a momentum is beyond the range of the integers.
  void set_velocities(std::span<const Vector3> velocities);
  /// Sets up one node of a State InParts, with this mass [kg], in its reference position. Throws likewise.
  void start_row(std::size_t node, double mass, const Vector3& velocity);

  /// Sets momentum and velocity of one node so that the momenta of this rank's nodes add up to `total`
  /// [quanta].
  void complete_momentum(std::size_t node, const IntegerMomentum& total);

  /// p_a += R N_a quanta for every free component of every node in `nodes` with n_a = N_a · grid ≠ 0 (thesis
  /// (4.31)), with R the `factor`; new lines begin there at `instant`, and changed[a] becomes 1. The impulse
  /// on a held component goes to the ledger of its support if the node is marked in `books` (by local node;
  /// empty: none): of all ranks that push a node one alone may book it. Throws Error(run) if a momentum
  /// leaves the range of the integers.
  void apply_impulse(double instant, const IntegerMultiplier& factor, double grid,
                     std::span<const Vector3> gradient, std::span<const std::int32_t> nodes,
                     std::span<std::uint8_t> changed, std::span<const std::uint8_t> books);

  /// Adds − R N quanta to the ledger of one reaction: the momentum that a wall, support or gravity receives
  /// by its own force n = N · grid = `gradient`.
  void add_to_ledger(std::size_t reaction, const IntegerMultiplier& factor, double grid,
                     const Vector3& gradient);

  double time = 0;
  double quantum = 0;                       ///< of momentum [kg m/s]
  UntouchedArray<NodeLine> lines;           ///< per local node
  UntouchedArray<IntegerMomentum> momenta;  ///< per local node, in quanta
  /// By place in Lagrangian::reaction_names, the momentum booked by this rank as received, in quanta.
  std::vector<WideMomentum> ledger;

  /// Reads and writes a local node as it is stored.
  [[nodiscard]] NodeRow row(std::size_t node) const;
  void set_row(std::size_t node, const NodeRow& row);
  /// As set_row, also for a node that is not there yet (InParts), with its mass [kg].
  void set_row(std::size_t node, const NodeRow& row, double mass);

  [[nodiscard]] Vector3 momentum(std::size_t node) const { return to_momentum(momenta[node], quantum); }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [time, quantum, lines, momenta, ledger, held_by] = self;
    archive(time, quantum, lines, momenta, ledger, held_by);
  }

 private:
  // [m/s]. Exact but for the rounding of the inverse mass, as the quantum is a power of two.
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

  std::vector<HeldBy> held_by_;  ///< Lagrangian::held_by: the supports that get impulses on held components
};

}  // namespace terrace
