// A formula of a few variables as a list of operations; formula_value.hpp evaluates it.
#pragma once

#include <cstdint>
#include <vector>

namespace terrace {

/// A formula. Each step takes the results of earlier ones; the last is the value. The operations are in the
/// order of the user's formula, so that it has the same bits wherever it is evaluated.
struct Formula {
  enum class Operation : std::int32_t {
    number,
    variable,  ///< of the number `first`
    sum,
    product,
    whole_power,  ///< of `first`, to the whole power `number` ≥ 2
    reciprocal,
    square_root,
    exponential,
    logarithm,
    sine,
    cosine
  };
  struct Step {
    Operation operation = Operation::number;
    std::int32_t first = 0, second = 0;  ///< numbers of earlier steps, or of a variable
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
};

}  // namespace terrace
