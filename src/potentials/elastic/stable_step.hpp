// The largest stable step of explicit Newmark, from the elements alone.
#pragma once

#include <span>

#include "mesh/model.hpp"

namespace terrace {

/// A step [s] for which explicit Newmark (β = 0, γ = ½) is stable about the stress-free state: the least
/// 2/ω_e of all elements. ω_e² is an upper bound, at most 1.5 % too large, of the largest eigenvalue of an
/// element's linear elastic stiffness with respect to its own lumped mass, ρ V_e/4 per node. The elements'
/// masses add up to the nodal masses, so that no frequency of any mesh that holds these elements is above the
/// largest ω_e (Irons). An element's ω_e depends on no other element, hence not on the layout over ranks: a
/// rank takes the minimum over its elements, and the caller that over ranks. +∞ without elements. Throws
/// Error(input) for a density that is not positive.
double element_stable_step(std::span<const Vector3> positions, std::span<const Tetrahedron> tetrahedra,
                           const Material& material);

/// The same about a deformed state, for the material's law: `positions` are the current ones [length],
/// `reference` the stress-free ones. With h = H F⁻¹ the second derivative of the neo-Hookean energy density
/// is
///   ∂²W(H, H) = μ |H|² + λ (tr h)² + (μ − λ ln J) tr h²,
/// and for H = Σ u_a ⊗ ∇N_a each term has its own bound: ω_e² ≤ 4/ρ (μ Λ(g) + max(λ, 0) tr g′ + |μ − λ ln J|
/// Λ(g′)), g = Σ ∇N_a ∇N_aᵀ with gradients in the reference, g′ in the current configuration, Λ the largest
/// eigenvalue. Elements that are squeezed thin raise g′. For the bounds of the other laws see
/// mooney_stiffness and st_venant_kirchhoff_stiffness. Safe, but looser than element_stable_step: at rest the
/// step is up to a fifth shorter for flat elements, equal for regular ones. 0 if an element is inverted,
/// except for St. Venant-Kirchhoff; +∞ without elements. Throws Error(input) for a density that is not
/// positive.
double deformed_stable_step(std::span<const Vector3> reference, std::span<const Vector3> positions,
                            std::span<const Tetrahedron> tetrahedra, const Material& material);

}  // namespace terrace
