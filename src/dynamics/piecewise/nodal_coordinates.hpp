// The components of the nodes' positions as coordinates of force-stepping.
#pragma once

#include <array>
#include <memory>

#include "dynamics/piecewise/grid_coordinates.hpp"
#include "potentials/terms_at_nodes.hpp"

namespace terrace {

/// All components of the nodes' positions that no support holds, along the axes 0 … dimension − 1, in the
/// order of the nodes. When one of them changes, only the terms at its node are evaluated.
class NodalCoordinates : public GridCoordinates {
 public:
  /// `system`, which must outlive this, holds all nodes; components that supports hold must be at rest.
  /// `spacing`: the widest of the grid's [length]; `scale`: energy_scale.
  NodalCoordinates(const Lagrangian& system, const State& state, std::size_t dimension, double spacing,
                   double scale);

  void read(const State& state, std::span<double> values, std::span<double> rates) override;
  void write(const SimplexWalk& walk, double time, State& state) const override;
  [[nodiscard]] Integer128 value(const Vertex& vertex) override;
  [[nodiscard]] Integer128 value_beyond(const Vertex& vertex, Integer128 value, std::size_t coordinate,
                                        double to) override;
  /// One part for each reaction; none where supports hold nodes: how V changes with held components is not
  /// evaluated.
  [[nodiscard]] std::size_t parts() const override { return part_changes_.size(); }
  [[nodiscard]] std::span<const Integer128> part_changes() const override { return part_changes_; }
  void restore(ByteReader& /*reader*/) override { listed_at_.clear(); }

 private:
  static constexpr std::int32_t none = -1;
  void place(std::int32_t node, const Vertex& vertex);
  /// The energy of the terms at a node [quanta]. Adds those of each part to part_changes_ with this sign, ±1.
  [[nodiscard]] Integer128 energy_at(std::int32_t node, int sign);
  [[nodiscard]] bool lists_hold(std::int32_t node, std::size_t axis, double to) const;
  void list(const Vertex& vertex);

  const Lagrangian& system_;
  std::vector<std::int32_t> node_of_;                     // of each coordinate
  std::vector<std::array<std::int32_t, 3>> coordinates_;  // of each node
  std::vector<std::unique_ptr<TermsAtNodes>> terms_;      // of each potential
  std::vector<int> reactions_;                            // of each potential; −1: internal
  std::vector<Integer128> part_changes_;
  std::vector<Vector3> displacements_;  // at a vertex, up to date for the nodes that are needed
  std::vector<double> energies_;
  double reach_;                    // the shortest reach of any potential's terms [length]
  std::vector<Vector3> listed_at_;  // displacements at which terms were listed; empty if they are not listed
  double slack_;                    // by which components may differ from those [length]
};

}  // namespace terrace
