// Forces that add up to zero to the bit: what P2 hangs on.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "geometry/vector3.hpp"
#include "numerics/larger.hpp"
#include "parallel/exact_sum.hpp"

namespace terrace {

/// Adds `terms`, which add up to zero but for rounding, to gradient[nodes[i]]: each rounded to `grid`, and
/// the last node takes minus the rounded sum of the others. Returns the largest magnitude of a component: of
/// the terms, of the last as it was added; NaN where one is.
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
