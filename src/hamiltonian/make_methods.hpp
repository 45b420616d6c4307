// Functions that make the integrators of small systems; `methods()` lists them. Every integrator keeps a
// reference to the system, which must outlive it.
#pragma once

#include "hamiltonian/method.hpp"

namespace terrace {

MadeMethod make_symplectic_euler(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_verlet(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_forced_splitting(HamiltonianSystem& system, const MethodSettings& settings);

MadeMethod make_time_transformed(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_step_density(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_doubled_phase_space(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_adaptive_variational(HamiltonianSystem& system, const MethodSettings& settings);

MadeMethod make_implicit_midpoint(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_variational(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_shake(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_rattle(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_symplectic_energy_momentum(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_energy_momentum(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_semi_explicit(HamiltonianSystem& system, const MethodSettings& settings);

MadeMethod make_rigid_body_rotations(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_rigid_body_shears(HamiltonianSystem& system, const MethodSettings& settings);

MadeMethod make_implicit_euler(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_extrapolated_euler(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_theta(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_bdf(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_runge_kutta(HamiltonianSystem& system, const MethodSettings& settings);
MadeMethod make_generalized_alpha(HamiltonianSystem& system, const MethodSettings& settings);

}  // namespace terrace
