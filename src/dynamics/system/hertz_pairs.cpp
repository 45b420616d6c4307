#include "dynamics/system/hertz_pairs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "dynamics/system/patch_compliance.hpp"
#include "mesh/body_totals.hpp"
#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "numerics/elementary.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Numbers by which bodies are told to have equal meshes that are loaded at the same place; they do not
/// change when a body is moved or turned along with its load.
std::vector<std::int64_t> signature(const Model& model, const Body& body, const Ball& ball,
                                    const Vector3& axis, double patch_radius) {
  const auto digits = [](double x) { return std::llround(x * 1e6); };
  std::vector<std::int64_t> numbers{body.material, body.node_count, body.tetrahedron_count,
                                    digits(patch_radius / ball.sphere.radius),
                                    digits(numerics::log(ball.mass))};
  for (const std::int32_t share : {0, 1, 2, 3}) {
    const std::int32_t node = body.first_node + share * (body.node_count - 1) / 3;
    const Vector3 place = at(model.positions, node) - ball.sphere.centre;
    numbers.push_back(digits(dot(place, axis) / ball.sphere.radius));
    numbers.push_back(digits(norm(place) / ball.sphere.radius));
  }
  return numbers;
}

}  // namespace

Ball ball_of(const Model& model, const Body& body, const ContactEntry& contact) {
  const ContactBody of_body = contact_body(model, body);
  const auto sphere = sphere_through(model.positions, surface_nodes(body.boundary));
  if (!sphere)
    throw Error(Error::Kind::input, contact.where,
                "balls for contact.model = \"hertz\": all boundary nodes of a body on a sphere",
                "body " + body.name + " of another shape");
  return {body.name, *sphere, of_body.modulus, mass_of(model, body), of_body.lightness};
}

Ball rigid_plane(const std::string& name) { return {name, {{}, infinity}, infinity, infinity, 0}; }

double contact_radius(const Ball& first, const Ball& second, double force) {
  const double modulus = relative(first.modulus, second.modulus);
  return numerics::cube_root(0.75 * force * relative(first.sphere.radius, second.sphere.radius) / modulus);
}

// (2/5) k δ^{5/2} = ½ m v² with F = k δ^{3/2}: F⁵ = k² (5 m v²/4)³.
double impact_force(const Ball& first, const Ball& second, double speed) {
  const double radius = relative(first.sphere.radius, second.sphere.radius);
  const double stiffness = 4.0 / 3 * relative(first.modulus, second.modulus) * std::sqrt(radius);
  const double energy = 1.25 * relative(first.mass, second.mass) * speed * speed;
  const double of_stiffness = numerics::fifth_root(stiffness), of_energy = numerics::fifth_root(energy);
  return of_stiffness * of_stiffness * of_energy * of_energy * of_energy;
}

double patch_radius(const Ball& first, const Ball& second, double speed, const ContactEntry& contact) {
  if (contact.patch > 0) return contact.patch;
  const double force = contact.largest_force > 0 ? contact.largest_force : impact_force(first, second, speed);
  if (!(force > 0))
    throw Error(Error::Kind::input, contact.where,
                "contact.patch or contact.forces where no body moves at the start", "neither");
  return 2 * contact_radius(first, second, force);
}

void require_possible(const Ball& ball, const Ball& other, double gap, double patch,
                      const std::string& where) {
  const double radius = std::min(ball.sphere.radius, other.sphere.radius);
  if (!(gap > -1e-6 * radius))
    throw Error(Error::Kind::input, where,
                fmt::format("spheres that do not overlap at the start: {} and {}", ball.name, other.name),
                fmt::format("{:.4g} of one in the other", -gap));
  if (!(patch < radius))
    throw Error(Error::Kind::input, where,
                fmt::format("patches smaller than the ball, whose radius is {:.4g} (contact.patch, "
                            "contact.forces, or the speed at the start)",
                            radius),
                fmt::format("{:.4g} between {} and {}", patch, ball.name, other.name));
}

double half_space_compliance(const Ball& first, const Ball& second, double patch) {
  return 0.6 / (relative(first.modulus, second.modulus) * patch);
}

HertzLaw hertz_law(const Ball& first, const Ball& second, double patch, double compliance) {
  return {relative(first.modulus, second.modulus), relative(first.sphere.radius, second.sphere.radius), patch,
          compliance};
}

// A node carries at most its area times 3/(2πb²) of the whole load.
double hertz_stable_step(const Ball& first, const Ball& second, const HertzLaw& law) {
  const double most = 1.5 / (std::numbers::pi * law.patch_radius() * law.patch_radius());
  return 2 / std::sqrt(law.largest_stiffness() * most * (first.lightness + second.lightness));
}

void require_resolved(const SpherePatch& patch, const Ball& ball, double radius, const std::string& where) {
  if (patch.inside >= fewest_nodes_in_patch) return;
  throw Error(Error::Kind::input, where,
              fmt::format("elements of {:.3g} or less about the contact point, a third of the radius of the "
                          "patch that carries the contact's load",
                          radius / 3),
              fmt::format("{} nodes of {} in the patch", patch.inside, ball.name));
}

