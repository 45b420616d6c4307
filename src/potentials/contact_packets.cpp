#include "potentials/contact_packets.hpp"

#include <algorithm>
#include <limits>

namespace terrace {
namespace {

using simd::Batch;
using simd::BatchVector;
using simd::fma;
using simd::load;
using simd::Mask;
using simd::width;
using xsimd::select;

#define TERRACE_KERNEL [[gnu::always_inline]] inline

TERRACE_KERNEL Batch dot(const BatchVector& a, const BatchVector& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
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
  return {xsimd::fms(a.y, b.z, a.z * b.y), xsimd::fms(a.z, b.x, a.x * b.z), xsimd::fms(a.x, b.y, a.y * b.x)};
}
TERRACE_KERNEL BatchVector choose(const Mask& mask, const BatchVector& a, const BatchVector& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
TERRACE_KERNEL Batch clamp(const Batch& x) { return xsimd::min(xsimd::max(x, Batch(0.0)), Batch(1.0)); }

/// Nodes 1 to 3 relative to node 0.
struct Nodes {
  BatchVector one, two, three;
};

TERRACE_KERNEL BatchVector vector_of(const PairPacket::Lanes (&components)[3]) {
  return {load(components[0]), load(components[1]), load(components[2])};
}
TERRACE_KERNEL Nodes nodes_of(const PairPacket::Lanes (&components)[3][3]) {
  return {vector_of(components[0]), vector_of(components[1]), vector_of(components[2])};
}
TERRACE_KERNEL Nodes moved(const Nodes& x, const Nodes& v, const Batch& s) {
  const auto along = [&](const BatchVector& a, const BatchVector& w) {
    return BatchVector{fma(s, w.x, a.x), fma(s, w.y, a.y), fma(s, w.z, a.z)};
  };
  return {along(x.one, v.one), along(x.two, v.two), along(x.three, v.three)};
}

/// The difference r of the closest points, ṙ with them fixed, and what their sliding takes from |ṙ|²: D″/2 =
/// |ṙ|² − sliding (SquaredDistance).
struct Approach {
  BatchVector difference, rate;
  Batch sliding;
  Mask ordinary;  ///< the closed form is good: no degenerate triangle, no all but parallel edges
};

/// (c h₀² − 2 b h₀ h₁ + a h₁²): hᵀ (GᵀG)⁻¹ h times the determinant of GᵀG = (a b; b c).
TERRACE_KERNEL Batch of_both(const Batch& a, const Batch& b, const Batch& c, const Batch& h0,
                             const Batch& h1) {
  return fma(c * h0 - Batch(2.0) * b * h1, h0, a * h1 * h1);
}

/// Barycentric coordinates of the second and third node as quotients, and the free direction on a side.
struct TrianglePoint {
  Batch second, third, divisor;
  BatchVector side, side_rate;
  Mask taken, on_side, opposite;  ///< opposite: on the side opposite the first node

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

/// The regions of closest_points.cpp, in the same order; one division for all of them.
TERRACE_KERNEL Approach vertex_triangle(const Nodes& x, const Nodes& v) {
  const Batch zero(0.0), one(1.0);
  const BatchVector ab = x.two - x.one, ac = x.three - x.one, wb = v.two - v.one, wc = v.three - v.one;
  const Batch d1 = -dot(ab, x.one), d2 = -dot(ac, x.one), d3 = -dot(ab, x.two), d4 = -dot(ac, x.two),
              d5 = -dot(ab, x.three), d6 = -dot(ac, x.three);
  const Batch va = xsimd::fms(d3, d6, d5 * d4), vb = xsimd::fms(d5, d2, d1 * d6),
              vc = xsimd::fms(d1, d4, d3 * d2), sum = va + vb + vc;
  TrianglePoint point{vb, vc, sum, ab, wb, Mask(false), Mask(false), Mask(false)};
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
  const BatchVector r = choose(inside, (-dot(x.one, normal) / square) * normal, to_side);
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
  const Batch a = dot(d1, d1), e = dot(d2, d2), b = dot(d1, d2), c = -dot(d1, x.two), f = -dot(d2, x.two);
  const BatchVector normal = cross(d1, d2);
  const Batch square = dot(normal, normal);
  const Batch s_of_lines = clamp(xsimd::fms(b, f, c * e) / square);
  const Batch t_of_line = fma(b, s_of_lines, f) / e;
  const Batch t = clamp(t_of_line);
  const Batch s = select((t_of_line < zero) | (t_of_line > one), clamp(xsimd::fms(t, b, c) / a), s_of_lines);
  const Mask first = (s > zero) & (s < one), second = (t > zero) & (t < one), both = first & second;

  const BatchVector to_end = s * d1 - ((one - t) * x.two + t * x.three);
  const BatchVector r = choose(both, (-dot(x.two, normal) / square) * normal, to_end);
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

/// ContactProfile::at; barrier or gap.
TERRACE_KERNEL ProfileValues profile_at(const ContactProfile& profile, const Batch& distance) {
  const Batch zero(0.0), one(1.0), two(2.0), per(1 / profile.activation());
  const Batch quotient = distance / Batch(profile.activation());
  const Mask felt = quotient < one;
  const Batch x = select(felt, quotient, one), rest = one - x;
  if (profile.kind() == ContactProfile::Kind::gap)
    return {Batch(0.5) * rest * rest, -rest * per, select(felt, per * per, zero)};
  const Batch inverse = one / x, logarithm = simd::logarithm(-rest, x, inverse).value;
  const Batch quick = rest * inverse;
  return {-rest * rest * logarithm, rest * (two * logarithm - quick) * per,
          fma(quick, Batch(4.0) + quick, Batch(-2.0) * logarithm) * per * per};
}

template <class Visit>
void visit_lanes(const Mask& mask, Visit visit) {
  bool chosen[width];
  mask.store_unaligned(chosen);
  for (int lane = 0; lane < width; ++lane)
    if (chosen[lane]) visit(lane);
}

}  // namespace

PairNodes PairPacket::positions_at(int lane, double s) const {
  PairNodes x{};
  for (std::size_t node = 0; node < 3; ++node)
    for (std::size_t i = 0; i < 3; ++i) x[node + 1][i] = start[node][i][lane] + s * velocity[node][i][lane];
  return x;
}

PairNodes PairPacket::velocities(int lane) const {
  PairNodes v{};
  for (std::size_t node = 0; node < 3; ++node)
    for (std::size_t i = 0; i < 3; ++i) v[node + 1][i] = velocity[node][i][lane];
  return v;
}

PairSample PairPacket::sample(int lane) const {
  return {value[lane], slope[lane], curvature[lane], (touching >> lane & 1) != 0, distance[lane], rate[lane]};
}

void PairPacket::set_sample(int lane, const PairSample& sample) {
  value[lane] = sample.value;
  slope[lane] = sample.slope;
  curvature[lane] = sample.curvature;
  distance[lane] = sample.distance;
  rate[lane] = sample.rate;
  if (sample.touching) touching |= std::uint64_t{1} << lane;
}

void sample_packet(PairPacket& packet, const ContactProfile& profile, double s) {
  const Nodes v = nodes_of(packet.velocity), x = moved(nodes_of(packet.start), v, Batch(s));
  const bool edges = packet.kind == PairKind::edge_edge;
  const Approach approach = edges ? edge_edge(x, v) : vertex_triangle(x, v);
  const BatchVector& r = approach.difference;
  const Batch d = norm(r), rate = dot(r, approach.rate) / d;
  const Batch acceleration = (dot(approach.rate, approach.rate) - approach.sliding - rate * rate) / d;
  const ProfileValues psi = profile_at(profile, d);
  const Batch k = load(packet.stiffness);
  (k * psi.value).store_aligned(packet.value);
  (k * psi.first * rate).store_aligned(packet.slope);
  (k * fma(psi.second * rate, rate, psi.first * acceleration)).store_aligned(packet.curvature);
  d.store_aligned(packet.distance);
  rate.store_aligned(packet.rate);
  packet.touching = 0;

  // Written so that NaN is left to sample_pair too.
  Mask ordinary = approach.ordinary & (d > Batch(0.0));
  if (edges) {
    const BatchVector product = cross(x.one, x.three - x.two);
    ordinary = ordinary &
               ((dot(product, product) >= load(packet.parallel_edges)) | (d >= Batch(profile.activation())));
  }
  if (xsimd::all(ordinary)) return;
  visit_lanes((!ordinary), [&](int lane) {
    packet.set_sample(
        lane, sample_pair(packet.pair(lane), profile, packet.positions_at(lane, s), packet.velocities(lane)));
  });
}

namespace {

/// Bound of the rate W at which the closest features turn (turning_rate of contact_pair.cpp), and where it is
/// one.
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
  return {xsimd::max(growth / smallest, side.rate), (smallest > Batch(0.0)) & side.valid};
}

/// Of edges that stay far from parallel; the others are left to bound_pair.
TERRACE_KERNEL Turning turning_of_edges(const Nodes& x, const Nodes& v, const Batch& parallel_edges,
                                        const Batch& duration) {
  const BatchVector e2 = x.three - x.two, w2 = v.three - v.two;
  const BatchVector &e1 = x.one, &w1 = v.one;
  const Batch growth1 = norm(w1), growth2 = norm(w2), length1 = norm(e1), length2 = norm(e2);
  const Batch growth = xsimd::sqrt(fma(growth1, growth1, growth2 * growth2));
  const Batch first = fma(growth1, duration, length1), second = fma(growth2, duration, length2);
  const Batch largest = xsimd::sqrt(fma(first, first, second * second));
  const Batch product_rate =
      norm(cross(w1, e2) + cross(e1, w2)) + norm(Batch(2.0) * cross(w1, w2)) * duration;
  const Batch least_product = norm(cross(e1, e2)) - product_rate * duration;
  const Batch least1 = length1 - growth1 * duration, least2 = length2 - growth2 * duration;
  const Batch single = xsimd::max(growth1 / least1, growth2 / least2);
  return {xsimd::max(single, growth * largest / least_product),
          (least_product >= xsimd::sqrt(parallel_edges)) & (least_product > Batch(0.0)) &
              (least1 > Batch(0.0)) & (least2 > Batch(0.0))};
}

/// V″ of the profile lies in [−below, above] (profile_range of contact_pair.cpp).
struct CurvatureRange {
  Batch below, above;
};

TERRACE_KERNEL CurvatureRange curvature_range(const ContactProfile& profile, const Batch& distance,
                                              const Batch& rate, const Batch& speed, const Batch& turning,
                                              const Batch& duration) {
  const Batch zero(0.0), way = speed * duration;
  const Batch bending = fma(Batch(2.0) * speed, turning, (distance + way) * turning * turning);
  const Batch receding = fma(Batch(2.0) * speed, turning, speed * speed / (distance - way));
  const Batch change = xsimd::max(bending, receding) * duration, pace = xsimd::abs(rate);
  const Batch slowest = xsimd::max(pace - change, zero), fastest = xsimd::min(speed, pace + change);
  const ProfileValues most = profile_at(profile, distance - fastest * duration);
  CurvatureRange range{-most.first * receding, fma(most.second * fastest, fastest, -most.first * bending)};
  if (xsimd::any(slowest > zero))
    range.below -= profile_at(profile, distance + fastest * duration).second * slowest * slowest;
  return range;
}

}  // namespace

PacketBound bound_packet(const PairPacket& packet, const ContactProfile& profile, double from,
                         double duration) {
  PacketBound bound{};
  const Batch zero(0.0), span(duration), distance = load(packet.distance), speed = load(packet.speed);
  const Batch way = speed * span;
  const Mask felt = distance - way < Batch(profile.activation());
  if (xsimd::none(felt)) return bound;
  const Nodes v = nodes_of(packet.velocity), x = moved(nodes_of(packet.start), v, Batch(from));
  const Turning turning = packet.kind == PairKind::edge_edge
                              ? turning_of_edges(x, v, load(packet.parallel_edges), span)
                              : turning_of_triangle(x, v, span);
  const CurvatureRange range =
      curvature_range(profile, distance, load(packet.rate), speed, turning.rate, span);
  const Mask ordinary = turning.valid & (way < Batch(0.5) * distance), known = felt & ordinary;
  const Batch k = load(packet.stiffness), curvature = load(packet.curvature);
  select(known, xsimd::max(fma(k, range.below, curvature), zero), zero).store_aligned(bound.below);
  select(known, xsimd::max(fma(k, range.above, -curvature), zero), zero).store_aligned(bound.above);
  if (!xsimd::any(felt & !ordinary)) return bound;

  visit_lanes((felt & !ordinary), [&](int lane) {
    const PairBound pair =
        bound_pair(packet.pair(lane), profile, packet.positions_at(lane, from), packet.velocities(lane),
                   packet.sample(lane), packet.speed[lane], duration);
    bound.rise[lane] = pair.rise;
    bound.fall[lane] = pair.fall;
    bound.below[lane] = pair.below;
    bound.above[lane] = pair.above;
    bound.jumps = bound.jumps || pair.rise != 0 || pair.fall != 0;
    bound.invalid = bound.invalid || pair.invalid;
  });
  return bound;
}

namespace {

/// Rows of the nodes of `width` pairs; the last pair stands in for missing ones. Node 0 comes last: the
/// others are relative to it.
struct PacketRows {
  std::int32_t of_node[4][width];
  template <class PairOfLane>
  PacketRows(std::size_t count, PairOfLane pair_of_lane) {
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(width); ++lane) {
      const PairOnLine& pair = pair_of_lane(std::min(lane, count - 1));
      for (std::size_t a = 0; a < 4; ++a) of_node[a][lane] = simd::row * pair.nodes[(a + 1) % 4];
    }
  }
  // Relative to one node: a small pair far from the origin of space loses no digits.
  TERRACE_KERNEL Nodes relative(const std::vector<NodeRows::Row>& rows) const {
    const double* values = rows.front().component;
    return {simd::relative_to_fourth(values, of_node, 0), simd::relative_to_fourth(values, of_node, 1),
            simd::relative_to_fourth(values, of_node, 2)};
  }
};

/// closing_speed of every lane.
TERRACE_KERNEL Batch closing_speed(PairKind kind, const Nodes& v) {
  const Batch two = dot(v.two, v.two), three = dot(v.three, v.three);
  if (kind == PairKind::vertex_triangle)
    return xsimd::sqrt(xsimd::max(dot(v.one, v.one), xsimd::max(two, three)));
  const BatchVector a = v.two - v.one, b = v.three - v.one;
  return xsimd::sqrt(xsimd::max(xsimd::max(two, three), xsimd::max(dot(a, a), dot(b, b))));
}

TERRACE_KERNEL void store(const Nodes& nodes, PairPacket::Lanes (&components)[3][3]) {
  const BatchVector* vectors[3] = {&nodes.one, &nodes.two, &nodes.three};
  for (std::size_t node = 0; node < 3; ++node) {
    vectors[node]->x.store_aligned(components[node][0]);
    vectors[node]->y.store_aligned(components[node][1]);
    vectors[node]->z.store_aligned(components[node][2]);
  }
}

}  // namespace

void PairPackets::add(std::span<const PairOnLine> pairs, const NodeRows& nodes, double from,
                      double duration) {
  find_open(pairs, nodes, from, duration);
  for (std::size_t i = 0; i < open_.size(); i += width)
    add_packet(std::span(open_).subspan(i, std::min<std::size_t>(width, open_.size() - i)), nodes);
}

void PairPackets::find_open(std::span<const PairOnLine> pairs, const NodeRows& nodes, double from,
                            double duration) {
  open_.resize(pairs.size() + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); i += width) {
    const std::size_t here = std::min<std::size_t>(width, pairs.size() - i);
    const PacketRows rows(here, [&](std::size_t lane) -> const PairOnLine& { return pairs[i + lane]; });
    alignas(64) PairPacket::Lanes speed;
    closing_speed(pairs[i].pair.kind, rows.relative(nodes.velocity)).store_aligned(speed);
    for (std::size_t lane = 0; lane < here; ++lane) {
      const double left = pairs[i + lane].left;
      open_[count] = {&pairs[i + lane], speed[lane],
                      left > 0 ? from + left / speed[lane] : -std::numeric_limits<double>::infinity()};
      count += !(left > speed[lane] * duration);
    }
  }
  open_.resize(count);
}

void PairPackets::add_packet(std::span<const Open> open, const NodeRows& nodes) {
  PairPacket& packet = packets_.emplace_back();
  const PacketRows rows(open.size(), [&](std::size_t lane) -> const PairOnLine& { return *open[lane].pair; });
  store(rows.relative(nodes.start), packet.start);
  store(rows.relative(nodes.velocity), packet.velocity);
  packet.kind = open[0].pair->pair.kind;
  packet.closed_until = open[0].closed_until;
  for (std::size_t lane = 0; lane < open.size(); ++lane) {
    packet.stiffness[lane] = open[lane].pair->pair.stiffness;
    packet.parallel_edges[lane] = open[lane].pair->pair.parallel_edges;
    packet.speed[lane] = open[lane].speed;
    packet.closed_until = std::min(packet.closed_until, open[lane].closed_until);
  }
  for (std::size_t lane = open.size(); lane < static_cast<std::size_t>(width); ++lane) pad(packet, lane);
}

void PairPackets::pad(PairPacket& packet, std::size_t lane) const {
  // Eight d̂ apart and at rest, whether node 1 belongs to the first simplex or to the second.
  constexpr double far[3][3] = {{8, 0, 0}, {8, 8, 8}, {8, -8, 8}};
  for (std::size_t node = 0; node < 3; ++node)
    for (std::size_t i = 0; i < 3; ++i) {
      packet.start[node][i][lane] = activation_ * far[node][i];
      packet.velocity[node][i][lane] = 0;
    }
  packet.stiffness[lane] = packet.parallel_edges[lane] = packet.speed[lane] = 0;
}

}  // namespace terrace
