// Vectors, matrices and the state of a small system, which has a few degrees of freedom.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace terrace {

using Values = std::vector<double>;
using View = std::span<const double>;

/// A square matrix, row by row.
class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), entries_(size * size, 0.0) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  double& operator()(std::size_t row, std::size_t column) { return entries_[row * size_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return entries_[row * size_ + column]; }
  void clear() { entries_.assign(entries_.size(), 0.0); }

 private:
  std::size_t size_;
  Values entries_;
};

/// The state of a system: coordinates, momenta and time. For a system without momenta (a rigid body, whose q
/// is its angular momentum) `p` is empty.
struct DenseState {
  double time = 0;
  Values q, p;
};

[[nodiscard]] inline double dot(View a, View b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// a + factor · b.
[[nodiscard]] inline Values plus(View a, double factor, View b) {
  Values sum(a.begin(), a.end());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * b[i];
  return sum;
}

[[nodiscard]] inline Values times(const Matrix& matrix, View a) {
  Values product(a.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) product[i] += matrix(i, j) * a[j];
  return product;
}

}  // namespace terrace
