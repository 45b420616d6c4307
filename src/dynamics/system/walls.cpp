#include "dynamics/system/walls.hpp"

#include <algorithm>
#include <vector>

#include "dynamics/system/patch_compliance.hpp"
#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "potentials/contact/hertz_wall.hpp"

namespace terrace {

static Plane plane_of(const Wall& wall) { return {wall.point, (1 / norm(wall.normal)) * wall.normal}; }

// Takes the compliance of the mesh where the ball starts near the wall, else that of a half-space.
static BallAtWall ball_at_wall(const Model& model, const Body& body, const Wall& wall,
                               const ContactEntry& contact) {
  ContactEntry chosen = contact;
  chosen.where = "wall " + wall.name;
  const Ball ball = ball_of(model, body, chosen), rigid = rigid_plane(wall.name);
  const Plane plane = plane_of(wall);
  const double speed = std::max(impact_speed(model), largest_speed(model, body));
  const double radius = patch_radius(ball, rigid, speed, chosen);
  const Vector3 axis = -1 * plane.normal;
  SpherePatch patch = sphere_patch(model.positions, body.boundary, ball.sphere, axis, radius);
  const double gap = dot(ball.sphere.centre - plane.point, plane.normal) - ball.sphere.radius;
  double compliance = half_space_compliance(ball, rigid, radius);
  if (gap < neighbourhood * ball.sphere.radius) {
    const std::string where = "contact of " + ball.name + " and " + wall.name;
    require_possible(ball, rigid, gap, radius, where);
    require_resolved(patch, ball, radius, where);
    compliance = patch_compliance(model, body, patch, axis);
  }
  return {ball, std::move(patch), hertz_law(ball, rigid, radius, compliance)};
}

WallMeeting meet(const Model& model, std::span<const ContactBody> contact_bodies, const Term& term,
                 const ContactEntry& contact) {
  const Body& body = at(model.bodies, term.body);
  WallMeeting meeting{
      body, at(contact_bodies, term.body), facing(at(model.walls, term.second), model, body), {}, {}};
  if (meeting.wall.model == WallModel::penalty) return meeting;
  if (meeting.wall.model == WallModel::hertz) {
    meeting.ball = ball_at_wall(model, body, meeting.wall, contact);
    return meeting;
  }
  meeting.parameters =
      wall_parameters(meeting.contact_body, speed_at_wall(model, body, meeting.wall), meeting.wall);
  adapt_to_wall(model, body, meeting.wall, contact, meeting.parameters);
  return meeting;
}

std::shared_ptr<const BoundaryNodes> WallPotentials::boundary(const Body& body, bool all_count_the_same) {
  std::shared_ptr<const BoundaryNodes>& known = boundaries_[{body.first_node, all_count_the_same}];
  if (known != nullptr) return known;
  const std::vector<std::int32_t> nodes = surface_nodes(body.boundary);
  known = std::make_shared<BoundaryNodes>(BoundaryNodes{
      builder_.local(nodes), all_count_the_same ? std::vector<double>(nodes.size(), 1.0)
                                                : node_areas(body.boundary, nodes, model_.positions)});
  return known;
}

std::unique_ptr<Potential> WallPotentials::of(const WallMeeting& meeting) {
  const Wall& wall = meeting.wall;
  const std::vector<Vector3>& reference = builder_.system().reference;
  if (meeting.ball) {
    SpherePatch patch = meeting.ball->patch;
    patch.nodes = builder_.local(patch.nodes);
    return std::make_unique<HertzWall>(reference, patch, meeting.ball->ball.sphere, plane_of(wall),
                                       meeting.ball->law);
  }
  const bool penalty = wall.model == WallModel::penalty;
  const ContactProfile profile =
      penalty ? ContactProfile(ContactProfile::Kind::penalty, 0)
              : ContactProfile(ContactProfile::Kind::barrier, meeting.parameters.activation);
  return std::make_unique<PlaneContact>(
      reference, boundary(meeting.body, penalty), Plane{wall.point, wall.normal}, profile,
      penalty ? wall.stiffness : meeting.parameters.stiffness, "wall " + wall.name);
}

double stable_step_at_wall(const Model& model, const WallMeeting& meeting) {
  if (meeting.ball)
    return hertz_stable_step(meeting.ball->ball, rigid_plane(meeting.wall.name), meeting.ball->law);
  return wall_stable_step(model, meeting.body, meeting.contact_body, meeting.wall, meeting.parameters);
}

}  // namespace terrace
