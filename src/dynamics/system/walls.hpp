// Rigid walls as parts of a system.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "dynamics/system/contact_parameters.hpp"
#include "dynamics/system/hertz_pairs.hpp"
#include "dynamics/system/localization.hpp"
#include "dynamics/system/system_builder.hpp"
#include "potentials/contact/plane_contact.hpp"

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
  const ContactBody& contact_body;
  Wall wall;
  ContactParameters parameters;    ///< of a barrier
  std::optional<BallAtWall> ball;  ///< of Hertz's law
};

/// Of the body and the wall of a term. `contact_bodies`: of the model; must outlive the result. Throws
/// Error(input), on all ranks alike, for bodies that start too near a barrier (adapt_to_wall), or that are no
/// balls, or too coarse ones, for Hertz's law.
[[nodiscard]] WallMeeting meet(const Model& model, std::span<const ContactBody> contact_bodies,
                               const Term& term, const ContactEntry& contact);

/// Makes the potentials of bodies' surfaces before walls, after the builder numbered the nodes.
class WallPotentials {
 public:
  /// Both outlive this.
  WallPotentials(const Model& model, SystemBuilder& builder) : model_(model), builder_(builder) {}
  [[nodiscard]] std::unique_ptr<Potential> of(const WallMeeting& meeting);

 private:
  [[nodiscard]] std::shared_ptr<const BoundaryNodes> boundary(const Body& body, bool all_count_the_same);

  const Model& model_;
  SystemBuilder& builder_;
  using Key = std::pair<std::int32_t, bool>;  // a body's first node; whether all count the same
  std::map<Key, std::shared_ptr<const BoundaryNodes>> boundaries_;
};

/// Stable explicit Newmark step of each body at all its walls: a node in a corner is on the springs of
/// several. +∞ without walls.
[[nodiscard]] std::vector<double> stable_steps_at_walls(const Model& model,
                                                        std::span<const ContactBody> contact_bodies,
                                                        const Localization& localization,
                                                        const ContactEntry& contact);

}  // namespace terrace
