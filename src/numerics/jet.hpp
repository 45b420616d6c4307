// A function of one variable at one place, with its first three derivatives.
#pragma once

#include "numerics/interval.hpp"

namespace terrace {

/// f, f′, f″ and f‴ in double precision, or enclosures of them over an interval of the variable (Real =
/// Interval). The product and chain rules carry both through any formula.
template <class Real>
struct Jet {
  Real value{}, first{}, second{}, third{};

  Jet() = default;
  Jet(double constant) : value(constant) {}  // NOLINT: numbers are constant functions
  Jet(Real f, Real f1, Real f2, Real f3) : value(f), first(f1), second(f2), third(f3) {}
  /// The linear function x(s) = value + slope s.
  [[nodiscard]] static Jet line(const Real& value, const Real& slope) { return {value, slope, {}, {}}; }

  /// g(f), given the values g, g1, g2, g3 of g and its derivatives at f.
  [[nodiscard]] Jet through(const Real& g, const Real& g1, const Real& g2, const Real& g3) const {
    const Real square_of_first = square(first);
    return {g, g1 * first, g2 * square_of_first + g1 * second,
            g3 * (square_of_first * first) + Real(3.0) * (g2 * (first * second)) + g1 * third};
  }
};

template <class Real>
[[nodiscard]] Jet<Real> operator-(const Jet<Real>& a) {
  return {-a.value, -a.first, -a.second, -a.third};
}
template <class Real>
[[nodiscard]] Jet<Real> operator+(const Jet<Real>& a, const Jet<Real>& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second, a.third + b.third};
}
template <class Real>
[[nodiscard]] Jet<Real> operator-(const Jet<Real>& a, const Jet<Real>& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second, a.third - b.third};
}
template <class Real>
[[nodiscard]] Jet<Real> operator+(const Jet<Real>& a, double b) {
  return {a.value + Real(b), a.first, a.second, a.third};
}
template <class Real>
[[nodiscard]] Jet<Real> operator-(const Jet<Real>& a, double b) {
  return {a.value - Real(b), a.first, a.second, a.third};
}
template <class Real>
[[nodiscard]] Jet<Real> operator*(double s, const Jet<Real>& a) {
  const Real factor(s);
  return {factor * a.value, factor * a.first, factor * a.second, factor * a.third};
}
template <class Real>
[[nodiscard]] Jet<Real> operator*(const Jet<Real>& a, const Jet<Real>& b) {
  const Real two(2.0), three(3.0);
  return {a.value * b.value, a.value * b.first + a.first * b.value,
          a.value * b.second + two * (a.first * b.first) + a.second * b.value,
          a.value * b.third + three * (a.first * b.second + a.second * b.first) + a.third * b.value};
}
/// 1/a. Powers of 1/a overflow, or vanish, long before its derivatives do, as with (σ/r)¹² in metres. The
/// derivatives of b = 1/a then come from those of a b = 1.
template <class Real>
[[nodiscard]] Jet<Real> reciprocal(const Jet<Real>& a) {
  const Real r = Real(1.0) / a.value, r2 = square(r), r3 = r2 * r, r4 = square(r2);
  if (is_normal(r4)) return a.through(r, -r2, Real(2.0) * r3, Real(-6.0) * r4);
  const Real two(2.0), three(3.0), first = -(r * (a.first * r)),
                                   second = -(r * (two * (a.first * first) + a.second * r));
  return {r, first, second, -(r * (three * (a.first * second + a.second * first) + a.third * r))};
}
template <class Real>
[[nodiscard]] Jet<Real> operator/(const Jet<Real>& a, const Jet<Real>& b) {
  return a * reciprocal(b);
}
template <class Real>
[[nodiscard]] Jet<Real> square(const Jet<Real>& a) {
  const Real two(2.0);
  return {square(a.value), two * (a.value * a.first), two * (square(a.first) + a.value * a.second),
          two * (a.value * a.third) + Real(6.0) * (a.first * a.second)};
}
template <class Real>
[[nodiscard]] Jet<Real> sqrt(const Jet<Real>& a) {
  using std::sqrt;
  const Real root = sqrt(a.value), first = Real(0.5) / root, second = -(Real(0.5) * first) / a.value;
  return a.through(root, first, second, -(Real(1.5) * second) / a.value);
}

template <class Real>
[[nodiscard]] Jet<Real> exponential(const Jet<Real>& a) {
  const Real e = exponential(a.value);
  return a.through(e, e, e, e);
}
template <class Real>
[[nodiscard]] Jet<Real> logarithm(const Jet<Real>& a) {
  const Real r = Real(1.0) / a.value, r2 = square(r);
  return a.through(logarithm(a.value), r, -r2, Real(2.0) * (r2 * r));
}
template <class Real>
[[nodiscard]] Jet<Real> sine(const Jet<Real>& a) {
  const Real s = sine(a.value), c = cosine(a.value);
  return a.through(s, c, -s, -c);
}
template <class Real>
[[nodiscard]] Jet<Real> cosine(const Jet<Real>& a) {
  const Real s = sine(a.value), c = cosine(a.value);
  return a.through(c, -s, -c, s);
}

}  // namespace terrace
