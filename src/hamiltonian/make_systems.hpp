// Functions that make the small systems; `systems()` lists them.
#pragma once

#include <memory>

#include "hamiltonian/systems.hpp"

namespace terrace {

using MadeSystem = std::unique_ptr<HamiltonianSystem>;

MadeSystem make_pendulum(const SystemParameters& parameters);
MadeSystem make_cartesian_pendulum(const SystemParameters& parameters);
MadeSystem make_stiff_pendulum(const SystemParameters& parameters);
MadeSystem make_rotor(const SystemParameters& parameters);
MadeSystem make_perturbed_oscillator(const SystemParameters& parameters);
MadeSystem make_magnetic_pendulum(const SystemParameters& parameters);
MadeSystem make_billiard(const SystemParameters& parameters);
MadeSystem make_double_well(const SystemParameters& parameters);
MadeSystem make_double_well_oscillator(const SystemParameters& parameters);
MadeSystem make_kepler(const SystemParameters& parameters);
MadeSystem make_soft_and_stiff_wall(const SystemParameters& parameters);
MadeSystem make_two_oscillators(const SystemParameters& parameters);
MadeSystem make_rigid_body(const SystemParameters& parameters);
MadeSystem make_product_oscillator(const SystemParameters& parameters);
MadeSystem make_bead_chain(const SystemParameters& parameters);

/// A system without forces, with these masses, at rest in q; its coordinates and momenta are named q_1, … and
/// p_1, ….
[[nodiscard]] MadeSystem blank_system(const char* kind, Values masses, Values q);

}  // namespace terrace
