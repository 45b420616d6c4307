#include "io/parse_formula.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <exception>

#include "parallel/words_of.hpp"

namespace terrace {
namespace {

constexpr std::size_t longest_text = 2000;
constexpr double largest_power = 64;
constexpr const char* white_space = " \t\n\v\f\r";  // what std::isspace skips

std::string allowed(const std::vector<std::string>& variables) {
  return fmt::format("a formula of {} with + - * / ^ ( ), numbers, Pi, sqrt, exp, log, sin and cos",
                     fmt::join(variables, ", "));
}

/// Checks a text from left to right before GiNaC parses it. GiNaC knows many more names, does not say where
/// it stopped, and would work out a power of numbers to its last digit.
class Inspector {
 public:
  Inspector(const std::string& text, const std::vector<std::string>& variables)
      : text_(text), variables_(variables) {}

  void inspect() {
    if (text_.size() > longest_text)
      throw FormulaError{longest_text, fmt::format("a formula of at most {} characters", longest_text),
                         fmt::format("{}", text_.size())};
    while (skip_spaces(), place_ < text_.size()) {
      if (wants_operand_)
        operand();
      else
        after_operand();
    }
    if (wants_operand_) fail("a number, a variable or a bracket", "the end");
    if (depth_ > 0) fail("a closing bracket", "the end");
  }

 private:
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw FormulaError{place_ + 1, expected, found};
  }
  [[nodiscard]] std::string here() const { return fmt::format("\"{}\"", text_[place_]); }
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }
  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
  void skip_spaces() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_])) != 0) ++place_;
  }

  void operand() {
    const char c = text_[place_];
    if (is_digit(c)) {
      number();
    } else if (is_letter(c)) {
      name();
    } else if (c == '(') {
      variable_in_bracket_.push_back(false);
      ++depth_;
      ++place_;
      after_operator_ = false;
    } else if (c == '-' || c == '+') {
      // GiNaC's parser applies such a sign to all that follows: x^-2 + 1 would be x^(-2 + 1).
      if (after_operator_) fail("brackets around a sign after + - * / ^", here());
      after_operator_ = true;
      ++place_;
    } else {
      fail(allowed(variables_), here());
    }
  }

  /// Refuses a large exponent that is a number, or a bracket of numbers. GiNaC would multiply the power out
  /// to its last digit, however large.
  void check_exponent() const {
    std::size_t end = text_.find_first_not_of(white_space, place_ + 1);
    if (end == std::string::npos) return;
    const std::size_t begin = end;
    int depth = 0;
    do {
      depth += text_[end] == '(' ? 1 : text_[end] == ')' ? -1 : 0;
      ++end;
    } while (end < text_.size() && (depth > 0 || is_digit(text_[end])));
    const std::string exponent = text_.substr(begin, end - begin);
    if (exponent.find_first_not_of(std::string("0123456789.+-*/()") + white_space) != std::string::npos)
      return;
    double value = 0;
    try {
      const GiNaC::ex worked_out = GiNaC::parser()(exponent).evalf();
      if (GiNaC::is_a<GiNaC::numeric>(worked_out))
        value = GiNaC::ex_to<GiNaC::numeric>(worked_out).to_double();
    } catch (const std::exception&) {  // what is no number is refused where it is read
    }
    if (std::abs(value) > largest_power)
      fail(fmt::format("exponents up to {}", largest_power), fmt::format("{:g}", value));
  }

  void number() {
    const char* const first = text_.data() + place_;
    double value = 0;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail("a number", here());
    place_ += static_cast<std::size_t>(end - first);
    wants_operand_ = after_operator_ = false;
    is_number_ = true;
  }

  void name() {
    static const std::vector<std::string> functions = {"sqrt", "exp", "log", "sin", "cos"};
    std::size_t end = place_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string found = text_.substr(place_, end - place_);
    const auto is_in = [&](const auto& names) {
      return std::find(names.begin(), names.end(), found) != names.end();
    };
    if (is_in(functions)) {
      place_ = end;
      skip_spaces();
      if (place_ == text_.size() || text_[place_] != '(')
        fail("an opening bracket after " + found, place_ == text_.size() ? "the end" : here());
      return;
    }
    if (found != "Pi" && !is_in(variables_)) fail(allowed(variables_), "\"" + found + "\"");
    place_ = end;
    wants_operand_ = after_operator_ = is_number_ = false;
    for (std::size_t i = 0; i < variable_in_bracket_.size(); ++i) variable_in_bracket_[i] = true;
  }

  void after_operand() {
    const char c = text_[place_];
    if (c == ')') {
      if (--depth_ < 0) fail("no closing bracket without an opening one", here());
      is_number_ = !variable_in_bracket_.back();
      variable_in_bracket_.pop_back();
    } else if (std::string("+-*/^").find(c) != std::string::npos) {
      if (c == '^' && is_number_) fail("no power of a number: its value", "\"^\" after one");
      if (c == '^') check_exponent();
      wants_operand_ = after_operator_ = true;
    } else {
      fail("one of + - * / ^ )", here());
    }
    ++place_;
  }

  const std::string& text_;
  const std::vector<std::string>& variables_;
  std::size_t place_ = 0;
  int depth_ = 0;
  bool wants_operand_ = true, is_number_ = false, after_operator_ = false;
  std::vector<bool> variable_in_bracket_;  // for each open bracket: whether it holds a variable
};

