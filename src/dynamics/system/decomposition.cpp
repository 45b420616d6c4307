#include "dynamics/system/decomposition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/system/gravity_loads.hpp"
#include "dynamics/system/mesh_system.hpp"
#include "dynamics/system/supports.hpp"
#include "dynamics/system/system_builder.hpp"
#include "dynamics/system/walls.hpp"
#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

class Decomposer {
 public:
  Decomposer(const Model& model, const Localization& localization, const Layout& layout,
             const ContactEntry& contact, Communicator& communicator, Elements elements,
             const Lagrangian* known)
      : model_(model),
        localization_(localization),
        layout_(layout),
        contact_(contact),
        elements_(elements),
        known_(known),
        squared_rates_at_walls_(model.bodies.size(), 0.0),
        builder_(communicator, model.positions, model.masses),
        walls_(model, builder_),
        system_(builder_.system()) {
    system_.layout = layout.name;
    system_.touching_bodies_share = localization.touching_share;
    if (contact.model != ContactModel::none || !model.walls.empty()) contact_bodies_ = contact_bodies(model);
  }

  Lagrangian result() {
    plan_subdomains();
    load_bodies(model_, localization_, layout_, builder_);
    for (const Wall& wall : model_.walls) builder_.add_reaction(wall.name);
    load_surfaces();
    builder_.number_nodes();
    make_elastic_blocks(model_, localization_, layout_, elements_,
                        known_ == nullptr ? std::span<const double>() : std::span(known_->body_stable_steps),
                        builder_);
    make_contacts();
    count_terms();
    find_stable_steps();
    hold_nodes(model_, builder_);
    add_gravity(model_, localization_, layout_, builder_);
    return builder_.finish();
  }

 private:
  [[nodiscard]] const Body& body(std::int32_t number) const { return at(model_.bodies, number); }

  // Calls visit(body) for every body a term loads.
  template <class Visit>
  static void for_each_body(const Term& term, Visit visit) {
    visit(term.body);
    if (term.kind == Term::Kind::contact) visit(term.second);
  }

  void plan_subdomains() {
    for (std::size_t s = 0; s < localization_.subdomains.size(); ++s) {
      const SubdomainPlan& plan = localization_.subdomains[s];
      Subdomain subdomain;
      subdomain.name = plan.name;
      subdomain.energy_step = plan.energy_step;
      subdomain.certified = !plan.contact || contact_.model != ContactModel::face_intersection;
      subdomain.contact = plan.contact || plan.wall;
      subdomain.order = {-1, static_cast<std::int32_t>(s)};
      builder_.add_subdomain(std::move(subdomain));
    }
  }

  // In windows each rank follows surfaces in the whole system, which it has beside its share.
  [[nodiscard]] bool follows_surfaces_elsewhere() const { return layout_.name == "windows"; }

  // Where bodies may touch every rank follows all surfaces, to know which are near each other. So it holds
  // their nodes, whether its potentials load them or not.
  void load_surfaces() {
    if (localization_.pairs_apart && contact_.model != ContactModel::none && !follows_surfaces_elsewhere())
      for (const Body& each : model_.bodies) builder_.hold_on_all_ranks(surface_nodes(each.boundary));
    for (const Term& term : localization_.terms) {
      if (term.kind == Term::Kind::elastic) continue;
      for_each_body(term, [&](std::int32_t number) {
        builder_.load(surface_nodes(body(number).boundary), term.subdomain, rank_of(term));
      });
    }
  }

  [[nodiscard]] std::int32_t rank_of(const Term& term) const {
    return at(layout_.rank_of_subdomain, term.subdomain);
  }

  // A body's rank is that of its first elastic term.
  void find_ranks_of_bodies() {
    system_.rank_of_body.assign(model_.bodies.size(), -1);
    for (const Term& term : localization_.terms) {
      int& rank = at(system_.rank_of_body, term.body);
      if (term.kind == Term::Kind::elastic && rank < 0) rank = rank_of(term);
    }
  }

  [[nodiscard]] std::shared_ptr<const ContactPairs> pairs_of_bodies() const {
    if (known_ != nullptr && known_->contact_pairs != nullptr) return known_->contact_pairs;
    std::vector<std::int32_t> of_model;
    if (localization_.pairs_apart && follows_surfaces_elsewhere()) {
      of_model.resize(model_.positions.size());
      std::iota(of_model.begin(), of_model.end(), 0);
    }
    return std::make_shared<ContactPairs>(
        model_, contact_bodies_, contact_, localization_, layout_,
        of_model.empty() ? builder_.local_numbers() : std::span(std::as_const(of_model)));
  }

