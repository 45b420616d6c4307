#include "potentials/particles/pair_potential.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "numerics/larger.hpp"
#include "potentials/add_balanced.hpp"

namespace terrace {
namespace {

constexpr bool all_hold = true;

/// A bound of the norm of the Hessian of f(|x|²), whose eigenvalues are 2 f′ and 2 f′ + 4 f″ q.
double stiffness_of(const PairValues& f, double q) {
  return std::max(std::abs(2 * f.first), std::abs(2 * f.first + 4 * f.second * q));
}

}  // namespace

template <class Law>
PairPotential<Law>::PairPotential(const Law& law, const ParticleTable& table, std::vector<std::int32_t> nodes,
                                  PairSet set)
    : law_(law), nodes_(std::move(nodes)), set_(std::move(set)) {
  for (const std::int32_t node : nodes_) {
    reference_.push_back(at(table.reference, node));
    masses_.push_back(at(table.masses, node));
  }
  if (has_reach() && set_.count() <= few) all_if_few_ = pairs_within(set_, reference_, infinity);
}

// Negative energies that begin at a cut-off count as unbounded from below. Otherwise the energy 0, where
// nothing pulls yet, would be the edge of a terrace, and V has no gradient there.
template <class Law>
double PairPotential<Law>::infimum() const {
  if (!std::isfinite(law_.lowest()) || (has_reach() && law_.lowest() < 0)) return -infinity;
  return law_.lowest() == 0 ? 0 : law_.lowest() * set_.count();
}

template <class Law>
double PairPotential<Law>::work() const {
  return 0.1 * std::min(set_.count(), has_reach() ? 40 * static_cast<double>(nodes_.size()) : infinity);
}

template <class Law>
std::vector<Vector3> PairPotential<Law>::positions(const Displacements& displacements) const {
  std::vector<Vector3> positions(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    positions[i] = reference_[i] + displacements[static_cast<std::size_t>(nodes_[i])];
  return positions;
}

template <class Law>
auto PairPotential<Law>::near_pairs(std::span<const Vector3> positions, double reach) const
    -> std::vector<Pair> {
  const std::vector<PairOfPlaces> within = pairs_within(set_, positions, reach);
  std::vector<Pair> pairs;
  pairs.reserve(within.size());
  for (const auto& [i, j] : within) pairs.push_back({i, j, law_.weight(at(masses_, i), at(masses_, j))});
  return pairs;
}

template <class Law>
std::vector<double> PairPotential<Law>::energies(const Displacements& displacements) const {
  const std::vector<Vector3> x = positions(displacements);
  std::vector<double> energies;
  for (const Pair& pair : near_pairs(x, law_.reach())) {
    const Vector3 d = at(x, pair.j) - at(x, pair.i);
    if (const double energy = pair.weight * law_.at(dot(d, d)).value; energy != 0) energies.push_back(energy);
  }
  return energies;
}

template <class Law>
double PairPotential<Law>::add_forces(std::span<const Pair> pairs, std::span<const Vector3> x,
                                      const Grid& grid, std::span<Vector3> gradient,
                                      TermCounter* counter) const {
  double largest = 0;
  for (const Pair& pair : pairs) {
    const Vector3 d = at(x, pair.j) - at(x, pair.i);
    const double force = -2 * pair.weight * law_.at(dot(d, d)).first;
    if (force == 0) continue;
    const std::array<std::size_t, 2> nodes = {static_cast<std::size_t>(at(nodes_, pair.i)),
                                              static_cast<std::size_t>(at(nodes_, pair.j))};
    largest = larger(largest, add_balanced<2>(grid, {force * d, Vector3{}}, nodes, gradient));
    if (counter == nullptr) continue;
    counter->add(static_cast<std::size_t>(pair.i));
    counter->add(static_cast<std::size_t>(pair.j));
  }
  return largest;
}

template <class Law>
double PairPotential<Law>::add_gradient(const Displacements& displacements, const Grid& grid,
                                        std::span<Vector3> gradient) const {
  const std::vector<Vector3> x = positions(displacements);
  return add_forces(near_pairs(x, law_.reach()), x, grid, gradient, nullptr);
}

template <class Law>
void PairPotential<Law>::add_hessian_times(const Displacements& displacements,
                                           std::span<const Vector3> direction,
                                           std::span<Vector3> product) const {
  const std::vector<Vector3> x = positions(displacements);
  for (const Pair& pair : near_pairs(x, law_.reach())) {
    const Vector3 d = at(x, pair.j) - at(x, pair.i);
    const Vector3 w = at(direction, at(nodes_, pair.j)) - at(direction, at(nodes_, pair.i));
    const PairValues f = law_.at(dot(d, d));
    const Vector3 change = (2 * pair.weight * f.first) * w + (4 * pair.weight * f.second * dot(d, w)) * d;
    at(product, at(nodes_, pair.j)) += change;
    at(product, at(nodes_, pair.i)) -= change;
  }
}

template <class Law>
void PairPotential<Law>::add_stiffness(const Displacements& displacements,
                                       std::span<double> stiffness) const {
  const std::vector<Vector3> x = positions(displacements);
  std::vector<double> own(nodes_.size(), 0);
  for (const Pair& pair : near_pairs(x, law_.reach())) {
    const Vector3 d = at(x, pair.j) - at(x, pair.i);
    const double q = dot(d, d), of_pair = pair.weight * stiffness_of(law_.at(q), q);
    at(own, pair.i) += of_pair;
    at(own, pair.j) += of_pair;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    at(stiffness, nodes_[i]) += std::max(own[i], law_.natural_stiffness());
}

template <class Law>
std::optional<std::array<std::int32_t, 2>> PairPotential<Law>::singular_pair(
    const Displacements& displacements) const {
  const std::vector<Vector3> x = positions(displacements);
  for (const Pair& pair : near_pairs(x, law_.reach())) {
    const Vector3 d = at(x, pair.j) - at(x, pair.i);
    const PairValues f = law_.at(dot(d, d));
    const bool at_one_place = at(x, pair.i) == at(x, pair.j);
    if ((at_one_place && law_.diverges()) || !std::isfinite(pair.weight * (f.value + f.first)))
      return {{at(nodes_, pair.i), at(nodes_, pair.j)}};
  }
  return {};
}

template <class Law>
std::unique_ptr<PotentialOnLine> PairPotential<Law>::on_line() const {
  return std::make_unique<PairPotentialOnLine<Law>>(*this);
}

template <class Law>
PairPotentialOnLine<Law>::PairPotentialOnLine(const PairPotential<Law>& potential)
    : potential_(potential),
      margin_(potential.has_reach() ? 0.2 * potential.law_.reach() : 0),
      counter_(potential.nodes_.size()),
      positions_(potential.nodes_.size()) {
  if (!potential.has_reach()) list_pairs(potential.reference_);
}

template <class Law>
void PairPotentialOnLine<Law>::set_motion(std::size_t place, const NodeLine& line, double origin) {
  motions_[place] = {potential_.reference_[place] + line.displacement_at(origin), line.velocity};
}

template <class Law>
auto PairPotentialOnLine<Law>::way_of(std::int32_t i, std::int32_t j) const -> Way {
  const Motion &one = at(motions_, i), &other = at(motions_, j);
  const Vector3 w = other.velocity - one.velocity;
  return {other.position - one.position, w, 2 * dot(w, w)};
}

template <class Law>
void PairPotentialOnLine<Law>::set_way(std::size_t pair) {
  ways_[pair] = way_of(listed_[pair].i, listed_[pair].j);
}

template <class Law>
void PairPotentialOnLine<Law>::list_pairs(std::span<const Vector3> positions) {
  at_listing_.assign(positions.begin(), positions.end());
  listed_ = potential_.near_pairs(positions, potential_.law_.reach() + margin_);
  ways_.resize(listed_.size());
  certain_ = potential_.has_reach() ? KnownStretch{} : KnownStretch{-infinity, infinity};
  if (motions_.empty()) return;
  for (std::size_t p = 0; p < listed_.size(); ++p) set_way(p);
}

// Whether no particle has moved by half the margin since the pairs were listed.
template <class Law>
bool PairPotentialOnLine<Law>::list_holds(std::span<const Vector3> positions) const {
  if (!potential_.has_reach()) return all_hold;
  if (at_listing_.empty()) return false;
  const double most = 0.25 * margin_ * margin_;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vector3 gone = positions[i] - at_listing_[i];
    if (!(dot(gone, gone) < most)) return false;
  }
  return true;
}

template <class Law>
std::vector<Vector3> PairPotentialOnLine<Law>::positions_at(double s) const {
  std::vector<Vector3> positions;
  for (const Motion& motion : motions_) positions.push_back(motion.position + s * motion.velocity);
  return positions;
}

// Positions that are within half the margin at both ends of an interval are so between them. `bound` asks for
// intervals short enough for a list made at their middle to hold at both ends.
template <class Law>
void PairPotentialOnLine<Law>::require_list(double from, double to) {
  if (certain_.contains(from) && certain_.contains(to)) return;
  if (!list_holds(positions_at(from)) || !list_holds(positions_at(to)))
    list_pairs(positions_at(0.5 * (from + to)));
  certain_ = certain_.from <= certain_.to
                 ? KnownStretch{std::min(certain_.from, from), std::max(certain_.to, to)}
                 : KnownStretch{from, to};
}

template <class Law>
void PairPotentialOnLine<Law>::begin(std::span<const NodeLine> lines, double origin) {
  motions_.resize(potential_.nodes_.size());
  squared_speed_ = 0;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    set_motion(i, at(lines, potential_.nodes_[i]), origin);
    squared_speed_ = std::max(squared_speed_, dot(motions_[i].velocity, motions_[i].velocity));
  }
  for (std::size_t p = 0; p < listed_.size(); ++p) set_way(p);
  if (potential_.has_reach()) certain_ = {};
}

template <class Law>
void PairPotentialOnLine<Law>::change(std::span<const NodeLine> lines, double origin,
                                      std::span<const std::uint8_t> changed) {
  squared_speed_ = 0;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const std::int32_t node = potential_.nodes_[i];
    if (at(changed, node) != 0) set_motion(i, at(lines, node), origin);
    squared_speed_ = std::max(squared_speed_, dot(motions_[i].velocity, motions_[i].velocity));
  }
  const auto has_changed = [&](std::int32_t place) { return at(changed, at(potential_.nodes_, place)) != 0; };
  for (std::size_t p = 0; p < listed_.size(); ++p)
    if (has_changed(listed_[p].i) || has_changed(listed_[p].j)) set_way(p);
  if (potential_.has_reach()) certain_ = {};
}

