// Any small system as ż = f(z, t), z = (q, p): for methods that know no more of it.
#pragma once

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

[[nodiscard]] Values joined(const DenseState& state);
/// z split into q and p of `state`.
void split(View z, DenseState& state);

/// f(z, t), and its derivative by z, whose entries are all set.
[[nodiscard]] Values rate(const HamiltonianSystem& system, View z, double time);
void set_rate_derivative(const HamiltonianSystem& system, View z, double time, Matrix& derivative);

}  // namespace terrace
