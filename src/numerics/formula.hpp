// A formula of a few variables as a list of operations: evaluated with numbers, jets or intervals alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/at.hpp"
#include "numerics/jet.hpp"

namespace terrace {

/// Each step takes the results of earlier ones; the last is the value. The order of its operations is the
/// formula's, so that it has the same bits wherever it is evaluated.
struct Formula {
  enum class Operation : std::int32_t {
    number,
    variable,  ///< of this number
    sum,
    product,
    whole_power,  ///< of the first to the number, n ≥ 2
    reciprocal,
    square_root,
    exponential,
    logarithm,
    sine,
    cosine
  };
  struct Step {
    Operation operation = Operation::number;
    std::int32_t first = 0, second = 0;  ///< earlier steps, or a variable
    double number = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [operation, first, second, number] = self;
      archive(operation, first, second, number);
    }
  };
  std::vector<Step> steps;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [steps] = self;
    archive(steps);
  }

  /// The value at these variables, and how it changes with what they change with.
  template <class Real>
  [[nodiscard]] Jet<Real> at_place(std::span<const Jet<Real>> variables) const {
    std::vector<Jet<Real>> results;
    results.reserve(steps.size());
    for (const Step& step : steps) results.push_back(result<Real>(step, variables, results));
    return results.back();
  }

 private:
  template <class Real>
  static Jet<Real> result(const Step& step, std::span<const Jet<Real>> variables,
                          const std::vector<Jet<Real>>& before) {
    const auto first = [&]() -> const Jet<Real>& { return at(before, step.first); };
    switch (step.operation) {
      case Operation::number:
        return Jet<Real>(step.number);
      case Operation::variable:
        return at(variables, step.first);
      case Operation::sum:
        return first() + at(before, step.second);
      case Operation::product:
        return first() * at(before, step.second);
      case Operation::whole_power:
        return terrace::whole_power(first(), static_cast<unsigned>(step.number));
      case Operation::reciprocal:
        return terrace::reciprocal(first());
      case Operation::square_root:
        return sqrt(first());
      case Operation::exponential:
        return terrace::exponential(first());
      case Operation::logarithm:
        return terrace::logarithm(first());
      case Operation::sine:
        return terrace::sine(first());
      case Operation::cosine:
        return terrace::cosine(first());
    }
    return {};
  }
};

}  // namespace terrace
