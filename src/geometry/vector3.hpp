// Three-vectors of doubles and the few operations mechanics needs on them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace terrace {

using Vector3 = std::array<double, 3>;

constexpr Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
constexpr Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
constexpr Vector3 operator*(double s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
constexpr Vector3& operator+=(Vector3& a, const Vector3& b) { return a = a + b; }
constexpr Vector3& operator-=(Vector3& a, const Vector3& b) { return a = a - b; }
constexpr double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
constexpr Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Vector3& a) { return std::sqrt(dot(a, a)); }
/// The largest |a| of all vectors; 0 if there are none.
inline double largest_norm(std::span<const Vector3> all) {
  double largest = 0;
  for (const Vector3& a : all) largest = std::max(largest, norm(a));
  return largest;
}
/// a / |a| for a ≠ 0. Squares of tiny or huge components stay within the range of a double.
inline Vector3 unit_vector(const Vector3& a) {
  int exponent = 0;
  std::frexp(std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[2])}), &exponent);
  const Vector3 scaled = {std::ldexp(a[0], -exponent), std::ldexp(a[1], -exponent),
                          std::ldexp(a[2], -exponent)};
  return (1 / norm(scaled)) * scaled;
}

}  // namespace terrace
