#include "dynamics/piecewise/step_interfaces.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/region_surface.hpp"
#include "geometry/show.hpp"
#include "numerics/at.hpp"
#include "numerics/formula_value.hpp"
#include "numerics/infinity.hpp"
#include "numerics/interval.hpp"
#include "parallel/error.hpp"

namespace terrace {

StepInterfaces::StepInterfaces(const std::vector<PotentialStep>& steps, std::span<const double> masses)
    : masses_(masses) {
  for (const PotentialStep& step : steps)
    for (const std::int32_t node : step.nodes) sides_.push_back({&step, node});
  inside_.resize(sides_.size(), 0);
}

void StepInterfaces::locate(std::span<const Vector3> positions) {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    inside_[i] = sides_[i].step->region.contains(at(positions, sides_[i].node)) ? 1 : 0;
    if (inside_[i] != 0 && std::isinf(sides_[i].step->height))
      throw Error(Error::Kind::input, "potential " + sides_[i].step->name, "particles where W is finite",
                  "particle " + std::to_string(sides_[i].node + 1) + " behind its wall");
  }
}

double StepInterfaces::energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (inside_[i] != 0) sum += sides_[i].step->height;
  return sum;
}

double StepInterfaces::depth(std::size_t side, const Vector3& x) const {
  const double g = sides_[side].step->region.signed_distance(x);
  return inside_[side] != 0 ? -g : g;
}

namespace {

constexpr double never = infinity;

/// A node at x whose velocity stays within `spread` of this one.
struct Mover {
  Vector3 x, velocity;
  double spread;
};

/// The least s ≥ 0 at which far + rate s − ½ bend s² is 0, or +∞; far ≥ 0, bend ≥ 0.
double first_zero(double far, double rate, double bend) {
  const double root = std::sqrt(rate * rate + 2 * bend * far);
  if (rate < 0) return 2 * far / (root - rate);
  return bend > 0 ? (rate + root) / bend : never;
}

double certain_of_half_space(const RegionPart& part, const Mover& mover) {
  const double g = part.signed_distance(mover.x);
  const double rate = std::copysign(1.0, g) * dot(part.normal, mover.velocity) - mover.spread;
  return first_zero(std::abs(g), rate, 0);
}

// By the tangent of |x − c|: from outside, |x − c| is never less than that; from inside it is more by at most
// (s U)² / (2 |x − c|), with the largest speed U.
double certain_of_sphere(const RegionPart& part, const Mover& mover) {
  const Vector3 away = mover.x - part.point;
  const double distance = norm(away), far = std::abs(distance - part.radius),
               most = norm(mover.velocity) + mover.spread, by_speed = far / most;
  if (!(distance > 0)) return by_speed;
  const double rate = dot(away, mover.velocity) / distance;
  if (distance > part.radius) return first_zero(far, rate - mover.spread, 0);
  return std::max(by_speed, first_zero(far, -rate - mover.spread, most * most / distance));
}

// Encloses f, and f′ along every possible way, over ever shorter times, until 0 is outside.
double certain_of_formula(const RegionPart& part, const Mover& mover, double left) {
  constexpr int most_halvings = 60;
  const auto of = [&](double time) {
    std::array<Jet<Interval>, 3> place;
    for (std::size_t d = 0; d < 3; ++d) {
      const Interval velocity{mover.velocity[d] - mover.spread, mover.velocity[d] + mover.spread};
      place[d] = Jet<Interval>::line(Interval(mover.x[d]) + Interval(0, time) * velocity, velocity);
    }
    return value_of<Interval>(part.function, place);
  };
  const Interval now = of(0).value;
  for (int halvings = 0; halvings < most_halvings; ++halvings, left *= 0.5) {
    const Jet<Interval> all = of(left);
    if (!all.value.contains(0) || !(now + Interval(0, left) * all.first).contains(0)) return left;
  }
  return 0;
}

double certain_of(const RegionPart& part, const Mover& mover, double left) {
  switch (part.kind) {
    case RegionPart::Kind::half_space:
      return certain_of_half_space(part, mover);
    case RegionPart::Kind::ball:
      return certain_of_sphere(part, mover);
    case RegionPart::Kind::formula:
      return certain_of_formula(part, mover, left);
  }
  return 0;
}

}  // namespace

double StepInterfaces::certain_until(std::span<const Vector3> now, double left, const MotionBound& bound,
                                     double beyond) const {
  double least = never;
  const double too_short = beyond / bound.speed();
  for (const Side& side : sides_)
    for (const std::vector<RegionPart>& piece : side.step->region.pieces)
      for (const RegionPart& part : piece) {
        if (beyond > 0 && std::abs(part.signed_distance(at(now, side.node))) <= beyond) continue;
        const double certain =
            certain_of(part, {at(now, side.node), at(bound.velocities, side.node), bound.spread}, left);
        if (!(certain < too_short)) least = std::min(least, certain);
      }
  constexpr double rounding = 1 - 0x1p-40;
  return rounding * least;
}

bool StepInterfaces::is_at_a_surface(std::span<const Vector3> positions, double within) const {
  return std::ranges::any_of(sides_, [&](const Side& side) {
    return std::ranges::any_of(side.step->region.pieces, [&](const std::vector<RegionPart>& piece) {
      return std::ranges::any_of(piece, [&](const RegionPart& part) {
        return std::abs(part.signed_distance(at(positions, side.node))) <= within;
      });
    });
  });
}

