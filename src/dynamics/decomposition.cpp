#include "dynamics/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "dynamics/contact_pairs.hpp"
#include "dynamics/gravity_loads.hpp"
#include "dynamics/supports.hpp"
#include "mesh/boundary.hpp"
#include "potentials/elastic_potential.hpp"
#include "potentials/plane_contact.hpp"
#include "potentials/stable_step.hpp"

namespace terrace {

namespace {

constexpr std::int32_t no_subdomain = -1;

// A rank has a share of a subdomain's potentials that loads a node, or (no_subdomain) only holds a copy of
// it.
struct Share {
  std::int32_t node, subdomain, rank;
  friend auto operator<=>(const Share&, const Share&) = default;
};

std::vector<Share> all_shares(const Model& model, const Localization& localization, const Layout& layout,
                              int ranks) {
  std::vector<Share> shares;
  shares.reserve(4 * model.tetrahedra.size());
  for (std::size_t e = 0; e < model.tetrahedra.size(); ++e) {
    const Term& term = localization.terms[static_cast<std::size_t>(localization.term_of_tetrahedron[e])];
    for (const std::int32_t node : model.tetrahedra[e])
      shares.push_back({node, term.subdomain, layout.rank_of_tetrahedron[e]});
  }
  // Every rank follows all surfaces, to know which bodies are near each other: it holds their nodes without a
  // share of a potential.
  if (localization.pairs_apart)
    for (const Body& body : model.bodies)
      for (const std::int32_t node : surface_nodes(body.boundary))
        for (int rank = 0; rank < ranks; ++rank) shares.push_back({node, no_subdomain, rank});
  for (const Term& term : localization.terms) {
    if (term.kind == Term::Kind::elastic) continue;
    const std::int32_t rank = layout.rank_of_subdomain[static_cast<std::size_t>(term.subdomain)];
    for (const std::int32_t node : surface_nodes(model.bodies[static_cast<std::size_t>(term.body)].boundary))
      shares.push_back({node, term.subdomain, rank});
    if (term.kind == Term::Kind::contact)
      for (const std::int32_t node :
           surface_nodes(model.bodies[static_cast<std::size_t>(term.second)].boundary))
        shares.push_back({node, term.subdomain, rank});
  }
  std::sort(shares.begin(), shares.end());
  shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
  return shares;
}

class Decomposer {
 public:
  Decomposer(const Model& model, const Localization& localization, const Layout& layout,
             const ContactEntry& contact, Communicator& communicator)
      : model_(model),
        localization_(localization),
        layout_(layout),
        contact_(contact),
        me_(communicator.rank()),
        shares_(all_shares(model, localization, layout, communicator.size())),
        local_(model.positions.size(), -1) {
    system_.communicator = &communicator;
    system_.layout = layout.name;
    system_.touching_bodies_share = localization.touching_share;
  }

  Lagrangian result() {
    take_nodes();
    make_subdomains();
    make_elastic_blocks();
    make_contacts();
    count_terms();
    find_stable_steps();
    return std::move(system_);
  }

 private:
  using Peers = std::map<int, SharedNodes::Peer>;

  static void exchange(Peers& peers, int me, std::int32_t local, const std::set<std::int32_t>& contributors,
                       const std::set<std::int32_t>& holders) {
    if (contributors.contains(me))
      for (const std::int32_t holder : holders)
        if (holder != me) peers[holder].send.push_back(local);
    for (const std::int32_t contributor : contributors)
      if (contributor != me) peers[contributor].receive.push_back(local);
  }

  static SharedNodes shared(Peers& peers) {
    std::vector<SharedNodes::Peer> list;
    for (auto& [rank, peer] : peers) {
      peer.rank = rank;
      list.push_back(std::move(peer));
    }
    return SharedNodes(std::move(list));
  }

  template <class Visit>
  void for_each_node(Visit visit) const {
    for (auto first = shares_.begin(); first != shares_.end();) {
      auto last = first;
      while (last != shares_.end() && last->node == first->node) ++last;
      visit(first, last);
      first = last;
    }
  }

