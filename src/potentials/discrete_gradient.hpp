// The mean of a gradient between two configurations that does the work V gains: what energy-momentum methods
// put in its place.
#pragma once

#include <span>

#include "geometry/vector3.hpp"
#include "parallel/exact_sum.hpp"
#include "potentials/displacements.hpp"

namespace terrace {

/// A discrete gradient D(u, u′) (Gonzalez, J. Nonlinear Sci. 6, 1996): D · (u′ − u) = V(u′) − V(u), D(u, u) =
/// ∇V(u), of second order about the middle. Made term by term of what rotations and translations leave alone,
/// so that forces balance as those of V do: in sum, and in moment about (x + x′)/2. What it was made of must
/// outlive it. All node numbers are local.
class DiscreteGradient {
 public:
  DiscreteGradient() = default;
  DiscreteGradient(const DiscreteGradient&) = delete;
  DiscreteGradient& operator=(const DiscreteGradient&) = delete;
  virtual ~DiscreteGradient() = default;

  /// Adds D [force], each term rounded to `grid`, to gradient[a] (all local nodes) and returns the largest
  /// magnitude of a term's component, as Potential::add_gradient. Throws Error(run) where V has no value at
  /// `to`.
  virtual double add(const Displacements& from, const Displacements& to, const Grid& grid,
                     std::span<Vector3> gradient) const = 0;

  /// Keeps ∂D/∂u′, for `add_change`.
  virtual void linearize(const Displacements& from, const Displacements& to) = 0;
  /// Adds ∂D/∂u′ · direction, as it was kept, to product[a] (all local nodes), not rounded. Not symmetric.
  virtual void add_change(std::span<const Vector3> direction, std::span<Vector3> product) const = 0;
};

}  // namespace terrace
