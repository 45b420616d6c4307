// Momenta on a constraint.
#pragma once

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

/// p += Dg(q)ᵀμ such that Dg(q) M⁻¹ p = 0.
void project_momentum(const HamiltonianSystem& system, DenseState& state);

}  // namespace terrace
