// Pairs in contact, lane by lane: V, V′, V″ and the certificate of a packet.
#pragma once

#include "potentials/kernels/packet_kernels.hpp"
#include "potentials/kernels/simd.hpp"

namespace terrace::TERRACE_LEVEL {

using simd::Lanes;

#define TERRACE_KERNEL [[gnu::always_inline]] inline

TERRACE_KERNEL Batch dot(const BatchVector& a, const BatchVector& b) {
  return multiply_add(a.x, b.x, multiply_add(a.y, b.y, a.z * b.z));
}
TERRACE_KERNEL Batch norm(const BatchVector& a) { return xsimd::sqrt(dot(a, a)); }
TERRACE_KERNEL BatchVector operator+(const BatchVector& a, const BatchVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
TERRACE_KERNEL BatchVector operator-(const BatchVector& a, const BatchVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
TERRACE_KERNEL BatchVector operator*(const Batch& s, const BatchVector& a) {
  return {s * a.x, s * a.y, s * a.z};
}
TERRACE_KERNEL BatchVector cross(const BatchVector& a, const BatchVector& b) {
  return {multiply_subtract(a.y, b.z, a.z * b.y), multiply_subtract(a.z, b.x, a.x * b.z),
          multiply_subtract(a.x, b.y, a.y * b.x)};
}
TERRACE_KERNEL BatchVector choose(const Mask& mask, const BatchVector& a, const BatchVector& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
TERRACE_KERNEL Batch clamp(const Batch& x) { return minimum(maximum(x, Batch(0.0)), Batch(1.0)); }

/// Nodes 1 to 3 relative to node 0.
struct Nodes {
  BatchVector one, two, three;
};

TERRACE_KERNEL BatchVector vector_of(const Lanes (&components)[3], int lane) {
  return {load(components[0] + lane), load(components[1] + lane), load(components[2] + lane)};
}
TERRACE_KERNEL Nodes nodes_of(const Lanes (&components)[3][3], int lane) {
  return {vector_of(components[0], lane), vector_of(components[1], lane), vector_of(components[2], lane)};
}
TERRACE_KERNEL Nodes moved(const Nodes& x, const Nodes& v, const Batch& s) {
  const auto along = [&](const BatchVector& a, const BatchVector& w) {
    return BatchVector{multiply_add(s, w.x, a.x), multiply_add(s, w.y, a.y), multiply_add(s, w.z, a.z)};
  };
  return {along(x.one, v.one), along(x.two, v.two), along(x.three, v.three)};
}

/// The difference r of the closest points, its rate ṙ with the closest points fixed in their features, and
/// what their sliding takes from |ṙ|²: D″/2 = |ṙ|² − sliding, D = d² (SquaredDistance).
struct Approach {
  BatchVector difference, rate;
  Batch sliding;
  Mask ordinary;  ///< the closed form holds: no degenerate triangle, no almost parallel edges
};

/// c h₀² − 2 b h₀ h₁ + a h₁², which is hᵀ (GᵀG)⁻¹ h times the determinant of GᵀG = (a b; b c).
TERRACE_KERNEL Batch of_both(const Batch& a, const Batch& b, const Batch& c, const Batch& h0,
                             const Batch& h1) {
  return multiply_add(c * h0 - Batch(2.0) * b * h1, h0, a * h1 * h1);
}

/// The closest point of a triangle: barycentric coordinates of its second and third node as quotients with
/// one divisor. `corner` and `on` put it on a corner or a side where `here` holds, unless an earlier region
/// has taken the lane.
struct TrianglePoint {
  Batch second, third, divisor;
  Mask taken, on_side;  ///< taken: by a corner or a side; on_side: by a side

  TERRACE_KERNEL void corner(const Mask& here, double b, double c) {
    const Mask mine = here & !taken;
    second = select(mine, Batch(b), second);
    third = select(mine, Batch(c), third);
    divisor = select(mine, Batch(1.0), divisor);
    taken = taken | here;
  }
  TERRACE_KERNEL Mask on(const Mask& here, const Batch& b, const Batch& c, const Batch& sum) {
    const Mask mine = here & (sum > Batch(0.0)) & !taken;
    second = select(mine, b, second);
    third = select(mine, c, third);
    divisor = select(mine, sum, divisor);
    taken = taken | mine;
    on_side = on_side | mine;
    return mine;
  }
};

/// The closest points of a vertex and a triangle by the regions of closest_points.cpp, in the same order,
/// with one division for all of them.
TERRACE_KERNEL Approach vertex_triangle(const Nodes& x, const Nodes& v) {
  const Batch zero(0.0), one(1.0);
  const BatchVector ab = x.two - x.one, ac = x.three - x.one, wb = v.two - v.one, wc = v.three - v.one;
  const Batch d1 = negative(dot(ab, x.one)), d2 = negative(dot(ac, x.one)), d3 = negative(dot(ab, x.two)),
              d4 = negative(dot(ac, x.two)), d5 = negative(dot(ab, x.three)), d6 = negative(dot(ac, x.three));
  const Batch va = multiply_subtract(d3, d6, d5 * d4), vb = multiply_subtract(d5, d2, d1 * d6),
              vc = multiply_subtract(d1, d4, d3 * d2), sum = va + vb + vc;
  TrianglePoint point{vb, vc, sum, Mask(false), Mask(false)};
  point.corner((d1 <= zero) & (d2 <= zero), 0, 0);
  point.corner((d3 >= zero) & (d4 <= d3), 1, 0);
  point.on((vc <= zero) & (d1 >= zero) & (d3 <= zero), d1, zero, d1 - d3);
  point.corner((d6 >= zero) & (d5 <= d6), 0, 1);
  const Mask on_ac = point.on((vb <= zero) & (d2 >= zero) & (d6 <= zero), zero, d2, d2 - d6);
  const Batch to_c = d4 - d3, to_b = d5 - d6;
  const Mask on_bc = point.on((va <= zero) & (to_c >= zero) & (to_b >= zero), to_b, to_c, to_c + to_b);
  const Mask inside = !point.taken;

  const Batch b = point.second / point.divisor, c = point.third / point.divisor;
  const Batch a = select(on_bc, zero, one - b - c);
  const BatchVector normal = cross(ab, ac);
  const Batch square = dot(normal, normal), bb = dot(ab, ab), cc = dot(ac, ac), bc = dot(ab, ac);
  const BatchVector to_side = Batch(-1.0) * (a * x.one + b * x.two + c * x.three);
  const BatchVector r = choose(inside, (negative(dot(x.one, normal)) / square) * normal, to_side);
  const BatchVector rate = Batch(-1.0) * (a * v.one + b * v.two + c * v.three);
  const BatchVector g = choose(on_bc, x.three - x.two, choose(on_ac, ac, ab));
  const BatchVector w = choose(on_bc, v.three - v.two, choose(on_ac, wc, wb));
  const Batch h0 = dot(g, rate) + dot(w, r), h1 = dot(ac, rate) + dot(wc, r);
  const Batch share =
      select(inside, of_both(bb, bc, cc, h0, h1), h0 * h0) / select(inside, square, dot(g, g));
  return {r, rate, select(inside | point.on_side, share, zero),
          (square > Batch(1e-12) * bb * cc) & (point.taken | (sum > zero))};
}

TERRACE_KERNEL Approach edge_edge(const Nodes& x, const Nodes& v) {
  const Batch zero(0.0), one(1.0);
  const BatchVector d2 = x.three - x.two, w2 = v.three - v.two;
  const BatchVector &d1 = x.one, &w1 = v.one;
  const Batch a = dot(d1, d1), e = dot(d2, d2), b = dot(d1, d2), c = negative(dot(d1, x.two)),
              f = negative(dot(d2, x.two));
  const BatchVector normal = cross(d1, d2);
  const Batch square = dot(normal, normal);
  const Batch s_of_lines = clamp(multiply_subtract(b, f, c * e) / square);
  const Batch t_of_line = multiply_add(b, s_of_lines, f) / e;
  const Batch t = clamp(t_of_line);
  const Batch s =
      select((t_of_line < zero) | (t_of_line > one), clamp(multiply_subtract(t, b, c) / a), s_of_lines);
  const Mask first = (s > zero) & (s < one), second = (t > zero) & (t < one), both = first & second;

  const BatchVector to_end = s * d1 - ((one - t) * x.two + t * x.three);
  const BatchVector r = choose(both, (negative(dot(x.two, normal)) / square) * normal, to_end);
  const BatchVector rate = s * w1 - ((one - t) * v.two + t * v.three);
  const Batch h1 = dot(d1, rate) + dot(w1, r), h2 = dot(d2, rate) + dot(w2, r);
  const Batch h = select(first, h1, h2);
  const Batch share =
      select(both, of_both(a, b, e, h1, h2), h * h) / select(both, square, select(first, a, e));
  return {r, rate, select(first | second, share, zero), square > Batch(1e-12) * a * e};
}

struct ProfileValues {
  Batch value, first, second;
};

/// ContactProfile::at, for barrier and gap only.
TERRACE_KERNEL ProfileValues profile_at(const ContactProfile& profile, const Batch& distance) {
  const Batch zero(0.0), one(1.0), two(2.0), per(1 / profile.activation());
  const Batch quotient = distance / Batch(profile.activation());
  const Mask felt = quotient < one;
  const Batch x = select(felt, quotient, one), rest = one - x;
  if (profile.kind() == ContactProfile::Kind::gap)
    return {Batch(0.5) * rest * rest, negative(rest) * per, select(felt, per * per, zero)};
  const Batch inverse = one / x, log = logarithm(negative(rest), x, inverse).value;
  const Batch quick = rest * inverse;
  return {negative(rest) * rest * log, rest * (two * log - quick) * per,
          multiply_add(quick, Batch(4.0) + quick, Batch(-2.0) * log) * per * per};
}

/// The mask as bits, one for each lane; the first lane's bit is number `first`.
TERRACE_KERNEL std::uint64_t bits_of(const Mask& mask, int first) {
  bool chosen[lanes];
  mask.store_unaligned(chosen);
  std::uint64_t bits = 0;
  for (int lane = 0; lane < lanes; ++lane) bits |= std::uint64_t{chosen[lane]} << (first + lane);
  return bits;
}

/// Samples the lanes from `lane` on at s; returns a bit for each lane that sample_pair has to sample again.
TERRACE_KERNEL std::uint64_t sample_lanes(PairPacket& packet, int lane, const ContactProfile& profile,
                                          double s) {
  const Nodes v = nodes_of(packet.velocity, lane), x = moved(nodes_of(packet.start, lane), v, Batch(s));
  const bool edges = packet.kind == PairKind::edge_edge;
  const Approach approach = edges ? edge_edge(x, v) : vertex_triangle(x, v);
  const BatchVector& r = approach.difference;
  const Batch d = norm(r), rate = dot(r, approach.rate) / d;
  const Batch acceleration = (dot(approach.rate, approach.rate) - approach.sliding - rate * rate) / d;
  const ProfileValues psi = profile_at(profile, d);
  const Batch k = load(packet.stiffness + lane);
  (k * psi.value).store_aligned(packet.value + lane);
  (k * psi.first * rate).store_aligned(packet.slope + lane);
  (k * multiply_add(psi.second * rate, rate, psi.first * acceleration))
      .store_aligned(packet.curvature + lane);
  d.store_aligned(packet.distance + lane);
  rate.store_aligned(packet.rate + lane);

  // Conditions are such that a lane with NaN is left to sample_pair too.
  Mask ordinary = approach.ordinary & (d > Batch(profile.least_curved()));
  if (edges) {
    const BatchVector product = cross(x.one, x.three - x.two);
    ordinary = ordinary & ((dot(product, product) >= load(packet.parallel_edges + lane)) |
                           (d >= Batch(profile.activation())));
  }
  return xsimd::all(ordinary) ? 0 : bits_of(!ordinary, lane);
}

inline std::uint64_t sample_pairs(PairPacket& packet, const ContactProfile& profile, double s) {
  std::uint64_t others = 0;
  for (int lane = 0; lane < width; lane += lanes) others |= sample_lanes(packet, lane, profile, s);
  return others;
}

/// A bound of the rate W at which the closest features turn (turning_rate of contact_pair.cpp), and where it
/// holds.
struct Turning {
  Batch rate;
  Mask valid;
};

TERRACE_KERNEL Turning turning_of_edge(const BatchVector& g, const BatchVector& w, const Batch& duration) {
  const Batch growth = norm(w), smallest = norm(g) - growth * duration;
  return {growth / smallest, smallest > Batch(0.0)};
}

TERRACE_KERNEL Turning turning_of_triangle(const Nodes& x, const Nodes& v, const Batch& duration) {
  const BatchVector ab = x.two - x.one, ac = x.three - x.one, wb = v.two - v.one, wc = v.three - v.one;
  const Batch growth = xsimd::sqrt(dot(wb, wb) + dot(wc, wc));
  const Batch largest = xsimd::sqrt(dot(ab, ab) + dot(ac, ac));
  const Batch smallest = norm(cross(ab, ac)) / largest - growth * duration;
  const Turning side = turning_of_edge(x.three - x.two, v.three - v.two, duration);
  return {maximum(growth / smallest, side.rate), (smallest > Batch(0.0)) & side.valid};
}

/// For edges that stay far from parallel; the others are left to bound_pair.
TERRACE_KERNEL Turning turning_of_edges(const Nodes& x, const Nodes& v, const Batch& parallel_edges,
                                        const Batch& duration) {
  const BatchVector e2 = x.three - x.two, w2 = v.three - v.two;
  const BatchVector &e1 = x.one, &w1 = v.one;
  const Batch growth1 = norm(w1), growth2 = norm(w2), length1 = norm(e1), length2 = norm(e2);
  const Batch growth = xsimd::sqrt(multiply_add(growth1, growth1, growth2 * growth2));
  const Batch first = multiply_add(growth1, duration, length1),
              second = multiply_add(growth2, duration, length2);
  const Batch largest = xsimd::sqrt(multiply_add(first, first, second * second));
  const Batch product_rate =
      norm(cross(w1, e2) + cross(e1, w2)) + norm(Batch(2.0) * cross(w1, w2)) * duration;
  const Batch least_product = norm(cross(e1, e2)) - product_rate * duration;
  const Batch least1 = length1 - growth1 * duration, least2 = length2 - growth2 * duration;
  const Batch single = maximum(growth1 / least1, growth2 / least2);
  return {maximum(single, growth * largest / least_product),
          (least_product >= xsimd::sqrt(parallel_edges)) & (least_product > Batch(0.0)) &
              (least1 > Batch(0.0)) & (least2 > Batch(0.0))};
}

/// V″ of ψ(d) alone lies in [−below, above] (profile_range of contact_pair.cpp).
struct CurvatureRange {
  Batch below, above;
};

TERRACE_KERNEL CurvatureRange curvature_range(const ContactProfile& profile, const Batch& distance,
                                              const Batch& rate, const Batch& speed, const Batch& turning,
                                              const Batch& duration) {
  const Batch zero(0.0), way = speed * duration;
  const Batch bending = multiply_add(Batch(2.0) * speed, turning, (distance + way) * turning * turning);
  const Batch receding = multiply_add(Batch(2.0) * speed, turning, speed * speed / (distance - way));
  const Batch change = maximum(bending, receding) * duration, pace = xsimd::abs(rate);
  const Batch slowest = maximum(pace - change, zero), fastest = minimum(speed, pace + change);
  const ProfileValues most = profile_at(profile, distance - fastest * duration);
  CurvatureRange range{negative(most.first) * receding,
                       multiply_add(most.second * fastest, fastest, negative(most.first) * bending)};
  if (xsimd::any(slowest > zero))
    range.below -= profile_at(profile, distance + fastest * duration).second * slowest * slowest;
  return range;
}

/// Bounds the lanes from `lane` on; returns a bit for each lane that bound_pair has to bound again.
TERRACE_KERNEL std::uint64_t bound_lanes(const PairPacket& packet, int lane, const ContactProfile& profile,
                                         double from, const Batch& span, PacketBound& bound) {
  const Batch zero(0.0), distance = load(packet.distance + lane), speed = load(packet.speed + lane);
  const Batch way = speed * span;
  const Mask felt = distance - way < Batch(profile.activation());
  if (!xsimd::any(felt)) return 0;
  const Nodes v = nodes_of(packet.velocity, lane), x = moved(nodes_of(packet.start, lane), v, Batch(from));
  const Turning turning = packet.kind == PairKind::edge_edge
                              ? turning_of_edges(x, v, load(packet.parallel_edges + lane), span)
                              : turning_of_triangle(x, v, span);
  const CurvatureRange range =
      curvature_range(profile, distance, load(packet.rate + lane), speed, turning.rate, span);
  const Mask ordinary = turning.valid & (way < Batch(0.5) * distance), known = felt & ordinary;
  const Batch k = load(packet.stiffness + lane), curvature = load(packet.curvature + lane);
  select(known, maximum(multiply_add(k, range.below, curvature), zero), zero)
      .store_aligned(bound.below + lane);
  select(known, maximum(multiply_add(k, range.above, negative(curvature)), zero), zero)
      .store_aligned(bound.above + lane);
  const Mask rare = felt & !ordinary;
  return xsimd::any(rare) ? bits_of(rare, lane) : 0;
}

inline std::uint64_t bound_pairs(const PairPacket& packet, const ContactProfile& profile, double from,
                                 double duration, PacketBound& bound) {
  std::uint64_t others = 0;
  for (int lane = 0; lane < width; lane += lanes)
    others |= bound_lanes(packet, lane, profile, from, Batch(duration), bound);
  return others;
}

inline void add_samples(const PairPacket* packets, std::size_t count, double s, const LineGrids& grids,
                        LineSample& sum) {
  const Batch zero(0.0);
  Batch coarse = zero, fine = zero, slopes = zero, curvatures = zero, terms = zero;
  Batch largest_value = zero, largest_slope = zero, largest_curvature = zero;
  for (std::size_t i = 0; i < count; ++i) {
    const PairPacket& packet = packets[i];
    if (packet.closed_until >= s) continue;
    sum.infinite += __builtin_popcountll(packet.touching);
    for (int lane = 0; lane < width; lane += lanes) {
      const Batch value = load(packet.value + lane), slope = load(packet.slope + lane),
                  curvature = load(packet.curvature + lane);
      terms += select(differ(value, zero) | differ(slope, zero) | differ(curvature, zero), Batch(1.0), zero);
      const Batch head = grids.value.coarse.round(value);
      coarse += head;
      fine += grids.value.fine.round(value - head);
      slopes += grids.slope.round(slope);
      curvatures += grids.curvature.round(curvature);
      largest_value = larger(largest_value, value);
      largest_slope = larger(largest_slope, slope);
      largest_curvature = larger(largest_curvature, curvature);
    }
  }
  sum.contact_terms += sum_of_lanes(terms);
  sum.value.coarse += sum_of_lanes(coarse);
  sum.value.fine += sum_of_lanes(fine);
  sum.slope += sum_of_lanes(slopes);
  sum.curvature += sum_of_lanes(curvatures);
  raise_to_lanes(sum.largest_value, largest_value);
  raise_to_lanes(sum.largest_slope, largest_slope);
  raise_to_lanes(sum.largest_curvature, largest_curvature);
}

/// Rounds a certificate's term upwards: rounding must not make it smaller.
TERRACE_KERNEL Batch round_up(const Grid& grid, const Batch& x) {
  return grid.round(x) + Batch(grid.quantum);
}

inline void add_bounds(const PacketBound& bound, const LineGrids& grids, BoundSums& sums) {
  const Batch zero(0.0), quantum(grids.curvature.quantum);
  for (int lane = 0; lane < width; lane += lanes) {
    const Batch below = load(bound.below + lane), above = load(bound.above + lane);
    const Mask counts = differ(below, zero) | differ(above, zero) | differ(load(bound.rise + lane), zero);
    // One quantum more for the rounding of V″ in the sample.
    const Batch more_below = select(counts, below + quantum, zero),
                more_above = select(counts, above + quantum, zero);
    const auto add = [lane](Lanes& sum, const Batch& x) { (load(sum + lane) + x).store_aligned(sum + lane); };
    add(sums.terms, select(counts, Batch(1.0), zero));
    add(sums.belows, select(counts, round_up(grids.below, more_below), zero));
    add(sums.aboves, select(counts, round_up(grids.above, more_above), zero));
    larger(load(sums.largest_below + lane), more_below).store_aligned(sums.largest_below + lane);
    larger(load(sums.largest_above + lane), more_above).store_aligned(sums.largest_above + lane);
  }
}

/// Nodes 1 to 3 relative to node 0: a small pair far from the origin of space loses no digits.
TERRACE_KERNEL Nodes relative(const std::int32_t (&node_row)[4][width], int lane, const double* nodes) {
  return {relative_to_fourth(nodes, node_row, 0, lane), relative_to_fourth(nodes, node_row, 1, lane),
          relative_to_fourth(nodes, node_row, 2, lane)};
}

inline void relative_nodes(const std::int32_t (&node_row)[4][width], const double* nodes,
                           Lanes (&components)[3][3]) {
  for (int lane = 0; lane < width; lane += lanes) {
    const Nodes x = relative(node_row, lane, nodes);
    const BatchVector* vectors[3] = {&x.one, &x.two, &x.three};
    for (int node = 0; node < 3; ++node) {
      vectors[node]->x.store_aligned(components[node][0] + lane);
      vectors[node]->y.store_aligned(components[node][1] + lane);
      vectors[node]->z.store_aligned(components[node][2] + lane);
    }
  }
}

/// closing_speed of every lane.
TERRACE_KERNEL Batch closing_speed(PairKind kind, const Nodes& v) {
  const Batch two = dot(v.two, v.two), three = dot(v.three, v.three);
  if (kind == PairKind::vertex_triangle) return xsimd::sqrt(maximum(dot(v.one, v.one), maximum(two, three)));
  const BatchVector a = v.two - v.one, b = v.three - v.one;
  return xsimd::sqrt(maximum(maximum(two, three), maximum(dot(a, a), dot(b, b))));
}

inline void closing_speeds(PairKind kind, const std::int32_t (&node_row)[4][width], const double* velocities,
                           Lanes& speeds) {
  for (int lane = 0; lane < width; lane += lanes)
    closing_speed(kind, relative(node_row, lane, velocities)).store_aligned(speeds + lane);
}

#undef TERRACE_KERNEL

}  // namespace terrace::TERRACE_LEVEL
