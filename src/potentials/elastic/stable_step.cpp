#include "potentials/elastic/stable_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/elementary.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// ∇N_a of the four nodes [1/length], and the volume, negative for an inverted element.
struct ShapeGradients {
  std::array<Vector3, 4> of_node;
  double volume;
};

static ShapeGradients shape_gradients(std::span<const Vector3> positions, const Tetrahedron& nodes) {
  const auto corner = [&](std::size_t a) -> const Vector3& { return at(positions, nodes[a]); };
  const std::array<Vector3, 3> edge{corner(0) - corner(3), corner(1) - corner(3), corner(2) - corner(3)};
  const std::array<Vector3, 3> normal{cross(edge[1], edge[2]), cross(edge[2], edge[0]),
                                      cross(edge[0], edge[1])};
  const double triple = dot(edge[0], normal[0]);
  ShapeGradients result;
  for (std::size_t a = 0; a < 3; ++a) result.of_node[a] = (1 / triple) * normal[a];
  result.of_node[3] = -1 * (result.of_node[0] + result.of_node[1] + result.of_node[2]);
  result.volume = -triple / 6;
  return result;
}

/// Trace and largest eigenvalue of Σ_a ∇N_a ∇N_aᵀ (the trigonometric formula for symmetric 3×3 matrices).
struct Spread {
  double trace, largest;
};

static Spread spread_of(const std::array<Vector3, 4>& gradients) {
  double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, xz = 0;
  for (const Vector3& n : gradients) {
    xx += n[0] * n[0];
    yy += n[1] * n[1];
    zz += n[2] * n[2];
    xy += n[0] * n[1];
    yz += n[1] * n[2];
    xz += n[0] * n[2];
  }
  const double trace = xx + yy + zz, mean = trace / 3;
  xx -= mean;
  yy -= mean;
  zz -= mean;
  const double size = std::sqrt((xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + xz * xz)) / 6);
  if (!(size > 0)) return {trace, mean};
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const double angle =
      numerics::arc_cosine(std::clamp(determinant / (2 * size * size * size), -1.0, 1.0)) / 3;
  return {trace, mean + 2 * size * numerics::cosine(angle)};
}

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
/// at most 6^(1/128) = 1.015 times too large. (Power iteration would approach it from below.) These bounds
/// fall as n is doubled; the first one that is below `enough` is returned instead.
static double eigenvalue_bound(Matrix6 a, double enough) {
  constexpr std::size_t squarings = 6;
  constexpr double rounding = 1e-12;
  std::array<double, squarings> norms{};
  for (std::size_t done = 0;; ++done) {
    const double norm = frobenius_norm(a);
    // norms[0] · norms[1]^½ · norms[2]^¼ ···, from the last factor on.
    double bound = norm;
    for (std::size_t k = done; k-- > 0;) bound = norms[k] * std::sqrt(bound);
    if (done == squarings || !(norm > 0) || (1 + rounding) * bound < enough) return bound;
    norms[done] = norm;
    for (auto& row : a)
      for (double& x : row) x /= norm;
    a = product(a, a);
  }
}