  void take_nodes() {
    for_each_node([&](auto first, auto last) {
      const auto node = static_cast<std::size_t>(first->node);
      int owner = std::numeric_limits<int>::max();
      bool mine = false;
      for (auto share = first; share != last; ++share) {
        owner = std::min(owner, share->rank);
        mine = mine || share->rank == me_;
      }
      if (!mine) return;
      local_[node] = static_cast<std::int32_t>(system_.global_nodes.size());
      system_.global_nodes.push_back(first->node);
      system_.reference.push_back(model_.positions[node]);
      system_.masses.push_back(model_.masses[node]);
      system_.owned.push_back(owner == me_ ? 1 : 0);
    });
    system_.node_count = static_cast<std::int64_t>(model_.positions.size());
    std::vector<std::int32_t> body_of(model_.positions.size(), 0);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body& body = model_.bodies[b];
      system_.body_names.push_back(body.name);
      for (std::int32_t a = 0; a < body.node_count; ++a)
        body_of[static_cast<std::size_t>(body.first_node) + static_cast<std::size_t>(a)] =
            static_cast<std::int32_t>(b);
    }
    for (const std::int32_t node : system_.global_nodes)
      system_.body_of_node.push_back(body_of[static_cast<std::size_t>(node)]);
    for (const Wall& wall : model_.walls) system_.reaction_names.push_back(wall.name);
    system_.reaction_velocities.resize(model_.walls.size(), Vector3{});
  }

  void make_subdomains() {
    const std::size_t count = localization_.subdomains.size();
    system_.subdomains.resize(count);
    std::vector<std::set<std::int32_t>> neighbours(count);
    std::vector<std::set<std::int32_t>> ranks(count);
    std::vector<Peers> peers(count);
    Peers all_peers;
    for_each_node([&](auto first, auto last) {
      std::set<std::int32_t> holders, domains;
      for (auto share = first; share != last; ++share) {
        holders.insert(share->rank);
        if (share->subdomain == no_subdomain) continue;
        domains.insert(share->subdomain);
        ranks[static_cast<std::size_t>(share->subdomain)].insert(share->rank);
      }
      for (const std::int32_t a : domains)
        for (const std::int32_t b : domains)
          if (a != b) neighbours[static_cast<std::size_t>(a)].insert(b);
      const std::int32_t local = local_[static_cast<std::size_t>(first->node)];
      if (local < 0) return;
      for (const std::int32_t domain : domains) {
        std::set<std::int32_t> contributors;
        for (auto share = first; share != last; ++share)
          if (share->subdomain == domain) contributors.insert(share->rank);
        const auto s = static_cast<std::size_t>(domain);
        system_.subdomains[s].nodes.push_back(local);
        if (system_.owned[static_cast<std::size_t>(local)])
          system_.subdomains[s].owned_nodes.push_back(local);
        exchange(peers[s], me_, local, contributors, holders);
      }
      exchange(all_peers, me_, local, holders, holders);
    });
    for (std::size_t s = 0; s < count; ++s) {
      Subdomain& subdomain = system_.subdomains[s];
      const SubdomainPlan& plan = localization_.subdomains[s];
      subdomain.name = plan.name;
      subdomain.energy_step = plan.energy_step;
      subdomain.certified = !plan.contact || contact_.model != ContactModel::face_intersection;
      subdomain.contact = plan.contact || plan.wall;
      subdomain.neighbours.assign(neighbours[s].begin(), neighbours[s].end());
      subdomain.only_rank = ranks[s].empty() ? 0 : ranks[s].size() == 1 ? *ranks[s].begin() : -1;
      subdomain.shared_nodes = shared(peers[s]);
    }
    system_.shared_nodes = shared(all_peers);
  }

  void make_elastic_blocks() {
    std::vector<ElasticBlock> blocks(localization_.terms.size());
    for (std::size_t e = 0; e < model_.tetrahedra.size(); ++e) {
      if (layout_.rank_of_tetrahedron[e] != me_) continue;
      Tetrahedron nodes = model_.tetrahedra[e];
      for (std::int32_t& node : nodes) node = local_[static_cast<std::size_t>(node)];
      ElasticBlock& block = blocks[static_cast<std::size_t>(localization_.term_of_tetrahedron[e])];
      block.tetrahedra.push_back(nodes);
      block.global_tetrahedra.push_back(static_cast<std::int32_t>(e));
    }
    for (std::size_t t = 0; t < blocks.size(); ++t) {
      if (blocks[t].tetrahedra.empty()) continue;
      const Term& term = localization_.terms[t];
      const Body& body = model_.bodies[static_cast<std::size_t>(term.body)];
      blocks[t].body = term.body;
      blocks[t].subdomain = term.subdomain;
      blocks[t].density = model_.materials[static_cast<std::size_t>(body.material)].density;
      blocks[t].potential = static_cast<std::int32_t>(system_.potentials.size());
      auto elastic = make_elastic(system_.reference, blocks[t].tetrahedra,
                                  model_.materials[static_cast<std::size_t>(body.material)],
                                  blocks[t].global_tetrahedra);
      blocks[t].elastic = elastic.get();
      add(term, std::move(elastic));
      system_.elastic_blocks.push_back(std::move(blocks[t]));
    }
  }

