#include "dynamics/system/contact_pairs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "dynamics/system/weak_contact.hpp"
#include "geometry/box_index.hpp"
#include "mesh/boundary.hpp"
#include "mesh/overlap.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/each_once.hpp"
#include "numerics/infinity.hpp"
#include "potentials/contact/face_intersection.hpp"
#include "potentials/contact/set_constraint.hpp"
#include "potentials/contact/surface_contact.hpp"

namespace terrace {
namespace {

Box velocities_of(const Model& model, const Body& body) {
  Box box;
  for (std::int32_t a = 0; a < body.node_count; ++a) box.include(at(model.velocities, body.first_node + a));
  return box;
}

// The triangles with each node replaced by its index in `nodes`, which is ascending and has all of them.
std::vector<Triangle> in_places(std::vector<Triangle> triangles, std::span<const std::int32_t> nodes) {
  for (Triangle& triangle : triangles)
    for (std::int32_t& node : triangle)
      node = static_cast<std::int32_t>(std::ranges::lower_bound(nodes, node) - nodes.begin());
  return triangles;
}

std::vector<std::int32_t> united(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  TERRACE_ASSERT(std::is_sorted(a.begin(), a.end()) && std::is_sorted(b.begin(), b.end()), a.size(),
                 b.size());
  std::vector<std::int32_t> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

ContactPairs::ContactPairs(const Model& model, std::span<const ContactBody> contact_bodies,
                           const ContactEntry& contact, const Localization& localization,
                           const Layout& layout, std::span<const std::int32_t> local)
    : contact_(contact),
      energy_step_(localization.contact_energy_step),
      speed_(impact_speed(model)),
      own_(!localization.touching_share),
      slice_(layout.name == "slice") {
  EachOnce<std::vector<Triangle>> shapes;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    BodySurface surface{
        body.name, {}, terrace::surface_nodes(body.boundary), contact_bodies[b], velocities_of(model, body)};
    surface.triangles = shapes.keep(in_places(body.boundary, surface.nodes));
    for (std::int32_t& node : surface.nodes) node = at(local, node);  // ascending as in the model
    surfaces_.push_back(std::move(surface));
  }
  shared_surfaces_.resize(surfaces_.size());
  if (contact_.model == ContactModel::hertz) {
    double largest_radius = 0;
    for (const BodySurface& surface : surfaces_)
      largest_radius = std::max(largest_radius, surface.contact.radius);
    // Bodies that all fly alike do not meet each other, but walls.
    const double speed = speed_ > 0 ? speed_ : largest_speed(model);
    hertz_.emplace(model, contact_, speed, pairs_at_start(model, 1.1 * neighbourhood * largest_radius));
  }
  // A pair's d̂ is no larger than that of two bodies like one of the two (contact_parameters).
  for (std::int32_t b = 0; b < bodies(); ++b)
    largest_activation_ = std::max(largest_activation_, activation({b, b}));
  look_at_start(model);
}

std::vector<Triangle> ContactPairs::BodySurface::local_triangles() const {
  std::vector<Triangle> local = *triangles;
  for (Triangle& triangle : local)
    for (std::int32_t& node : triangle) node = at(nodes, node);
  return local;
}

std::vector<BodyPair> ContactPairs::pairs_at_start(const Model& model, double reach) const {
  std::vector<Box> of_bodies;
  for (const Body& body : model.bodies) of_bodies.push_back(bounding_box(model, body));
  BoxIndex boxes;
  boxes.build(std::move(of_bodies));
  std::vector<BodyPair> pairs;
  for (std::int32_t a = 0; a < bodies(); ++a)
    for (const std::int32_t b : boxes.near(boxes[a], reach))
      if (a <= b && may_touch({a, b})) pairs.push_back({a, b});
  return pairs;
}

void ContactPairs::look_at_start(const Model& model) {
  for (const BodyPair& pair : pairs_at_start(model, largest_activation_)) {
    const Body &first = at(model.bodies, pair.first), &second = at(model.bodies, pair.second);
    if (contact_.model == ContactModel::rigid &&
        bounding_box(model, first).overlaps(bounding_box(model, second)))
      require_apart(model.positions, first.boundary, second.boundary,
                    "bodies " + first.name + " and " + second.name);
    if (!contact_.has_layer()) continue;
    ContactParameters chosen = parameters(pair);
    const double usual = chosen.activation;
    adapt_to_start(model, first, second, contact_, chosen);
    if (chosen.activation != usual) adapted_[pair] = chosen;
  }
}

// Taken to be true where there are so many pairs that looking at all of them would take long.
bool ContactPairs::any_may_touch(std::span<const std::int32_t> some,
                                 std::span<const std::int32_t> others) const {
  constexpr std::size_t many = 1000000;
  if (contact_.pairs.empty() || some.size() * others.size() > many) return true;
  return std::ranges::any_of(some, [&](std::int32_t a) {
    return std::ranges::any_of(others, [&](std::int32_t b) { return may_touch({a, b}); });
  });
}

bool ContactPairs::may_touch(const BodyPair& pair) const {
  return terrace::may_touch(contact_, at(surfaces_, pair.first).name, at(surfaces_, pair.second).name);
}

std::span<const std::int32_t> ContactPairs::surface_nodes(std::int32_t body) const {
  return at(surfaces_, body).nodes;
}

ContactParameters ContactPairs::parameters(const BodyPair& pair) const {
  if (hertz_) {
    ContactParameters nearness;
    nearness.activation = hertz_->activation(pair);
    return nearness;
  }
  if (!contact_.has_layer()) return {};
  const auto adapted = adapted_.find(pair);
  if (adapted != adapted_.end()) return adapted->second;
  const ContactBody &first = at(surfaces_, pair.first).contact, &second = at(surfaces_, pair.second).contact;
  if (!last_asked_ || last_asked_->first != first || last_asked_->second != second)
    last_asked_ = {first, second, contact_parameters(first, second, speed_, contact_)};
  return last_asked_->chosen;
}

double ContactPairs::stable_step(const BodyPair& pair) const {
  if (!contact_.smooth()) return infinity;
  if (hertz_) return hertz_->stable_step(pair);
  return contact_stable_step(at(surfaces_, pair.first).contact, at(surfaces_, pair.second).contact, speed_,
                             parameters(pair), contact_.model);
}

// Looks at one pair for each two kinds of equal bodies: chains and packings have few kinds.
double ContactPairs::stable_step() const {
  double least = infinity;
  if (!contact_.smooth()) return least;
  if (hertz_)
    return hertz_->stable_step([&](std::span<const std::int32_t> some, std::span<const std::int32_t> others) {
      return any_may_touch(some, others);
    });
  const auto look_at = [&](const BodyPair& pair) { least = std::min(least, stable_step(pair)); };
  std::map<ContactBody, std::vector<std::int32_t>> kinds;
  for (std::int32_t b = 0; b < bodies(); ++b) kinds[at(surfaces_, b).contact].push_back(b);
  for (const auto& [kind, some] : kinds)
    for (const auto& [other_kind, others] : kinds)
      if (any_may_touch(some, others)) look_at({some.front(), others.front()});
  for (const auto& [pair, chosen] : adapted_) look_at(pair);
  return least;
}

// Why the deck's stiffness is too weak for a pair, as a text for the user; empty where it is not.
std::string ContactPairs::weakness_of(const BodyPair& pair, bool terraces) const {
  const BodySurface &first = at(surfaces_, pair.first), &second = at(surfaces_, pair.second);
  if (contact_.model == ContactModel::barrier) {
    ContactEntry chosen = contact_;
    chosen.stiffness = 0;
    return soft_barrier(contact_.stiffness,
                        contact_parameters(first.contact, second.contact, speed_, chosen).stiffness);
  }
  Box velocities = first.velocities;
  velocities.include(second.velocities.low);
  velocities.include(second.velocities.high);
  const Weakness weak = weakness(first.contact, second.contact, norm(velocities.high - velocities.low),
                                 contact_.stiffness, terraces && own_ ? energy_step_ : 0);
  return weak ? weak.text() : "";
}

// Where the deck gives no stiffness the chosen one is never too weak.
std::vector<Warning> ContactPairs::weak_contact(bool terraces) const {
  if (!contact_.has_layer() || !(contact_.stiffness > 0)) return {};
  const std::int32_t most = std::min(bodies(), 1500);
  std::string first_found;
  std::int64_t more = 0;
  for (std::int32_t a = 0; a < most; ++a)
    for (std::int32_t b = a + 1; b < most; ++b) {
      const std::string weak = weakness_of({a, b}, terraces);
      if (weak.empty() || !may_touch({a, b})) continue;
      if (first_found.empty())
        first_found =
            fmt::format("contact of {} and {}: {}", at(surfaces_, a).name, at(surfaces_, b).name, weak);
      else
        ++more;
    }
  if (first_found.empty()) return {};
  if (more > 0) first_found += fmt::format(" (and {} more pairs)", more);
  return {{"weak contact", first_found}};
}

ContactSurfaces ContactPairs::surfaces_of(const BodyPair& pair, std::span<const Vector3> reference) const {
  const auto shared = [&](std::int32_t body) {
    std::weak_ptr<const TriangulatedSurface>& shared_surface = at(shared_surfaces_, body);
    std::shared_ptr<const TriangulatedSurface> surface = shared_surface.lock();
    if (surface == nullptr) {
      const BodySurface& of_body = at(surfaces_, body);
      surface = make_surface(reference, of_body.local_triangles(), "contact of " + of_body.name);
      shared_surface = surface;
    }
    return surface;
  };
  return {shared(pair.first), shared(pair.second)};
}

std::unique_ptr<Potential> ContactPairs::make(const BodyPair& pair, std::span<const Vector3> reference,
                                              const PairShare& share) const {
  if (hertz_)
    return hertz_->make(pair, reference, at(surfaces_, pair.first).local_triangles(),
                        at(surfaces_, pair.second).local_triangles());
  ContactSurfaces surfaces = surfaces_of(pair, reference);
  if (contact_.model == ContactModel::face_intersection)
    return std::make_unique<FaceIntersection>(std::move(surfaces), contact_.stiffness);
  const ContactParameters chosen = parameters(pair);
  const auto kind =
      contact_.model == ContactModel::barrier ? ContactProfile::Kind::barrier : ContactProfile::Kind::gap;
  return std::make_unique<SurfaceContact>(std::move(surfaces), ContactProfile(kind, chosen.activation),
                                          chosen.stiffness, share);
}

std::unique_ptr<SetConstraint> ContactPairs::make_constraint(const BodyPair& pair,
                                                             std::span<const Vector3> reference) const {
  return std::make_unique<ImpenetrabilityConstraint>(surfaces_of(pair, reference));
}

bool ContactPairs::are_shared_in_touch(const Lagrangian& system, const BodyPair& pair) const {
  return system.communicator->size() > 1 && !slice_ && !own_ && looks_near() &&
         at(system.rank_of_body, pair.first) != at(system.rank_of_body, pair.second);
}

bool ContactPairs::is_everywhere(const Lagrangian& system, const BodyPair& pair, bool in_touch) {
  if (!system.bodies_are_shared_out || system.communicator->size() == 1) return false;
  return !in_touch ||
         (at(system.subdomains, pair.first).everywhere && at(system.subdomains, pair.second).everywhere);
}

// The ranks that hold a pair's potential, or a share of it.
std::vector<int> ContactPairs::ranks_of(const Lagrangian& system, const BodyPair& pair,
                                        std::int32_t subdomain, bool in_touch) const {
  if (is_everywhere(system, pair, in_touch)) return {system.communicator->rank()};
  const int of_first = at(system.rank_of_body, pair.first);
  if (in_touch && are_shared_in_touch(system, pair)) return {of_first, at(system.rank_of_body, pair.second)};
  if (!slice_) return {of_first};
  if (own_ || !contact_.has_layer()) return {subdomain % system.communicator->size()};
  std::vector<int> all(static_cast<std::size_t>(system.communicator->size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

PairSubdomain ContactPairs::subdomain_of(const Lagrangian& system, const BodyPair& pair, std::int32_t number,
                                         bool in_touch) const {
  TERRACE_VERIFY(pair.first >= 0 && pair.first <= pair.second && pair.second < bodies(), pair.first,
                 pair.second, bodies());
  const BodySurface &first = at(surfaces_, pair.first), &second = at(surfaces_, pair.second);
  const bool rigid = contact_.model == ContactModel::rigid;
  PairSubdomain made;
  Subdomain& subdomain = made.subdomain;
  subdomain.name = first.name + "/" + second.name;
  subdomain.energy_step = rigid ? infinity : energy_step_;
  subdomain.terms = usual_contact_terms;
  subdomain.terms_at_node = rigid ? 1 : usual_contact_terms_at_node;
  subdomain.certified = contact_.model != ContactModel::face_intersection;
  subdomain.node_count = static_cast<double>(first.nodes.size() + second.nodes.size());
  subdomain.stable_step =
      std::min(at(system.body_stable_steps, pair.first), at(system.body_stable_steps, pair.second));
  subdomain.stable_contact_step = stable_step(pair);
  subdomain.order = {pair.first, pair.second};
  subdomain.contact = !rigid;
  subdomain.impenetrable = rigid;
  const int all_ranks = system.communicator->size(), me = system.communicator->rank();
  const std::vector<int> ranks = ranks_of(system, pair, number, in_touch);
  const auto parts = static_cast<int>(ranks.size());
  subdomain.only_rank = parts > 1 ? -1 : ranks.front();
  subdomain.everywhere = is_everywhere(system, pair, in_touch);
  subdomain.nodes = united(first.nodes, second.nodes);
  std::copy_if(subdomain.nodes.begin(), subdomain.nodes.end(), std::back_inserter(subdomain.owned_nodes),
               [&](std::int32_t node) { return at(system.owned, node) != 0; });
  SharedNodes::OnAllRanks common;
  int part = -1;  // this rank's
  for (int i = 0; i < parts; ++i) {
    const int rank = ranks[static_cast<std::size_t>(i)];
    if (rank == me) part = i;
    if (parts == all_ranks && all_ranks > 1)
      common.sum = subdomain.nodes;
    else if (rank != me)
      common.receive[rank] = subdomain.nodes;
    else if (all_ranks > 1 && !subdomain.everywhere)
      common.send = subdomain.nodes;
  }
  subdomain.shared_nodes = SharedNodes({}, std::move(common));
  if (rigid && part >= 0) made.constraint = make_constraint(pair, system.reference);
  if (!rigid && part >= 0) made.potential = make(pair, system.reference, PairShare{part, parts});
  return made;
}

}  // namespace terrace
