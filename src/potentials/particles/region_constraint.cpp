#include "potentials/particles/region_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/region_surface.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

/// The time at which a line passes the surface of a part.
struct Root {
  double instant;
  const RegionPart* part;
};

/// Adds the roots of (p + s v)² = r²; the one nearer to 0 is computed without cancellation.
void add_roots_of_ball(const RegionPart& part, const Vector3& p, const Vector3& v, std::vector<Root>& roots) {
  const double a = dot(v, v), half = dot(p, v), radius = part.radius;
  if (!(a > 0)) return;
  // The discriminant (p·v)² − v² p² + v² r², without the difference of its first two terms: that is −v² times
  // the square of the perpendicular `beside`.
  const Vector3 beside = p - (half / a) * v;
  const double q = radius * radius - dot(beside, beside);
  if (!(q > 0)) return;
  const double root = std::sqrt(a * q), far = -(half + std::copysign(root, half));
  const double distance = norm(p);
  const double near = (distance - radius) * (distance + radius);
  for (const double instant : {far / a, far == 0 ? 0.0 : near / far}) roots.push_back({instant, &part});
}

void add_roots(const RegionPart& part, const Vector3& x, const Vector3& v, std::vector<Root>& roots) {
  if (part.kind == RegionPart::Kind::ball) return add_roots_of_ball(part, x - part.point, v, roots);
  const double rate = dot(v, part.normal);
  if (rate != 0) roots.push_back({-dot(x - part.point, part.normal) / rate, &part});
}

/// A time within an interval: its middle or, if it has no end, `unit` after its beginning.
double inner(double from, double to, double unit) { return to < infinity ? 0.5 * (from + to) : from + unit; }

}  // namespace

std::optional<RegionEntry> first_entry(const Region& region, const Vector3& x, const Vector3& velocity,
                                       double from) {
  const double speed = norm(velocity);
  if (!(speed > 0)) return {};
  std::vector<Root> roots;
  const double size = std::max(norm(x) + from * speed, size_of(region));
  for (const std::vector<RegionPart>& piece : region.pieces)
    for (const RegionPart& part : piece) add_roots(part, x, velocity, roots);
  std::erase_if(roots, [&](const Root& root) { return !(root.instant > from); });
  std::sort(roots.begin(), roots.end(),
            [](const Root& one, const Root& other) { return one.instant < other.instant; });
  const auto place = [&](double s) { return x + s * velocity; };
  const double unit = size > 0 ? size / speed : 1.0;  // beyond the last root any place will do

  const auto entry_at = [&](double instant) -> std::optional<RegionEntry> {
    const Vector3 here = place(instant);
    // Rounding of the time may have put the place behind a surface; at a corner all other surfaces may be as
    // far away.
    const double tolerance =
        0x1p-45 * std::max(size, norm(here)) + std::max(0.0, -region.signed_distance(here));
    if (const auto outward = surface_passed(region, here, velocity, true, tolerance, here))
      return RegionEntry{instant, *outward};
    // Decides by a place a little later if the line is tangent to a circle that curves away from it.
    constexpr double little = 1e-6;
    const Vector3 later = place(instant + little * unit);
    if (!region.contains(later)) return {};
    if (const auto outward = surface_passed(region, here, velocity, true, tolerance, later))
      return RegionEntry{instant, *outward};
    return {};
  };
  if (region.contains(place(inner(from, roots.empty() ? infinity : roots.front().instant, unit))))
    if (const auto entry = entry_at(from)) return entry;
  // Roots within rounding of each other are passed together: rounding would decide what lies between them.
  std::size_t first = 0;
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const double to = k + 1 < roots.size() ? roots[k + 1].instant : infinity;
    if ((to - roots[k].instant) * speed <= 0x1p-45 * size) continue;
    const std::size_t begin = std::exchange(first, k + 1);
    if (!region.contains(place(inner(roots[k].instant, to, unit)))) continue;
    if (const auto entry = entry_at(roots[begin].instant)) return entry;
    for (std::size_t i = begin; i <= k; ++i) {
      const Vector3 outward =
          (region.complement ? -1.0 : 1.0) * roots[i].part->outward(place(roots[i].instant));
      if (dot(outward, velocity) < 0) return RegionEntry{roots[i].instant, outward};
    }
  }
  return {};
}

RegionConstraint::RegionConstraint(std::span<const Vector3> reference, std::vector<std::int32_t> nodes,
                                   Region forbidden)
    : nodes_(std::move(nodes)), forbidden_(std::move(forbidden)) {
  for (const std::int32_t node : nodes_) reference_.push_back(at(reference, node));
}

std::unique_ptr<ConstraintOnLine> RegionConstraint::on_line() const {
  return std::make_unique<RegionConstraintOnLine>(*this);
}

RegionConstraintOnLine::RegionConstraintOnLine(const RegionConstraint& constraint)
    : constraint_(constraint), motions_(constraint.nodes().size()) {}

void RegionConstraintOnLine::set_motion(std::size_t i, const NodeLine& line, double origin) {
  motions_[i] = {constraint_.reference(i) + line.displacement_at(origin), line.velocity};
}

void RegionConstraintOnLine::begin(std::span<const NodeLine> lines, double origin) {
  for (std::size_t i = 0; i < motions_.size(); ++i) set_motion(i, at(lines, constraint_.nodes()[i]), origin);
}

void RegionConstraintOnLine::change(std::span<const NodeLine> lines, double origin,
                                    std::span<const std::uint8_t> changed) {
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (at(changed, constraint_.nodes()[i]) != 0) set_motion(i, at(lines, constraint_.nodes()[i]), origin);
}

FirstCollision RegionConstraintOnLine::first_collision(double from, double to) {
  colliding_.reset();
  FirstCollision first;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const auto entry = first_entry(constraint_.forbidden(), motions_[i].position, motions_[i].velocity, from);
    if (!entry || entry->instant > to || !(entry->instant < first.instant)) continue;
    first.instant = entry->instant;
    colliding_ = {static_cast<std::size_t>(constraint_.nodes()[i]), entry->outward};
  }
  return first;
}

double RegionConstraintOnLine::add_gradient(std::span<const NodeLine> /*lines*/, double /*instant*/,
                                            const Grid& grid, std::span<Vector3> gradient) {
  if (!colliding_) return 0;
  double largest = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    gradient[colliding_->node][d] += grid.round(colliding_->outward[d]);
    largest = std::max(largest, std::abs(colliding_->outward[d]));
  }
  return largest;
}

}  // namespace terrace
