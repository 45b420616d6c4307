// Which subdomains move by nothing but their own force.
#pragma once

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/terraces/near_pairs.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Whether nothing but the subdomain's own force acts on its nodes, and this force does more than make it
/// vibrate: true for particles and for bodies with weight. How long such a subdomain may stay on one terrace
/// follows from its force (EventMonitor::compare_with_fall). The same on all ranks.
[[nodiscard]] inline bool moves_by_its_force(const Lagrangian& system, const NearPairs& pairs,
                                             std::int32_t number) {
  const Subdomain& subdomain = at(system.subdomains, number);
  if (subdomain.impenetrable || subdomain.asleep || !subdomain.neighbours.empty()) return false;
  if (!(subdomain.elements > 0)) return !pairs.any();
  return system.gravity != Vector3{} && (system.touching_bodies_share || !pairs.any());
}

}  // namespace terrace
