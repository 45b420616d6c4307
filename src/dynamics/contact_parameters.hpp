// Activation distance and stiffness of smooth contact, from material, mesh and impact speed.
#pragma once

#include <string>

#include "dynamics/choices.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// What contact has to know of a body.
struct ContactBody {
  double edge = 0;     ///< the edge length that a tenth of its surface's edges fall short of [length]
  double modulus = 0;  ///< E/(1 − ν²) [pressure]
  double density = 0;
};
[[nodiscard]] ContactBody contact_body(const Model& model, const Body& body);

/// Bound of the difference of the initial velocities of two nodes: the norm of the ranges of the components.
[[nodiscard]] double impact_speed(const Model& model);

/// d̂ [length] and κ [energy/length²] of a pair, and the pressure they were chosen for.
struct ContactParameters {
  double activation = 0, stiffness = 0, pressure = 0;
};

/// Whether the deck wants contact between two bodies, by their names (equal: of a body with itself).
[[nodiscard]] bool may_touch(const ContactEntry& contact, const std::string& first,
                             const std::string& second);

/// What the deck says, else d̂ = 0.3 edges and κ = 5 p d̂ with the pressure p = E* (ρ v²/E*)^(1/5) of a
/// Hertzian impact, 1/E* the sum of the bodies' 1/modulus, at most E*: under that pressure the gap has closed
/// by about a quarter of d̂. `speed` 0 counts as a thousandth of the wave speed.
[[nodiscard]] ContactParameters contact_parameters(const ContactBody& first, const ContactBody& second,
                                                   double speed, const ContactEntry& contact);
/// Makes room for d̂ where two bodies start nearer than it: refused with Error(input), both names, the place
/// and the distance; or d̂ becomes half the distance where the deck says close_start = "reduce" (and always
/// for a body with itself, whose own shape decides how near its parts are).
void adapt_to_start(const Model& model, const Body& first, const Body& second, const ContactEntry& contact,
                    ContactParameters& parameters);
/// The same for a body and a rigid wall.
[[nodiscard]] ContactParameters wall_parameters(const ContactBody& body, double speed, const Wall& wall);
void adapt_to_wall(const Model& model, const Body& body, const Wall& wall, const ContactEntry& contact,
                   ContactParameters& parameters);

}  // namespace terrace
