// Compositions of second-order steps that have a higher order.
#pragma once

#include <span>
#include <vector>

namespace terrace {

/// The coefficients γ of Φ(γ_1 h) … Φ(γ_s h), a symmetric composition of symmetric steps Φ of second order.
/// Order 2 has one coefficient; order 4 the triple jump (Yoshida 1990); order 6 the seven of Yoshida's
/// solution A; order 8 the fifteen of Suzuki and Umeno 1993 (Hairer, Lubich and Wanner, Geometric Numerical
/// Integration, (V.3.11)). Their sum is 1. `order` must be one of composition_orders().
[[nodiscard]] std::span<const double> symmetric_composition(int order);

/// The orders that `symmetric_composition` knows.
[[nodiscard]] const std::vector<int>& composition_orders();

/// Calls `step(γ h)` for each coefficient γ.
template <class Step>
void compose(std::span<const double> coefficients, double h, Step&& step) {
  for (const double coefficient : coefficients) step(coefficient * h);
}

}  // namespace terrace
