// Adds forces whose sum is zero to the last bit, on which momentum conservation (P2) rests.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "geometry/vector3.hpp"
#include "numerics/larger.hpp"
#include "parallel/exact_sum.hpp"

namespace terrace {

/// Adds `terms`, whose sum is zero up to rounding, to gradient[nodes[i]]. Each term is rounded to `grid`,
/// except the last: its node takes minus the sum of the other rounded terms, so that what is added sums to
/// zero exactly. Returns the largest magnitude of a component, of the unrounded terms and of the last one as
/// it was added; NaN if a component is NaN.
template <std::size_t count>
double add_balanced(const Grid& grid, const std::array<Vector3, count>& terms,
                    const std::array<std::size_t, count>& nodes, std::span<Vector3> gradient) {
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double rest = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const double rounded = grid.round(terms[i][k]);
      largest = larger(largest, std::abs(terms[i][k]));
      rest -= rounded;
      gradient[nodes[i]][k] += rounded;
    }
    largest = larger(largest, std::abs(rest));
    gradient[nodes[count - 1]][k] += rest;
  }
  return largest;
}

}  // namespace terrace
