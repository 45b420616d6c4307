#include "potentials/particles/particle_potential.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace terrace {

double largest_force(const ParticlePotential& potential, const Displacements& displacements,
                     std::size_t particles) {
  double most = 0;
  std::vector<Vector3> forces;
  for (bool fits = false; !fits;) {
    const Grid grid = Grid::holding(most, static_cast<double>(particles));
    forces.assign(particles, Vector3{});
    const double found = potential.add_gradient(displacements, grid, forces);
    if (!std::isfinite(found)) return 0;
    fits = found <= grid.bound;
    most = 2 * found;
  }
  double largest = 0;
  for (const Vector3& force : forces) largest = std::max(largest, norm(force));
  return largest;
}

}  // namespace terrace
