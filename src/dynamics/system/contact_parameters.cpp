#include "dynamics/system/contact_parameters.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry/show.hpp"
#include "mesh/body_totals.hpp"
#include "mesh/boundary.hpp"
#include "mesh/overlap.hpp"
#include "numerics/at.hpp"
#include "numerics/elementary.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "potentials/contact/contact_surfaces.hpp"

namespace terrace {
namespace {

constexpr double distance_in_edges = 0.3, distance_in_approaches = 1.2, stiffness_in_energies = 6;

double stiffness_in_pressures(ContactModel model) { return model == ContactModel::barrier ? 40 : 15; }

double surface_edge(const Model& model, const Body& body) {
  std::vector<double> lengths;
  for (const Triangle& triangle : body.boundary)
    for (std::size_t k = 0; k < 3; ++k)
      lengths.push_back(norm(at(model.positions, triangle[k]) - at(model.positions, triangle[(k + 1) % 3])));
  if (lengths.empty()) return 0;
  const auto tenth = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 10);
  std::nth_element(lengths.begin(), tenth, lengths.end());
  return *tenth;
}

double ball_radius(const Model& model, const Body& body) {
  const double volume = mass_of(model, body) / at(model.materials, body.material).density;
  return numerics::cube_root(3 * volume / (4 * std::numbers::pi));
}

/// Mass of the boundary's nodes, and area of the boundary.
std::pair<double, double> mass_and_area(const Model& model, const Body& body) {
  const std::vector<std::int32_t> nodes = surface_nodes(body.boundary);
  double mass = 0, area = 0;
  for (const std::int32_t node : nodes) mass += at(model.masses, node);
  for (const double node_area : node_areas(body.boundary, nodes, model.positions)) area += node_area;
  return {mass, area};
}

/// Largest ratio of area to mass of the boundary's nodes.
double area_per_mass(const Model& model, const Body& body) {
  const std::vector<std::int32_t> nodes = surface_nodes(body.boundary);
  const std::vector<double> areas = node_areas(body.boundary, nodes, model.positions);
  double most = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) most = std::max(most, areas[i] / at(model.masses, nodes[i]));
  return most;
}

double chosen_stiffness(const ContactParameters& parameters) {
  return std::max(parameters.stiffness_by_load * parameters.pressure * parameters.activation,
                  parameters.least_stiffness);
}

/// Parameters as contact_parameters says. `compliance`: 1/E*; `slowness`: ρ/E* for the approach, the inverse
/// square of a wave speed; `layer`: reduced mass per area of the boundaries' nodes.
ContactParameters choose(ContactModel model, double compliance, double density, double slowness, double speed,
                         double layer, double edge, double radius, double distance, double stiffness) {
  const double modulus = 1 / compliance;
  const double square = speed > 0 ? density * speed * speed / modulus : 1e-6;
  const double root = numerics::fifth_root(speed > 0 ? slowness * speed * speed : 1e-6);
  const double approach = radius * root * root;
  ContactParameters chosen;
  chosen.pressure = modulus * std::min(numerics::fifth_root(square), 1.0);
  chosen.activation =
      distance > 0 ? distance : std::min(distance_in_edges * edge, distance_in_approaches * approach);
  chosen.stiffness_by_load = stiffness_in_pressures(model);
  chosen.least_stiffness = stiffness_in_energies * layer * square * modulus / density;
  chosen.stiffness = stiffness > 0 ? stiffness : chosen_stiffness(chosen);
  return chosen;
}

}  // namespace

void adapt_to_start(const Model& model, const Body& first, const Body& second, const ContactEntry& contact,
                    ContactParameters& parameters) {
  const bool self = &first == &second;
  if (!bounding_box(model, first).overlaps(bounding_box(model, second), parameters.activation)) return;
  const std::string where = "contact of " + first.name + " and " + second.name;
  const ContactSurfaces surfaces(model.positions, first.boundary, second.boundary, where);
  const auto nearest = nearest_pair(surfaces, parameters.activation);
  if (!nearest) return;
  const double touching = 1e-6 * surfaces.smallest_edge();
  if ((self || contact.close_start == CloseStart::reduce) && nearest->distance > touching) {
    parameters.activation = 0.5 * nearest->distance;
    if (!(contact.stiffness > 0)) parameters.stiffness = chosen_stiffness(parameters);
    return;
  }
  if (!self && nearest->distance <= touching)
    throw Error(
        Error::Kind::input, contact.where,
        "a gap between bodies, which smooth contact needs: move one by some thousandths of an element "
        "(bodies.position), which contact.close_start = \"reduce\" then takes",
        fmt::format("bodies {} and {} that touch at {}", first.name, second.name, show(nearest->place)));
  throw Error(
      Error::Kind::input, contact.where,
      fmt::format("bodies that start farther apart than the activation distance {:.4g} of their contact "
                  "(contact.distance, or contact.close_start = \"reduce\" for less where needed)",
                  parameters.activation),
      fmt::format("bodies {} and {} only {:.4g} apart at {}", first.name, second.name, nearest->distance,
                  show(nearest->place)));
}

