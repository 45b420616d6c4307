// Bounds of the forces and stiffnesses of pairs near a configuration.
#include <algorithm>
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "potentials/particles/pair_potential.hpp"

namespace terrace {

template <class Law>
void PairPotential<Law>::add_bounds_nearby(const Displacements& displacements, double radius,
                                           std::span<double> slope, std::span<double> stiffness) const {
  const std::vector<Vector3> x = positions(displacements);
  const Interval both{-2 * radius, 2 * radius};
  for (const Pair& pair : near_pairs(x, law_.reach() + 2 * radius)) {
    const Vector3 d = at(x, pair.j) - at(x, pair.i);
    const Interval r = Interval(norm(d)) * Interval(1 - 0x1p-50, 1 + 0x1p-50) + both;
    double force = infinity, rate = infinity;
    if (r.low > 0 || !law_.diverges()) {
      const Interval q = square(Interval(std::max(r.low, 0.0), r.high));
      const PairRanges f = law_.over(q);
      force = pair.weight * (Interval(2) * f.first * r).largest();
      // Both blocks of a particle count, its own and that with the other one: twice |2 f′| + |4 f″ q|.
      rate = 2 * pair.weight * (Interval(2) * f.first).largest() +
             2 * pair.weight * (Interval(4) * f.second * q).largest();
    }
    for (const std::int32_t i : {pair.i, pair.j}) {
      at(slope, at(nodes_, i)) += std::isfinite(force) ? force : infinity;
      at(stiffness, at(nodes_, i)) += std::isfinite(rate) ? rate : infinity;
    }
  }
}

template void PairPotential<LennardJones>::add_bounds_nearby(const Displacements&, double, std::span<double>,
                                                             std::span<double>) const;
template void PairPotential<NewtonianGravity>::add_bounds_nearby(const Displacements&, double,
                                                                 std::span<double>, std::span<double>) const;
template void PairPotential<LinearSpring>::add_bounds_nearby(const Displacements&, double, std::span<double>,
                                                             std::span<double>) const;
template void PairPotential<HertzSpring>::add_bounds_nearby(const Displacements&, double, std::span<double>,
                                                            std::span<double>) const;
template void PairPotential<PairFormula>::add_bounds_nearby(const Displacements&, double, std::span<double>,
                                                            std::span<double>) const;

}  // namespace terrace
