#include "dynamics/terraces/first_crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "numerics/cubic.hpp"
#include "numerics/elementary.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

namespace {

constexpr double level_tolerance = 1e-12;  // of the energy step: reversibility needs accurate roots

// Returns the root in [low, high] of an f that is not positive at `low` and positive at `high`: Newton's
// method, kept inside by bisection.
double root_between(const Cubic& f, double low, double high) {
  double x = 0.5 * (low + high);
  for (int iteration = 0; iteration < 80; ++iteration) {
    const double value = f(x);
    (value > 0 ? high : low) = x;
    double next = x - value / f.slope(x);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == x || high - low <= 4e-16 * high) break;
    x = next;
  }
  return low > 0 ? low : x;
}

}  // namespace

double first_positive_root(double a0, double a1, double a2, double a3, double limit, bool& found) {
  found = false;
  if (a1 <= 0 && a2 <= 0 && a3 <= 0) return limit;  // it never rises: the usual case where nothing is near
  const Cubic f{{a0, a1, a2, a3}};
  std::array<double, 2> turning = {limit, limit};
  if (a3 != 0)
    turning = turning_points(f, a2 * a2 - 3 * a1 * a3);
  else if (a2 != 0)
    turning[0] = -a1 / (2 * a2);  // also where a2² underflows
  const auto stretch = first_stretch(f, turning, 0, limit, [](double value) { return value > 0; });
  found = stretch.has_value();
  return found ? root_between(f, stretch->low, stretch->high) : limit;
}

FirstCrossing::FirstCrossing(const Terrace& terrace, bool certified, double origin, double start, double end,
                             double horizon)
    : terrace_(terrace),
      certified_(certified),
      origin_(origin),
      start_(start),
      end_(end),
      at_(start),
      certified_from_(start),
      certified_to_(std::min(end, start + horizon)) {
  if (!(certified_to_ > start_ + 4 * resolution())) certified_to_ = std::min(end, start + 4 * resolution());
}

double FirstCrossing::resolution() const {
  return 2 * std::numeric_limits<double>::epsilon() * (std::abs(origin_) + std::abs(at_));
}

bool FirstCrossing::beyond(double value, bool infinite) const {
  return infinite || value > terrace_.top() || (terrace_.has_bottom() && value < terrace_.bottom());
}

void FirstCrossing::accept(Surface surface, double before, double instant, double gradient_instant,
                           double value_beyond) {
  surface_ = surface;
  before_ = before;
  instant_ = instant;
  gradient_instant_ = gradient_instant;
  const std::int64_t reached =
      std::isfinite(value_beyond) ? terrace_.level_of(value_beyond) : terrace_.level + 1;
  level_beyond_ = surface == Surface::top ? std::max(reached, terrace_.level + 1)
                                          : std::min(terrace_.not_below_lowest(reached), terrace_.level - 1);
  done_ = true;
}

void FirstCrossing::supply(const LineTotals& totals) {
  ++samples_;
  if (samples_ == 1) first_value_ = totals.value;
  if (bracketing_) {
    narrow(totals);
    return;
  }
  if (wants_bound_ && totals.bound_invalid && !totals.infinite) {
    certified_to_ = at_ + 0.25 * (certified_to_ - at_);
    return;
  }
  if (wants_bound_) {
    third_ = totals.third;
    below_ = totals.below;
    above_ = totals.above;
    rise_ = totals.rise;
    fall_ = totals.fall;
    certified_from_ = at_;
    certified_curvature_ = totals.curvature;
    wants_bound_ = false;
  }
  advance(totals);
}

void FirstCrossing::supply_collision(double instant, double searched_to) {
  if (std::isfinite(instant)) return accept(Surface::top, instant, instant, instant, 0);
  at_ = std::min(searched_to, end_);
  done_ = at_ >= end_;
}

// The certificate bounds the change of V″ since its first instant, and keeps V″ within these bounds about its
// first value. What V″ has risen since then it may fall again, but by no more than both bounds together.
FirstCrossing::Range FirstCrossing::curvature_from_here(double curvature) const {
  const double both = above_ + below_, risen = curvature - certified_curvature_,
               of_elements = third_ * (at_ - certified_from_);
  return {curvature - std::clamp(below_ + risen + of_elements, 0.0, both),
          curvature + std::clamp(above_ - risen + of_elements, 0.0, both)};
}

double FirstCrossing::certified_step(const LineTotals& totals, double limit, bool& meets_surface) const {
  const Range curvature = curvature_from_here(totals.curvature);
  bool up = false, down = false;
  const double gap_above = std::max(terrace_.top() - totals.value, 0.0);
  double step =
      first_positive_root(-gap_above, totals.slope + rise_, 0.5 * curvature.highest, third_ / 6, limit, up);
  if (terrace_.has_bottom()) {
    const double gap_below = std::max(totals.value - terrace_.bottom(), 0.0);
    const double lower = first_positive_root(-gap_below, -totals.slope + fall_, -0.5 * curvature.lowest,
                                             third_ / 6, limit, down);
    step = std::min(step, lower);
  }
  meets_surface = up || down;
  return step;
}

