// What a user should know of the accuracy of a run, from what its monitors say.
#pragma once

#include <span>
#include <vector>

#include "dynamics/drifts.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/lagrangian.hpp"

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

/// The integrator's own warnings among them. `drifts` has been started; `terraces`: the integrator steps by
/// levels of energy.
[[nodiscard]] std::vector<Warning> advice(const Lagrangian& system, const Integrator& integrator,
                                          bool terraces, const Drifts& drifts, const Vibration& vibration,
                                          const ContactExtremes& extremes);

}  // namespace terrace
