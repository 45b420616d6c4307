// A formula from a user's text.
#pragma once

#include <string>
#include <vector>

#include "numerics/formula.hpp"

namespace terrace {

/// What is wrong with a text, and the number, from 1 on, of the character where that was noticed.
struct FormulaError {
  std::size_t place;
  std::string expected, found;
};

/// Reads a formula of +, −, *, /, ^, brackets, numbers, Pi, sqrt, exp, log, sin, cos, and `variables`. GiNaC
/// parses it; the order of its terms, which differs from run to run in GiNaC, is made the same here. Powers
/// have constant exponents. Throws FormulaError.
[[nodiscard]] Formula parse_formula(const std::string& text, const std::vector<std::string>& variables);

}  // namespace terrace
