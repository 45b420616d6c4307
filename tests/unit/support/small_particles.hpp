// A few particles made ready to run, on one rank unless told otherwise: what a deck would give, without a
// deck.
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

#include "app/preparation.hpp"
#include "dynamics/measuring/diagnostics.hpp"
#include "dynamics/system/particle_system.hpp"

namespace terrace {

/// One body of particles of equal mass.
inline Model particles_model(int dimension, double mass, std::vector<Vector3> positions,
                             std::vector<Vector3> velocities, std::vector<Interaction> interactions) {
  Model model;
  Body body{};
  body.name = "particles";
  body.material = -1;
  body.node_count = static_cast<std::int32_t>(positions.size());
  model.bodies.push_back(std::move(body));
  model.masses.assign(positions.size(), mass);
  model.positions = std::move(positions);
  model.velocities = std::move(velocities);
  model.velocities.resize(model.positions.size(), Vector3{});
  model.particles.dimension = dimension;
  model.particles.interactions = std::move(interactions);
  return model;
}

inline Interaction lennard_jones(double depth, double diameter, double cutoff = 0) {
  Interaction of;
  of.name = of.where = "lennard-jones";
  of.kind = InteractionKind::lennard_jones;
  of.strength = depth;
  of.length = diameter;
  of.cutoff = cutoff;
  return of;
}

inline Interaction harmonic(const Vector3& stiffness, const Vector3& centre = {}) {
  Interaction of;
  of.name = of.where = "harmonic";
  of.kind = InteractionKind::harmonic;
  of.direction = stiffness;
  of.centre = centre;
  return of;
}

/// The seven argon atoms of C1, in units of epsilon, sigma and the mass of an atom.
inline Model argon_cluster() {
  const double length = 1 / 0.341, speed = std::sqrt(66.34e-27 / (119.8 * 1.380658e-23));
  std::vector<Vector3> x = {{0, 0, 0},         {0.02, 0.39, 0},   {0.34, 0.17, 0}, {0.36, -0.21, 0},
                            {-0.02, -0.40, 0}, {-0.35, -0.16, 0}, {-0.31, 0.21, 0}};
  std::vector<Vector3> v = {{-30, -20, 0}, {50, -90, 0},  {-70, -60, 0}, {90, 40, 0},
                            {80, 90, 0},   {-40, 100, 0}, {-80, -60, 0}};
  for (Vector3& position : x) position = length * position;
  for (Vector3& velocity : v) velocity = speed * velocity;
  return particles_model(2, 1, std::move(x), std::move(v), {lennard_jones(1, 1)});
}

/// Divided and in its initial state.
struct SmallParticles {
  SmallParticles(const Model& whole, double energy_step,
                 const LocalizationEntry& choice = {LocalizationKind::global},
                 MPI_Comm handle = MPI_COMM_SELF, const ParticleDivision& division = {})
      : communicator(handle),
        model(whole),
        survey(survey_particles(model)),
        lagrangian(particle_system(model, localize_particles(model, choice), survey, energy_step,
                                   communicator, division)),
        state(lagrangian, bound_of_momenta(model)),
        diagnostics(lagrangian) {
    std::vector<Vector3> velocities;
    for (const std::int32_t node : lagrangian.global_nodes)
      velocities.push_back(model.velocities[static_cast<std::size_t>(node)]);
    state.set_velocities(velocities);
  }
  SystemRecord record(const Integrator& integrator) { return diagnostics.measure(state, integrator).system; }
  [[nodiscard]] Vector3 position(std::size_t node) const {
    return lagrangian.reference[node] + state.lines[node].displacement_at(state.time);
  }

  Communicator communicator;
  Model model;
  ParticleSurvey survey;
  Lagrangian lagrangian;
  State state;
  Diagnostics diagnostics;
};

}  // namespace terrace
