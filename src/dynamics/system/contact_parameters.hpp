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

/// What contact has to know of a body.
struct ContactBody {
  double edge = 0;     ///< the edge length that a tenth of its surface's edges fall short of [length]
  double radius = 0;   ///< of the ball of its volume [length]
  double modulus = 0;  ///< E/(1 − ν²) [pressure]
  double density = 0;
  double layer = 0;      ///< mass of the boundary's nodes per area
  double lightness = 0;  ///< largest ratio of area to mass of the boundary's nodes
  double area = 0;       ///< of the boundary
  friend auto operator<=>(const ContactBody&, const ContactBody&) = default;
};
[[nodiscard]] ContactBody contact_body(const Model& model, const Body& body);
/// Of all bodies, in their order.
[[nodiscard]] std::vector<ContactBody> contact_bodies(const Model& model);

/// Bound of the difference of the initial velocities of two nodes: the norm of the ranges of the components.
[[nodiscard]] double impact_speed(const Model& model);
/// Largest initial speed of the body's nodes.
[[nodiscard]] double largest_speed(const Model& model, const Body& body);
/// Of all bodies.
[[nodiscard]] double largest_speed(const Model& model);

/// d̂ [length] and κ [energy/length²] of a pair, and the pressure they were chosen for.
struct ContactParameters {
  double activation = 0, stiffness = 0, pressure = 0;
  double least_stiffness = 0;    ///< what a chosen κ is at least
  double stiffness_by_load = 0;  ///< κ / (p d̂) of a chosen κ
};

/// Whether the deck wants contact between two bodies, by their names (equal: of a body with itself).
[[nodiscard]] bool may_touch(const ContactEntry& contact, const std::string& first,
                             const std::string& second);

/// What the deck says, else d̂ = 0.3 edges, but at most 1.2 times the approach R (ρ v²/E*)^(2/5) of a Hertzian
/// impact, and κ = 15 p d̂ for a gap, 40 p d̂ for a barrier, with its pressure p = E* (ρ v²/E*)^(1/5), at most
/// E*; 1/E* is the sum of the bodies' 1/modulus, R the smaller radius. Under that pressure the gap has closed
/// by a fifteenth of d̂ or less, the barrier by a tenth (V is κ ∫ ψ dA or more: SurfaceContact): a softer
/// layer between the bodies shows beside their own approach, a thinner one feels the single vertices, and a
/// finite one can be passed through (a vertex alone has a third of κ). The approach counts the softer body's
/// compliance and density alone, so that no pair's d̂ is larger than that of two of the same kind. `speed` 0
/// counts as a thousandth of the wave speed. Nor is κ less than twelve times what the nodes of both
/// boundaries bring along, half their reduced mass per area times v².
[[nodiscard]] ContactParameters contact_parameters(const ContactBody& first, const ContactBody& second,
                                                   double speed, const ContactEntry& contact);
/// Makes room for d̂ where two bodies start nearer than it: refused with Error(input), both names, the place
/// and the distance; or d̂ becomes half the distance where the deck says close_start = "reduce" (and always
/// for a body with itself, whose own shape decides how near its parts are). Bodies that touch are refused
/// whatever it says.
void adapt_to_start(const Model& model, const Body& first, const Body& second, const ContactEntry& contact,
                    ContactParameters& parameters);
/// The stable explicit Newmark step of nodes on the springs of a smooth contact between two bodies: κ ψ″ A on
/// the mass m of a boundary node with the area A, at the pressures that the parameters were chosen for, and
/// twice that for pairs crowded at a node; at most a quarter of the time in which `speed` passes d̂.
[[nodiscard]] double contact_stable_step(const ContactBody& first, const ContactBody& second, double speed,
                                         const ContactParameters& parameters, ContactModel kind);

/// The wall with its normal to the side where the body is: one with two sides may turn it.
[[nodiscard]] Wall facing(Wall wall, const Model& model, const Body& body);
/// Where a body must be, in the words of a message: "on the side of wall floor its normal points to".
[[nodiscard]] std::string allowed_side(const Wall& wall);

/// How fast a body may meet a wall, whose normal is to the side where the body is (facing) [length/time]: its
/// largest initial speed, and what gravity adds on the way there, unless a support holds it against that.
[[nodiscard]] double speed_at_wall(const Model& model, const Body& body, const Wall& wall);
/// The same as contact_parameters and adapt_to_start for a body and a rigid wall, by the speed there.
[[nodiscard]] ContactParameters wall_parameters(const ContactBody& body, double speed, const Wall& wall);
void adapt_to_wall(const Model& model, const Body& body, const Wall& wall, const ContactEntry& contact,
                   ContactParameters& parameters);
/// The stable explicit Newmark step of the body's nodes on the springs of a wall: of a penalty 2 √(m/k) of
/// the lightest boundary node, of a barrier as contact_stable_step. `contact_body` and `parameters` are those
/// of a barrier.
[[nodiscard]] double wall_stable_step(const Model& model, const Body& body, const ContactBody& contact_body,
                                      const Wall& wall, const ContactParameters& parameters);

}  // namespace terrace
