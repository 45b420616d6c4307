// Energies of pairs of particles as functions of q = r², the square of their distance: f(q).
//
// Along two straight lines q(s) is a parabola with q″ constant. V = f(q), V′ = f′ q′ and V″ = f″ q′² + f′ q″
// then need no root but those of the law itself, and a certificate needs only enclosures of f′, f″ and f‴
// over an interval of q.
//
// Every law has: `weight`, the factor of a pair's energy by its masses; `reach`, the distance from which on f
// is 0; `lowest`, a lower bound of f; `natural_stiffness`, V″ of a pair at rest (0 where none is given);
// `diverges`, whether f or its derivatives are infinite at q = 0; `at`, the values at q; `over`, enclosures
// over an interval of q.
#pragma once

#include <cmath>

#include "numerics/formula_value.hpp"
#include "numerics/infinity.hpp"
#include "numerics/interval.hpp"

namespace terrace {

/// f, f′, f″ at one q.
struct PairValues {
  double value = 0, first = 0, second = 0;
};

/// Enclosures of f′, f″, f‴ over an interval of q; that of f‴ is infinite where f″ jumps or is not a number.
struct PairRanges {
  Interval first{}, second{}, third{};
};

constexpr double no_reach = infinity;

/// An enclosure of a positive term that falls with q, from its values at the far and at the near end of an
/// interval, each rounded by some units in the last place.
[[nodiscard]] inline Interval between(double far, double near) {
  constexpr double rounding = 0x1p-47;
  return {far * (1 - rounding), near * (1 + rounding)};
}

/// 4 ε ((σ/r)¹² − (σ/r)⁶). With a cut-off r_c the law is f(q) − f(q_c) − f′(q_c) (q − q_c) for r < r_c, else
/// 0, so that energy and force are continuous at r_c.
class LennardJones {
 public:
  LennardJones(double depth, double diameter, double cutoff);

  [[nodiscard]] double weight(double /*mass*/, double /*other*/) const { return 1; }
  [[nodiscard]] double reach() const { return reach_; }
  [[nodiscard]] double lowest() const { return -lowest_; }
  /// At the minimum of the energy, r = 2^{1/6} σ.
  [[nodiscard]] double natural_stiffness() const { return natural_stiffness_; }
  [[nodiscard]] bool diverges() const { return true; }

  [[nodiscard]] PairValues at(double q) const {
    if (q >= reach_square_) return {};
    const Terms t = terms(q);
    return {(t.repulsion - t.attraction) - shift_ - slope_ * (q - reach_square_or_zero_),
            (3 * t.attraction - 6 * t.repulsion) * t.inverse - slope_,
            (42 * t.repulsion - 12 * t.attraction) * (t.inverse * t.inverse)};
  }
  [[nodiscard]] PairRanges over(const Interval& q) const;

 private:
  struct Terms {
    double inverse, repulsion, attraction;  // 1/q, 4 ε σ¹² q⁻⁶, 4 ε σ⁶ q⁻³
  };
  [[nodiscard]] Terms terms(double q) const {
    const double u = 1 / q, scaled = square_ * u, cube = scaled * scaled * scaled;
    return {u, four_depth_ * (cube * cube), four_depth_ * cube};
  }
  double four_depth_, square_;  // 4 ε, σ²
  double reach_, reach_square_, reach_square_or_zero_, shift_ = 0, slope_ = 0;
  double lowest_, natural_stiffness_;
};

/// −G m m′ / r; the weight is m m′.
class NewtonianGravity {
 public:
  explicit NewtonianGravity(double constant) : constant_(constant) {}
  [[nodiscard]] double weight(double mass, double other) const { return mass * other; }
  [[nodiscard]] double reach() const { return no_reach; }
  [[nodiscard]] double lowest() const { return -infinity; }
  [[nodiscard]] double natural_stiffness() const { return 0; }
  [[nodiscard]] bool diverges() const { return true; }
  [[nodiscard]] PairValues at(double q) const {
    const double u = 1 / q, value = constant_ * std::sqrt(u);
    return {-value, 0.5 * value * u, -0.75 * value * (u * u)};
  }
  [[nodiscard]] PairRanges over(const Interval& q) const {
    const double near = 1 / q.low, far = 1 / q.high;
    const double at_near = constant_ * std::sqrt(near), at_far = constant_ * std::sqrt(far);
    return {between(0.5 * at_far * far, 0.5 * at_near * near),
            -between(0.75 * at_far * (far * far), 0.75 * at_near * (near * near)),
            between(1.875 * at_far * (far * far * far), 1.875 * at_near * (near * near * near))};
  }

