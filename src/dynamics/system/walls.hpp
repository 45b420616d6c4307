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

/// What contact of a ball with a wall by Hertz's law is made of.
struct BallAtWall {
  Ball ball;
  SpherePatch patch;  ///< in the model's node numbers
  HertzLaw law;
};

/// How a body meets a wall: the wall with its normal towards the body, and what the wall's model needs.
struct WallMeeting {
  const Body& body;
  const ContactBody& contact_body;
  Wall wall;
  ContactParameters parameters;    ///< of a barrier
  std::optional<BallAtWall> ball;  ///< of Hertz's law
};

/// How the body of a wall term meets the wall. `model` and `contact_bodies` (those of its bodies) must
/// outlive the result. Throws Error(input), on all ranks alike, for a body that starts too near a barrier
/// (adapt_to_wall), and by Hertz's law as ball_of, patch_radius, require_possible and require_resolved do.
[[nodiscard]] WallMeeting meet(const Model& model, std::span<const ContactBody> contact_bodies,
                               const Term& term, const ContactEntry& contact);

/// Makes the potentials of bodies before walls, after the builder has numbered the nodes. Walls about one
/// body share its list of boundary nodes.
class WallPotentials {
 public:
  /// Both arguments must outlive this.
  WallPotentials(const Model& model, SystemBuilder& builder) : model_(model), builder_(builder) {}
  [[nodiscard]] std::unique_ptr<Potential> of(const WallMeeting& meeting);

 private:
  [[nodiscard]] std::shared_ptr<const BoundaryNodes> boundary(const Body& body, bool all_count_the_same);

  const Model& model_;
  SystemBuilder& builder_;
  using Key = std::pair<std::int32_t, bool>;  // a body's first node; whether all its nodes count the same
  std::map<Key, std::shared_ptr<const BoundaryNodes>> boundaries_;
};

/// Stable explicit Newmark step [s] of a body on the springs of one wall.
[[nodiscard]] double stable_step_at_wall(const Model& model, const WallMeeting& meeting);

}  // namespace terrace
