// Series and coefficients of log, log1p, exp, sine, cosine, atan: fdlibm,
//   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//   Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute
//   this software is freely granted, provided that this notice is preserved.
#include "numerics/elementary.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "numerics/infinity.hpp"

namespace terrace::numerics {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// 2 (artanh(s)/s − 1) for |s| ≤ 0.1716.
double artanh_series(double s) {
  const double z = s * s, w = z * z;
  const double even =
      w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double odd =
      z * (6.666666666666735130e-01 +
           w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  return even + odd;
}

/// k ln 2 = high + low.
struct TwosLogarithm {
  explicit TwosLogarithm(double k)
      : high(k * 6.93147180369123816490e-01), low(k * 1.90821492927058770002e-10) {}
  double high, low;
};

/// ln(2^exponent (1 + f)) with 1 + f in [√½, √2), plus a small `rest`.
double log_of(double exponent, double f, double rest) {
  const double s = f / (2 + f), half_square = 0.5 * f * f;
  const TwosLogarithm twos(exponent);
  return twos.high - ((half_square - (s * (half_square + artanh_series(s)) + (twos.low + rest))) - f);
}

/// x = 2^exponent · mantissa, with the mantissa in [√½, √2).
struct Scaled {
  double exponent, mantissa;
};

/// x must be positive and finite.
Scaled scaled(double x) {
  constexpr std::uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd;
  double exponent = -1023;
  if (x < std::numeric_limits<double>::min()) {  // subnormal
    x *= 0x1p54;
    exponent -= 54;
  }
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(x) + (one - root_half);
  return {exponent + static_cast<double>(shifted >> 52),
          std::bit_cast<double>((shifted & 0x000fffffffffffff) + root_half)};
}

/// 1 + x = 2^exponent (1 + f) e^rest with 1 + f in [√½, √2), for −1 < x < ∞.
struct OnePlus {
  double exponent, f, rest;
};

OnePlus one_plus(double x) {
  const double sum = 1 + x;
  const Scaled parts = scaled(sum);
  // Near 1, f is x itself, as the digits of x that 1 + x has lost still count. Elsewhere what was lost, over
  // 1 + x, is added.
  if (parts.exponent == 0) return {0, x, 0};
  const double lost = x >= 1 ? 1 - (sum - x) : x - (sum - 1);
  return {parts.exponent, parts.mantissa - 1, lost / sum};
}

/// a · b = high + low, exactly (Dekker, Veltkamp).
struct Product {
  double high, low;
};

Product exact_product(double a, double b) {
  constexpr double splitter = 134217729;  // 2^27 + 1
  const auto upper_half = [](double x) {
    const double shifted = splitter * x;
    return shifted - (shifted - x);
  };
  const double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1, high = a * b;
  return {high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}

/// The n-th root: Newton's method on a mantissa in [1, 2^n), then one step with the residual in twice the
/// digits.
template <int n>
double root(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  if (x < 0) return -root<n>(-x);
  const int exponent = std::ilogb(x), quotient = (exponent - (exponent % n + n) % n) / n;
  const double m = std::ldexp(x, -n * quotient);
  double y = 1 + (m - 1) / ((1 << n) - 1);
  for (int k = 0; k < 8; ++k) {
    double power = y;
    for (int i = 2; i < n; ++i) power *= y;
    y = ((n - 1) * y + m / power) / n;
  }
  Product power{y, 0};
  for (int i = 1; i < n; ++i) {
    const Product next = exact_product(power.high, y);
    power = {next.high, next.low + power.low * y};
  }
  y += ((m - power.high) - power.low) * y / (n * power.high);
  return std::ldexp(y, quotient);
}

/// x less the nearest multiple of π/2, as high + low, and the quotient modulo 4.
struct Reduced {
  double high, low;
  int quadrant;
};

Reduced reduced(double x) {
  constexpr double two_pi = 6.28318530717958647693, most = 1e6;
  if (std::abs(x) > most) x = std::fmod(x, two_pi);
  // π/2 = first + second + third, the first two of 33 bits: their products with the multiple are exact.
  constexpr double first = 1.57079632673412561417e+00, second = 6.07710050630396597660e-11,
                   third = 2.02226624879595063154e-21;
  const double multiple = std::floor(x * 6.36619772367581382433e-01 + 0.5);
  const double rough = x - multiple * first, less = multiple * second, rest = rough - less;
  const double low = multiple * third - ((rough - rest) - less);
  const double high = rest - low;
  return {high, (rest - high) - low, static_cast<int>(std::fmod(multiple, 4) + 4) % 4};
}

/// sin and cos of x + y for |x| ≤ π/4 and tiny |y|.
double sine_near_zero(double x, double y) {
  const double z = x * x, cube = z * x;
  const double r = 8.33333333332248946124e-03 +
                   z * (-1.98412698298579493134e-04 +
                        z * (2.75573137070700676789e-06 +
                             z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return x - ((z * (0.5 * y - cube * r) - y) - cube * -1.66666666666666324348e-01);
}

double cosine_near_zero(double x, double y) {
  const double z = x * x, square = z * z;
  const double r =
      z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
      square * square *
          (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
  const double half = 0.5 * z, head = 1 - half;
  return head + (((1 - head) - half) + (z * r - x * y));
}

double sine_in_quadrant(const Reduced& x, int quadrant) {
  const double value = quadrant % 2 == 0 ? sine_near_zero(x.high, x.low) : cosine_near_zero(x.high, x.low);
  return quadrant < 2 ? value : -value;
}

/// x − atan(x) for |x| ≤ 7/16.
double atan_series(double x) {
  const double z = x * x, w = z * z;
  const double odd =
      z * (3.33333333333329318027e-01 +
           w * (1.42857142725034663711e-01 +
                w * (9.09088713343650656196e-02 +
                     w * (6.66107313738753120669e-02 +
                          w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
  const double even = w * (-1.99999999998764832476e-01 +
                           w * (-1.11111104054623557880e-01 +
                                w * (-7.69187620504482999495e-02 +
                                     w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
  return x * (odd + even);
}

/// atan x for x ≥ 0, by atan x = atan c + atan((x − c)/(1 + c x)).
double arc_tangent(double x) {
  const auto beyond = [](double high, double low, double t) { return high - ((atan_series(t) - low) - t); };
  if (x < 0.4375) return x - atan_series(x);
  if (x < 0.6875)
    return beyond(4.63647609000806093515e-01, 2.26987774529616870924e-17, (2 * x - 1) / (2 + x));
  if (x < 1.1875) return beyond(7.85398163397448278999e-01, 3.06161699786838301793e-17, (x - 1) / (x + 1));
  if (x < 2.4375)
    return beyond(9.82793723247329054082e-01, 1.39033110312309984516e-17, (x - 1.5) / (1 + 1.5 * x));
  return beyond(1.57079632679489655800e+00, 6.12323399573676603587e-17, -1 / x);
}

}  // namespace

double log(double x) {
  if (x == 0) return -infinity;
  if (!(x > 0)) return not_a_number;
  if (x == infinity) return x;
  const Scaled parts = scaled(x);
  return log_of(parts.exponent, parts.mantissa - 1, 0);
}

double log1p(double x) {
  if (x == -1) return -infinity;
  if (!(x > -1)) return not_a_number;
  if (x == infinity) return x;
  const OnePlus parts = one_plus(x);
  if (parts.exponent == 0 && std::abs(x) < 0x1p-54) return x;
  return log_of(parts.exponent, parts.f, parts.rest);
}

double log1p_excess(double x) {
  if (x == -1 || x == infinity) return infinity;
  if (!(x > -1)) return not_a_number;
  const auto [exponent, f, rest] = one_plus(x);
  const double s = f / (2 + f), half_square = 0.5 * f * f;
  const TwosLogarithm twos(exponent);
  return (half_square - s * (half_square + artanh_series(s))) + (((x - f) - twos.high) - (twos.low + rest));
}

double artanh_excess(double x) {
  if (!(std::abs(x) < 1)) return not_a_number;
  if (std::abs(x) < 0.1716) return 0.5 * x * artanh_series(x);
  const double size = std::abs(x);
  return std::copysign(0.5 * log1p(2 * size / (1 - size)) - size, x);
}

double exp(double x) {
  constexpr double most = 709.782712893384, least = -745.1332191019411;
  if (std::isnan(x)) return x;
  if (x > most) return infinity;
  if (x < least) return 0;
  // x = k ln 2 + r with |r| ≤ ½ ln 2, r in two parts.
  const double k = std::floor(x * 1.44269504088896338700e+00 + 0.5);
  const double high = x - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10;
  const double r = high - low, t = r * r;
  const double c = r - t * (1.66666666666666019037e-01 +
                            t * (-2.77777777770155933842e-03 +
                                 t * (6.61375632143793436117e-05 +
                                      t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
  return std::ldexp(1 - ((low - r * c / (2 - c)) - high), static_cast<int>(k));
}

double cube_root(double x) { return root<3>(x); }
double fifth_root(double x) { return root<5>(x); }

double sine(double x) {
  if (!std::isfinite(x)) return not_a_number;
  const Reduced rest = reduced(x);
  return sine_in_quadrant(rest, rest.quadrant);
}

double cosine(double x) {
  if (!std::isfinite(x)) return not_a_number;
  const Reduced rest = reduced(x);
  return sine_in_quadrant(rest, (rest.quadrant + 1) % 4);
}

double angle(double y, double x) {
  constexpr double pi = 3.14159265358979311600, low = 1.22464679914735317720e-16;
  if (std::isnan(x) || std::isnan(y)) return not_a_number;
  if (x == 0) return 0.5 * pi;
  return x > 0 ? arc_tangent(y / x) : pi - (arc_tangent(y / -x) - low);
}

double arc_cosine(double x) { return angle(std::sqrt((1 - x) * (1 + x)), x); }

}  // namespace terrace::numerics
