#include "potentials/pair_laws.hpp"

#include "numerics/elementary.hpp"

namespace terrace {

LennardJones::LennardJones(double depth, double diameter, double cutoff)
    : four_depth_(4 * depth),
      square_(diameter * diameter),
      reach_(cutoff > 0 ? cutoff : no_reach),
      reach_square_(no_reach),
      reach_square_or_zero_(0),
      lowest_(depth * (1 + 0x1p-40)) {
  const double root = numerics::cube_root(2);  // r² of the least energy, in σ²
  natural_stiffness_ = 72 * depth / (root * square_);
  if (!(cutoff > 0)) return;
  const double q = cutoff * cutoff;
  const PairValues end = at(q);
  reach_square_ = reach_square_or_zero_ = q;
  shift_ = end.value;
  slope_ = end.first;
}

PairRanges LennardJones::over(const Interval& q) const {
  if (q.low >= reach_square_) return {};
  const bool ends = q.high >= reach_square_;
  const Terms near = terms(q.low), far = terms(ends ? reach_square_ : q.high);
  const auto range = [&](double of_repulsion, double of_attraction, double near_factor, double far_factor) {
    return between(of_repulsion * far.repulsion * far_factor, of_repulsion * near.repulsion * near_factor) -
           between(of_attraction * far.attraction * far_factor,
                   of_attraction * near.attraction * near_factor);
  };
  const double u = near.inverse, v = far.inverse;
  PairRanges ranges{-range(6, 3, u, v) - Interval(slope_), range(42, 12, u * u, v * v),
                    -range(336, 60, u * u * u, v * v * v)};
  if (ends) ranges = {hull(ranges.first, {}), hull(ranges.second, {}), Interval::everything()};
  return ranges;
}

}  // namespace terrace