// Goes on from a sample inside the terrace, or on the surface just left behind: steps as far as is certain,
// unless the sample has met a surface.
void FirstCrossing::advance(const LineTotals& totals) {
  const double tolerance = level_tolerance * terrace_.energy_step;
  const double to_top = terrace_.top() - totals.value, to_bottom = totals.value - terrace_.bottom();
  const bool rising = totals.slope > 0 || (totals.slope == 0 && totals.curvature > 0);
  const bool falling = totals.slope < 0 || (totals.slope == 0 && totals.curvature < 0);
  // A certified step ends at the surface at most. It ends slightly beyond where the sum of V′ has lost
  // digits.
  const bool over = to_top < -tolerance && rising && inside_.value <= terrace_.top();
  const bool under =
      terrace_.has_bottom() && to_bottom < -tolerance && falling && inside_.value >= terrace_.bottom();
  const bool overshot =
      certified_ ? !totals.infinite && (over || under) : beyond(totals.value, totals.infinite);
  if (samples_ > 1 && at_ > start_ && overshot) {
    bracketing_ = true;
    return narrow(totals);
  }
  if (totals.infinite || (to_top <= tolerance && rising))
    return accept(Surface::top, at_, at_, at_, totals.value);
  if (terrace_.has_bottom() && to_bottom <= tolerance && falling)
    return accept(Surface::bottom, at_, at_, at_, totals.value);
  inside_ = {at_, totals.value, totals.slope, totals.curvature};

  const double limit = certified_to_ - at_;
  bool meets = false;
  double step = certified_step(totals, limit, meets);
  if (!certified_ && totals.longest_trial > 0) step = std::min(step, totals.longest_trial);
  if (meets && step <= resolution()) {
    const bool upwards = to_top <= to_bottom || !terrace_.has_bottom();
    // The line moves away from the surface just left; only the certificate allows it to return at once. A
    // shorter interval has a sharper certificate.
    if ((upwards ? !rising : !falling) && certified_to_ - at_ > resolution()) {
      certified_to_ = at_ + 0.25 * (certified_to_ - at_);
      wants_bound_ = true;
      return;
    }
    // The surface is nearer than the resolution of time.
    return accept(upwards ? Surface::top : Surface::bottom, at_, at_, at_, totals.value);
  }
  // Without a certificate V has to be sampled at the end too, unless nothing can meet at all.
  const bool certain = certified_ || totals.longest_trial == 0 || at_ >= end_;
  if (!meets && step >= limit && certified_to_ >= end_ && certain) {
    done_ = true;  // nothing happens before the end
    return;
  }
  if (meets && accept_foreseen(totals, step)) return;
  // A surface foreseen later than this has no influence on the next interval.
  const double matters = std::min(end_ - at_, step + 4 * (certified_to_ - certified_from_));
  const double foreseen = foreseen_step(totals, matters);
  foreseen_ = at_ + foreseen;
  choose_interval(limit, step, foreseen - step);
  // Where V′ may jump, the certificate bounds V from its first instant only, not from later samples.
  if (rise_ > 0 || fall_ > 0) wants_bound_ = true;
  propose(std::max(step, resolution()));
}

// Three conditions make a sample at the end of the step unnecessary: the certificate leaves V there uncertain
// by no more than the tolerance of a sample; it leaves V′ no other sign; and the surface is near, as is V on
// the whole way to it. Over so short a way this holds even where the sums of V′ and V″ have lost all but
// seven digits.
bool FirstCrossing::accept_foreseen(const LineTotals& totals, double step) {
  constexpr double near = 1e-5;  // of the energy step
  if (!certified_) return false;
  const Range curvature = curvature_from_here(totals.curvature);
  const double room =
      step * (rise_ + fall_ + step * (0.5 * (curvature.highest - curvature.lowest) + step * third_ / 3));
  if (!(room <= level_tolerance * terrace_.energy_step)) return false;
  const double way = step * (std::abs(totals.slope) + step * std::abs(totals.curvature));
  if (!(way <= near * terrace_.energy_step)) return false;
  const double to_top = terrace_.top() - totals.value, to_bottom = totals.value - terrace_.bottom();
  const bool upwards = to_top <= to_bottom || !terrace_.has_bottom();
  if (!(std::abs(upwards ? to_top : to_bottom) <= near * terrace_.energy_step)) return false;
  const double outwards = upwards ? totals.slope - fall_ + step * (curvature.lowest - 0.5 * step * third_)
                                  : -totals.slope - rise_ - step * (curvature.highest + 0.5 * step * third_);
  if (!(outwards > 0)) return false;
  const double instant = std::min(at_ + step, end_);
  accept(upwards ? Surface::top : Surface::bottom, instant, instant, instant,
         upwards ? terrace_.top() : terrace_.bottom());
  return true;
}