template <class Law>
double PairPotentialOnLine<Law>::add_gradient(std::span<const NodeLine> lines, double instant,
                                              const Grid& grid, std::span<Vector3> gradient) {
  for (std::size_t i = 0; i < positions_.size(); ++i)
    positions_[i] = potential_.reference_[i] + at(lines, potential_.nodes_[i]).displacement_at(instant);
  if (!list_holds(positions_)) list_pairs(positions_);
  counter_.start();
  return potential_.add_forces(listed_, positions_, grid, gradient,
                               potential_.has_reach() ? &counter_ : nullptr);
}

template <class Law>
void PairPotentialOnLine<Law>::count_contact_terms(std::span<Vector3> numbers) const {
  if (!potential_.has_reach()) return;
  for (std::size_t i = 0; i < positions_.size(); ++i) at(numbers, potential_.nodes_[i])[0] += counter_.at(i);
}

template <class Law>
void PairPotentialOnLine<Law>::sample(double s, const LineGrids& grids, LineSample& sum) {
  require_list(s, s);
  const Law& law = potential_.law_;
  for (std::size_t p = 0; p < listed_.size(); ++p) {
    const Way& way = ways_[p];
    const Vector3 d = way.distance + s * way.velocity;
    const PairValues f = law.at(dot(d, d));
    const double rate = 2 * dot(d, way.velocity), weight = listed_[p].weight;
    const double value = weight * f.value, slope = weight * (f.first * rate),
                 curvature = weight * (f.second * (rate * rate) + f.first * way.acceleration);
    if (value == 0 && slope == 0 && curvature == 0) continue;
    if (!(std::isfinite(value) && std::isfinite(slope) && std::isfinite(curvature))) {
      sum.infinite += 1;
      continue;
    }
    if (potential_.has_reach()) sum.contact_terms += 1;
    sum.add(grids, value, slope, curvature);
  }
}

