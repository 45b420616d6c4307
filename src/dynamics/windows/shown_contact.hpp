// Contact potentials for measurements of a rank's share of a system, which is stepped as a whole in windows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "geometry/box.hpp"

namespace terrace {

/// The pairs of bodies that are near each other and whose first body is this rank's
/// (Lagrangian::rank_of_body). Other pairs have no energy, or another rank measures it. The potentials of
/// these pairs load nodes of the whole system, from which rows of output are measured; they belong to no
/// subdomain.
class ShownContact {
 public:
  /// Both outlive this. Precondition: the contact has an energy (ContactPairs::has_energy).
  ShownContact(const Lagrangian& share, const Lagrangian& whole);

  /// The pairs to be shown if the surfaces of the bodies lie in these boxes (by body); ascending.
  [[nodiscard]] std::vector<BodyPair> near_pairs(std::vector<Box> surfaces) const;
  /// Makes potentials for these pairs, and ends those of all others. Throws what ContactPairs::make throws.
  void show(const std::vector<BodyPair>& pairs);
  [[nodiscard]] std::span<const std::unique_ptr<Potential>> potentials() const { return potentials_; }

 private:
  const Lagrangian& share_;
  const Lagrangian& whole_;
  std::vector<BodyPair> shown_;
  std::vector<std::unique_ptr<Potential>> potentials_;  // of each pair in shown_
};

}  // namespace terrace
