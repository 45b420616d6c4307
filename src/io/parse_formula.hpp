// A formula from a user's text.
#pragma once

#include <string>
#include <vector>

#include "numerics/formula.hpp"

namespace terrace {

/// What is wrong with a text, and the place of the character where it was found out, from 1 on.
struct FormulaError {
  std::size_t place;
  std::string expected, found;
};

/// Reads a text with +, −, *, /, ^, brackets, numbers, Pi, sqrt, exp, log, sin, cos, and `variables`: by
/// GiNaC, whose order of terms may differ from run to run; here it is made the same. Powers have constant
/// exponents. Throws FormulaError.
[[nodiscard]] Formula parse_formula(const std::string& text, const std::vector<std::string>& variables);

}  // namespace terrace
