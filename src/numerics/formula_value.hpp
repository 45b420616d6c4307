// The value of a formula, for numbers and for intervals alike.
#pragma once

#include <span>
#include <vector>

#include "numerics/at.hpp"
#include "numerics/formula.hpp"
#include "numerics/jet.hpp"

namespace terrace {

/// The value of one step, given the results of the steps before it.
template <class Real>
[[nodiscard]] Jet<Real> value_of_step(const Formula::Step& step, std::span<const Jet<Real>> variables,
                                      const std::vector<Jet<Real>>& before) {
  using Kind = Formula::Operation;
  switch (step.operation) {
    case Kind::number:
      return Jet<Real>(step.number);
    case Kind::variable:
      return at(variables, step.first);
    case Kind::sum:
      return at(before, step.first) + at(before, step.second);
    case Kind::product:
      return at(before, step.first) * at(before, step.second);
    case Kind::whole_power:
      return whole_power(at(before, step.first), static_cast<unsigned>(step.number));
    case Kind::reciprocal:
      return reciprocal(at(before, step.first));
    case Kind::square_root:
      return sqrt(at(before, step.first));
    case Kind::exponential:
      return exponential(at(before, step.first));
    case Kind::logarithm:
      return logarithm(at(before, step.first));
    case Kind::sine:
      return sine(at(before, step.first));
    case Kind::cosine:
      return cosine(at(before, step.first));
  }
  return {};
}

/// The value of a formula at these variables, with its derivatives by the parameter that they depend on.
template <class Real>
[[nodiscard]] Jet<Real> value_of(const Formula& formula, std::span<const Jet<Real>> variables) {
  std::vector<Jet<Real>> results;
  results.reserve(formula.steps.size());
  for (const Formula::Step& step : formula.steps)
    results.push_back(value_of_step<Real>(step, variables, results));
  return results.back();
}

}  // namespace terrace
