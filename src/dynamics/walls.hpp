// Rigid walls as parts of a system.
#pragma once

#include <memory>

#include "dynamics/contact_parameters.hpp"
#include "dynamics/localization.hpp"
#include "dynamics/system_builder.hpp"

namespace terrace {

/// How a body meets a wall: the wall with its normal to the body, and of a barrier its parameters.
struct WallMeeting {
  const Body& body;
  Wall wall;
  ContactParameters parameters;
};

/// Of the body and the wall of a term. Throws Error(input), on all ranks alike, for bodies that start too
/// near a barrier (adapt_to_wall).
[[nodiscard]] WallMeeting meet(const Model& model, const Term& term, const ContactEntry& contact);

/// The potential of a body's surface before a wall, after the builder numbered the nodes.
[[nodiscard]] std::unique_ptr<Potential> wall_potential(const Model& model, const WallMeeting& meeting,
                                                        SystemBuilder& builder);

/// Least stable explicit Newmark step of any body at all its walls: a node in a corner is on the springs of
/// several. +∞ without walls.
[[nodiscard]] double stable_step_at_walls(const Model& model, const Localization& localization,
                                          const ContactEntry& contact);

}  // namespace terrace
