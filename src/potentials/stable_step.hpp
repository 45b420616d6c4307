// The largest stable step of explicit Newmark, from the elements alone.
#pragma once

#include <span>

#include "mesh/model.hpp"

namespace terrace {

/// A step [s] for which explicit Newmark (β = 0, γ = ½) is stable about the stress-free state: the least
/// 2/ω_e, with ω_e² an upper bound of the largest eigenvalue of an element's linear elastic stiffness against
/// its own lumped mass, ρ V_e/4 per node. The elements' masses add up to the nodal masses, so no frequency of
/// any mesh that holds these elements is above the largest ω_e (Irons). It depends on no other element, hence
/// not on the layout over ranks: a rank takes the minimum over its elements, and ranks take the minimum of
/// theirs. No elements: +∞. The bound is at most 1.5 % above the element's largest eigenvalue. Throws
/// Error(input) for a density that is not positive.
double element_stable_step(std::span<const Vector3> positions, std::span<const Tetrahedron> tetrahedra,
                           const Material& material);

}  // namespace terrace