// Adds the bound |V‴| ≤ |f‴| |q′|³ + 3 |f″ q′| q″ where f‴ is finite; elsewhere the largest change of V″ from
// its value at `from`.
template <class Law>
void PairPotentialOnLine<Law>::bound_pair(const Way& way, double weight, double from, double to,
                                          const LineGrids& grids, LineBound& sum) const {
  const Vector3 first = way.distance + from * way.velocity, last = way.distance + to * way.velocity;
  const double q_first = dot(first, first), q_last = dot(last, last);
  // More than twice what rounded coordinates can make of it.
  const double size = norm(way.distance) + std::max(std::abs(from), std::abs(to)) * norm(way.velocity);
  const double rounding = 0x1p-48 * size * size;
  Interval q{std::min(q_first, q_last), std::max(q_first, q_last) + rounding};
  const double rate_first = 2 * dot(first, way.velocity), rate_last = 2 * dot(last, way.velocity);
  if (rate_first < 0 && rate_last > 0) {
    const double turn = from - rate_first / way.acceleration;
    const Vector3 nearest = way.distance + turn * way.velocity;
    q.low = std::min(q.low, dot(nearest, nearest));
  }
  q.low -= rounding;
  const Law& law = potential_.law_;
  if (law.reach() < no_reach && q.low >= law.reach() * law.reach()) return;
  // A good bound needs a distance that changes little.
  if (law.diverges() && !(q.low > 0.0625 * q_first)) {
    sum.invalid += 1;
    return;
  }
  const PairRanges f = law.over(q);
  const double size_of_rates = 0x1p-48 * size * norm(way.velocity);
  const Interval rate{std::min(rate_first, rate_last) - size_of_rates,
                      std::max(rate_first, rate_last) + size_of_rates};
  const Interval acceleration = Interval(way.acceleration) * Interval(1 - 0x1p-50, 1 + 0x1p-50),
                 scale(weight);
  const Interval third =
      scale * (f.third * (rate * square(rate)) + Interval(3) * (f.second * rate * acceleration));
  double above = 0, below = 0, bound_of_third = 0;
  if (third.is_finite()) {
    bound_of_third = third.largest();
  } else {
    const Interval curvature = scale * (f.second * square(rate) + f.first * acceleration);
    const PairValues here = law.at(q_first);
    const double now = weight * (here.second * (rate_first * rate_first) + here.first * way.acceleration);
    const double slack = 0x1p-46 * (std::abs(now) + curvature.largest());
    above = std::max(curvature.high - now, 0.0) + slack;
    below = std::max(now - curvature.low, 0.0) + slack;
    if (!std::isfinite(above) || !std::isfinite(below)) {
      sum.invalid += 1;
      return;
    }
  }
  if (law.reach() < no_reach) sum.contact_terms += 1;
  sum.add_third(grids, bound_of_third);
  sum.add_change(grids, above, below);
}

