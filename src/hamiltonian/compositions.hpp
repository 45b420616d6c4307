// Steps of second order put together to steps of higher order.
#pragma once

#include <span>
#include <vector>

namespace terrace {

/// The coefficients γ of Φ(γ_1 h) … Φ(γ_s h), a symmetric composition of symmetric steps Φ of second order:
/// one (order 2), the triple jump (4; Yoshida 1990), seven of Yoshida's solution A (6), fifteen of Suzuki and
/// Umeno 1993 (8; Hairer, Lubich and Wanner, Geometric Numerical Integration, (V.3.11)). Their sum is 1.
/// Another order is a broken contract.
[[nodiscard]] std::span<const double> symmetric_composition(int order);

/// The orders there are.
[[nodiscard]] const std::vector<int>& composition_orders();

/// Takes `step(γ h)` for each coefficient.
template <class Step>
void compose(std::span<const double> coefficients, double h, Step&& step) {
  for (const double coefficient : coefficients) step(coefficient * h);
}

}  // namespace terrace