 private:
  double constant_;
};

/// ½ k (r − l)².
class LinearSpring {
 public:
  LinearSpring(double stiffness, double length) : stiffness_(stiffness), length_(length) {}
  [[nodiscard]] double weight(double /*mass*/, double /*other*/) const { return 1; }
  [[nodiscard]] double reach() const { return no_reach; }
  [[nodiscard]] double lowest() const { return 0; }
  [[nodiscard]] double natural_stiffness() const { return stiffness_; }
  [[nodiscard]] bool diverges() const { return length_ > 0; }  // f′ is infinite where the ends meet
  [[nodiscard]] PairValues at(double q) const {
    const double k = stiffness_, l = length_;
    if (l == 0) return {0.5 * k * q, 0.5 * k, 0};
    const double r = std::sqrt(q), stretch = r - l;
    return {0.5 * k * (stretch * stretch), 0.5 * k * stretch / r, 0.25 * k * l / (r * q)};
  }
  [[nodiscard]] PairRanges over(const Interval& q) const {
    const double k = stiffness_, l = length_;
    if (l == 0) return {Interval(0.5 * k), {}, {}};
    const Interval r = sqrt(q), cube = r * q;
    const Interval bent = Interval(0.25 * k * l) * Interval(1 - 0x1p-50, 1 + 0x1p-50);
    return {Interval(0.5 * k) * (Interval(1) - Interval(l) / r), bent / cube,
            Interval(-1.5) * (bent / (cube * q))};
  }

 private:
  double stiffness_, length_;
};

/// The contact of two spheres by Hertz: 2/5 k δ^{5/2} for an approach δ = l − r > 0, with the force k
/// δ^{3/2}; else 0.
class HertzSpring {
 public:
  HertzSpring(double stiffness, double length)
      : stiffness_(stiffness), length_(length), square_(length * length) {}
  [[nodiscard]] double weight(double /*mass*/, double /*other*/) const { return 1; }
  [[nodiscard]] double reach() const { return length_; }
  [[nodiscard]] double lowest() const { return 0; }
  [[nodiscard]] double natural_stiffness() const { return 0; }
  [[nodiscard]] bool diverges() const { return true; }  // f′ is infinite where the centres meet
  [[nodiscard]] PairValues at(double q) const {
    if (q >= square_) return {};
    const double r = std::sqrt(q), approach = length_ - r;
    if (!(approach > 0)) return {};
    const double stiff = stiffness_ * std::sqrt(approach), force = stiff * approach;
    return {0.4 * force * approach, -0.5 * force / r, (1.5 * stiff * r + force) / (4 * r * q)};
  }
  [[nodiscard]] PairRanges over(const Interval& q) const {
    const Interval r = sqrt(q), approach = Interval(length_) - r;
    if (!(approach.high > 0)) return {};
    const Interval part{std::max(approach.low, 0.0), approach.high};
    const Interval root = sqrt(part), stiff = Interval(stiffness_) * root, force = stiff * part;
    const Interval first = Interval(-0.5) * force / r,
                   second = (Interval(1.5) * stiff * r + force) / (Interval(4) * r * q);
    if (!(approach.low > 0)) return {hull(first, {}), hull(second, {}), Interval::everything()};
    return {first, second,
            Interval(-1) *
                (Interval(0.75 * stiffness_) * q / root + Interval(4.5) * stiff * r + Interval(3) * force) /
                (Interval(8) * r * square(q))};
  }

 private:
  double stiffness_, length_, square_;
};

/// φ(r) of a user's formula. If r has even powers alone the formula is rewritten as one of q, which takes no
/// root: then it may be smooth at r = 0.
class PairFormula {
 public:
  explicit PairFormula(const Formula& of_distance);
  [[nodiscard]] double weight(double /*mass*/, double /*other*/) const { return 1; }
  [[nodiscard]] double reach() const { return no_reach; }
  [[nodiscard]] double lowest() const { return -infinity; }
  [[nodiscard]] double natural_stiffness() const { return 0; }
  [[nodiscard]] bool diverges() const { return diverges_; }
  [[nodiscard]] PairValues at(double q) const {
    const Jet<double> energy = of_square<double>(q);
    return {energy.value, energy.first, energy.second};
  }
  [[nodiscard]] PairRanges over(const Interval& q) const {
    const Jet<Interval> energy = of_square<Interval>(q);
    return {energy.first, energy.second, energy.third};
  }

 private:
  template <class Real>
  [[nodiscard]] Jet<Real> of_square(const Real& q) const {
    const Jet<Real> square = Jet<Real>::line(q, Real(1.0)), variable = is_of_square_ ? square : sqrt(square);
    return value_of<Real>(formula_, {&variable, 1});
  }
  Formula formula_;  // of q or of r
  bool is_of_square_, diverges_;
};

}  // namespace terrace