// Whether a pair is sure to stay beyond the reach between these times, which no bounds of a law tell so far.
template <class Law>
bool PairPotentialOnLine<Law>::stays_out_of_reach(const Way& way, double from, double to) const {
  const double square_of_speed = dot(way.velocity, way.velocity);
  const double nearest =
      square_of_speed > 0 ? std::clamp(-dot(way.distance, way.velocity) / square_of_speed, from, to) : from;
  const double rounding = 1e-12 * (norm(way.distance) + nearest * norm(way.velocity));
  return norm(way.distance + nearest * way.velocity) > (1 + 1e-6) * potential_.law_.reach() + rounding;
}

// An interval too long for a list is decided by a rule that knows nothing of the list, on which the search
// must not depend. Where many pairs are near, an interval short enough for a list is found sooner.
template <class Law>
void PairPotentialOnLine<Law>::bound(double from, double to, const LineGrids& grids, LineBound& sum) {
  if (potential_.has_reach() && !(std::sqrt(squared_speed_) * (to - from) < 0.9 * margin_)) {
    int near = potential_.all_if_few_.empty() ? too_many_near : 0;
    for (const auto& [i, j] : potential_.all_if_few_) {
      const Way way = way_of(i, j);
      if (stays_out_of_reach(way, from, to)) continue;
      if (++near > too_many_near) break;
      const double weight = potential_.law_.weight(at(potential_.masses_, i), at(potential_.masses_, j));
      bound_pair(way, weight, from, to, grids, sum);
    }
    if (near >= too_many_near) sum.invalid += 1;
    return;
  }
  require_list(from, to);
  for (std::size_t p = 0; p < listed_.size(); ++p)
    bound_pair(ways_[p], listed_[p].weight, from, to, grids, sum);
}

std::unique_ptr<ParticlePotential> make_pair_potential(const Interaction& interaction,
                                                       const ParticleTable& table,
                                                       std::vector<std::int32_t> nodes, PairSet set) {
  const auto make = [&]<class Law>(const Law& law) -> std::unique_ptr<ParticlePotential> {
    return std::make_unique<PairPotential<Law>>(law, table, std::move(nodes), std::move(set));
  };
  switch (interaction.kind) {
    case InteractionKind::lennard_jones:
      return make(LennardJones(interaction.strength, interaction.length, interaction.cutoff));
    case InteractionKind::gravity:
      return make(NewtonianGravity(interaction.strength));
    case InteractionKind::spring:
      return make(LinearSpring(interaction.strength, interaction.length));
    case InteractionKind::hertz:
      return make(HertzSpring(interaction.strength, interaction.length));
    case InteractionKind::pair_expression:
      return make(PairFormula(interaction.formula));
    default:
      break;
  }
  TERRACE_VERIFY(interaction.of_pairs(), interaction.name);
  return nullptr;
}

// The rest of these classes is in particle_terms.cpp, and uses these instances.
template class PairPotential<LennardJones>;
template class PairPotential<NewtonianGravity>;
template class PairPotential<LinearSpring>;
template class PairPotential<HertzSpring>;
template class PairPotential<PairFormula>;

}  // namespace terrace
