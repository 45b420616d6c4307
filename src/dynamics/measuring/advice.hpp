// Warnings about the accuracy of a run, from its monitors.
#pragma once

#include <span>
#include <vector>

#include "dynamics/measuring/drifts.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// Kinetic energy of the vibrations of all bodies together [J].
struct Vibration {
  double kinetic = 0, element_scale = 0;  ///< of all vibration; of the part that differs from node to node
  /// Sums over the rows of bodies; rows of walls, supports and gravity add nothing.
  [[nodiscard]] static Vibration of(std::span<const BodyRecord> bodies);

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [kinetic, element_scale] = self;
    archive(kinetic, element_scale);
  }
};

/// Whether gravity or a moving support can bring energy in from outside. Then the energy at the start is no
/// scale for that of the run.
[[nodiscard]] bool is_driven(const Lagrangian& system);

/// Warns of subdomains whose energy step is above a tenth of the energy at the start, given as `kinetic` and
/// `potential` [J]. No warning where is_driven().
[[nodiscard]] std::vector<Warning> coarse_energy_steps(const Lagrangian& system, double kinetic,
                                                       double potential);

/// All warnings about a run, the integrator's own included. `drifts` must have been started; `terraces`: the
/// integrator steps by levels of energy.
[[nodiscard]] std::vector<Warning> advice(const Lagrangian& system, const Integrator& integrator,
                                          bool terraces, const Drifts& drifts, const Vibration& vibration,
                                          const ContactExtremes& extremes);

}  // namespace terrace
