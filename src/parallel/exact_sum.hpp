// Sums that do not depend on the order of their terms: every term is rounded beforehand to a common
// power-of-two grid (Demmel and Nguyen, pre-rounding), on which IEEE doubles add without error.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace terrace {

/// A power-of-two grid on which up to `terms` numbers of magnitude ≤ `bound` add exactly. `round` is a plain
/// addition and subtraction, for SIMD packets too. bound = 0: nothing fits yet; every non-zero term is an
/// overflow.
struct Grid {
  double bound = 0;
  double shift = 0;    ///< 1.5 · 2^52 quanta
  double quantum = 0;  ///< distance of neighbouring grid numbers

  /// Throws nothing; `largest` and `terms` are rounded up to powers of two. Of what is not finite there is
  /// none.
  static Grid holding(double largest, double terms);

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

/// A coarse grid and a second one for the remainders: more digits than a double in the sum.
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

/// Running two-grid sum; adding sums of different ranks or orders gives the same bits.
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
