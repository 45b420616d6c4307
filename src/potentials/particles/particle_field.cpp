#include "potentials/particles/particle_field.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

template <class Law>
ParticleField<Law>::ParticleField(Law law, const ParticleTable& table, std::vector<std::int32_t> nodes)
    : law_(std::move(law)), nodes_(std::move(nodes)) {
  for (const std::int32_t node : nodes_) {
    reference_.push_back(at(table.reference, node));
    masses_.push_back(at(table.masses, node));
  }
}

template <class Law>
double ParticleField<Law>::infimum() const {
  return law_.lowest() == 0 ? 0 : law_.lowest() * terms();
}

template <class Law>
Jet<double> ParticleField<Law>::along(const Vector3& x, const Vector3& direction, std::size_t i) const {
  Place<double> place;
  for (std::size_t d = 0; d < 3; ++d) place[d] = Jet<double>::line(x[d], direction[d]);
  return law_.energy(place, masses_[i]);
}

template <class Law>
Vector3 ParticleField<Law>::gradient_at(const Vector3& x, std::size_t i) const {
  return {along(x, {1, 0, 0}, i).first, along(x, {0, 1, 0}, i).first, along(x, {0, 0, 1}, i).first};
}

template <class Law>
std::vector<double> ParticleField<Law>::energies(const Displacements& displacements) const {
  std::vector<double> energies;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (const double energy = along(position(displacements, i), {}, i).value; energy != 0)
      energies.push_back(energy);
  return energies;
}

template <class Law>
double ParticleField<Law>::add_gradient(const Displacements& displacements, const Grid& grid,
                                        std::span<Vector3> gradient) const {
  double largest = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vector3 force = gradient_at(position(displacements, i), i);
    for (std::size_t d = 0; d < 3; ++d) {
      largest = std::isnan(force[d]) ? infinity : std::max(largest, std::abs(force[d]));
      at(gradient, nodes_[i])[d] += grid.round(force[d]);
    }
  }
  return largest;
}

// A component of the product is a quarter of the difference of the second derivatives along w + axis and w −
// axis.
template <class Law>
void ParticleField<Law>::add_hessian_times(const Displacements& displacements,
                                           std::span<const Vector3> direction,
                                           std::span<Vector3> product) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vector3 x = position(displacements, i), w = at(direction, nodes_[i]);
    for (std::size_t d = 0; d < 3; ++d) {
      Vector3 axis{};
      axis[d] = 1;
      at(product, nodes_[i])[d] += 0.25 * (along(x, w + axis, i).second - along(x, w - axis, i).second);
    }
  }
}

static double size_of(double x) { return std::abs(x); }
static double size_of(const Interval& x) { return x.largest(); }

/// The square of the Frobenius norm of the Hessian. `along` gives the second derivative along a direction;
/// mixed ones are differences of those along diagonals.
template <class Number, class Along>
static double square_of_second_derivatives(const Along& along) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    Vector3 axis{};
    axis[d] = 1;
    sum += square(size_of(along(axis)));
    for (std::size_t e = d + 1; e < 3; ++e) {
      Vector3 diagonal = axis, other = axis;
      diagonal[e] = 1;
      other[e] = -1;
      sum += 2 * square(size_of(Number(0.25) * (along(diagonal) - along(other))));
    }
  }
  return sum;
}

template <class Law>
void ParticleField<Law>::add_bounds_nearby(const Displacements& displacements, double radius,
                                           std::span<double> slope, std::span<double> stiffness) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vector3 x = position(displacements, i);
    const auto within = [&](const Vector3& direction) {
      Place<Interval> place;
      for (std::size_t d = 0; d < 3; ++d)
        place[d] = Jet<Interval>::line(Interval(x[d]) + Interval(-radius, radius), Interval(direction[d]));
      return law_.energy(place, masses_[i]);
    };
    double square_of_slope = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      Vector3 axis{};
      axis[d] = 1;
      square_of_slope += square(within(axis).first.largest());
    }
    const double square_of_stiffness = square_of_second_derivatives<Interval>(
        [&](const Vector3& direction) { return within(direction).second; });
    constexpr double room = 1 + 0x1p-40;
    at(slope, nodes_[i]) += std::isfinite(square_of_slope) ? room * std::sqrt(square_of_slope) : infinity;
    at(stiffness, nodes_[i]) +=
        std::isfinite(square_of_stiffness) ? room * std::sqrt(square_of_stiffness) : infinity;
  }
}

// The sum of the second derivatives along the axes is no bound where mixed ones are large, and larger than
// needed elsewhere; the Frobenius norm is a bound.
template <class Law>
void ParticleField<Law>::add_stiffness(const Displacements& displacements,
                                       std::span<double> stiffness) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vector3 x = position(displacements, i);
    double sum = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      Vector3 axis{};
      axis[d] = 1;
      const double curvature = std::abs(along(x, axis, i).second);
      if (std::isfinite(curvature)) sum += curvature;
    }
    const double norm = std::sqrt(square_of_second_derivatives<double>(
        [&](const Vector3& direction) { return along(x, direction, i).second; }));
    if (std::isfinite(norm)) sum = std::max(sum, norm);
    at(stiffness, nodes_[i]) += 0.5 * sum;  // half: see ParticlePotential::add_stiffness
  }
}

