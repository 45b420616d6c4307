// Sums of many terms into a table, the same bits for every order and every division over ranks.
#pragma once

#include <vector>

#include "numerics/contract.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"

namespace terrace {

/// rows × columns sums. `visit(add)` calls add(row, column, term) for every term of this rank; it is called
/// twice with the same terms: once to find their range, once to add them on grids that hold it. Collective.
/// `terms` bounds the number of terms of one entry over all ranks.
template <class Visit>
std::vector<double> exact_table(Communicator& communicator, std::size_t rows, std::size_t columns,
                                double terms, Visit visit) {
  const std::size_t size = rows * columns;
  std::vector<double> largest(size, 0.0);
  visit([&](std::size_t row, std::size_t column, double term) {
    TERRACE_ASSERT(row < rows && column < columns, row, rows, column, columns);
    double& entry = largest[row * columns + column];
    entry = std::max(entry, std::abs(term));
  });
  communicator.maximum(largest);
  std::vector<DoubleGrid> grids(size);
  for (std::size_t k = 0; k < size; ++k) grids[k] = DoubleGrid::holding(largest[k], terms);
  std::vector<ExactSum> sums(size);
  visit([&](std::size_t row, std::size_t column, double term) {
    sums[row * columns + column].add(grids[row * columns + column], term);
  });
  std::vector<double> numbers;
  for (const ExactSum& sum : sums) numbers.insert(numbers.end(), {sum.coarse, sum.fine});
  communicator.sum(numbers);
  std::vector<double> totals(size);
  for (std::size_t k = 0; k < size; ++k) totals[k] = numbers[2 * k] + numbers[2 * k + 1];
  return totals;
}

}  // namespace terrace
