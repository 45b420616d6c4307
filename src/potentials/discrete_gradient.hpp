// Discrete gradients: means of ∇V between two configurations whose work is exactly the change of V.
// Energy-momentum methods use them in place of ∇V.
#pragma once

#include <span>

#include "geometry/vector3.hpp"
#include "parallel/exact_sum.hpp"
#include "potentials/displacements.hpp"

namespace terrace {

/// A discrete gradient D(u, u′) of a potential V (Gonzalez, J. Nonlinear Sci. 6, 1996): D · (u′ − u) = V(u′)
/// − V(u), D(u, u) = ∇V(u), of second order about the middle. Each term of V contributes by itself, through
/// quantities that rotations and translations leave unchanged. Therefore the forces balance as those of V do:
/// in sum, and in moment about (x + x′)/2. The potential must outlive this object. All node numbers are
/// local.
class DiscreteGradient {
 public:
  DiscreteGradient() = default;
  DiscreteGradient(const DiscreteGradient&) = delete;
  DiscreteGradient& operator=(const DiscreteGradient&) = delete;
  virtual ~DiscreteGradient() = default;

  /// Adds D [force], each term rounded to `grid`, to gradient[a] (all local nodes). Returns the largest
  /// magnitude of a term's component, as Potential::add_gradient does. Throws Error(run) where V has no value
  /// at `to`.
  virtual double add(const Displacements& from, const Displacements& to, const Grid& grid,
                     std::span<Vector3> gradient) const = 0;

  /// Computes and keeps ∂D/∂u′ at these displacements, for `add_change`.
  virtual void linearize(const Displacements& from, const Displacements& to) = 0;
  /// Adds ∂D/∂u′ · direction, with the matrix kept by the last `linearize`, to product[a] (all local nodes),
  /// not rounded. The matrix is not symmetric.
  virtual void add_change(std::span<const Vector3> direction, std::span<Vector3> product) const = 0;
};

}  // namespace terrace
