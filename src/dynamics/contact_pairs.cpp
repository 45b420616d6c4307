#include "dynamics/contact_pairs.hpp"

#include <algorithm>
#include <limits>

#include "mesh/boundary.hpp"
#include "mesh/overlap.hpp"
#include "potentials/face_intersection.hpp"
#include "potentials/set_constraint.hpp"
#include "potentials/surface_contact.hpp"

namespace terrace {
namespace {

std::int32_t rank_of_body(std::size_t body, const Localization& localization, const Layout& layout) {
  for (const Term& term : localization.terms)
    if (term.kind == Term::Kind::elastic && static_cast<std::size_t>(term.body) == body)
      return layout.rank_of_subdomain[static_cast<std::size_t>(term.subdomain)];
  return 0;
}

std::vector<std::int32_t> united(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  std::vector<std::int32_t> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

ContactPairs::ContactPairs(const Model& model, const ContactEntry& contact, const Localization& localization,
                           const Layout& layout, std::span<const std::int32_t> local,
                           std::span<const std::uint8_t> owned, int ranks, int me)
    : contact_(contact),
      energy_step_(localization.contact_energy_step),
      speed_(impact_speed(model)),
      slice_(layout.name == "slice"),
      ranks_(ranks),
      me_(me) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    BodySurface surface{body.name, body.boundary, {}, {}, contact_body(model, body), 0};
    for (Triangle& triangle : surface.triangles)
      for (std::int32_t& node : triangle) node = local[static_cast<std::size_t>(node)];
    surface.nodes = terrace::surface_nodes(surface.triangles);
    for (const std::int32_t node : surface.nodes)
      if (node >= 0 && owned[static_cast<std::size_t>(node)] != 0) surface.owned.push_back(node);
    surface.rank = rank_of_body(b, localization, layout);
    surfaces_.push_back(std::move(surface));
  }
  // The activation distance of a pair follows the finer surface of the two.
  for (std::int32_t b = 0; b < bodies(); ++b)
    largest_activation_ = std::max(largest_activation_, activation({b, b}));
  look_at_start(model);
}

void ContactPairs::look_at_start(const Model& model) {
  std::vector<Box> boxes;
  for (const Body& body : model.bodies) boxes.push_back(bounding_box(model, body));
  for (std::int32_t a = 0; a < bodies(); ++a)
    for (std::int32_t b = a; b < bodies(); ++b) {
      const BodyPair pair{a, b};
      const Body &first = model.bodies[static_cast<std::size_t>(a)],
                 &second = model.bodies[static_cast<std::size_t>(b)];
      if (!boxes[static_cast<std::size_t>(a)].overlaps(boxes[static_cast<std::size_t>(b)],
                                                       largest_activation_) ||
          !may_touch(pair))
        continue;
      if (contact_.model == ContactModel::rigid &&
          boxes[static_cast<std::size_t>(a)].overlaps(boxes[static_cast<std::size_t>(b)]))
        require_apart(model.positions, first.boundary, second.boundary,
                      "bodies " + first.name + " and " + second.name);
      if (!contact_.smooth()) continue;
      ContactParameters chosen = parameters(pair);
      if (!boxes[static_cast<std::size_t>(a)].overlaps(boxes[static_cast<std::size_t>(b)], chosen.activation))
        continue;
      const double usual = chosen.activation;
      adapt_to_start(model, first, second, contact_, chosen);
      if (chosen.activation != usual) adapted_[pair] = chosen;
    }
}

bool ContactPairs::may_touch(const BodyPair& pair) const {
  return terrace::may_touch(contact_, surfaces_[static_cast<std::size_t>(pair.first)].name,
                            surfaces_[static_cast<std::size_t>(pair.second)].name);
}

std::span<const std::int32_t> ContactPairs::surface_nodes(std::int32_t body) const {
  return surfaces_[static_cast<std::size_t>(body)].nodes;
}

ContactParameters ContactPairs::parameters(const BodyPair& pair) const {
  if (!contact_.smooth()) return {};
  const auto adapted = adapted_.find(pair);
  if (adapted != adapted_.end()) return adapted->second;
  return contact_parameters(surfaces_[static_cast<std::size_t>(pair.first)].contact,
                            surfaces_[static_cast<std::size_t>(pair.second)].contact, speed_, contact_);
}

// Equal bodies are looked at once: chains and packings have few kinds.
double ContactPairs::stable_step() const {
  double least = std::numeric_limits<double>::infinity();
  if (!contact_.smooth()) return least;
  const auto look_at = [&](const BodyPair& pair) {
    least = std::min(least, contact_stable_step(surfaces_[static_cast<std::size_t>(pair.first)].contact,
                                                surfaces_[static_cast<std::size_t>(pair.second)].contact,
                                                speed_, parameters(pair), contact_.model));
  };
  std::vector<std::int32_t> kinds;
  for (std::int32_t b = 0; b < bodies(); ++b)
    if (std::none_of(kinds.begin(), kinds.end(), [&](std::int32_t kind) {
          return surfaces_[static_cast<std::size_t>(kind)].contact ==
                 surfaces_[static_cast<std::size_t>(b)].contact;
        }))
      kinds.push_back(b);
  for (const std::int32_t a : kinds)
    for (const std::int32_t b : kinds) look_at({a, b});
  for (const auto& [pair, chosen] : adapted_) look_at(pair);
  return least;
}

static std::string contact_of(const auto& first, const auto& second) {
  return "contact of " + first.name + " and " + second.name;
}

std::unique_ptr<Potential> ContactPairs::make(const BodyPair& pair, std::span<const Vector3> reference,
                                              const PairShare& share) const {
  const BodySurface &first = surfaces_[static_cast<std::size_t>(pair.first)],
                    &second = surfaces_[static_cast<std::size_t>(pair.second)];
  if (contact_.model == ContactModel::face_intersection)
    return std::make_unique<FaceIntersection>(reference, first.triangles, second.triangles,
                                              contact_.stiffness);
  const ContactParameters chosen = parameters(pair);
  const auto kind =
      contact_.model == ContactModel::barrier ? ContactProfile::Kind::barrier : ContactProfile::Kind::gap;
  return std::make_unique<SurfaceContact>(reference, first.triangles, second.triangles,
                                          ContactProfile(kind, chosen.activation), chosen.stiffness,
                                          contact_of(first, second), share);
}

std::unique_ptr<SetConstraint> ContactPairs::make_constraint(const BodyPair& pair,
                                                             std::span<const Vector3> reference) const {
  const BodySurface &first = surfaces_[static_cast<std::size_t>(pair.first)],
                    &second = surfaces_[static_cast<std::size_t>(pair.second)];
  return std::make_unique<ImpenetrabilityConstraint>(reference, first.triangles, second.triangles,
                                                     contact_of(first, second));
}

// The rank that holds a pair's potential where it is not divided.
int ContactPairs::rank_of(const BodyPair& pair, std::size_t subdomain) const {
  return slice_ ? static_cast<int>(subdomain) % ranks_ : surfaces_[static_cast<std::size_t>(pair.first)].rank;
}

void ContactPairs::remove_last(Lagrangian& system) const {
  const Subdomain& last = system.subdomains.back();
  if (!last.potentials.empty()) system.potentials.pop_back();
  if (last.constraint != nullptr) system.constraints.pop_back();
  system.subdomains.pop_back();
}

std::int32_t ContactPairs::create(Lagrangian& system, const BodyPair& pair) const {
  const BodySurface &first = surfaces_[static_cast<std::size_t>(pair.first)],
                    &second = surfaces_[static_cast<std::size_t>(pair.second)];
  const bool rigid = contact_.model == ContactModel::rigid;
  Subdomain subdomain;
  subdomain.name = first.name + "/" + second.name;
  subdomain.energy_step = rigid ? std::numeric_limits<double>::infinity() : energy_step_;
  subdomain.terms = usual_contact_terms;
  subdomain.terms_at_node = rigid ? 1 : usual_contact_terms_at_node;
  subdomain.certified = contact_.model != ContactModel::face_intersection;
  subdomain.node_count = static_cast<double>(first.nodes.size() + second.nodes.size());
  subdomain.stable_step = std::min(system.body_stable_steps[static_cast<std::size_t>(pair.first)],
                                   system.body_stable_steps[static_cast<std::size_t>(pair.second)]);
  subdomain.order = {pair.first, pair.second};
  subdomain.contact = !rigid;
  subdomain.impenetrable = rigid;
  const int rank_of_pair = rank_of(pair, system.subdomains.size());
  const bool divided = slice_ && ranks_ > 1 && system.touching_bodies_share && contact_.smooth();
  subdomain.only_rank = divided ? -1 : rank_of_pair;
  subdomain.nodes = united(first.nodes, second.nodes);
  subdomain.owned_nodes = united(first.owned, second.owned);
  const bool mine = rank_of_pair == me_;
  std::vector<SharedNodes::Peer> peers;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank == me_ || !(divided || mine || rank == rank_of_pair)) continue;
    const bool sends = divided || mine, receives = divided || !mine;
    peers.push_back({rank, sends ? subdomain.nodes : std::vector<std::int32_t>{},
                     receives ? subdomain.nodes : std::vector<std::int32_t>{}});
  }
  if (rigid && mine) {
    system.constraints.push_back(make_constraint(pair, system.reference));
    subdomain.constraint = system.constraints.back().get();
  } else if (divided || mine) {
    system.potentials.push_back(make(pair, system.reference, divided ? PairShare{me_, ranks_} : PairShare{}));
    subdomain.potentials.push_back(system.potentials.back().get());
    subdomain.reaction_of_potential.push_back(-1);
  }
  subdomain.shared_nodes = SharedNodes(std::move(peers));
  system.subdomains.push_back(std::move(subdomain));
  return static_cast<std::int32_t>(system.subdomains.size()) - 1;
}

}  // namespace terrace
