// Sums that do not depend on the order of their terms: every term is rounded beforehand to a common
// power-of-two grid (Demmel and Nguyen, pre-rounding), on which IEEE doubles add without error.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace terrace {

/// The multiples of `quantum`, a power of two. Numbers of magnitude ≤ `bound` that are rounded to it add
/// exactly, as many of them as `holding` was asked for. bound = 0: nothing fits yet; every non-zero term is
/// an overflow.
struct Grid {
  double bound = 0;
  double shift = 0;    ///< 1.5 · 2^52 quanta
  double quantum = 0;  ///< distance of neighbouring grid numbers

  /// A grid on which `terms` numbers of magnitude ≤ `largest` add exactly; both are rounded up to powers of
  /// two. Returns a grid with bound = 0 if `largest` is not positive or not finite. Throws nothing.
  static Grid holding(double largest, double terms);

  /// x rounded to the nearest grid number, by a plain addition and subtraction, which SIMD packets do alike.
  template <class Real>
  [[nodiscard]] Real round(const Real& x) const {
    return (x + Real(shift)) - Real(shift);
  }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [bound, shift, quantum] = self;
    archive(bound, shift, quantum);
  }
};

/// A coarse grid, and a fine one for the remainders of rounding to it: sums have more digits than a double.
struct DoubleGrid {
  Grid coarse, fine;
  static DoubleGrid holding(double largest, double terms) {
    DoubleGrid grids;
    grids.coarse = Grid::holding(largest, terms);
    grids.fine = Grid::holding(grids.coarse.quantum, terms);
    return grids;
  }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [coarse, fine] = self;
    archive(coarse, fine);
  }
};

/// A running sum on two grids. It has the same bits in whatever order terms, or sums of ranks, are added.
struct ExactSum {
  double coarse = 0, fine = 0;
  void add(const DoubleGrid& grids, double x) {
    const double head = grids.coarse.round(x);
    coarse += head;
    fine += grids.fine.round(x - head);
  }
  ExactSum& operator+=(const ExactSum& more) {
    coarse += more.coarse;
    fine += more.fine;
    return *this;
  }
  [[nodiscard]] double value() const { return coarse + fine; }
  friend bool operator==(const ExactSum&, const ExactSum&) = default;
};

}  // namespace terrace
