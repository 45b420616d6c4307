#include "hamiltonian/projection.hpp"

namespace terrace {

// Projects for one constraint after the other; each gradient is first made orthogonal, in the metric M⁻¹, to
// those before.
void project_momentum(const HamiltonianSystem& system, DenseState& state) {
  const auto product = [&](View a, View b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i] / system.masses[i];
    return sum;
  };
  std::vector<Values> done;
  for (Values gradient : system.constraint->gradients(state.q)) {
    for (const Values& other : done)
      gradient = plus(gradient, -product(other, gradient) / product(other, other), other);
    state.p = plus(state.p, -product(gradient, state.p) / product(gradient, gradient), gradient);
    done.push_back(std::move(gradient));
  }
}

}  // namespace terrace
