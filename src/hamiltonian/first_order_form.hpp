// Any small system as ż = f(z, t), z = (q, p), for methods that need no more structure.
#pragma once

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

/// z of a state.
[[nodiscard]] Values joined(const DenseState& state);
/// Splits z into q and p of `state`, which keep their sizes.
void split(View z, DenseState& state);

/// f(z, t). And its derivative by z, which overwrites all entries of `derivative`.
[[nodiscard]] Values rate(const HamiltonianSystem& system, View z, double time);
void set_rate_derivative(const HamiltonianSystem& system, View z, double time, Matrix& derivative);

}  // namespace terrace