Wall facing(Wall wall, const Model& model, const Body& body) {
  if (!wall.two_sided) return wall;
  double farthest = 0;  // signed height of the farthest node: nodes on the wall are on neither side
  for (std::int32_t i = 0; i < body.node_count; ++i) {
    const double height = dot(at(model.positions, body.first_node + i) - wall.point, wall.normal);
    if (std::abs(height) > std::abs(farthest)) farthest = height;
  }
  if (farthest < 0) wall.normal = -1 * wall.normal;
  return wall;
}

std::string allowed_side(const Wall& wall) {
  return wall.two_sided ? "on one side of the two-sided wall " + wall.name
                        : "on the side of wall " + wall.name + " its normal points to";
}

void adapt_to_wall(const Model& model, const Body& body, const Wall& wall, const ContactEntry& contact,
                   ContactParameters& parameters) {
  double nearest = parameters.activation;
  const Vector3 normal = facing(wall, model, body).normal;
  for (std::int32_t i = 0; i < body.node_count; ++i) {
    const Vector3& x = at(model.positions, body.first_node + i);
    nearest = std::min(nearest, dot(x - wall.point, normal));
  }
  if (!(nearest < parameters.activation)) return;
  if (contact.close_start == CloseStart::reduce && nearest > 1e-6 * parameters.activation) {
    parameters.activation = 0.5 * nearest;
    if (!(wall.stiffness > 0)) parameters.stiffness = chosen_stiffness(parameters);
    return;
  }
  if (nearest <= 1e-6 * parameters.activation)
    throw Error(
        Error::Kind::input, "wall " + wall.name,
        "a gap between it and bodies, which a barrier needs: move the wall or them by some thousandths "
        "of an element, which contact.close_start = \"reduce\" then takes",
        fmt::format("body {} that touches it", body.name));
  throw Error(
      Error::Kind::input, "wall " + wall.name,
      fmt::format("bodies that start farther from it than its activation distance {:.4g} (its key distance, "
                  "or contact.close_start = \"reduce\" for less where needed)",
                  parameters.activation),
      fmt::format("body {} only {:.4g} away", body.name, nearest));
}

// Whether the deck's `name` means this body: its own name, or that of a repeated entry, whose bodies are
// NAME-1, NAME-2, ….
static bool stands_for(const std::string& name, const std::string& body) {
  if (name == body) return true;
  return body.size() > name.size() + 1 && body.compare(0, name.size(), name) == 0 &&
         body[name.size()] == '-' &&
         body.find_first_not_of("0123456789", name.size() + 1) == std::string::npos;
}

bool may_touch(const ContactEntry& contact, const std::string& first, const std::string& second) {
  if (contact.model == ContactModel::none) return false;
  const bool self = first == second;
  if (self && contact.self) return true;
  if (contact.pairs.empty()) return !self;
  return std::any_of(contact.pairs.begin(), contact.pairs.end(), [&](const auto& pair) {
    // A repeated entry's name twice means its bodies among each other, not each with itself.
    if (self && pair.first != first) return false;
    return (stands_for(pair.first, first) && stands_for(pair.second, second)) ||
           (stands_for(pair.first, second) && stands_for(pair.second, first));
  });
}

ContactBody contact_body(const Model& model, const Body& body) {
  const Material& material = at(model.materials, body.material);
  const double lambda = material.lame_lambda, mu = material.lame_mu;
  const auto [mass, area] = mass_and_area(model, body);
  ContactBody contact;
  contact.edge = surface_edge(model, body);
  contact.radius = ball_radius(model, body);
  contact.modulus = 4 * mu * (lambda + mu) / (lambda + 2 * mu);  // E/(1 − ν²)
  contact.density = material.density;
  contact.layer = area > 0 ? mass / area : 0;
  contact.area = area;
  contact.lightness = area_per_mass(model, body);
  return contact;
}

