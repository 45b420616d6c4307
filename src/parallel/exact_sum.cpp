#include "parallel/exact_sum.hpp"

namespace terrace {

Grid Grid::holding(double largest, double terms) {
  Grid grid;
  if (!(largest > 0)) return grid;
  // largest · terms ≤ 2^(exponent + 51): the partial sums stay below 2^51 quanta, where shift ± sum keeps its
  // binade.
  const int exponent = std::ilogb(largest) + 1 + std::ilogb(std::max(terms, 1.0)) + 1 - 51;
  grid.bound = std::ldexp(1.0, std::ilogb(largest) + 1);
  grid.quantum = std::ldexp(1.0, std::max(exponent, -1000));
  grid.shift = 1.5 * std::ldexp(grid.quantum, 52);
  return grid;
}

}  // namespace terrace