// Returns the step after which the parabola of the sample meets a surface; +∞ if it meets none within
// `limit`.
double FirstCrossing::foreseen_step(const LineTotals& totals, double limit) const {
  bool up = false, down = false;
  double step = first_positive_root(-std::max(terrace_.top() - totals.value, 0.0), totals.slope,
                                    0.5 * totals.curvature, 0, limit, up);
  if (terrace_.has_bottom())
    step = std::min(step, first_positive_root(-std::max(totals.value - terrace_.bottom(), 0.0), -totals.slope,
                                              -0.5 * totals.curvature, 0, limit, down));
  return up || down ? step : infinity;
}

// The certificate is sharper on a shorter interval. Where pairs come into contact its bounds are roughly
// proportional to the length, so that the certain step grows as length^(−1/2); step and length are then equal
// at limit · (step / limit)^(2/3). An interval of twice the way to the foreseen surface is enough.
void FirstCrossing::choose_interval(double limit, double step, double left) {
  constexpr double poor = 0.8, growth = 3;
  const double before = certified_to_ - certified_from_, here = at_ + std::max(step, resolution());
  double length = growth * before;
  if (here < certified_to_) {
    if (step > poor * std::min(limit, step + left)) return;
    const double root = numerics::cube_root(step / limit);
    length = root * root * limit;
  }
  length = std::max(std::min(length, std::max(2 * left, 0.1 * before)), 4 * resolution());
  certified_to_ = std::min(end_, here + length);
  wants_bound_ = true;
}

// Narrows the bracket between an instant inside the terrace and one outside. Where V is smooth the parabola
// at a sample leads to the surface in a few samples; where V jumps the search ends at neighbouring instants
// on either side.
void FirstCrossing::narrow(const LineTotals& totals) {
  const double value = totals.infinite ? infinity : totals.value;
  (beyond(value, totals.infinite) ? outside_ : inside_) = {at_, value, totals.slope, totals.curvature};
  const Surface surface = outside_.value > terrace_.top() ? Surface::top : Surface::bottom;
  const double level = surface == Surface::top ? terrace_.top() : terrace_.bottom();
  const bool outwards = surface == Surface::top ? totals.slope > 0 : totals.slope < 0;
  // Accept a sample that is nearer to the surface than the tolerance or the resolution of time.
  const double tolerance =
      std::max(level_tolerance * terrace_.energy_step, std::abs(totals.slope) * resolution());
  if (outwards && std::abs(value - level) <= tolerance) return accept(surface, at_, at_, at_, value);
  if (outside_.at - inside_.at <= resolution() || narrowings_ > 200)
    return accept(surface, inside_.at, outside_.at, surface == Surface::top ? outside_.at : inside_.at,
                  outside_.value);
  ++narrowings_;
  at_ = next_between(surface, level);
}

// Returns the instant at which a parabola meets the level: that of the inside or of the outside sample,
// whichever predicts the other sample better. Returns the middle if neither predicts it well, and every
// fourth time, so that the interval is sure to shrink.
double FirstCrossing::next_between(Surface surface, double level) const {
  const double width = outside_.at - inside_.at, middle = inside_.at + 0.5 * width;
  const double from_inside = std::abs(inside_.extrapolated_to(outside_.at) - outside_.value);
  const double from_outside = std::abs(outside_.extrapolated_to(inside_.at) - inside_.value);
  const double credible = 0.25 * std::abs(outside_.value - inside_.value);
  if (narrowings_ % 4 == 0 || !std::isfinite(outside_.value) ||
      !(std::min(from_inside, from_outside) <= credible))
    return middle;
  const double sign = surface == Surface::top ? 1 : -1;
  bool found = false;
  double next = middle;
  if (from_inside <= from_outside) {
    const double gap = std::max(sign * (level - inside_.value), 0.0);
    const double step =
        first_positive_root(-gap, sign * inside_.slope, 0.5 * sign * inside_.curvature, 0, width, found);
    if (found) next = inside_.at + step;
  } else {
    const double gap = sign * (outside_.value - level);
    const double step =
        first_positive_root(-gap, sign * outside_.slope, -0.5 * sign * outside_.curvature, 0, width, found);
    if (found) next = outside_.at - step;
  }
  // Keep away from the known samples: the search needs both sides of the surface.
  const double apart = std::min(0.75 * resolution(), 0.5 * width);
  return std::clamp(next, inside_.at + apart, outside_.at - apart);
}

void FirstCrossing::propose(double step) { at_ = std::min(at_ + step, end_); }

}  // namespace terrace
