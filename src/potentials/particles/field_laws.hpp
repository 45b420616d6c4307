// Energies U(x) of one particle in a field, as formulas of its coordinates, each of which is a function along
// the particle's line. `lowest` is a lower bound of U. `centre_of_symmetry` is the point on whose distance
// alone U depends, if there is one.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "geometry/vector3.hpp"
#include "numerics/formula_value.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// The coordinates of a particle, each as a function along a line.
template <class Real>
using Place = std::array<Jet<Real>, 3>;

/// −μ m / |x − c|.
struct CentralField {
  double strength;
  Vector3 centre;
  [[nodiscard]] double lowest() const { return -infinity; }
  [[nodiscard]] std::optional<Vector3> centre_of_symmetry(std::size_t /*dimension*/) const { return centre; }
  template <class Real>
  [[nodiscard]] Jet<Real> energy(const Place<Real>& x, double mass) const {
    const Jet<Real> square_of_distance =
        square(x[0] - centre[0]) + square(x[1] - centre[1]) + square(x[2] - centre[2]);
    return -(strength * mass) * reciprocal(sqrt(square_of_distance));
  }
};

/// ½ Σ_d k_d (x_d − c_d)².
struct HarmonicWell {
  Vector3 stiffness, centre;
  [[nodiscard]] double lowest() const {
    for (const double k : stiffness)
      if (k < 0) return -infinity;
    return 0;
  }
  [[nodiscard]] std::optional<Vector3> centre_of_symmetry(std::size_t dimension) const {
    for (std::size_t d = 1; d < dimension; ++d)
      if (stiffness[d] != stiffness[0]) return {};
    return centre;
  }
  template <class Real>
  [[nodiscard]] Jet<Real> energy(const Place<Real>& x, double /*mass*/) const {
    Jet<Real> sum;
    for (std::size_t d = 0; d < 3; ++d)
      if (stiffness[d] != 0) sum = sum + 0.5 * stiffness[d] * square(x[d] - centre[d]);
    return sum;
  }
};

/// Σ_n a_n zⁿ with z = e·(x − c).
struct PolynomialWell {
  std::vector<double> coefficients;
  Vector3 direction, centre;
  [[nodiscard]] double lowest() const { return -infinity; }
  [[nodiscard]] std::optional<Vector3> centre_of_symmetry(std::size_t /*dimension*/) const { return {}; }
  template <class Real>
  [[nodiscard]] Jet<Real> energy(const Place<Real>& x, double /*mass*/) const {
    Jet<Real> z, sum;
    for (std::size_t d = 0; d < 3; ++d) z = z + direction[d] * (x[d] - centre[d]);
    for (std::size_t n = coefficients.size(); n-- > 0;) sum = sum * z + coefficients[n];
    return sum;
  }
};

/// max(g, 0)²; its second derivative jumps where g is 0.
[[nodiscard]] inline Jet<double> square_of_positive(const Jet<double>& g) {
  return g.value > 0 ? square(g) : Jet<double>();
}
[[nodiscard]] inline Jet<Interval> square_of_positive(const Jet<Interval>& g) {
  if (!(g.value.high > 0)) return {};
  if (g.value.low > 0) return square(g);
  Jet<Interval> part = g;
  part.value.low = 0;
  const Jet<Interval> inside = square(part);
  return {hull(inside.value, {}), hull(inside.first, {}), hull(inside.second, {}), Interval::everything()};
}

/// ½ k depth² of a particle that is beyond the circle or sphere of this radius about c, or within it.
struct CirclePenalty {
  double stiffness, radius;
  Vector3 centre;
  bool inside;  ///< whether particles may be within it, or else beyond it
  [[nodiscard]] double lowest() const { return 0; }
  [[nodiscard]] std::optional<Vector3> centre_of_symmetry(std::size_t /*dimension*/) const { return centre; }
  template <class Real>
  [[nodiscard]] Jet<Real> energy(const Place<Real>& x, double /*mass*/) const {
    const Jet<Real> square_of_distance =
        square(x[0] - centre[0]) + square(x[1] - centre[1]) + square(x[2] - centre[2]);
    if (is_within(square_of_distance.value)) return {};  // also at the centre, where the root is not smooth
    const Jet<Real> distance = sqrt(square_of_distance);
    return 0.5 * stiffness * square_of_positive(inside ? distance - radius : Jet<Real>(radius) - distance);
  }

 private:
  [[nodiscard]] bool is_within(double q) const {
    return inside ? q <= radius * radius : q >= radius * radius;
  }
  [[nodiscard]] bool is_within(const Interval& q) const {
    return inside ? q.high <= radius * radius : q.low >= radius * radius;
  }
};

/// U(x, y, z) of a user's formula.
struct FieldFormula {
  Formula formula;
  [[nodiscard]] double lowest() const { return -infinity; }
  [[nodiscard]] std::optional<Vector3> centre_of_symmetry(std::size_t /*dimension*/) const { return {}; }
  template <class Real>
  [[nodiscard]] Jet<Real> energy(const Place<Real>& x, double /*mass*/) const {
    return value_of<Real>(formula, x);
  }
};

}  // namespace terrace
