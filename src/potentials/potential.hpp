// The one interface of every potential: a function of the positions of some nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "potentials/discrete_gradient.hpp"
#include "potentials/displacements.hpp"
#include "potentials/energy_terms.hpp"
#include "potentials/on_line.hpp"
#include "potentials/radial_terms.hpp"
#include "potentials/serial_number.hpp"
#include "potentials/terms_at_nodes.hpp"

namespace terrace {

/// A function of the positions of some nodes. All node numbers are the rank's local ones. A potential holds a
/// rank's share of a term; shares on different ranks act on the same nodes and add up. It never changes: all
/// that depends on a motion is in the objects that `on_line` makes, of which there may be any number.
class Potential {
 public:
  Potential() = default;
  Potential(const Potential&) = delete;
  Potential& operator=(const Potential&) = delete;
  virtual ~Potential() = default;

  /// The nodes that it may load, ascending.
  [[nodiscard]] virtual std::span<const std::int32_t> nodes() const = 0;

  /// The energies [J] of its terms; those that are 0 may be left out. +∞ or NaN for a term that has no
  /// energy.
  [[nodiscard]] virtual std::vector<double> energies(const Displacements& displacements) const = 0;
  /// The sum of `energies`, added up in the order of the terms.
  [[nodiscard]] double value(const Displacements& displacements) const {
    double sum = 0;
    for (const double energy : energies(displacements)) sum += energy;
    return sum;
  }

  /// An object that evaluates `energies` at one configuration after another. This potential must outlive it.
  [[nodiscard]] virtual std::unique_ptr<EnergyTerms> energy_terms() const {
    return energy_terms_of_nothing_kept(*this);
  }

  /// A lower bound of this rank's share of V; −∞ if there is none. The bounds of all shares add up.
  [[nodiscard]] virtual double infimum() const { return 0; }

  /// Adds ∂V/∂u_a, each term rounded to `grid`, to gradient[a] (all local nodes). Returns the largest
  /// magnitude of a term's component; if that is above grid.bound, the caller raises the grid and starts
  /// again.
  virtual double add_gradient(const Displacements& displacements, const Grid& grid,
                              std::span<Vector3> gradient) const = 0;

  /// How deep a surface is inside the other one [length] although this potential should have kept it out; 0
  /// if it is not. `has_energy`: whether energies() has any at these displacements.
  [[nodiscard]] virtual double unfelt_penetration(const Displacements& /*displacements*/,
                                                  bool /*has_energy*/) const {
    return 0;
  }

  [[nodiscard]] virtual bool has_hessian() const { return false; }
  /// Adds ∂²V/∂u_a∂u_b · direction_b to product[a] (all local nodes), not rounded to any grid. Throws
  /// Error(run) where there is no Hessian.
  virtual void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                                 std::span<Vector3> product) const;

  /// Adds bounds that hold while no node is farther than `radius` [length] from these displacements: of
  /// |∂V/∂u_a| to slope[a] and of Σ_b |∂²V/∂u_a∂u_b| to stiffness[a], for each of its nodes a; +∞ where no
  /// bound is known.
  virtual void add_bounds_nearby(const Displacements& displacements, double radius, std::span<double> slope,
                                 std::span<double> stiffness) const;
  /// Its discrete gradient; null if it has none. This potential must outlive it.
  [[nodiscard]] virtual std::unique_ptr<DiscreteGradient> discrete_gradient() const { return nullptr; }

  /// Its terms by the nodes that they load; by default every term belongs to every node. This potential must
  /// outlive it.
  [[nodiscard]] virtual std::unique_ptr<TermsAtNodes> terms_at_nodes() const {
    return all_terms_at_every_node(*this);
  }

  /// Its terms as functions of one distance each, in a space of this dimension; null if some term is not such
  /// a function. This potential must outlive it.
  [[nodiscard]] virtual std::unique_ptr<RadialTerms> radial_terms(std::size_t /*dimension*/) const {
    return nullptr;
  }

  /// The same potential along its nodes' lines. This potential must outlive it.
  [[nodiscard]] virtual std::unique_ptr<PotentialOnLine> on_line() const = 0;
  /// False if V has no certified bound (face intersection): the search then also samples at intervals of at
  /// most PotentialOnLine::longest_trial, and bisects.
  [[nodiscard]] virtual bool certified() const { return true; }

  /// Whether it is contact of surfaces or with walls, whose time profiles tell apart from that of elements.
  [[nodiscard]] virtual bool is_contact() const { return false; }
  /// The cost of an event in units of one neo-Hookean element, for load balancing.
  [[nodiscard]] virtual double work() const { return static_cast<double>(nodes().size()); }
  [[nodiscard]] const SerialNumber& serial_number() const { return serial_; }

 private:
  SerialNumber serial_;
};

/// A condition that the nodes must never violate: an energy step of infinite height. It lives on one rank as
/// a whole, and is the only term of its subdomain.
class SetConstraint {
 public:
  SetConstraint() = default;
  SetConstraint(const SetConstraint&) = delete;
  SetConstraint& operator=(const SetConstraint&) = delete;
  virtual ~SetConstraint() = default;

  /// The nodes that it may load, ascending.
  [[nodiscard]] virtual std::span<const std::int32_t> nodes() const = 0;
  /// The same constraint along its nodes' lines. This constraint must outlive it.
  [[nodiscard]] virtual std::unique_ptr<ConstraintOnLine> on_line() const = 0;
  [[nodiscard]] const SerialNumber& serial_number() const { return serial_; }

 private:
  SerialNumber serial_;
};

}  // namespace terrace
