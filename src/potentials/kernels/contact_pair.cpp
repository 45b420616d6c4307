#include "potentials/kernels/contact_pair.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/infinity.hpp"

namespace terrace {
namespace {

/// m(c) and its derivatives by c (ContactPair).
struct Mollifier {
  double value = 1, first = 0, second = 0;
};

Mollifier mollifier(double c, double threshold) {
  if (!(c < threshold)) return {};
  const double y = c / threshold;
  return {(2 - y) * y, 2 * (1 - y) / threshold, -2 / (threshold * threshold)};
}

/// Bound of |ṁ| = |m′ 2 (e₁ × e₂)·(e₁ × e₂)˙| where c < ε. `product_rate`: a bound of |(e₁ × e₂)˙|.
double mollifier_rate(double product_rate, double threshold) {
  return 4 * product_rate / std::sqrt(threshold);
}

/// e₁ × e₂ and its derivatives along the line.
struct EdgeProduct {
  Vector3 value, rate, acceleration;
  EdgeProduct(const PairNodes& x, const PairNodes& v) {
    const Vector3 e1 = x[1] - x[0], e2 = x[3] - x[2], w1 = v[1] - v[0], w2 = v[3] - v[2];
    value = cross(e1, e2);
    rate = cross(w1, e2) + cross(e1, w2);
    acceleration = 2 * cross(w1, w2);
  }
};

/// W, a bound over the interval of how fast two free directions g₁, g₂ (ClosestPoints), with rates w₁, w₂,
/// turn relative to their smallest singular value; infinite if they may become dependent.
double turning_rate(const Vector3& g1, const Vector3& g2, const Vector3& w1, const Vector3& w2,
                    double duration) {
  const double growth = std::sqrt(dot(w1, w1) + dot(w2, w2));
  const double a = dot(g1, g1), c = dot(g2, g2);
  const double largest = std::sqrt(a + c);
  const Vector3 normal = cross(g1, g2);
  // σ_min ≥ |g₁ × g₂| / σ_max, and σ_max ≤ the Frobenius norm.
  const double smallest = norm(normal) / largest - growth * duration;
  return smallest > 0 ? growth / smallest : infinity;
}

/// The same for a single edge, which is the free direction where the closest point is on a side.
double turning_rate(const Vector3& g, const Vector3& w, double duration) {
  const double growth = norm(w), smallest = norm(g) - growth * duration;
  return smallest > 0 ? growth / smallest : infinity;
}

/// slowest ≤ |d′| ≤ fastest ≤ L on the interval, and −bending ≤ d″ ≤ receding.
struct DistanceRange {
  double slowest, fastest, bending, receding;
};

/// The range for features that turn no faster than `turning`, W: −(2 L W + d W²) ≤ d″ ≤ L²/d + 2 L W.
DistanceRange distance_range(const PairSample& now, double speed, double turning, double duration) {
  const double nearest = now.distance - speed * duration, farthest = now.distance + speed * duration;
  const double bending = 2 * speed * turning + farthest * turning * turning;
  const double receding = speed * speed / nearest + 2 * speed * turning;
  const double change = std::max(bending, receding) * duration, rate = std::abs(now.rate);
  return {std::max(rate - change, 0.0), std::min(speed, rate + change), bending, receding};
}

/// V″ of ψ(d) alone, without stiffness and mollifier, lies in [−below, above] on the interval.
struct ProfileRange {
  ContactProfile::Values most;  ///< |ψ|, |ψ′|, |ψ″| are at most these
  double above, below;
};

ProfileRange profile_range(const ContactProfile& profile, const PairSample& now, const DistanceRange& range,
                           double duration) {
  const double way = range.fastest * duration;
  const ContactProfile::Values most = profile.at(now.distance - way);
  const double least_second = profile.at(now.distance + way).second;
  return {most, most.second * range.fastest * range.fastest - most.first * range.bending,
          -most.first * range.receding - least_second * range.slowest * range.slowest};
}

PairBound unknown() {
  PairBound bound;
  bound.invalid = true;
  return bound;
}

/// The bound where the distance may reach 0: a finite profile still bounds V′ by |ψ′(0)| L.
PairBound penetration_bound(const ContactPair& pair, const ContactProfile& profile, const PairNodes& x,
                            const PairNodes& v, const PairSample& now, double speed, double duration) {
  const ContactProfile::Values most = profile.at(0);
  double slope = -most.first * speed;
  if (pair.kind == PairKind::edge_edge) {
    const EdgeProduct product(x, v);
    const double product_rate = norm(product.rate) + norm(product.acceleration) * duration;
    slope += mollifier_rate(product_rate, pair.parallel_edges) * most.value;
  }
  PairBound bound;
  bound.rise = bound.fall = pair.stiffness * slope + std::abs(now.slope);
  bound.above = bound.below = std::abs(now.curvature);
  return bound;
}

}  // namespace

double closing_speed(PairKind kind, const PairNodes& v) {
  double square = 0;
  const std::size_t first_count = kind == PairKind::vertex_triangle ? 1 : 2;
  for (std::size_t i = 0; i < first_count; ++i)
    for (std::size_t j = first_count; j < 4; ++j) {
      const Vector3 w = v[i] - v[j];
      square = std::max(square, dot(w, w));
    }
  return std::sqrt(square);
}

PairSample sample_pair(const ContactPair& pair, const ContactProfile& profile, const PairNodes& x,
                       const PairNodes& v) {
  const ClosestPoints closest = closest_points(pair.kind, x);
  const double d = norm(closest.difference);
  if (!(d > 0) && profile.diverges()) return {0, 0, 0, true, d, 0};
  const SquaredDistance square = squared_distance(closest, x, v);
  // At d = 0 of a gap V′ jumps; the mean of its two values is 0.
  const double rate = d > 0 ? 0.5 * square.slope / d : 0;
  if (!(d < profile.activation())) return {0, 0, 0, false, d, rate};
  const double acceleration = d > profile.least_curved() ? (0.5 * square.curvature - rate * rate) / d : 0;
  const ContactProfile::Values psi = profile.at(d);
  const double slope = psi.first * rate, curvature = psi.second * rate * rate + psi.first * acceleration;
  const double k = pair.stiffness;
  if (pair.kind == PairKind::vertex_triangle)
    return {k * psi.value, k * slope, k * curvature, false, d, rate};
  const EdgeProduct product(x, v);
  const Mollifier m = mollifier(dot(product.value, product.value), pair.parallel_edges);
  if (m.value == 1) return {k * psi.value, k * slope, k * curvature, false, d, rate};
  const double c1 = 2 * dot(product.value, product.rate);
  const double c2 = 2 * (dot(product.rate, product.rate) + dot(product.value, product.acceleration));
  const double m1 = m.first * c1, m2 = m.second * c1 * c1 + m.first * c2;
  return {k * m.value * psi.value,
          k * (m.value * slope + m1 * psi.value),
          k * (m.value * curvature + 2 * m1 * slope + m2 * psi.value),
          false,
          d,
          rate};
}

std::optional<ClosestPoints> pair_gradient(const ContactPair& pair, const ContactProfile& profile,
                                           const PairNodes& x, PairNodes& gradient) {
  const ClosestPoints closest = closest_points(pair.kind, x);
  const double square = dot(closest.difference, closest.difference), activation = profile.activation();
  if (!(square < activation * activation)) return std::nullopt;
  const double d = std::sqrt(square);
  gradient = {};
  if (!(d > 0) && profile.diverges()) return closest;
  const ContactProfile::Values psi = profile.at(d);
  Mollifier m;
  if (pair.kind == PairKind::edge_edge) {
    const Vector3 e1 = x[1] - x[0], e2 = x[3] - x[2], product = cross(e1, e2);
    m = mollifier(dot(product, product), pair.parallel_edges);
    // ∂|e₁ × e₂|²/∂e₁ = 2 e₂ × (e₁ × e₂)
    const double factor = 2 * pair.stiffness * psi.value * m.first;
    const Vector3 by_first = factor * cross(e2, product), by_second = -factor * cross(e1, product);
    gradient = {-1 * by_first, by_first, -1 * by_second, by_second};
  }
  if (!(d > 0)) return closest;
  const Vector3 force = (pair.stiffness * m.value * psi.first / d) * closest.difference;
  for (std::size_t i = 0; i < 4; ++i) gradient[i] += closest.weights[i] * force;
  return closest;
}

PairBound bound_pair(const ContactPair& pair, const ContactProfile& profile, const PairNodes& x,
                     const PairNodes& v, const PairSample& now, double speed, double duration) {
  const double d = now.distance, way = speed * duration;
  if (!(d - way < profile.activation())) return {};
  // The bounds are good only while the distance does not change much.
  if (!(way < 0.5 * d))
    return profile.diverges() ? unknown() : penetration_bound(pair, profile, x, v, now, speed, duration);

  const double k = pair.stiffness;
  if (pair.kind == PairKind::vertex_triangle) {
    const Vector3 ab = x[2] - x[1], ac = x[3] - x[1], wb = v[2] - v[1], wc = v[3] - v[1];
    const double turning =
        std::max(turning_rate(ab, ac, wb, wc, duration), turning_rate(x[3] - x[2], v[3] - v[2], duration));
    if (!std::isfinite(turning)) return unknown();
    const ProfileRange range =
        profile_range(profile, now, distance_range(now, speed, turning, duration), duration);
    return {0, 0, std::max(k * range.below + now.curvature, 0.0),
            std::max(k * range.above - now.curvature, 0.0)};
  }

  const Vector3 e1 = x[1] - x[0], e2 = x[3] - x[2], w1 = v[1] - v[0], w2 = v[3] - v[2];
  const double growth = std::sqrt(dot(w1, w1) + dot(w2, w2));
  const double first = norm(e1) + norm(w1) * duration, second = norm(e2) + norm(w2) * duration;
  const double largest = std::sqrt(first * first + second * second);
  const EdgeProduct product(x, v);
  const double product_rate = norm(product.rate) + norm(product.acceleration) * duration;
  const double least_product = norm(product.value) - product_rate * duration;
  const double threshold = std::sqrt(pair.parallel_edges);
  const double single = std::max(turning_rate(e1, w1, duration), turning_rate(e2, w2, duration));
  if (!std::isfinite(single)) return unknown();
  if (least_product >= threshold) {
    const double turning = std::max(single, growth * largest / least_product);
    const ProfileRange range =
        profile_range(profile, now, distance_range(now, speed, turning, duration), duration);
    return {0, 0, std::max(k * range.below + now.curvature, 0.0),
            std::max(k * range.above - now.curvature, 0.0)};
  }
  // Edges that may become parallel: W alone is not bounded, but √m W and m W² are, because m ≤ 2 c/ε while W
  // ≤ |Ġ| σ_max / √c.
  const double turning = std::max(single, std::sqrt(2.0) * growth * largest / threshold);
  DistanceRange distances = distance_range(now, speed, turning, duration);
  distances.slowest = 0;  // as W is not bounded
  distances.fastest = speed;
  const ProfileRange range = profile_range(profile, now, distances, duration);
  const double m1 = mollifier_rate(product_rate, pair.parallel_edges);
  const double m2 = (12 * product_rate * product_rate + 4 * threshold * norm(product.acceleration)) /
                    (threshold * threshold);
  const double mixed = 2 * m1 * -range.most.first * speed + m2 * range.most.value;
  return {0, 0, std::max(k * (range.below + mixed) + now.curvature, 0.0),
          std::max(k * (range.above + mixed) - now.curvature, 0.0)};
}

}  // namespace terrace
