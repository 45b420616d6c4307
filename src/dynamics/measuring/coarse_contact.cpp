#include "dynamics/measuring/coarse_contact.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "dynamics/system/contact_parameters.hpp"
#include "dynamics/system/hertz_pairs.hpp"
#include "geometry/box_index.hpp"
#include "mesh/body_totals.hpp"
#include "mesh/boundary.hpp"
#include "mesh/overlap.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

/// Mean edge length of the boundary triangles around the boundary node that is nearest to `place` [length].
double edge_at(const Model& model, const Body& body, const Vector3& place) {
  double nearest = infinity;
  std::int32_t node = -1;
  for (const Triangle& triangle : body.boundary)
    for (const std::int32_t corner : triangle) {
      const double distance = norm(at(model.positions, corner) - place);
      if (distance < nearest) {
        nearest = distance;
        node = corner;
      }
    }
  double sum = 0, count = 0;
  for (const Triangle& triangle : body.boundary) {
    if (std::find(triangle.begin(), triangle.end(), node) == triangle.end()) continue;
    for (std::size_t k = 0; k < 3; ++k, ++count)
      sum += norm(at(model.positions, triangle[k]) - at(model.positions, triangle[(k + 1) % 3]));
  }
  return sum / count;
}

/// A body as ball_of makes it; one that is no ball as a plane of the same material and mass.
Ball as_ball(const Model& model, const Body& body, const ContactEntry& contact) {
  if (sphere_through(model.positions, surface_nodes(body.boundary))) return ball_of(model, body, contact);
  Ball plane = rigid_plane(body.name);
  plane.modulus = contact_body(model, body).modulus;
  plane.mass = mass_of(model, body);
  return plane;
}

bool is_round(const Ball& ball) { return ball.sphere.radius < infinity; }

/// The point on a ball's sphere towards the centre of another ball, or towards the nearest surface node of a
/// body that is none.
Vector3 contact_point(const Model& model, const Ball& ball, const Ball& other, const Body& other_body) {
  Vector3 towards = other.sphere.centre;
  if (!is_round(other)) {
    double nearest = infinity;
    for (const std::int32_t node : surface_nodes(other_body.boundary)) {
      const Vector3& x = at(model.positions, node);
      const double distance = norm(x - ball.sphere.centre);
      if (distance < nearest) {
        nearest = distance;
        towards = x;
      }
    }
  }
  const Vector3 between = towards - ball.sphere.centre;
  return ball.sphere.centre + (ball.sphere.radius / norm(between)) * between;
}

/// An edge that is too long, the length that is wanted [length], and the body that has it.
struct Coarse {
  double edge, wanted;
  std::string body;
};

/// The coarser of two bodies in an impact at `speed`; nothing where both are fine enough or neither is a
/// ball.
std::optional<Coarse> coarseness(const Model& model, const Body& first, const Ball& one, const Body& second,
                                 const Ball& other, double speed) {
  if (!is_round(one) && !is_round(other)) return {};
  const double force = impact_force(one, other, speed);
  if (!(force > 0)) return {};
  const double wanted = contact_radius(one, other, 0.1 * force) / 3;
  const Vector3 place =
      is_round(one) ? contact_point(model, one, other, second) : contact_point(model, other, one, first);
  std::optional<Coarse> coarsest;
  for (const Body* body : {&first, &second}) {
    const double edge = edge_at(model, *body, place);
    // Even in a mesh of the wanted size some edges are 1.2 times as long.
    if (edge > 1.2 * wanted && (!coarsest || edge > coarsest->edge)) coarsest = {edge, wanted, body->name};
  }
  return coarsest;
}

}  // namespace

std::vector<Warning> coarse_contacts(const Model& model, const ContactEntry& contact) {
  if (!contact.has_layer() && contact.model != ContactModel::face_intersection) return {};
  const double speed = impact_speed(model);
  std::vector<Ball> balls;
  std::vector<Box> of_bodies;
  double largest = 0;
  for (const Body& body : model.bodies) {
    balls.push_back(as_ball(model, body, contact));
    of_bodies.push_back(bounding_box(model, body));
    if (is_round(balls.back())) largest = std::max(largest, balls.back().sphere.radius);
  }
  if (!(largest > 0)) return {};
  BoxIndex boxes;
  boxes.build(of_bodies);
  // contact.model = "hertz" needs all bodies to be balls.
  const char* remedy = std::ranges::all_of(balls, is_round)
                           ? "With balls contact.model = \"hertz\" does without"
                           : "Finer elements there (bodies.refine) mend it";
  std::optional<std::string> first_found;
  std::int64_t more = 0;
  for (std::size_t a = 0; a < balls.size(); ++a)
    for (const std::int32_t b : boxes.near(of_bodies[a], neighbourhood * largest)) {
      const Body &first = model.bodies[a], &second = at(model.bodies, b);
      if (static_cast<std::size_t>(b) <= a || !may_touch(contact, first.name, second.name)) continue;
      const double reach = neighbourhood * std::min(balls[a].sphere.radius, at(balls, b).sphere.radius);
      if (!of_bodies[a].overlaps(at(of_bodies, b), reach)) continue;
      const auto coarse = coarseness(model, first, balls[a], second, at(balls, b), speed);
      if (!coarse) continue;
      if (first_found)
        ++more;
      else
        first_found = fmt::format(
            "contact of {} and {}: the elements of {} there are {:.3g} long, and facets make a flat spot, a "
            "linear spring in place of Hertz's law; its contact radius at a tenth of the largest force wants "
            "{:.3g}. {}",
            first.name, second.name, coarse->body, coarse->edge, coarse->wanted, remedy);
    }
  if (!first_found) return {};
  if (more > 0) *first_found += fmt::format(" (and {} more pairs)", more);
  return {{"coarse contact", *first_found}};
}

}  // namespace terrace
