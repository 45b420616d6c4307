#include "dynamics/step_interfaces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/at.hpp"
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
      throw Error(Error::Kind::run, "potential " + sides_[i].step->name, "particles where W is finite",
                  "particle " + std::to_string(sides_[i].node + 1) + " behind its wall");
  }
}

double StepInterfaces::energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (inside_[i] != 0) sum += sides_[i].step->height;
  return sum;
}

// How far a node is on its own side of an interface.
double StepInterfaces::depth(std::size_t side, const Vector3& x) const {
  const double g = sides_[side].step->region.signed_distance(x);
  return inside_[side] != 0 ? -g : g;
}

/// A time in which |g| of a part cannot become 0: its slope is known, and its second derivative at most that
/// of the motion, and for a ball (speed)²/distance from its centre besides.
static double part_certain_until(const RegionPart& part, const Vector3& x, const Vector3& velocity,
                                 const MotionBound& bound) {
  const double g = part.signed_distance(x), far = std::abs(g);
  const double by_speed = far / bound.speed;
  double bend = bound.acceleration, while_far = std::numeric_limits<double>::infinity();
  if (part.kind == RegionPart::Kind::ball) {
    const double distance = norm(x - part.point);
    if (!(distance > 0)) return by_speed;
    bend += 2 * bound.speed * bound.speed / distance;
    while_far = 0.5 * distance / bound.speed;  // from its centre: at least half as far
  }
  const double rate = std::copysign(1.0, g) * dot(part.outward(x), velocity);
  // far + rate s − ½ bend s² = 0
  const double root = std::sqrt(rate * rate + 2 * bend * far);
  const double by_bend = rate > 0 ? (bend > 0 ? (rate + root) / bend : while_far)
                                  : (root > rate ? 2 * far / (root - rate) : while_far);
  return std::max(by_speed, std::min(by_bend, while_far));
}

// `soon`: the places a little later, for the slopes.
double StepInterfaces::certain_until(std::span<const Vector3> now, std::span<const Vector3> soon,
                                     double apart, const MotionBound& bound) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Side& side : sides_) {
    const Vector3 &x = at(now, side.node), velocity = (1 / apart) * (at(soon, side.node) - x);
    for (const std::vector<RegionPart>& piece : side.step->region.pieces)
      for (const RegionPart& part : piece)
        least = std::min(least, part_certain_until(part, x, velocity, bound));
  }
  return least;
}

std::optional<StepInterfaces::Crossing> StepInterfaces::first_crossing(const Motion& motion, double duration,
                                                                       const MotionBound& bound) const {
  if (sides_.empty() || !(bound.speed > 0)) return {};
  std::vector<Vector3> now = motion(0);
  double size = bound.speed * duration;
  for (const Side& side : sides_) size = std::max(size, norm(at(now, side.node)));
  const double rounding = 0x1p-45 * size;
  // Where an impact was put, a node may be behind its interface by the rounding of its place: it is no
  // farther behind that would be another.
  std::vector<double> least(sides_.size());
  for (std::size_t i = 0; i < sides_.size(); ++i) least[i] = std::min(0.0, depth(i, at(now, sides_[i].node)));
  // The side that has been passed by more than the tolerance, or none.
  const auto passed = [&](const std::vector<Vector3>& x, double tolerance) {
    std::size_t worst = sides_.size();
    double farthest = tolerance;
    for (std::size_t i = 0; i < sides_.size(); ++i)
      if (const double beyond = least[i] - depth(i, at(x, sides_[i].node)); beyond > farthest)
        farthest = beyond, worst = i;
    return worst;
  };
  double instant = 0;
  constexpr double little = 0x1p-20;
  while (instant < duration) {
    const double apart = std::max(little * duration, 4 * rounding / bound.speed);
    const double wait =
        std::max(certain_until(now, motion(instant + apart), apart, bound), rounding / bound.speed);
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

bool StepInterfaces::impact(const Crossing& crossing, std::span<const Vector3> positions,
                            std::span<Vector3> velocities) {
  const Side& side = sides_[crossing.side];
  const bool leaves = inside_[crossing.side] != 0;
  const Vector3 outward = side.step->region.outward(at(positions, side.node));
  Vector3& velocity = at(velocities, side.node);
  const double normal = dot(velocity, outward);
  const double jump = leaves ? -side.step->height : side.step->height;
  const double left = normal * normal - 2 * jump / at(masses_, side.node);
  if (!(left > 0)) {
    velocity -= (2 * normal) * outward;
    return true;
  }
  velocity += (std::copysign(std::sqrt(left), normal) - normal) * outward;
  inside_[crossing.side] = leaves ? 0 : 1;
  return false;
}

}  // namespace terrace
