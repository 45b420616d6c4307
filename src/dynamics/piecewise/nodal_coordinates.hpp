// The components of the nodes' positions as coordinates of force-stepping.
#pragma once

#include <array>
#include <memory>

#include "dynamics/piecewise/grid_coordinates.hpp"
#include "potentials/terms_at_nodes.hpp"

namespace terrace {

/// All components that are free, of the axes 0 … dimension − 1, in the order of the nodes. A change of one of
/// them evaluates the terms at its node alone.
class NodalCoordinates : public GridCoordinates {
 public:
  /// `system`, which must outlive this, holds all nodes. What is held must be at rest. `spacing`: the widest
  /// of the grid's; `scale`: energy_scale.
  NodalCoordinates(const Lagrangian& system, const State& state, std::size_t dimension, double spacing,
                   double scale);

  void read(const State& state, std::span<double> values, std::span<double> rates) override;
  void write(const SimplexWalk& walk, double time, State& state) const override;
  [[nodiscard]] Integer128 value(const Vertex& vertex) override;
  [[nodiscard]] Integer128 value_beyond(const Vertex& vertex, Integer128 value, std::size_t coordinate,
                                        double to) override;
  /// By reactions; none where supports hold nodes: V is not asked for how it changes with those.
  [[nodiscard]] std::size_t parts() const override { return part_changes_.size(); }
  [[nodiscard]] std::span<const Integer128> part_changes() const override { return part_changes_; }
  void restore(ByteReader& /*reader*/) override { listed_at_.clear(); }

 private:
  static constexpr std::int32_t none = -1;
  void place(std::int32_t node, const Vertex& vertex);
  /// Of the terms at a node; `sign`: with which parts of V change by theirs.
  [[nodiscard]] Integer128 energy_at(std::int32_t node, int sign);
  [[nodiscard]] bool lists_hold(std::int32_t node, std::size_t axis, double to) const;
  void list(const Vertex& vertex);

  const Lagrangian& system_;
  std::vector<std::int32_t> node_of_;                     // of each coordinate
  std::vector<std::array<std::int32_t, 3>> coordinates_;  // of each node
  std::vector<std::unique_ptr<TermsAtNodes>> terms_;      // of each potential
  std::vector<int> reactions_;                            // of each potential; −1: internal
  std::vector<Integer128> part_changes_;
  std::vector<Vector3> displacements_;  // of a vertex, where they are needed
  std::vector<double> energies_;
  double reach_;                    // the shortest of all terms
  std::vector<Vector3> listed_at_;  // displacements at which terms were listed; none where they are not
  double slack_;                    // by which components may differ from those
};

}  // namespace terrace
