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
/// rank's share of a term; shares on different ranks act on the same nodes and add up. It never changes:
/// everything about a motion is in the objects that `on_line` makes, as many as are wanted.
class Potential {
 public:
  Potential() = default;
  Potential(const Potential&) = delete;
  Potential& operator=(const Potential&) = delete;
  virtual ~Potential() = default;

  /// The nodes it may load, ascending.
  [[nodiscard]] virtual std::span<const std::int32_t> nodes() const = 0;

  /// The energies [J] of its terms that are not 0; +∞ or NaN where one has none.
  [[nodiscard]] virtual std::vector<double> energies(const Displacements& displacements) const = 0;
  /// Their sum, rounded in the order of the terms.
  [[nodiscard]] double value(const Displacements& displacements) const {
    double sum = 0;
    for (const double energy : energies(displacements)) sum += energy;
    return sum;
  }

  /// The same, at one configuration after the other. This must outlive it.
  [[nodiscard]] virtual std::unique_ptr<EnergyTerms> energy_terms() const {
    return energy_terms_of_nothing_kept(*this);
  }

  /// V is never below; −∞ allowed. Of a rank's share: shares add up.
  [[nodiscard]] virtual double infimum() const { return 0; }

  /// Adds ∂V/∂u_a, each term rounded to `grid`, to gradient[a] (all local nodes), and returns the largest
  /// magnitude of a term's component (if above grid.bound, the caller raises the grid and starts again).
  virtual double add_gradient(const Displacements& displacements, const Grid& grid,
                              std::span<Vector3> gradient) const = 0;

  /// How far a surface is in the other one [length] where this potential should have kept it out, and did
  /// not. `has_energy`: energies() has some there.
  [[nodiscard]] virtual double unfelt_penetration(const Displacements& /*displacements*/,
                                                  bool /*has_energy*/) const {
    return 0;
  }

  [[nodiscard]] virtual bool has_hessian() const { return false; }
  /// Adds ∂²V/∂u_a∂u_b · direction_b to product[a] (all local nodes), not rounded to any grid. Throws
  /// Error(run) where there is no Hessian.
  virtual void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                                 std::span<Vector3> product) const;

  /// While no node is farther than `radius` [length] from these displacements: adds to slope[a] a bound of
  /// |∂V/∂u_a| and to stiffness[a] one of Σ_b |∂²V/∂u_a∂u_b|, of its nodes; +∞ where it knows none.
  virtual void add_bounds_nearby(const Displacements& displacements, double radius, std::span<double> slope,
                                 std::span<double> stiffness) const;
  /// The mean of the gradient between two configurations that does the work V gains; null where there is
  /// none. This must outlive it.
  [[nodiscard]] virtual std::unique_ptr<DiscreteGradient> discrete_gradient() const { return nullptr; }

  /// Its terms by the nodes they load; unless it says which, all of them at each. This must outlive it.
  [[nodiscard]] virtual std::unique_ptr<TermsAtNodes> terms_at_nodes() const {
    return all_terms_at_every_node(*this);
  }

  /// Its terms as functions of one distance each, in a space of this dimension; null where some are not.
  /// This must outlive it.
  [[nodiscard]] virtual std::unique_ptr<RadialTerms> radial_terms(std::size_t /*dimension*/) const {
    return nullptr;
  }

  /// The same potential along its nodes' lines. This must outlive it.
  [[nodiscard]] virtual std::unique_ptr<PotentialOnLine> on_line() const = 0;
  /// False where V has no certified bound (face intersection): the search then also samples at most
  /// PotentialOnLine::longest_trial apart and bisects.
  [[nodiscard]] virtual bool certified() const { return true; }

  /// Of surfaces or walls that meet: profiles tell its time apart from that of elements.
  [[nodiscard]] virtual bool is_contact() const { return false; }
  /// Cost of an event in neo-Hookean elements, for balancing.
  [[nodiscard]] virtual double work() const { return static_cast<double>(nodes().size()); }
  [[nodiscard]] const SerialNumber& serial_number() const { return serial_; }

 private:
  SerialNumber serial_;
};

/// What nodes must never do: an energy step of infinite height. It lives on one rank, and is its subdomain's
/// only term.
class SetConstraint {
 public:
  SetConstraint() = default;
  SetConstraint(const SetConstraint&) = delete;
  SetConstraint& operator=(const SetConstraint&) = delete;
  virtual ~SetConstraint() = default;

  /// The nodes it may load, ascending.
  [[nodiscard]] virtual std::span<const std::int32_t> nodes() const = 0;
  /// The same constraint along its nodes' lines. This must outlive it.
  [[nodiscard]] virtual std::unique_ptr<ConstraintOnLine> on_line() const = 0;
  [[nodiscard]] const SerialNumber& serial_number() const { return serial_; }

 private:
  SerialNumber serial_;
};

}  // namespace terrace
