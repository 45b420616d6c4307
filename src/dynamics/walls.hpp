// Rigid walls as parts of a system.
#pragma once

#include <memory>
#include <optional>

#include "dynamics/contact_parameters.hpp"
#include "dynamics/hertz_pairs.hpp"
#include "dynamics/localization.hpp"
#include "dynamics/system_builder.hpp"

namespace terrace {

/// A ball at a wall by Hertz's law.
struct BallAtWall {
  Ball ball;
  SpherePatch patch;  ///< in the model's node numbers
  HertzLaw law;
};

/// How a body meets a wall: the wall with its normal to the body, and what its model needs.
struct WallMeeting {
  const Body& body;
  Wall wall;
  ContactParameters parameters;    ///< of a barrier
  std::optional<BallAtWall> ball;  ///< of Hertz's law
};

/// Of the body and the wall of a term. Throws Error(input), on all ranks alike, for bodies that start too
/// near a barrier (adapt_to_wall), or that are no balls, or too coarse ones, for Hertz's law.
[[nodiscard]] WallMeeting meet(const Model& model, const Term& term, const ContactEntry& contact);

/// The potential of a body's surface before a wall, after the builder numbered the nodes.
[[nodiscard]] std::unique_ptr<Potential> wall_potential(const Model& model, const WallMeeting& meeting,
                                                        SystemBuilder& builder);

/// Least stable explicit Newmark step of any body at all its walls: a node in a corner is on the springs of
/// several. +∞ without walls.
[[nodiscard]] double stable_step_at_walls(const Model& model, const Localization& localization,
                                          const ContactEntry& contact);

}  // namespace terrace
