// Makes a system of point masses and their potentials.
#pragma once

#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/system/particle_localization.hpp"

namespace terrace {

/// What is known of a model of particles before it is divided, the same on every rank.
struct ParticleSurvey {
  double potential = 0;  ///< V at the start [J]
  double lowest = 0;     ///< a value that V never falls below [J]; −∞ if there is none
  /// Of each potential without a lowest value the largest force on a particle at the start, added up [N].
  double force_without_bottom = 0;
  double stable_step = 0;  ///< of explicit Newmark [s]; without forces the time to cross the system
  /// Of each particle [N/m]: at the start, or that of Hertzian contacts to come if it is larger.
  std::vector<double> stiffness;
};

/// Surveys a model at its initial positions. Throws Error(input) where an interaction of two particles, which
/// it names, or a field at a particle has no finite energy or force, and for more pairs than memory holds.
[[nodiscard]] ParticleSurvey survey_particles(const Model& model);

/// How the integrator that moves the particles wants the system to be divided.
struct ParticleDivision {
  bool on_one_rank = false;    ///< all on rank 0
  bool walls_reflect = false;  ///< infinite steps of W are set constraints with terraces of their own
};

/// This rank's particles, potentials and subdomains; each subdomain is on one rank. All ranks hold the same
/// model. `communicator` must outlive the result.
[[nodiscard]] Lagrangian particle_system(const Model& model, const ParticleLocalization& localization,
                                         const ParticleSurvey& survey, double energy_step,
                                         Communicator& communicator, const ParticleDivision& division = {});

/// The most kinetic energy that a system of particles is taken to come to have [J]: the initial one and all
/// of V down to its lowest value; without a lowest value ten times |V| at the start.
[[nodiscard]] double kinetic_energy_to_come(const ParticleSurvey& survey, double initial_kinetic);

}  // namespace terrace