  void make_contacts() {
    if (contact_.model != ContactModel::none) {
      find_ranks_of_bodies();
      pairs_ = pairs_of_bodies();
      if (localization_.pairs_apart) system_.contact_pairs = pairs_;
      system_.has_contact = pairs_->has_energy();
    }
    for (const Term& term : localization_.terms) {
      if (term.kind == Term::Kind::contact) make_pair(term);
      if (term.kind == Term::Kind::wall) make_wall(term);
    }
  }

  void make_pair(const Term& term) {
    system_.has_contact = true;
    if (rank_of(term) != system_.communicator->rank()) return;
    builder_.add(term.subdomain, pairs_->make({term.body, term.second}, system_.reference));
  }

  void make_wall(const Term& term) {
    const WallMeeting meeting =
        meet(model_, contact_bodies_, term, contact_);  // on all ranks, so that all throw the same errors
    system_.has_contact = true;
    const double step = stable_step_at_wall(model_, meeting);
    at(squared_rates_at_walls_, term.body) += 1 / (step * step);
    if (rank_of(term) != system_.communicator->rank()) return;
    builder_.add(term.subdomain, walls_.of(meeting), term.second);
  }

  // Counts terms from the whole model, the same on all ranks. The numbers decide grids, so that they must not
  // depend on bodies that a subdomain does not load.
  void count_terms() {
    for (const std::int32_t term : localization_.term_of_tetrahedron)
      builder_.subdomain(at(localization_.terms, term).subdomain).elements += 1;
    const std::vector<double> valence = valences(model_);
    for (const Term& term : localization_.terms) {
      Subdomain& subdomain = builder_.subdomain(term.subdomain);
      for_each_body(term, [&](std::int32_t number) {
        subdomain.terms_at_node = std::max(subdomain.terms_at_node, at(valence, number));
        subdomain.node_count += body(number).node_count;
      });
    }
    for (Subdomain& subdomain : system_.subdomains) {
      subdomain.terms = subdomain.elements + (subdomain.contact ? usual_contact_terms : 1);
      subdomain.terms_at_node += subdomain.contact ? usual_contact_terms_at_node : 1;
    }
  }

  void find_stable_steps() {
    for (const Term& term : localization_.terms) {
      Subdomain& subdomain = builder_.subdomain(term.subdomain);
      for_each_body(term, [&](std::int32_t number) {
        const double step = at(system_.body_stable_steps, number);
        if (!(subdomain.stable_step > 0) || step < subdomain.stable_step) subdomain.stable_step = step;
      });
    }
    find_stable_contact_steps();
  }

  void find_stable_contact_steps() {
    std::vector<double> at_walls;  // by body
    for (const double squared : squared_rates_at_walls_) at_walls.push_back(1 / std::sqrt(squared));
    std::vector<double> pairs(system_.subdomains.size(), infinity), walls = pairs;
    for (const Term& term : localization_.terms) {
      const auto shorten = [&](std::vector<double>& steps, double step) {
        double& of_subdomain = at(steps, term.subdomain);
        of_subdomain = std::min(of_subdomain, step);
      };
      if (term.kind == Term::Kind::contact) shorten(pairs, pairs_->stable_step({term.body, term.second}));
      if (term.kind == Term::Kind::wall) shorten(walls, at(at_walls, term.body));
    }
    for (std::size_t s = 0; s < system_.subdomains.size(); ++s)
      system_.subdomains[s].stable_contact_step = stable_together(pairs[s], walls[s]);
    system_.stable_contact_step =
        stable_together(pairs_ ? pairs_->stable_step() : infinity, *std::ranges::min_element(at_walls));
  }

  const Model& model_;
  const Localization& localization_;
  const Layout& layout_;
  const ContactEntry& contact_;
  Elements elements_;
  const Lagrangian* known_;
  std::vector<ContactBody> contact_bodies_;  // empty where nothing is touched
  // By body, of the springs of all its walls together, as a node in a corner is on several [1/s²].
  std::vector<double> squared_rates_at_walls_;
  SystemBuilder builder_;
  WallPotentials walls_;
  Lagrangian& system_;                         // what it has made so far
  std::shared_ptr<const ContactPairs> pairs_;  // null without contact of bodies
};

}  // namespace

Lagrangian decompose(const Model& model, const Localization& localization, const Layout& layout,
                     const ContactEntry& contact, Communicator& communicator, Elements elements,
                     const Lagrangian* known) {
  return Decomposer(model, localization, layout, contact, communicator, elements, known).result();
}

}  // namespace terrace
