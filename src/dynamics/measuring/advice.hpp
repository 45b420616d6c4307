// What a user should know of the accuracy of a run, from what its monitors say.
#pragma once

#include <span>
#include <vector>

#include "dynamics/measuring/drifts.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// Kinetic energy of vibrations, of all bodies.
struct Vibration {
  double kinetic = 0, element_scale = 0;  ///< all, and what differs from node to node
  /// Walls among the bodies have none.
  [[nodiscard]] static Vibration of(std::span<const BodyRecord> bodies);

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [kinetic, element_scale] = self;
    archive(kinetic, element_scale);
  }
};

/// By gravity or by a support that moves: energy comes from outside, beside which that at the start is none.
[[nodiscard]] bool is_driven(const Lagrangian& system);

/// Subdomains whose energy step is above a tenth of the energy that there is at the start, of these energies:
/// none where it comes from outside.
[[nodiscard]] std::vector<Warning> coarse_energy_steps(const Lagrangian& system, double kinetic,
                                                       double potential);

/// The integrator's own warnings among them. `drifts` has been started; `terraces`: the integrator steps by
/// levels of energy.
[[nodiscard]] std::vector<Warning> advice(const Lagrangian& system, const Integrator& integrator,
                                          bool terraces, const Drifts& drifts, const Vibration& vibration,
                                          const ContactExtremes& extremes);

}  // namespace terrace
