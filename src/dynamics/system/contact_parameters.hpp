// Activation distance and stiffness of smooth contact, from material, mesh and impact speed.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// Two bodies, first ≤ second; equal for contact of a body with itself.
using BodyPair = std::pair<std::int32_t, std::int32_t>;

/// What the parameters of contact depend on in a body.
struct ContactBody {
  double edge = 0;     ///< a tenth of its surface's edges are shorter [length]
  double radius = 0;   ///< of the ball of equal volume [length]
  double modulus = 0;  ///< E/(1 − ν²) [pressure]
  double density = 0;
  double layer = 0;      ///< mass of the boundary's nodes per area of the boundary
  double lightness = 0;  ///< largest ratio of area to mass of the boundary's nodes
  double area = 0;       ///< of the boundary
  friend auto operator<=>(const ContactBody&, const ContactBody&) = default;
};
[[nodiscard]] ContactBody contact_body(const Model& model, const Body& body);
/// contact_body of all bodies, in their order.
[[nodiscard]] std::vector<ContactBody> contact_bodies(const Model& model);

/// A bound of the difference of any two nodes' initial velocities: the norm of the ranges of the components.
[[nodiscard]] double impact_speed(const Model& model);
/// Largest initial speed of the body's nodes.
[[nodiscard]] double largest_speed(const Model& model, const Body& body);
/// Largest initial speed of all bodies' nodes.
[[nodiscard]] double largest_speed(const Model& model);

/// Activation distance d̂ [length] and stiffness κ [energy/length²] of a pair, and the pressure p that they
/// are chosen for.
struct ContactParameters {
  double activation = 0, stiffness = 0, pressure = 0;
  double least_stiffness = 0;    ///< a chosen κ is no less
  double stiffness_by_load = 0;  ///< κ / (p d̂) of a chosen κ
};

/// Whether the deck wants contact between the bodies of these names (equal names: of a body with itself).
[[nodiscard]] bool may_touch(const ContactEntry& contact, const std::string& first,
                             const std::string& second);

/// The parameters of a pair whose bodies meet with `speed` v [length/time]: d̂ and κ as the deck says; where
/// it says nothing
///   d̂ = 0.3 edges, but at most 1.2 times the approach R (ρ v²/E*)^(2/5) of a Hertzian impact,
///   κ = 15 p d̂ for a gap, 40 p d̂ for a barrier, with the impact's pressure p = E* (ρ v²/E*)^(1/5) ≤ E*,
/// with the sum 1/E* of the bodies' 1/modulus and the smaller radius R. Under p a gap closes by a fifteenth
/// of d̂ or less, a barrier by a tenth (V is κ ∫ ψ dA or more: SurfaceContact). A softer layer between the
/// bodies would show beside their own approach, a thinner one feel single vertices, and a gap can be passed
/// through (a vertex alone has a third of κ). The approach is that of two bodies with the larger ρ/E*
/// of the pair, so that no pair's d̂ is larger than that of two of the same kind. `speed` 0 counts as a
/// thousandth of the wave speed. κ is at least twelve times ½ m v², with the reduced mass m per area of the
/// two boundaries' nodes.
[[nodiscard]] ContactParameters contact_parameters(const ContactBody& first, const ContactBody& second,
                                                   double speed, const ContactEntry& contact);
/// Adapts d̂, and κ unless the deck gives it, to two bodies that start nearer to each other than d̂. Where
/// the deck says close_start = "reduce", and always for a body with itself (its shape decides how near its
/// parts are), d̂ becomes half the distance. Else throws Error(input) with both names, the place and the
/// distance, as it always does for two bodies that touch.
void adapt_to_start(const Model& model, const Body& first, const Body& second, const ContactEntry& contact,
                    ContactParameters& parameters);
/// The stable explicit Newmark step [s] of nodes on the springs of a smooth contact between two bodies. The
/// spring of a boundary node of mass m and area A is κ ψ″ A, and counts twice, for pairs that crowd at a
/// node; a barrier's ψ″ is that at some three times the pressure that the parameters were chosen for. The
/// step is at most a quarter of the time in which `speed` passes d̂.
[[nodiscard]] double contact_stable_step(const ContactBody& first, const ContactBody& second, double speed,
                                         const ContactParameters& parameters, ContactModel kind);

/// The wall with its normal towards the body: the normal of a two-sided wall may turn round.
[[nodiscard]] Wall facing(Wall wall, const Model& model, const Body& body);
/// Where a body must be, in the words of a message: "on the side of wall floor its normal points to".
[[nodiscard]] std::string allowed_side(const Wall& wall);

/// The speed [length/time] with which a body may meet a wall: from its largest initial speed and what gravity
/// adds on the way there, unless a support holds the body against gravity. The wall's normal must point
/// towards the body (facing).
[[nodiscard]] double speed_at_wall(const Model& model, const Body& body, const Wall& wall);
/// As contact_parameters, for a body that meets a rigid barrier wall with `speed`.
[[nodiscard]] ContactParameters wall_parameters(const ContactBody& body, double speed, const Wall& wall);
/// As adapt_to_start, for a body and a rigid barrier wall.
void adapt_to_wall(const Model& model, const Body& body, const Wall& wall, const ContactEntry& contact,
                   ContactParameters& parameters);
/// The stable explicit Newmark step [s] of the body's nodes on the springs of a wall: for a penalty 2 √(m/k)
/// with the lightest boundary node, for a barrier as contact_stable_step, which alone reads `contact_body`
/// and `parameters`.
[[nodiscard]] double wall_stable_step(const Model& model, const Body& body, const ContactBody& contact_body,
                                      const Wall& wall, const ContactParameters& parameters);

}  // namespace terrace
