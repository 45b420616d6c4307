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

/// The same about a deformed state, of the material's law, `positions` being the current ones [length],
/// `reference` the stress-free ones. With h = H F⁻¹ the second derivative of the energy density is
///   ∂²W(H, H) = μ |H|² + λ (tr h)² + (μ − λ ln J) tr h²,
/// and for H = Σ u_a ⊗ ∇N_a each term has its own bound: ω_e² ≤ 4/ρ (μ Λ(g) + max(λ, 0) tr g′ + |μ − λ ln J|
/// Λ(g′)), g = Σ ∇N_a ∇N_aᵀ with gradients in the reference, g′ in the current configuration, Λ the largest
/// eigenvalue. Elements that are squeezed thin raise g′. Safe, but looser than element_stable_step: at rest
/// it is up to a fifth shorter for flat elements, equal for regular ones. That is the neo-Hookean law; of the
/// others see the functions it adds up. An inverted element: 0, but for St. Venant-Kirchhoff. No elements:
/// +∞.
double deformed_stable_step(std::span<const Vector3> reference, std::span<const Vector3> positions,
                            std::span<const Tetrahedron> tetrahedra, const Material& material);

}  // namespace terrace
