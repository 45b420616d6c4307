#include "geometry/continuous_collision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/cubic.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The last place in [low, high] that certainly comes before f falls to `level`, for a monotone f with f(low)
/// > level ≥ f(high). Newton's method, kept inside by bisection.
double fall_between(const Cubic& f, double level, double low, double high) {
  double s = 0.5 * (low + high);
  for (int iteration = 0; iteration < 100 && high - low > 2 * epsilon * high; ++iteration) {
    const double above = f(s) - level;
    (above > 0 ? low : high) = s;
    double next = s - above / f.slope(s);
    // Newton's method approaches the root from one side: a step beyond it lets the other end follow.
    next += (above > 0 ? 1 : -1) * epsilon * high;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    s = next;
  }
  return low;
}

/// The first s in [from, to] at which |f| ≤ level; +∞ if there is none.
double first_near_zero(Cubic f, double level, double from, double to) {
  if (std::abs(f(from)) <= level) return from;
  if (f(from) < 0)
    for (double& a : f.a) a = -a;
  const auto turning = turning_points(f, f.a[2] * f.a[2] - 3 * f.a[3] * f.a[1]);
  const auto stretch = first_stretch(f, turning, from, to, [&](double value) { return value <= level; });
  return stretch ? fall_between(f, level, stretch->low, stretch->high) : infinity;
}

/// The condition without which points cannot touch: f = r·(e × d) = 0, with r between the features and e, d
/// in them.
class Coplanarity {
 public:
  /// For the times [0, length]; positions and velocities are those at 0.
  Coplanarity(PairKind kind, const PairNodes& x, const PairNodes& v, double length, double touching) {
    const bool triangle = kind == PairKind::vertex_triangle;
    const std::size_t e = triangle ? 1 : 0, d = triangle ? 1 : 2;
    const Vector3 r0 = x[triangle ? 0 : 2] - x[triangle ? 1 : 0],
                  r1 = v[triangle ? 0 : 2] - v[triangle ? 1 : 0];
    const Vector3 e0 = x[e + 1] - x[e], e1 = v[e + 1] - v[e], d0 = x[3] - x[d], d1 = v[3] - v[d];
    const Vector3 m0 = cross(e0, d0), m1 = cross(e0, d1) + cross(e1, d0), m2 = cross(e1, d1);
    f_.a = {dot(r0, m0), dot(r0, m1) + dot(r1, m0), dot(r0, m2) + dot(r1, m1), dot(r1, m2)};
    // The distance is at least |f| / |m|. A parabola stays within its control points, which bounds |m|.
    const Vector3 middle = m0 + (0.5 * length) * m1, last = m0 + length * m1 + (length * length) * m2;
    const double largest = std::sqrt(std::max({dot(m0, m0), dot(middle, middle), dot(last, last)}));
    const double reach = norm(r0) + length * norm(r1);
    const double span = (norm(e0) + length * norm(e1)) * (norm(d0) + length * norm(d1));
    near_ = touching * largest + 64 * epsilon * reach * span;
  }

  /// The first s ≥ from at which the features might touch; +∞ if that is after `to`.
  [[nodiscard]] double first_near(double from, double to) const {
    return first_near_zero(f_, near_, from, to);
  }

 private:
  Cubic f_;
  double near_ = 0;  ///< the features are apart where |f| is above this
};

/// Time in which the distance along n cannot fall by `margin` from the present one. Compares every point of
/// one feature with every point of the other: each difference is linear in time.
double safe_time(PairKind kind, const NearestPoints& closest, const PairNodes& x, const PairNodes& v,
                 double margin) {
  const std::size_t firsts = kind == PairKind::vertex_triangle ? 1 : 2;
  double time = infinity;
  for (std::size_t i = 0; i < firsts; ++i)
    for (std::size_t j = firsts; j < 4; ++j) {
      const Vector3 relative = v[i] - v[j];
      const double rate = dot(closest.normal, relative) - closest.normal_error * norm(relative);
      if (!(rate < 0)) continue;
      const Vector3 across = x[i] - x[j];
      // A value below 0, which no two points can have, is rounding.
      const double spare =
          dot(closest.normal, across) - closest.normal_error * norm(across) - closest.distance;
      time = std::min(time, (margin + std::max(spare, 0.0)) / -rate);
    }
  return time;
}

}  // namespace

std::optional<double> first_touch(PairKind kind, const PairNodes& x, const PairNodes& v, double from,
                                  double to, double touching, const PairNodes& normals) {
  // From here on positions are relative to the first point, and times to `from`.
  PairNodes start{}, velocity{};
  for (std::size_t i = 1; i < 4; ++i) {
    velocity[i] = v[i] - v[0];
    start[i] = (x[i] - x[0]) + from * velocity[i];
  }
  const double length = to - from;
  const Coplanarity coplanarity(kind, start, velocity, length, touching);
  constexpr int most_steps = 20000;
  double s = 0;
  for (int step = 0; step < most_steps; ++step) {
    s = coplanarity.first_near(s, length);
    if (!(s <= length)) return std::nullopt;
    PairNodes now{};
    for (std::size_t i = 1; i < 4; ++i) now[i] = start[i] + s * velocity[i];
    const NearestPoints closest = nearest_points(kind, now, touching, normals);
    if (closest.distance <= touching && closing(closest, v)) return from + s;
    const double margin = closest.distance > touching ? closest.distance - 0.5 * touching
                                                      : std::max(0.5 * closest.distance, 1e-3 * touching);
    s += safe_time(kind, closest, now, velocity, margin);
    if (!(s <= length)) return std::nullopt;
  }
  return from + s;  // nothing touched before
}

}  // namespace terrace