template <class Law>
std::optional<std::array<std::int32_t, 2>> ParticleField<Law>::singular_pair(
    const Displacements& displacements) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vector3 x = position(displacements, i), force = gradient_at(x, i);
    if (!std::isfinite(along(x, {}, i).value + force[0] + force[1] + force[2]))
      return {{nodes_[i], nodes_[i]}};
  }
  return {};
}

template <class Law>
std::unique_ptr<PotentialOnLine> ParticleField<Law>::on_line() const {
  return std::make_unique<ParticleFieldOnLine<Law>>(*this);
}

template <class Law>
void ParticleFieldOnLine<Law>::begin(std::span<const NodeLine> lines, double origin) {
  for (std::size_t i = 0; i < motions_.size(); ++i) set_motion(i, at(lines, field_.nodes_[i]), origin);
}

template <class Law>
void ParticleFieldOnLine<Law>::change(std::span<const NodeLine> lines, double origin,
                                      std::span<const std::uint8_t> changed) {
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (at(changed, field_.nodes_[i]) != 0) set_motion(i, at(lines, field_.nodes_[i]), origin);
}

template <class Law>
void ParticleFieldOnLine<Law>::sample(double s, const LineGrids& grids, LineSample& sum) {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const Motion& motion = motions_[i];
    const Jet<double> energy = field_.along(motion.position + s * motion.velocity, motion.velocity, i);
    if (!std::isfinite(energy.value + energy.first + energy.second)) {
      sum.infinite += 1;
      continue;
    }
    sum.add(grids, energy.value, energy.first, energy.second);
  }
}

// Adds a bound of |V‴| or, where V″ jumps, bounds of the change of V″.
template <class Law>
void ParticleFieldOnLine<Law>::bound_particle(std::size_t i, double from, double to, const LineGrids& grids,
                                              LineBound& sum) const {
  const Motion& motion = motions_[i];
  const Interval s{from, to};
  Place<Interval> place;
  for (std::size_t d = 0; d < 3; ++d)
    place[d] = Jet<Interval>::line(Interval(motion.position[d]) + s * Interval(motion.velocity[d]),
                                   Interval(motion.velocity[d]));
  const Jet<Interval> energy = field_.law_.energy(place, field_.masses_[i]);
  double third = 0, above = 0, below = 0;
  if (energy.third.is_finite()) {
    third = energy.third.largest();
  } else {
    const double now = field_.along(motion.position + from * motion.velocity, motion.velocity, i).second;
    const double slack = 0x1p-46 * (std::abs(now) + energy.second.largest());
    above = std::max(energy.second.high - now, 0.0) + slack;
    below = std::max(now - energy.second.low, 0.0) + slack;
    if (!std::isfinite(above) || !std::isfinite(below)) {
      sum.invalid += 1;
      return;
    }
  }
  sum.add_third(grids, third);
  sum.add_change(grids, above, below);
}

template <class Law>
void ParticleFieldOnLine<Law>::bound(double from, double to, const LineGrids& grids, LineBound& sum) {
  for (std::size_t i = 0; i < motions_.size(); ++i) bound_particle(i, from, to, grids, sum);
}

std::unique_ptr<ParticlePotential> make_field(const Interaction& interaction, const ParticleTable& table,
                                              std::vector<std::int32_t> nodes) {
  const auto make = [&]<class Law>(Law law) -> std::unique_ptr<ParticlePotential> {
    return std::make_unique<ParticleField<Law>>(std::move(law), table, std::move(nodes));
  };
  const Interaction& of = interaction;
  switch (of.kind) {
    case InteractionKind::central:
      return make(CentralField{of.strength, of.centre});
    case InteractionKind::harmonic:
      return make(HarmonicWell{of.direction, of.centre});
    case InteractionKind::polynomial:
      return make(PolynomialWell{of.coefficients, of.direction, of.centre});
    case InteractionKind::circle:
      return make(CirclePenalty{of.strength, of.length, of.centre, of.inside});
    case InteractionKind::expression:
      return make(FieldFormula{of.formula});
    default:
      break;
  }
  TERRACE_VERIFY(!of.of_pairs(), of.name);
  return nullptr;
}

// The rest of these classes is in particle_terms.cpp, and uses these instances.
template class ParticleField<CentralField>;
template class ParticleField<HarmonicWell>;
template class ParticleField<PolynomialWell>;
template class ParticleField<CirclePenalty>;
template class ParticleField<FieldFormula>;

}  // namespace terrace
