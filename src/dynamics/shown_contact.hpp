// The contact of a share of a system that others step, for what is measured of it.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_pairs.hpp"
#include "dynamics/lagrangian.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// Of all pairs of bodies that are near each other those whose first body is this rank's
/// (Lagrangian::rank_of_body): the energy of other pairs is 0, or another rank's. They have potentials, which
/// is what rows are measured from, and no subdomains.
class ShownContact {
 public:
  /// `share` outlives this; its contact has an energy.
  explicit ShownContact(Lagrangian& share);

  /// Behind its other potentials the share has from now on those of the pairs that are near at `time`.
  /// Throws what ContactPairs::make throws.
  void find(std::span<const NodeLine> lines, double time);

 private:
  [[nodiscard]] std::vector<BodyPair> near_pairs(std::span<const NodeLine> lines, double time) const;

  Lagrangian& share_;
  std::size_t others_;           // potentials of it, which come first
  std::vector<BodyPair> shown_;  // of those behind them
};

}  // namespace terrace
