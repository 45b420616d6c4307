#include "potentials/particles/pair_laws.hpp"

#include <limits>
#include <optional>

#include "numerics/at.hpp"
#include "numerics/elementary.hpp"

namespace terrace {
namespace {

/// A formula of the square of the one variable that has the same values as `formula`; nothing if the variable
/// occurs in other than even powers.
std::optional<Formula> in_square_of_variable(const Formula& formula) {
  using Kind = Formula::Operation;
  Formula result = formula;
  const auto is_variable = [&](std::int32_t step) {
    return at(formula.steps, step).operation == Kind::variable;
  };
  for (Formula::Step& step : result.steps) {
    const bool has_two = step.operation == Kind::sum || step.operation == Kind::product;
    if (step.operation == Kind::number || step.operation == Kind::variable) continue;
    if (has_two && is_variable(step.second)) return std::nullopt;
    if (!is_variable(step.first)) continue;
    const double half = 0.5 * step.number;
    if (step.operation != Kind::whole_power || half != std::floor(half)) return std::nullopt;
    if (half == 1)
      step = {Kind::variable};
    else
      step.number = half;
  }
  if (is_variable(static_cast<std::int32_t>(formula.steps.size()) - 1)) return std::nullopt;
  return result;
}

}  // namespace

LennardJones::LennardJones(double depth, double diameter, double cutoff)
    : four_depth_(4 * depth),
      square_(diameter * diameter),
      reach_(cutoff > 0 ? cutoff : no_reach),
      reach_square_(no_reach),
      reach_square_or_zero_(0),
      lowest_(depth * (1 + 0x1p-40)) {
  const double root = numerics::cube_root(2);  // r² at the least energy, in σ²
  natural_stiffness_ = 72 * depth / (root * square_);
  if (!(cutoff > 0)) return;
  const double q = cutoff * cutoff;
  const PairValues end = at(q);
  reach_square_ = reach_square_or_zero_ = q;
  shift_ = end.value;
  slope_ = end.first;
}

PairRanges LennardJones::over(const Interval& q) const {
  if (q.low >= reach_square_) return {};
  const bool ends = q.high >= reach_square_;
  const Terms near = terms(q.low), far = terms(ends ? reach_square_ : q.high);
  const auto range = [&](double of_repulsion, double of_attraction, double near_factor, double far_factor) {
    return between(of_repulsion * far.repulsion * far_factor, of_repulsion * near.repulsion * near_factor) -
           between(of_attraction * far.attraction * far_factor,
                   of_attraction * near.attraction * near_factor);
  };
  const double u = near.inverse, v = far.inverse;
  PairRanges ranges{-range(6, 3, u, v) - Interval(slope_), range(42, 12, u * u, v * v),
                    -range(336, 60, u * u * u, v * v * v)};
  if (ends) ranges = {hull(ranges.first, {}), hull(ranges.second, {}), Interval::everything()};
  return ranges;
}

PairFormula::PairFormula(const Formula& of_distance) : is_of_square_(false), diverges_(true) {
  const std::optional<Formula> of_the_square = in_square_of_variable(of_distance);
  is_of_square_ = of_the_square.has_value();
  formula_ = of_the_square.value_or(of_distance);
  const Jet<Interval> together = of_square<Interval>({0, std::numeric_limits<double>::min()});
  diverges_ = !(together.value.is_finite() && together.first.is_finite() && together.second.is_finite() &&
                together.third.is_finite());
}

}  // namespace terrace