/// The patches of a pair on its two bodies, and the unit vector from the first to the second.
struct HertzPairs::Patches {
  SpherePatch first, second;
  Vector3 axis;
  double gap;  ///< between the spheres
};

HertzPairs::HertzPairs(const Model& model, const ContactEntry& contact, double speed,
                       std::span<const BodyPair> neighbours)
    : contact_(contact), speed_(speed) {
  for (const Body& body : model.bodies) balls_.push_back(ball_of(model, body, contact));
  std::map<std::vector<std::int64_t>, double> known;
  for (const BodyPair& pair : neighbours) {
    const Ball &first = at(balls_, pair.first), &second = at(balls_, pair.second);
    const double radii = first.sphere.radius + second.sphere.radius;
    const double reach = neighbourhood * std::min(first.sphere.radius, second.sphere.radius);
    if (pair.first == pair.second || norm(second.sphere.centre - first.sphere.centre) > radii + reach)
      continue;
    const Body &one = at(model.bodies, pair.first), &other = at(model.bodies, pair.second);
    const Patches found = patches(pair, model.positions, one.boundary, other.boundary);
    const std::string where = "contact of " + first.name + " and " + second.name;
    require_possible(first, second, found.gap, patch(pair), where);
    require_resolved(found.first, first, patch(pair), where);
    require_resolved(found.second, second, patch(pair), where);
    const auto compliance = [&](const Body& body, const Ball& ball, const SpherePatch& patch_of_body,
                                const Vector3& axis) {
      const auto [entry, is_new] = known.try_emplace(signature(model, body, ball, axis, patch(pair)), 0);
      if (is_new) entry->second = patch_compliance(model, body, patch_of_body, axis);
      return entry->second;
    };
    compliances_[pair] = compliance(one, first, found.first, found.axis) +
                         compliance(other, second, found.second, -1 * found.axis);
  }
}

double HertzPairs::patch(const BodyPair& pair) const {
  return patch_radius(at(balls_, pair.first), at(balls_, pair.second), speed_, contact_);
}

HertzLaw HertzPairs::law(const BodyPair& pair) const {
  const Ball &first = at(balls_, pair.first), &second = at(balls_, pair.second);
  const double radius = patch(pair);
  const auto known = compliances_.find(pair);
  return hertz_law(
      first, second, radius,
      known != compliances_.end() ? known->second : half_space_compliance(first, second, radius));
}

double HertzPairs::activation(const BodyPair& pair) const {
  const double radius = patch(pair);
  return radius * radius /
         relative(at(balls_, pair.first).sphere.radius, at(balls_, pair.second).sphere.radius);
}

double HertzPairs::stable_step(const BodyPair& pair) const {
  return hertz_stable_step(at(balls_, pair.first), at(balls_, pair.second), law(pair));
}

// Looks at one pair for each two kinds of equal bodies: chains and packings have few kinds.
double HertzPairs::stable_step(const AnyMayTouch& any_may_touch) const {
  std::map<std::array<double, 4>, std::vector<std::int32_t>> kinds;
  for (std::size_t b = 0; b < balls_.size(); ++b)
    kinds[{balls_[b].sphere.radius, balls_[b].modulus, balls_[b].mass, balls_[b].lightness}].push_back(
        static_cast<std::int32_t>(b));
  double least = infinity;
  const auto look_at = [&](const BodyPair& pair) { least = std::min(least, stable_step(pair)); };
  for (const auto& [kind, some] : kinds)
    for (const auto& [other_kind, others] : kinds)
      if (any_may_touch(some, others)) look_at({some.front(), others.front()});
  for (const auto& [pair, compliance] : compliances_) look_at(pair);
  return least;
}

HertzPairs::Patches HertzPairs::patches(const BodyPair& pair, std::span<const Vector3> reference,
                                        std::span<const Triangle> first_triangles,
                                        std::span<const Triangle> second_triangles) const {
  const Ball &first = at(balls_, pair.first), &second = at(balls_, pair.second);
  const Vector3 between = second.sphere.centre - first.sphere.centre;
  const double distance = norm(between), radius = patch(pair);
  const Vector3 axis = (1 / distance) * between;
  return {sphere_patch(reference, first_triangles, first.sphere, axis, radius),
          sphere_patch(reference, second_triangles, second.sphere, -1 * axis, radius), axis,
          distance - first.sphere.radius - second.sphere.radius};
}

std::unique_ptr<HertzContact> HertzPairs::make(const BodyPair& pair, std::span<const Vector3> reference,
                                               std::span<const Triangle> first_triangles,
                                               std::span<const Triangle> second_triangles) const {
  const Patches found = patches(pair, reference, first_triangles, second_triangles);
  const std::array<Sphere, 2> spheres{at(balls_, pair.first).sphere, at(balls_, pair.second).sphere};
  return std::make_unique<HertzContact>(reference, found.first, found.second, spheres, law(pair), found.gap);
}

}  // namespace terrace
