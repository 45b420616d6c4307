#include "dynamics/walls.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "potentials/plane_contact.hpp"

namespace terrace {

WallMeeting meet(const Model& model, const Term& term, const ContactEntry& contact) {
  const Body& body = at(model.bodies, term.body);
  WallMeeting meeting{body, facing(at(model.walls, term.second), model, body), {}};
  if (meeting.wall.model == WallModel::penalty) return meeting;
  meeting.parameters = wall_parameters(contact_body(model, body), largest_speed(model, body), meeting.wall);
  adapt_to_wall(model, body, meeting.wall, contact, meeting.parameters);
  return meeting;
}

std::unique_ptr<Potential> wall_potential(const Model& model, const WallMeeting& meeting,
                                          SystemBuilder& builder) {
  const Wall& wall = meeting.wall;
  const std::vector<std::int32_t> nodes = surface_nodes(meeting.body.boundary);
  const bool penalty = wall.model == WallModel::penalty;
  const std::vector<double> weights = penalty ? std::vector<double>(nodes.size(), 1.0)
                                              : node_areas(meeting.body.boundary, nodes, model.positions);
  const ContactProfile profile =
      penalty ? ContactProfile(ContactProfile::Kind::penalty, 0)
              : ContactProfile(ContactProfile::Kind::barrier, meeting.parameters.activation);
  return std::make_unique<PlaneContact>(
      builder.system().reference, builder.local(nodes), weights, Plane{wall.point, wall.normal}, profile,
      penalty ? wall.stiffness : meeting.parameters.stiffness, "wall " + wall.name);
}

double stable_step_at_walls(const Model& model, const Localization& localization,
                            const ContactEntry& contact) {
  std::vector<double> squared_rates(model.bodies.size(), 0.0);
  double most = 0;
  for (const Term& term : localization.terms) {
    if (term.kind != Term::Kind::wall) continue;
    const WallMeeting meeting = meet(model, term, contact);
    const double step = wall_stable_step(model, meeting.body, meeting.wall, meeting.parameters);
    double& of_body = at(squared_rates, term.body);
    of_body += 1 / (step * step);
    most = std::max(most, of_body);
  }
  return 1 / std::sqrt(most);
}

}  // namespace terrace
