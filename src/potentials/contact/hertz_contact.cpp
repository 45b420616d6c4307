#include "potentials/contact/hertz_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/contract.hpp"
#include "numerics/larger.hpp"
#include "potentials/contact/law_on_line.hpp"

namespace terrace {
namespace {

/// |Q| and its direction n.
struct Direction {
  double length;
  Vector3 unit;
  explicit Direction(const Vector3& q) : length(norm(q)), unit((1 / length) * q) {}
  /// The part of x at right angles to n.
  [[nodiscard]] Vector3 across(const Vector3& x) const { return x - dot(x, unit) * unit; }
  /// n′ along Q + s Q′.
  [[nodiscard]] Vector3 turn(const Vector3& rate) const { return (1 / length) * across(rate); }
};

}  // namespace

HertzContact::HertzContact(std::span<const Vector3> reference_positions, const SpherePatch& first,
                           const SpherePatch& second, const std::array<Sphere, 2>& spheres,
                           const HertzLaw& law, double gap)
    : law_(law),
      spheres_{SphereOfPatch(reference_positions, first.nodes, spheres[0]),
               SphereOfPatch(reference_positions, second.nodes, spheres[1])} {
  for (std::size_t i = 0; i < first.nodes.size(); ++i)
    shares_.push_back({first.nodes[i], true, -first.load[i], -first.middle[i]});
  for (std::size_t i = 0; i < second.nodes.size(); ++i)
    shares_.push_back({second.nodes[i], false, second.load[i], second.middle[i]});
  std::sort(shares_.begin(), shares_.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    nodes_.push_back(shares_[i].node);
    TERRACE_VERIFY(i == 0 || nodes_[i - 1] < nodes_[i], nodes_[i]);
    if (std::abs(shares_[i].load) > std::abs(shares_[heaviest_].load)) heaviest_ = i;
  }
  reference_ = between([&](std::size_t node) { return reference_positions[node]; });
  touching_ = dot(reference_.loads, Direction(reference_.middles).unit) - gap;
}

template <class VectorOf>
HertzContact::Between HertzContact::between(VectorOf vector) const {
  Between sum;
  for (const NodeShare& share : shares_) {
    const Vector3 x = vector(static_cast<std::size_t>(share.node));
    sum.loads += share.load * x;
    sum.middles += share.middle * x;
    if (share.first) sum.arm += (share.middle - share.load) * x;
  }
  return sum;
}

HertzContact::Between HertzContact::place(const Displacements& displacements) const {
  Between place = between([&](std::size_t node) { return displacements[node]; });
  place.loads += reference_.loads;
  place.middles += reference_.middles;
  place.arm += reference_.arm;
  return place;
}

double HertzContact::penetration(const Between& place) const {
  return touching_ - dot(place.loads, Direction(place.middles).unit);
}

HertzContact::Distance HertzContact::distance(const Between& place, const Between& velocity) {
  const Direction n(place.middles);
  const Vector3 turn = n.turn(velocity.middles);
  const double lengthening = dot(n.unit, velocity.middles) / n.length;
  const Vector3 second_turn = (-2 * lengthening) * turn - dot(turn, turn) * n.unit;
  return {dot(place.loads, n.unit), dot(velocity.loads, n.unit) + dot(place.loads, turn),
          2 * dot(velocity.loads, turn) + dot(place.loads, second_turn)};
}

double HertzContact::shift(const Between& place) {
  const Direction n(place.middles);
  const Vector3 second_arm = place.loads - place.middles + place.arm;
  return std::max(norm(n.across(place.arm)), norm(n.across(second_arm)));
}

double HertzContact::unfelt_penetration(const Displacements& displacements, bool /*has_energy*/) const {
  const auto first = spheres_[0].centre(displacements), second = spheres_[1].centre(displacements);
  if (!first || !second) return 0;
  return law_.unfelt(spheres_[0].radius() + spheres_[1].radius() - norm(*second - *first),
                     penetration(place(displacements)));
}

std::vector<double> HertzContact::energies(const Displacements& displacements) const {
  const double energy = law_.at(penetration(place(displacements))).value;
  return energy == 0 ? std::vector<double>{} : std::vector<double>{energy};
}

double HertzContact::add_gradient(const Displacements& displacements, const Grid& grid,
                                  std::span<Vector3> gradient) const {
  const Between now = place(displacements);
  const Direction n(now.middles);
  const double force = law_.at(touching_ - dot(now.loads, n.unit)).first;
  if (force == 0) return 0;
  const Vector3 by_load = -force * n.unit, by_middle = (-force / n.length) * n.across(now.loads);
  Vector3 rest{};
  double largest = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    if (i == heaviest_) continue;
    const Vector3 term = shares_[i].load * by_load + shares_[i].middle * by_middle;
    Vector3& sum = gradient[static_cast<std::size_t>(shares_[i].node)];
    for (std::size_t k = 0; k < 3; ++k) {
      const double rounded = grid.round(term[k]);
      largest = larger(largest, std::abs(term[k]));
      rest[k] -= rounded;
      sum[k] += rounded;
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    largest = larger(largest, std::abs(rest[k]));
    gradient[static_cast<std::size_t>(shares_[heaviest_].node)][k] += rest[k];
  }
  return largest;
}

void HertzContact::add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                                     std::span<Vector3> product) const {
  const Between now = place(displacements),
                change = between([&](std::size_t node) { return direction[node]; });
  const Direction n(now.middles);
  const HertzLaw::Values law = law_.at(touching_ - dot(now.loads, n.unit));
  const double closing = -distance(now, change).first;
  const Vector3 turn = n.turn(change.middles), across = n.across(now.loads);
  const Vector3 across_change =
      n.across(change.loads) - dot(now.loads, turn) * n.unit - dot(now.loads, n.unit) * turn;
  const double lengthening = dot(n.unit, change.middles) / n.length;
  const Vector3 by_load = (-law.second * closing) * n.unit - law.first * turn;
  const Vector3 by_middle = (1 / n.length) * ((-law.second * closing + law.first * lengthening) * across -
                                              law.first * across_change);
  for (const NodeShare& share : shares_)
    product[static_cast<std::size_t>(share.node)] += share.load * by_load + share.middle * by_middle;
}

