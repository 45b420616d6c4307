#include "potentials/stable_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "parallel/error.hpp"

namespace terrace {

using Matrix6 = std::array<std::array<double, 6>, 6>;

static Matrix6 product(const Matrix6& a, const Matrix6& b) {
  Matrix6 c{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t j = 0; j < 6; ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}

static double frobenius_norm(const Matrix6& a) {
  double sum = 0;
  for (const auto& row : a)
    for (const double x : row) sum += x * x;
  return std::sqrt(sum);
}

/// Upper bound of the largest eigenvalue of a symmetric positive semi-definite matrix: ‖A^n‖^(1/n), n = 64,
/// at most 6^(1/128) = 1.015 times too large. (Power iteration would approach it from below.)
static double eigenvalue_bound(Matrix6 a) {
  double bound = 1, exponent = 1;
  for (int squarings = 0; squarings < 6; ++squarings) {
    const double norm = frobenius_norm(a);
    if (!(norm > 0)) return norm;
    for (auto& row : a)
      for (double& x : row) x /= norm;
    bound *= std::pow(norm, exponent);
    exponent /= 2;
    a = product(a, a);
  }
  return bound * std::pow(frobenius_norm(a), exponent);
}

/// Σ_a B_a B_aᵀ, B_a the 6×3 strain-displacement matrix of a node: strain as xx, yy, zz, √2 yz, √2 xz, √2 xy.
static Matrix6 strain_products(std::span<const Vector3> positions, const Tetrahedron& nodes) {
  std::array<Vector3, 4> x;
  for (std::size_t a = 0; a < 4; ++a) x[a] = positions[static_cast<std::size_t>(nodes[a])];
  Matrix6 sum{};
  for (std::size_t a = 0; a < 4; ++a) {
    const Vector3& face = x[(a + 1) % 4];
    const Vector3 normal = cross(x[(a + 2) % 4] - face, x[(a + 3) % 4] - face);
    const Vector3 n = (1 / dot(normal, x[a] - face)) * normal;  // ∇N_a
    const double r = std::sqrt(0.5);
    const double b[6][3] = {
        {n[0], 0, 0},           {0, n[1], 0}, {0, 0, n[2]}, {0, r * n[2], r * n[1]}, {r * n[2], 0, r * n[0]},
        {r * n[1], r * n[0], 0}};
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        sum[i][j] += b[i][0] * b[j][0] + b[i][1] * b[j][1] + b[i][2] * b[j][2];
  }
  return sum;
}

/// C^½ of isotropic elasticity C = 2 μ I + λ m mᵀ, m = (1, 1, 1, 0, 0, 0).
static Matrix6 stiffness_root(double lambda, double mu) {
  const double shear = std::sqrt(2 * mu), bulk = std::sqrt(2 * mu + 3 * lambda);
  Matrix6 root{};
  for (std::size_t i = 0; i < 6; ++i) {
    root[i][i] = shear;
    if (i < 3)
      for (std::size_t j = 0; j < 3; ++j) root[i][j] += (bulk - shear) / 3;
  }
  return root;
}

double element_stable_step(std::span<const Vector3> positions, std::span<const Tetrahedron> tetrahedra,
                           const Material& material) {
  if (!(material.density > 0))
    throw Error(Error::Kind::input, "material " + material.name, "a positive density",
                std::to_string(material.density));
  const Matrix6 root = stiffness_root(material.lame_lambda, material.lame_mu);
  double step = std::numeric_limits<double>::infinity();
  for (const Tetrahedron& tetrahedron : tetrahedra) {
    // The non-zero eigenvalues of K_e = V Bᵀ C B over the mass ρ V/4 are those of 4/ρ C^½ B Bᵀ C^½: the
    // volume drops out.
    const Matrix6 scaled = product(root, product(strain_products(positions, tetrahedron), root));
    const double square = 4 / material.density * eigenvalue_bound(scaled);
    step = std::min(step, 2 / std::sqrt(square));
  }
  return step;
}

}  // namespace terrace