std::optional<StepInterfaces::Crossing> StepInterfaces::first_crossing(const Motion& motion, double duration,
                                                                       const MotionBound& bound) const {
  const double speed = bound.speed();
  if (sides_.empty() || speed == 0) return {};
  if (!std::isfinite(speed * duration))
    throw Error(Error::Kind::run, "integrator.time_step",
                "steps in which particles stay where numbers are finite",
                fmt::format("a speed of up to {:.3g} in a step of {:.3g}", speed, duration));
  std::vector<Vector3> now = motion(0);
  double size = speed * duration;
  for (const Side& side : sides_) size = std::max(size, norm(at(now, side.node)));
  const double rounding = 0x1p-45 * size;
  // After an impact the node may be beyond its interface by the rounding of its place. It counts as passed
  // only if it goes farther beyond.
  std::vector<double> least(sides_.size());
  for (std::size_t i = 0; i < sides_.size(); ++i) least[i] = std::min(0.0, depth(i, at(now, sides_[i].node)));
  // The side that has been passed by most, if by more than the tolerance; else sides_.size().
  const auto passed = [&](const std::vector<Vector3>& x, double tolerance) {
    std::size_t worst = sides_.size();
    double farthest = tolerance;
    for (std::size_t i = 0; i < sides_.size(); ++i)
      if (const double beyond = least[i] - depth(i, at(x, sides_[i].node)); beyond > farthest)
        farthest = beyond, worst = i;
    return worst;
  };
  double instant = 0;
  // A node that slides along an interface within rounding, or is where a formula has no value, would keep
  // trials as short as rounding. After so many trials such surfaces are left out of the bound, more of them
  // the longer the search takes; trials stay so close that no node goes through an interface unseen.
  constexpr int most_trials = 1000, then_of_duration = 1024;
  for (int trial = 0; instant < duration; ++trial) {
    double least_wait = rounding / speed;
    // An interface that is passed by less than rounding is not seen as passed, and the next one may follow at
    // once. Half-way to the certain time a node is beyond the first alone.
    const double share = is_at_a_surface(now, 2 * rounding) ? 0.5 : 1;
    const double left = duration - instant;
    if (trial >= most_trials) {
      const double beyond = std::ldexp(rounding, 1 + trial / most_trials);
      const double of_others = share * certain_until(now, left, bound, beyond);
      least_wait = std::max(least_wait, std::min(of_others, duration / then_of_duration));
    }
    const double wait = std::max(share * certain_until(now, left, bound, 0), least_wait);
    const double next = std::min(duration, instant + wait);
    std::vector<Vector3> then = motion(next);
    const std::size_t side = passed(then, rounding);
    if (side < sides_.size()) {
      double before = instant, after = next;
      for (int halvings = 0; halvings < 100 && after - before > 0x1p-52 * duration; ++halvings) {
        const double middle = 0.5 * (before + after);
        (passed(motion(middle), 0) < sides_.size() ? after : before) = middle;
      }
      const std::size_t first = passed(motion(after), 0);
      return Crossing{before, first < sides_.size() ? first : side};
    }
    instant = next;
    now = std::move(then);
  }
  return {};
}

void StepInterfaces::require_normal(const Crossing& crossing, std::span<const Vector3> positions,
                                    double time) const {
  const Side& side = sides_[crossing.side];
  const Vector3& x = at(positions, side.node);
  if (norm(side.step->region.outward(x)) > 0) return;
  throw Error(Error::Kind::run, "potential " + side.step->name + ", " + at_time(time),
              "a normal where its surface is met: a function whose gradient is not 0 there",
              fmt::format("none for particle {} at {}", side.node + 1, show(x)));
}

void StepInterfaces::require_sides(std::span<const Vector3> positions, double time) const {
  for (const Side& side : sides_)
    if (const Vector3& x = at(positions, side.node); !has_a_side(side.step->region, x))
      throw Error(Error::Kind::run, "potential " + side.step->name + ", " + at_time(time),
                  "particles where its function has a value and a gradient",
                  fmt::format("particle {} at {}, where it has none", side.node + 1, show(x)));
}

bool StepInterfaces::impact(const Crossing& crossing, Phase& phase) {
  const Side& side = sides_[crossing.side];
  const bool leaves = inside_[crossing.side] != 0;
  Vector3& velocity = at(phase.velocities, side.node);
  const Vector3& x = at(phase.positions, side.node);
  const Region& region = side.step->region;
  const double rounding = 0x1p-45 * std::max(norm(x), size_of(region)),
               beyond = std::max(0.0, -depth(crossing.side, x));
  const Vector3 outward =
      surface_passed(region, x, velocity, !leaves, rounding + beyond, x).value_or(region.outward(x));
  const double normal = dot(velocity, outward);
  const double jump = leaves ? -side.step->height : side.step->height;
  const double mass = at(masses_, side.node), left = normal * normal - 2 * jump / mass;
  const auto turn_by = [&](const Vector3& change) {
    velocity += change;
    at(phase.received, side.step->reaction) -= mass * change;
  };
  if (!(left > 0)) {
    turn_by((-2 * normal) * outward);
    return true;
  }
  turn_by((std::copysign(std::sqrt(left), normal) - normal) * outward);
  inside_[crossing.side] = leaves ? 0 : 1;
  return false;
}

}  // namespace terrace