/// Σ_a B_a B_aᵀ, with B_a the 6×3 strain-displacement matrix of a node with gradient ∇N_a. The strain
/// components are xx, yy, zz, √2 yz, √2 xz, √2 xy.
static Matrix6 strain_products(const std::array<Vector3, 4>& gradients) {
  Matrix6 sum{};
  for (const Vector3& n : gradients) {
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

static void require_mass(const Material& material) {
  if (!(material.density > 0))
    throw Error(Error::Kind::input, "material " + material.name, "a positive density",
                std::to_string(material.density));
}

double element_stable_step(std::span<const Vector3> positions, std::span<const Tetrahedron> tetrahedra,
                           const Material& material) {
  require_mass(material);
  const double lambda = material.lame_lambda, mu = material.lame_mu;
  const Matrix6 root = stiffness_root(lambda, mu);
  double largest = 0;
  for (const Tetrahedron& tetrahedron : tetrahedra) {
    const std::array<Vector3, 4> gradients = shape_gradients(positions, tetrahedron).of_node;
    // Most elements are far from the largest one, and the trace tr (C Σ B_a B_aᵀ) tells so at less cost: it
    // is above the bound of the largest eigenvalue too, as (Σ λ_i^128)^(1/128) ≤ Σ λ_i.
    double squares = 0;
    for (const Vector3& n : gradients) squares += dot(n, n);
    if ((4 * mu + lambda) * squares < 0.999 * largest) continue;
    // The non-zero eigenvalues of K_e = V Bᵀ C B over the mass ρ V/4 are those of 4/ρ C^½ B Bᵀ C^½: the
    // volume drops out.
    const Matrix6 scaled = product(root, product(strain_products(gradients), root));
    largest = std::max(largest, eigenvalue_bound(scaled, largest));
  }
  return largest > 0 ? 2 / std::sqrt(4 / material.density * largest) : infinity;
}

// Neo-Hookean bound of deformed_stable_step: μ Λ(g) + max(λ, 0) tr g′ + |μ − λ ln J| Λ(g′).
static double stiffness_of_jacobian(double lambda, double mu, double jacobian, const Spread& original,
                                    const Spread& current) {
  return mu * original.largest + std::max(lambda, 0.0) * current.trace +
         std::abs(mu - lambda * numerics::log(jacobian)) * current.largest;
}

/// Measures of F = Σ_a x_a ⊗ ∇N_a: the square of its largest stretch, Σ_a |F ∇N_a|², and tr E and |E| with E
/// = ½ (FᵀF − I).
struct Deformation {
  double stretch, spread, trace, strain;
};

static Deformation deformation(const ShapeGradients& reference, std::span<const Vector3> positions,
                               const Tetrahedron& nodes) {
  std::array<Vector3, 4> column{};  // columns of F, and a zero
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t k = 0; k < 3; ++k) column[k] += reference.of_node[a][k] * at(positions, nodes[a]);
  double spread = 0, trace = 0, squares = 0;
  for (const Vector3& n : reference.of_node) {
    const Vector3 b = n[0] * column[0] + n[1] * column[1] + n[2] * column[2];
    spread += dot(b, b);
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double e = 0.5 * (dot(column[i], column[k]) - (i == k ? 1 : 0));
      if (i == k) trace += e;
      squares += e * e;
    }
  return {spread_of(column).largest, spread, trace, std::sqrt(squares)};
}

// From ∂²|cof F|²(H, H) = 2 |M|² + 4 cof F : cof H with |M| ≤ 2 f |H| and cof F : cof H ≤ f² |H|², f the
// largest stretch.
static double mooney_stiffness(const Deformation& f, const Spread& original) {
  return 12 * f.stretch * original.largest;
}

// From λ (tr Ḟ)² + 2 μ |Ḟ|² + S : HᵀH with Ḟ = sym FᵀH and ‖S‖ ≤ |λ tr E| + 2 μ |E|.
static double st_venant_kirchhoff_stiffness(const Material& material, const Deformation& f,
                                            const Spread& original) {
  const double lambda = material.lame_lambda, mu = material.lame_mu;
  return std::max(lambda, 0.0) * f.spread +
         (2 * mu * (f.stretch + f.strain) + std::abs(lambda * f.trace)) * original.largest;
}

double deformed_stable_step(std::span<const Vector3> reference, std::span<const Vector3> positions,
                            std::span<const Tetrahedron> tetrahedra, const Material& material) {
  require_mass(material);
  double largest = 0;
  for (const Tetrahedron& tetrahedron : tetrahedra) {
    const ShapeGradients before = shape_gradients(reference, tetrahedron),
                         now = shape_gradients(positions, tetrahedron);
    const double jacobian = now.volume / before.volume;
    if (!(jacobian > 0) && material.law != MaterialLaw::st_venant_kirchhoff) return 0;
    const Spread original = spread_of(before.of_node);
    double stiffness = 0;
    switch (material.law) {
      case MaterialLaw::neo_hookean:
        stiffness = stiffness_of_jacobian(material.lame_lambda, material.lame_mu, jacobian, original,
                                          spread_of(now.of_node));
        break;
      case MaterialLaw::mooney_rivlin:
        stiffness = stiffness_of_jacobian(material.lame_lambda - 4 * material.c01,
                                          material.lame_mu + 2 * material.c01, jacobian, original,
                                          spread_of(now.of_node)) +
                    material.c01 * mooney_stiffness(deformation(before, positions, tetrahedron), original);
        break;
      case MaterialLaw::st_venant_kirchhoff:
        stiffness =
            st_venant_kirchhoff_stiffness(material, deformation(before, positions, tetrahedron), original);
    }
    largest = std::max(largest, stiffness);
  }
  return largest > 0 ? std::sqrt(material.density / largest) : infinity;
}

}  // namespace terrace
