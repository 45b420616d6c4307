// Elementary functions with the same bits on every machine. A libm may choose among variants by the processor
// (glibc uses fused operations where there are some), and another libm rounds otherwise. These functions are
// made of IEEE operations in a fixed order. Whatever enters a trajectory or its set-up uses them in place of
// <cmath>. Of <cmath> it uses only what IEEE 754 defines to the last bit: sqrt, fabs, floor, ldexp, ilogb,
// fmod, nextafter. Errors are in units in the last place of the result
// (tests/unit/numerics/elementary_test.cpp).
#pragma once

namespace terrace::numerics {

/// ln x, within 1 unit; −∞ at 0, NaN below.
[[nodiscard]] double log(double x);
/// ln(1 + x), within 1 unit; −∞ at −1, NaN below.
[[nodiscard]] double log1p(double x);
/// x − ln(1 + x), which is of second order, within 10 units; ∞ at −1, NaN below.
[[nodiscard]] double log1p_excess(double x);
/// artanh x − x, which is of third order, within 4·10⁻¹⁴ of itself; NaN for |x| ≥ 1.
[[nodiscard]] double artanh_excess(double x);

/// eˣ, within 1 unit; where the result is smaller than 2^−1022, within 2^−1022.
[[nodiscard]] double exp(double x);

/// x^(1/3) and x^(1/5), within 1 unit, of any sign.
[[nodiscard]] double cube_root(double x);
[[nodiscard]] double fifth_root(double x);

/// Within 1 unit for |x| ≤ 10⁶. A larger x is first reduced by a multiple of 2π rounded to a double.
[[nodiscard]] double sine(double x);
[[nodiscard]] double cosine(double x);

/// The angle in [0, π] between the x-axis and (x, y) for y ≥ 0, within 2 units; π/2 if both are 0.
[[nodiscard]] double angle(double y, double x);
/// acos x for −1 ≤ x ≤ 1, with an error of at most 3 units in the last place of π/2.
[[nodiscard]] double arc_cosine(double x);

}  // namespace terrace::numerics
