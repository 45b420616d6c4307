// The value of a formula, with numbers or intervals alike.
#pragma once

#include <span>
#include <vector>

#include "numerics/at.hpp"
#include "numerics/formula.hpp"
#include "numerics/jet.hpp"

namespace terrace {

/// Of one step, after the results of the steps before.
template <class Real>
[[nodiscard]] Jet<Real> value_of_step(const Formula::Step& step, std::span<const Jet<Real>> variables,
                                      const std::vector<Jet<Real>>& before) {
  using Operation = Formula::Operation;
  switch (step.operation) {
    case Operation::number:
      return Jet<Real>(step.number);
    case Operation::variable:
      return at(variables, step.first);
    case Operation::sum:
      return at(before, step.first) + at(before, step.second);
    case Operation::product:
      return at(before, step.first) * at(before, step.second);
    case Operation::whole_power:
      return whole_power(at(before, step.first), static_cast<unsigned>(step.number));
    case Operation::reciprocal:
      return reciprocal(at(before, step.first));
    case Operation::square_root:
      return sqrt(at(before, step.first));
    case Operation::exponential:
      return exponential(at(before, step.first));
    case Operation::logarithm:
      return logarithm(at(before, step.first));
    case Operation::sine:
      return sine(at(before, step.first));
    case Operation::cosine:
      return cosine(at(before, step.first));
  }
  return {};
}

/// At these variables, and how it changes with what they change with.
template <class Real>
[[nodiscard]] Jet<Real> value_of(const Formula& formula, std::span<const Jet<Real>> variables) {
  std::vector<Jet<Real>> results;
  results.reserve(formula.steps.size());
  for (const Formula::Step& step : formula.steps)
    results.push_back(value_of_step<Real>(step, variables, results));
  return results.back();
}

}  // namespace terrace
