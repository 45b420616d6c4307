// The contact of a share of a system that others step, for what is measured of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "geometry/box.hpp"

namespace terrace {

/// Of all pairs of bodies that are near each other those whose first body is this rank's
/// (Lagrangian::rank_of_body): the energy of other pairs is 0, or another rank's. They have potentials of the
/// whole system's nodes, which is what rows are measured from, and no subdomains.
class ShownContact {
 public:
  /// Both outlive this; contact has an energy.
  ShownContact(const Lagrangian& share, const Lagrangian& whole);

  /// The pairs that are to be shown where the bodies' surfaces are in these boxes; ascending.
  [[nodiscard]] std::vector<BodyPair> near_pairs(std::vector<Box> surfaces) const;
  /// There are potentials of these pairs from now on, and of no others. Throws what ContactPairs::make
  /// throws.
  void show(const std::vector<BodyPair>& pairs);
  [[nodiscard]] std::span<const std::unique_ptr<Potential>> potentials() const { return potentials_; }

 private:
  const Lagrangian& share_;
  const Lagrangian& whole_;
  std::vector<BodyPair> shown_;
  std::vector<std::unique_ptr<Potential>> potentials_;  // of each of them
};

}  // namespace terrace