std::unique_ptr<PotentialOnLine> HertzContact::on_line() const {
  return std::make_unique<HertzContactOnLine>(*this);
}

void HertzContactOnLine::begin(std::span<const NodeLine> lines, double origin) {
  place_ = contact_.place({lines, origin});
  velocity_ = contact_.between([&](std::size_t node) { return lines[node].velocity; });
}

HertzContact::Between HertzContactOnLine::place(double s) const {
  return {place_.loads + s * velocity_.loads, place_.middles + s * velocity_.middles,
          place_.arm + s * velocity_.arm};
}

double HertzContactOnLine::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                        std::span<Vector3> gradient) {
  const HertzContact::Between now = contact_.place({lines, instant});  // some integrators set no line
  const double width = contact_.law_.width(contact_.penetration(now));
  if (width > 0) seen_.shift = std::max(seen_.shift, HertzContact::shift(now) / contact_.law_.patch_radius());
  seen_.widest = std::max(seen_.widest, width);
  return contact_.add_gradient({lines, instant}, grid, gradient);
}

void HertzContactOnLine::count_contact_terms(std::span<Vector3> numbers) const {
  for (const std::int32_t node : contact_.nodes_) numbers[static_cast<std::size_t>(node)][0] += 1;
}

void HertzContactOnLine::report(ContactExtremes& extremes) const {
  extremes.widest_contact = std::max(extremes.widest_contact, seen_.widest);
  extremes.largest_shift = std::max(extremes.largest_shift, seen_.shift);
}

void HertzContactOnLine::sample(double s, const LineGrids& grids, LineSample& sum) {
  const HertzContact::Distance d = HertzContact::distance(place(s), velocity_);
  add_to(sum, grids, contact_.law_.at(contact_.touching_ - d.value), {-d.first, -d.second});
}

// With |n′| ≤ ω = |Q′|/|Q|, |n″| ≤ 3ω² and |n‴| ≤ 17ω³ the third derivative of P·n is at most 9|P′|ω² +
// 17|P|ω³.
void HertzContactOnLine::bound(double from, double to, const LineGrids& grids, LineBound& sum) {
  const double duration = to - from;
  const HertzContact::Between now = place(from);
  const double speed = norm(velocity_.middles), distance = norm(now.middles);
  const double least = distance - speed * duration;
  if (!(least > 0.5 * distance)) {
    sum.invalid += 1;
    return;
  }
  const double omega = speed / least, approach = norm(velocity_.loads);
  const double third =
      9 * approach * omega * omega + 17 * (norm(now.loads) + approach * duration) * omega * omega * omega;
  const HertzContact::Distance d = HertzContact::distance(now, velocity_);
  add_to(sum, grids, contact_.law_, contact_.touching_ - d.value, {-d.first, -d.second}, third, duration,
         1e-13 * distance);
}

}  // namespace terrace
