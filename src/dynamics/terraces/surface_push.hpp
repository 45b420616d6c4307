// The impulse of an event at the surface of a terrace: Algorithm 5 of the thesis.
#pragma once

#include "dynamics/state/exact_momentum.hpp"
#include "dynamics/terraces/jump_multiplier.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"
#include "dynamics/terraces/subdomain_state.hpp"

namespace terrace {

/// The impulse λ n of an event, and the subdomain's level afterwards.
struct SurfacePush {
  bool reflected;
  double instant;  ///< time of the crossing; of a reflection the time just before, on this side of the
                   ///< surface [s]
  IntegerMultiplier factor;  ///< λ in units of (quantum of momentum / grid of n)
  std::int64_t level;        ///< the level beyond the surface, after a reflection the level as before
};

/// Returns the push at the crossing `subdomain.next`; `products` are those of the gradient there. `quantum`:
/// of momentum [kg m/s].
inline SurfacePush surface_push(const SubdomainState& subdomain, const SubdomainGradient::Products& products,
                                double quantum) {
  const CrossingFound& crossing = subdomain.next;
  const double jump =
      static_cast<double>(crossing.level_beyond - subdomain.terrace.level) * subdomain.terrace.energy_step;
  bool reflected = false;
  const double lambda = jump_multiplier(products.normal_velocity, products.compliance, jump, reflected);
  return {.reflected = reflected,
          .instant = subdomain.origin + (reflected ? crossing.instant_before : crossing.instant),
          .factor = IntegerMultiplier::nearest(lambda * products.grid / quantum),
          .level = reflected ? subdomain.terrace.level : crossing.level_beyond};
}

}  // namespace terrace