  void make_contacts() {
    if (contact_.model != ContactModel::none) {
      pairs_ = std::make_shared<ContactPairs>(model_, contact_, localization_, layout_, local_, system_.owned,
                                              system_.communicator->size(), me_);
      if (localization_.pairs_apart) system_.contact_pairs = pairs_;
      system_.has_contact = pairs_->has_energy();
    }
    for (const Term& term : localization_.terms) {
      if (term.kind == Term::Kind::elastic) continue;
      // On all ranks, so that all find the same errors.
      const ContactParameters at_wall =
          term.kind == Term::Kind::wall ? parameters_at_wall(term) : ContactParameters{};
      system_.has_contact = true;
      if (layout_.rank_of_subdomain[static_cast<std::size_t>(term.subdomain)] != me_) continue;
      add(term, term.kind == Term::Kind::wall ? wall_contact(term, at_wall)
                                              : pairs_->make({term.body, term.second}, system_.reference));
    }
  }

  // Of a barrier; a penalty needs none.
  ContactParameters parameters_at_wall(const Term& term) const {
    const Body& body = model_.bodies[static_cast<std::size_t>(term.body)];
    const Wall& wall = model_.walls[static_cast<std::size_t>(term.second)];
    if (wall.model == WallModel::penalty) return {};
    ContactParameters parameters =
        wall_parameters(contact_body(model_, body), largest_speed(model_, body), wall);
    adapt_to_wall(model_, body, wall, contact_, parameters);
    return parameters;
  }

  // A wall with two sides turns its normal to the body.
  std::unique_ptr<Potential> wall_contact(const Term& term, const ContactParameters& parameters) const {
    const Body& body = model_.bodies[static_cast<std::size_t>(term.body)];
    Wall wall = model_.walls[static_cast<std::size_t>(term.second)];
    const Vector3& node = model_.positions[static_cast<std::size_t>(body.first_node)];
    if (wall.two_sided && dot(node - wall.point, wall.normal) < 0) wall.normal = -1 * wall.normal;
    std::vector<std::int32_t> nodes = surface_nodes(body.boundary);
    const bool penalty = wall.model == WallModel::penalty;
    const std::vector<double> weights =
        penalty ? std::vector<double>(nodes.size(), 1.0) : node_areas(body.boundary, nodes, model_.positions);
    for (std::int32_t& node_number : nodes) node_number = local_[static_cast<std::size_t>(node_number)];
    const ContactProfile profile = penalty
                                       ? ContactProfile(ContactProfile::Kind::penalty, 0)
                                       : ContactProfile(ContactProfile::Kind::barrier, parameters.activation);
    return std::make_unique<PlaneContact>(system_.reference, nodes, weights, Plane{wall.point, wall.normal},
                                          profile, penalty ? wall.stiffness : parameters.stiffness,
                                          "wall " + wall.name);
  }

  void add(const Term& term, std::unique_ptr<Potential> potential) {
    Subdomain& subdomain = system_.subdomains[static_cast<std::size_t>(term.subdomain)];
    subdomain.potentials.push_back(potential.get());
    subdomain.reaction_of_potential.push_back(term.kind == Term::Kind::wall ? term.second : -1);
    system_.potentials.push_back(std::move(potential));
  }

  // Elements at a node, the most of each body.
  std::vector<double> valences() const {
    std::vector<std::int32_t> valence(model_.positions.size(), 0);
    for (const Tetrahedron& tetrahedron : model_.tetrahedra)
      for (const std::int32_t node : tetrahedron) ++valence[static_cast<std::size_t>(node)];
    std::vector<double> most(model_.bodies.size(), 0.0);
    for (std::size_t b = 0; b < most.size(); ++b) {
      const auto first = valence.begin() + model_.bodies[b].first_node;
      most[b] = static_cast<double>(*std::max_element(first, first + model_.bodies[b].node_count));
    }
    return most;
  }

