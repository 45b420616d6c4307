// 3×3 tensors and what the laws of materials do with them.
#pragma once

#include <array>
#include <cstddef>

#include "geometry/vector3.hpp"

namespace terrace {

/// A 3×3 tensor, by rows.
using Tensor3 = std::array<Vector3, 3>;

[[nodiscard]] inline Tensor3 cofactor(const Tensor3& a) {
  return {cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])};
}

/// Σ aᵢᵢ
[[nodiscard]] inline double trace(const Tensor3& a) { return a[0][0] + a[1][1] + a[2][2]; }

/// A : B
[[nodiscard]] inline double contract(const Tensor3& a, const Tensor3& b) {
  return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]);
}

[[nodiscard]] inline Tensor3 transposed(const Tensor3& a) {
  return {Vector3{a[0][0], a[1][0], a[2][0]}, Vector3{a[0][1], a[1][1], a[2][1]},
          Vector3{a[0][2], a[1][2], a[2][2]}};
}

[[nodiscard]] inline Tensor3 product(const Tensor3& a, const Tensor3& b) {
  Tensor3 c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) c[i] += a[i][k] * b[k];
  return c;
}

/// a A + b B
[[nodiscard]] inline Tensor3 combined(double a, const Tensor3& first, double b, const Tensor3& second) {
  return {a * first[0] + b * second[0], a * first[1] + b * second[1], a * first[2] + b * second[2]};
}

/// A + a I
[[nodiscard]] inline Tensor3 plus_identity(Tensor3 tensor, double a) {
  for (std::size_t i = 0; i < 3; ++i) tensor[i][i] += a;
  return tensor;
}

/// ½ (AᵀB + BᵀA)
[[nodiscard]] inline Tensor3 symmetric_product(const Tensor3& a, const Tensor3& b) {
  const Tensor3 c = product(transposed(a), b);
  return combined(0.5, c, 0.5, transposed(c));
}

/// E = ½ (G + Gᵀ + GᵀG)
[[nodiscard]] inline Tensor3 green_strain(const Tensor3& g) {
  return combined(0.5, combined(1, g, 1, transposed(g)), 0.5, symmetric_product(g, g));
}

}  // namespace terrace
