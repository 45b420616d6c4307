// The contact of a share of a system that others step, for what is measured of it.
#pragma once

#include <span>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "geometry/box.hpp"

namespace terrace {

/// Of all pairs of bodies that are near each other those whose first body is this rank's
/// (Lagrangian::rank_of_body): the energy of other pairs is 0, or another rank's. They have potentials, which
/// is what rows are measured from, and no subdomains.
class ShownContact {
 public:
  /// `share` outlives this; its contact has an energy.
  explicit ShownContact(Lagrangian& share);

  /// The pairs that are to be shown where the bodies' surfaces are in these boxes; ascending.
  [[nodiscard]] std::vector<BodyPair> near_pairs(std::vector<Box> surfaces) const;
  /// Behind its other potentials the share has from now on those of these pairs. Throws what
  /// ContactPairs::make throws.
  void show(const std::vector<BodyPair>& pairs);

 private:
  Lagrangian& share_;
  std::size_t others_;           // potentials of it, which come first
  std::vector<BodyPair> shown_;  // of those behind them
};

}  // namespace terrace
