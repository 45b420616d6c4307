// Tables of sums of many terms, with the same bits for every order of terms and every division over ranks.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "numerics/contract.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"

namespace terrace {

/// The largest |term| of every entry of a table: what a visitor adds to on its first call (exact_table).
class TableRange {
 public:
  TableRange(std::size_t rows, std::size_t columns) : columns_(columns), largest_(rows * columns, 0.0) {}
  TableRange(const TableRange&) = delete;  // guards against a visitor that takes it by value
  TableRange& operator=(const TableRange&) = delete;
  void operator()(std::size_t row, std::size_t column, double term) {
    double& entry = at(row, column);
    entry = std::max(entry, std::abs(term));
  }
  /// Notes each of `terms`.
  void operator()(std::size_t row, std::size_t column, std::span<const double> terms) {
    // Four independent maxima: with one, each step would wait for the last.
    double most[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= terms.size(); i += 4)
      for (std::size_t lane = 0; lane < 4; ++lane)
        most[lane] = std::max(most[lane], std::abs(terms[i + lane]));
    for (; i < terms.size(); ++i) most[0] = std::max(most[0], std::abs(terms[i]));
    for (const double term : most) (*this)(row, column, term);
  }
  std::vector<double>& largest() { return largest_; }

 private:
  double& at(std::size_t row, std::size_t column) {
    TERRACE_ASSERT(column < columns_ && row * columns_ + column < largest_.size(), row, column, columns_);
    return largest_[row * columns_ + column];
  }
  std::size_t columns_;
  std::vector<double> largest_;
};

/// The sums of a table, on grids that hold the largest terms: what a visitor adds to on its second call.
class TableSums {
 public:
  TableSums(const std::vector<double>& largest, std::size_t columns, double terms)
      : columns_(columns), sums_(largest.size()) {
    grids_.reserve(largest.size());
    for (const double term : largest) grids_.push_back(DoubleGrid::holding(term, terms));
  }
  TableSums(const TableSums&) = delete;
  TableSums& operator=(const TableSums&) = delete;
  void operator()(std::size_t row, std::size_t column, double term) {
    const std::size_t k = row * columns_ + column;
    sums_[k].add(grids_[k], term);
  }
  void operator()(std::size_t row, std::size_t column, std::span<const double> terms) {
    const std::size_t k = row * columns_ + column;
    const DoubleGrid grids = grids_[k];
    ExactSum part[4];
    std::size_t i = 0;
    for (; i + 4 <= terms.size(); i += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) part[lane].add(grids, terms[i + lane]);
    for (; i < terms.size(); ++i) part[0].add(grids, terms[i]);
    for (const ExactSum& sum : part) {
      sums_[k].coarse += sum.coarse;
      sums_[k].fine += sum.fine;
    }
  }
  [[nodiscard]] const std::vector<ExactSum>& sums() const { return sums_; }

 private:
  std::size_t columns_;
  std::vector<DoubleGrid> grids_;
  std::vector<ExactSum> sums_;
};

/// Returns rows × columns sums over all ranks, row by row. `visit(add)` calls add(row, column, term), or the
/// same with a span of terms, for every term of this rank. It is called twice and must give the same terms:
/// once to find their range, once to add them on grids that hold it. `terms` is an upper bound on the number
/// of terms of one entry over all ranks. Collective.
template <class Visit>
std::vector<double> exact_table(Communicator& communicator, std::size_t rows, std::size_t columns,
                                double terms, Visit visit) {
  TableRange range(rows, columns);
  visit(range);
  communicator.maximum(range.largest());
  TableSums table(range.largest(), columns, terms);
  visit(table);
  std::vector<double> numbers;
  numbers.reserve(2 * table.sums().size());
  for (const ExactSum& sum : table.sums()) numbers.insert(numbers.end(), {sum.coarse, sum.fine});
  communicator.sum(numbers);
  std::vector<double> totals(table.sums().size());
  for (std::size_t k = 0; k < totals.size(); ++k) totals[k] = numbers[2 * k] + numbers[2 * k + 1];
  return totals;
}

}  // namespace terrace
