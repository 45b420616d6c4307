// Which subdomains no others push.
#pragma once

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/terraces/near_pairs.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Whether nothing but its own force acts on a subdomain's nodes, and that is no vibration alone: particles,
/// and bodies that weigh. How long such a one may stay on a terrace its force tells (EventMonitor). The same
/// on all ranks.
[[nodiscard]] inline bool moves_by_its_force(const Lagrangian& system, const NearPairs& pairs,
                                             std::int32_t number) {
  const Subdomain& subdomain = at(system.subdomains, number);
  if (subdomain.impenetrable || subdomain.asleep || !subdomain.neighbours.empty()) return false;
  if (!(subdomain.elements > 0)) return !pairs.any();
  return system.gravity != Vector3{} && (system.touching_bodies_share || !pairs.any());
}

}  // namespace terrace
