// The little algebra of 3×3 matrices that hand calculations of rigid motion need.
#pragma once

#include <cmath>

#include "geometry/vector3.hpp"

namespace terrace {

/// Rows.
using Matrix3 = std::array<Vector3, 3>;

inline Matrix3 transposed(const Matrix3& a) {
  Matrix3 result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = a[j][i];
  return result;
}
inline Vector3 operator*(const Matrix3& a, const Vector3& x) {
  return {dot(a[0], x), dot(a[1], x), dot(a[2], x)};
}
inline Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  const Matrix3 columns = transposed(b);
  Matrix3 result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = dot(a[i], columns[j]);
  return result;
}
inline Matrix3 operator+(const Matrix3& a, const Matrix3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Matrix3 operator*(double s, const Matrix3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double trace(const Matrix3& a) { return a[0][0] + a[1][1] + a[2][2]; }
inline double determinant(const Matrix3& a) { return dot(a[0], cross(a[1], a[2])); }
inline Matrix3 diagonal(const Vector3& d) { return {{{d[0], 0, 0}, {0, d[1], 0}, {0, 0, d[2]}}}; }
inline const Matrix3 unit_matrix = diagonal({1, 1, 1});

/// The rotation about `axis` by `degrees`, from the unit quaternion.
inline Matrix3 rotation(const Vector3& axis, double degrees) {
  const double half = degrees * std::acos(-1.0) / 360, w = std::cos(half);
  const Vector3 q = (std::sin(half) / norm(axis)) * axis;
  const double x = q[0], y = q[1], z = q[2];
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

}  // namespace terrace