  // Calls visit(subdomain, body) for every body a term of the subdomain loads.
  template <class Visit>
  void for_each_load(Visit visit) {
    for (const Term& term : localization_.terms) {
      Subdomain& subdomain = system_.subdomains[static_cast<std::size_t>(term.subdomain)];
      visit(subdomain, static_cast<std::size_t>(term.body));
      if (term.kind == Term::Kind::contact) visit(subdomain, static_cast<std::size_t>(term.second));
    }
  }

  // The numbers of terms, the same on all ranks, from the whole model. They decide grids, so that those of
  // bodies a subdomain does not load must not count.
  void count_terms() {
    const std::vector<double> valence = valences();
    for (const std::int32_t term : localization_.term_of_tetrahedron)
      system_
          .subdomains[static_cast<std::size_t>(localization_.terms[static_cast<std::size_t>(term)].subdomain)]
          .elements += 1;
    for_each_load([&](Subdomain& subdomain, std::size_t body) {
      subdomain.terms_at_node = std::max(subdomain.terms_at_node, valence[body]);
      subdomain.node_count += model_.bodies[body].node_count;
    });
    for (std::size_t s = 0; s < system_.subdomains.size(); ++s) {
      Subdomain& subdomain = system_.subdomains[s];
      const bool contact = localization_.subdomains[s].contact || localization_.subdomains[s].wall;
      subdomain.terms = subdomain.elements + (contact ? usual_contact_terms : 1);
      subdomain.terms_at_node += contact ? usual_contact_terms_at_node : 1;
      subdomain.order = {-1, static_cast<std::int32_t>(s)};
    }
  }

  void find_stable_steps() {
    std::vector<double> largest_rates(model_.bodies.size(), 0.0);
    for (const ElasticBlock& block : system_.elastic_blocks) {
      const auto b = static_cast<std::size_t>(block.body);
      const double step =
          element_stable_step(system_.reference, block.tetrahedra,
                              model_.materials[static_cast<std::size_t>(model_.bodies[b].material)]);
      largest_rates[b] = std::max(largest_rates[b], 1 / step);
    }
    system_.communicator->maximum(largest_rates);
    for (const double rate : largest_rates) system_.body_stable_steps.push_back(1 / rate);
    system_.stable_step =
        *std::min_element(system_.body_stable_steps.begin(), system_.body_stable_steps.end());
    for_each_load([&](Subdomain& subdomain, std::size_t body) {
      const double step = system_.body_stable_steps[body];
      if (!(subdomain.stable_step > 0) || step < subdomain.stable_step) subdomain.stable_step = step;
    });
    constexpr double infinity = std::numeric_limits<double>::infinity();
    // ω² of all springs on a node is at most the sum.
    const double pairs = pairs_ ? pairs_->stable_step() : infinity;
    system_.stable_contact_step = 1 / norm({1 / pairs, 1 / stable_step_at_walls(), 0});
  }

  // A node in a corner is on the springs of several walls.
  double stable_step_at_walls() const {
    std::vector<double> squared_rates(model_.bodies.size(), 0.0);
    for (const Term& term : localization_.terms) {
      if (term.kind != Term::Kind::wall) continue;
      const auto body = static_cast<std::size_t>(term.body);
      const double step =
          wall_stable_step(model_, model_.bodies[body], model_.walls[static_cast<std::size_t>(term.second)],
                           parameters_at_wall(term));
      squared_rates[body] += 1 / (step * step);
    }
    return 1 / std::sqrt(*std::max_element(squared_rates.begin(), squared_rates.end()));
  }

  const Model& model_;
  const Localization& localization_;
  const Layout& layout_;
  const ContactEntry& contact_;
  int me_;
  std::vector<Share> shares_;
  std::shared_ptr<ContactPairs> pairs_;  // null without contact of bodies
  std::vector<std::int32_t> local_;      // local number of each model node, −1 where this rank has no copy
  Lagrangian system_;
};

}  // namespace

Lagrangian decompose(const Model& model, const Localization& localization, const Layout& layout,
                     const ContactEntry& contact, Communicator& communicator) {
  Lagrangian system = Decomposer(model, localization, layout, contact, communicator).result();
  hold_nodes(model, system);
  add_gravity(model, localization, layout, system);
  return system;
}

}  // namespace terrace