std::vector<ContactBody> contact_bodies(const Model& model) {
  std::vector<ContactBody> bodies;
  bodies.reserve(model.bodies.size());
  for (const Body& body : model.bodies) bodies.push_back(contact_body(model, body));
  return bodies;
}

double largest_speed(const Model& model, const Body& body) {
  double most = 0;
  for (std::int32_t a = 0; a < body.node_count; ++a)
    most = std::max(most, norm(at(model.velocities, body.first_node + a)));
  return most;
}

// Whether a support holds any of the body's nodes against gravity, so that the body does not fall.
static bool is_held_against(const Vector3& gravity, const Model& model, const Body& body) {
  return std::ranges::any_of(model.supports, [&](const Support& support) {
    bool acts = false;
    for (std::size_t k = 0; k < 3; ++k) acts = acts || (support.components[k] && gravity[k] != 0);
    return acts && std::ranges::any_of(support.nodes, [&](std::int32_t node) {
             return node >= body.first_node && node < body.first_node + body.node_count;
           });
  });
}

double largest_speed(const Model& model) {
  double most = 0;
  for (const Body& body : model.bodies) most = std::max(most, largest_speed(model, body));
  return most;
}

double speed_at_wall(const Model& model, const Body& body, const Wall& wall) {
  const double speed = largest_speed(model, body);
  const Vector3 normal = (1 / norm(wall.normal)) * wall.normal;
  const double towards = -dot(model.gravity, normal);
  if (!(towards > 0) || is_held_against(model.gravity, model, body)) return speed;
  double gap = infinity;
  for (const std::int32_t node : surface_nodes(body.boundary))
    gap = std::min(gap, dot(at(model.positions, node) - wall.point, normal));
  return std::sqrt(speed * speed + 2 * towards * std::max(gap, 0.0));
}

double impact_speed(const Model& model) {
  if (model.velocities.empty()) return 0;
  Vector3 least = model.velocities.front(), most = least;
  for (const Vector3& v : model.velocities)
    for (std::size_t k = 0; k < 3; ++k) {
      least[k] = std::min(least[k], v[k]);
      most[k] = std::max(most[k], v[k]);
    }
  return norm(most - least);
}

ContactParameters contact_parameters(const ContactBody& first, const ContactBody& second, double speed,
                                     const ContactEntry& contact) {
  const double slowness = 2 * std::max(first.density / first.modulus, second.density / second.modulus);
  return choose(contact.model, 1 / first.modulus + 1 / second.modulus, 0.5 * (first.density + second.density),
                slowness, speed, first.layer * second.layer / (first.layer + second.layer),
                std::min(first.edge, second.edge), std::min(first.radius, second.radius), contact.distance,
                contact.stiffness);
}

ContactParameters wall_parameters(const ContactBody& body, double speed, const Wall& wall) {
  return choose(ContactModel::barrier, 1 / body.modulus, body.density, body.density / body.modulus, speed,
                body.layer, body.edge, body.radius, wall.distance, wall.stiffness);
}

double contact_stable_step(const ContactBody& first, const ContactBody& second, double speed,
                           const ContactParameters& parameters, ContactModel kind) {
  // ψ″ d̂²: constant for a gap; for a barrier at some three times the pressure it was chosen for.
  const double curvature = kind == ContactModel::barrier ? 1.5 : 1;
  const double stiffness = parameters.stiffness * curvature / (parameters.activation * parameters.activation);
  const double square = 2 * stiffness * (first.lightness + second.lightness);
  const double step = 2 / std::sqrt(square);
  return speed > 0 ? std::min(step, 0.25 * parameters.activation / speed) : step;
}

double wall_stable_step(const Model& model, const Body& body, const ContactBody& contact_body,
                        const Wall& wall, const ContactParameters& parameters) {
  if (wall.model == WallModel::barrier) {
    const ContactBody at_rest;  // with infinite mass: no lightness
    return contact_stable_step(contact_body, at_rest, speed_at_wall(model, body, wall), parameters,
                               ContactModel::barrier);
  }
  double lightest = infinity;
  for (const std::int32_t node : surface_nodes(body.boundary))
    lightest = std::min(lightest, at(model.masses, node));
  return 2 * std::sqrt(lightest / wall.stiffness);
}

}  // namespace terrace