/// Translates an expression of GiNaC into the steps of a Formula.
class Translator {
 public:
  Translator(const std::vector<GiNaC::symbol>& symbols, const std::vector<std::string>& names)
      : symbols_(symbols), names_(names) {}

  Formula result(const GiNaC::ex& expression) {
    translate(expression);
    return std::move(formula_);
  }

 private:
  using Operation = Formula::Operation;

  std::int32_t add(Operation operation, std::int32_t first = 0, std::int32_t second = 0, double number = 0) {
    formula_.steps.push_back({operation, first, second, number});
    return static_cast<std::int32_t>(formula_.steps.size()) - 1;
  }
  [[noreturn]] void fail(const std::string& expected, const GiNaC::ex& found) const {
    throw FormulaError{1, expected, "\"" + key(found) + "\""};
  }

  /// A text of the expression that is the same in every run. Terms are ordered by it, as GiNaC's own order is
  /// that of hashes.
  [[nodiscard]] std::string key(const GiNaC::ex& expression) const {
    if (GiNaC::is_a<GiNaC::numeric>(expression)) {
      const auto& number = GiNaC::ex_to<GiNaC::numeric>(expression);
      return number.is_real() ? fmt::format("{:.17g}", number.to_double()) : "complex";
    }
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      if (expression.is_equal(symbols_[i])) return names_[i];
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < expression.nops(); ++i) parts.push_back(key(expression.op(i)));
    if (GiNaC::is_a<GiNaC::add>(expression) || GiNaC::is_a<GiNaC::mul>(expression))
      std::sort(parts.begin(), parts.end());
    const std::string name = GiNaC::is_a<GiNaC::function>(expression)
                                 ? GiNaC::ex_to<GiNaC::function>(expression).get_name()
                             : GiNaC::is_a<GiNaC::power>(expression) ? "power"
                             : GiNaC::is_a<GiNaC::add>(expression)   ? "sum"
                             : GiNaC::is_a<GiNaC::mul>(expression)   ? "product"
                                                                     : "Pi";
    return parts.empty() ? name : fmt::format("{}({})", name, fmt::join(parts, ", "));
  }

  /// The operands of an expression, ordered by their keys.
  [[nodiscard]] std::vector<GiNaC::ex> ordered(const GiNaC::ex& expression) const {
    std::vector<std::pair<std::string, GiNaC::ex>> terms;
    for (std::size_t i = 0; i < expression.nops(); ++i)
      terms.emplace_back(key(expression.op(i)), expression.op(i));
    std::stable_sort(terms.begin(), terms.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<GiNaC::ex> operands;
    for (const auto& [name, term] : terms) operands.push_back(term);
    return operands;
  }

  std::int32_t fold(Operation operation, const GiNaC::ex& expression) {
    std::int32_t result = -1;
    for (const GiNaC::ex& operand : ordered(expression)) {
      const std::int32_t next = translate(operand);
      result = result < 0 ? next : add(operation, result, next);
    }
    return result;
  }

  std::int32_t translate(const GiNaC::ex& expression) {
    if (GiNaC::is_a<GiNaC::numeric>(expression)) return number(expression);
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      if (expression.is_equal(symbols_[i])) return add(Operation::variable, static_cast<std::int32_t>(i));
    if (GiNaC::is_a<GiNaC::add>(expression)) return fold(Operation::sum, expression);
    if (GiNaC::is_a<GiNaC::mul>(expression)) return fold(Operation::product, expression);
    if (GiNaC::is_a<GiNaC::power>(expression)) return power(expression);
    if (GiNaC::is_a<GiNaC::function>(expression)) return function(expression);
    if (GiNaC::is_a<GiNaC::constant>(expression)) return number(expression.evalf());
    fail("sums, products, powers and functions", expression);
  }

  std::int32_t number(const GiNaC::ex& expression) {
    const auto& value = GiNaC::ex_to<GiNaC::numeric>(expression);
    if (!value.is_real() || !std::isfinite(value.to_double())) fail("real numbers", expression);
    return add(Operation::number, 0, 0, value.to_double());
  }

  std::int32_t whole_power(std::int32_t base, double exponent) {
    if (exponent > 1) base = add(Operation::whole_power, base, 0, exponent);
    return base;
  }

  std::int32_t power(const GiNaC::ex& expression) {
    const GiNaC::ex exponent_of = expression.op(1).evalf();
    if (!GiNaC::is_a<GiNaC::numeric>(exponent_of) || !GiNaC::ex_to<GiNaC::numeric>(exponent_of).is_real())
      fail("powers with constant exponents", expression);
    const double exponent = GiNaC::ex_to<GiNaC::numeric>(exponent_of).to_double(), size = std::abs(exponent);
    if (!(size <= largest_power)) fail(fmt::format("exponents up to {}", largest_power), expression);
    std::int32_t result = translate(expression.op(0));
    if (size == std::floor(size)) {
      result = whole_power(result, size);
    } else if (2 * size == std::floor(2 * size)) {
      result = whole_power(add(Operation::square_root, result), 2 * size);
    } else {
      const std::int32_t factor = add(Operation::number, 0, 0, size);
      result =
          add(Operation::exponential, add(Operation::product, factor, add(Operation::logarithm, result)));
    }
    return exponent < 0 ? add(Operation::reciprocal, result) : result;
  }

  std::int32_t function(const GiNaC::ex& expression) {
    const std::string name = GiNaC::ex_to<GiNaC::function>(expression).get_name();
    const Operation operation = name == "exp"   ? Operation::exponential
                                : name == "log" ? Operation::logarithm
                                : name == "sin" ? Operation::sine
                                : name == "cos" ? Operation::cosine
                                                : Operation::number;
    if (operation == Operation::number) fail("the functions sqrt, exp, log, sin, cos", expression);
    return add(operation, translate(expression.op(0)));
  }

  const std::vector<GiNaC::symbol>& symbols_;
  const std::vector<std::string>& names_;
  Formula formula_;
};

}  // namespace

Formula parse_formula(const std::string& text, const std::vector<std::string>& variables) {
  Inspector(text, variables).inspect();
  std::vector<GiNaC::symbol> symbols;
  GiNaC::symtab table;
  for (const std::string& name : variables) {
    symbols.emplace_back(name);
    table[name] = symbols.back();
  }
  try {
    GiNaC::parser parser(table, true);
    return Translator(symbols, variables).result(parser(text));
  } catch (const std::exception& error) {
    throw FormulaError{1, allowed(variables), "\"" + text + "\": " + words_of(error)};
  }
}

}  // namespace terrace
