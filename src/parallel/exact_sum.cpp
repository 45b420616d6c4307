#include "parallel/exact_sum.hpp"

namespace terrace {

Grid Grid::holding(double largest, double terms) {
  Grid grid;
  if (!(largest > 0) || std::isinf(largest)) return grid;
  // One term must stay below 2^51 quanta, where shift ± term keeps its binade; a sum may use all 2^53.
  const int bits = std::max(std::ilogb(std::max(terms, 1.0)) + 1 - 53, -51);
  const int exponent = std::ilogb(largest) + 1 + bits;
  grid.bound = std::ldexp(1.0, std::ilogb(largest) + 1);
  grid.quantum = std::ldexp(1.0, std::max(exponent, -1000));
  grid.shift = 1.5 * std::ldexp(grid.quantum, 52);
  return grid;
}

}  // namespace terrace
