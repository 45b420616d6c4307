// Projection of momenta to the tangent of a constraint.
#pragma once

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

/// Adds Dg(q)ᵀμ to p, with μ such that Dg(q) M⁻¹ p = 0 afterwards.
void project_momentum(const HamiltonianSystem& system, DenseState& state);

}  // namespace terrace
