// Point masses and their potentials as a system.
#pragma once

#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/system/particle_localization.hpp"

namespace terrace {

/// What is known of a model of particles before it is divided, the same on every rank.
struct ParticleSurvey {
  double potential = 0;  ///< V at the start [J]
  double lowest = 0;     ///< it is never below; −∞ allowed
  /// The largest on a particle [N] of potentials that have no lowest value, at the start.
  double force_without_bottom = 0;
  double stable_step = 0;  ///< of explicit Newmark at the start, or the time to cross the system
  /// Of each particle [N/m], at the start, or if that is more of the Hertzian contact to come.
  std::vector<double> stiffness;
};

/// From the positions of the model. Throws Error(input) for particles at one place that have an interaction
/// which has no value or force there (both names), and for a place where a field has none.
[[nodiscard]] ParticleSurvey survey_particles(const Model& model);

/// What the method that is to move them asks for.
struct ParticleDivision {
  bool on_one_rank = false;    ///< all on rank 0
  bool walls_reflect = false;  ///< infinite steps are set constraints, terraces of their own
};

/// This rank's particles, potentials and subdomains, whole subdomains on ranks. All ranks hold the same
/// model. `communicator` must outlive the result.
[[nodiscard]] Lagrangian particle_system(const Model& model, const ParticleLocalization& localization,
                                         const ParticleSurvey& survey, double energy_step,
                                         Communicator& communicator, const ParticleDivision& division = {});

/// The most kinetic energy that a system of particles may come to have [J]: all of the potential energy down
/// to its lowest value; without one, ten times what there is.
[[nodiscard]] double kinetic_energy_to_come(const ParticleSurvey& survey, double initial_kinetic);

}  // namespace terrace
