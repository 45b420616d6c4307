#include "dynamics/system/localization.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "dynamics/system/contact_parameters.hpp"
#include "mesh/partition.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/on_last_rank.hpp"

namespace terrace {

namespace {

/// The most contact pairs that may be terms. Each has its lists of triangles, whether its bodies ever meet or
/// not: time and memory are quadratic in the number of bodies.
constexpr std::size_t most_pairs_from_the_start = 20000;

// Disjoint sets of terms; the member with the least number represents its set.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t first(std::size_t term) {
    while (parent_[term] != term) term = parent_[term] = parent_[parent_[term]];
    return term;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t of_a = first(a), of_b = first(b);
    parent_[std::max(of_a, of_b)] = std::min(of_a, of_b);
  }

 private:
  std::vector<std::size_t> parent_;
};

/// For every tetrahedron the part of its body that it is in; each body is cut on its own.
std::vector<std::int32_t> parts_of_bodies(const Model& model, const LocalizationEntry& choice) {
  std::vector<std::int32_t> part_of;
  part_of.reserve(model.tetrahedra.size());
  for (const Body& body : model.bodies) {
    const auto first = model.tetrahedra.begin() + body.first_tetrahedron;
    std::vector<Tetrahedron> tetrahedra(first, first + body.tetrahedron_count);
    for (Tetrahedron& tetrahedron : tetrahedra)
      for (std::int32_t& node : tetrahedron) node -= body.first_node;
    const std::vector<std::int32_t> part =
        partition_tetrahedra(std::move(tetrahedra), body.node_count, parts_of(body, choice));
    part_of.insert(part_of.end(), part.begin(), part.end());
  }
  return part_of;
}

void add_elastic_terms(const Model& model, const LocalizationEntry& choice, MPI_Comm communicator,
                       Localization& result) {
  const std::size_t count = model.tetrahedra.size();
  if (choice.kind != LocalizationKind::metis || choice.parts == 1)
    result.term_of_tetrahedron.assign(count, 0);
  else
    result.term_of_tetrahedron =
        on_last_rank(communicator, count, [&] { return parts_of_bodies(model, choice); });
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const auto first_term = static_cast<std::int32_t>(result.terms.size());
    for (std::int32_t e = 0; e < body.tetrahedron_count; ++e)
      at(result.term_of_tetrahedron, body.first_tetrahedron + e) += first_term;
    for (int p = 0; p < parts_of(body, choice); ++p)
      result.terms.push_back({Term::Kind::elastic, static_cast<std::int32_t>(b), p, -1});
  }
}

void add_contact_terms(const Model& model, const ContactEntry& contact, Localization& result) {
  const auto bodies = static_cast<std::int32_t>(model.bodies.size());
  const std::size_t most = result.terms.size() + most_pairs_from_the_start;
  if (!result.pairs_apart)
    for (std::int32_t a = 0; a < bodies; ++a)
      for (std::int32_t b = a; b < bodies; ++b) {
        if (!may_touch(contact, at(model.bodies, a).name, at(model.bodies, b).name)) continue;
        if (result.terms.size() == most)
          throw Error(
              Error::Kind::input, contact.where,
              fmt::format("at most {} pairs of bodies whose contact is on a terrace from the start to the "
                          "end: localization.kind = \"bodies\" with localization.contact = \"touching\" "
                          "or \"own\" for more",
                          most_pairs_from_the_start),
              fmt::format("more, of {} bodies", bodies));
        result.terms.push_back({Term::Kind::contact, a, b, -1});
      }
  for (std::size_t w = 0; w < model.walls.size(); ++w)
    for (std::int32_t b = 0; b < bodies; ++b)
      result.terms.push_back({Term::Kind::wall, b, static_cast<std::int32_t>(w), -1});
}

// By body: its elastic terms that hold nodes of its surface, which contact loads.
std::vector<std::vector<std::size_t>> surface_terms(const Model& model, const Localization& localization) {
  std::vector<std::uint8_t> on_surface(model.positions.size(), 0);
  for (const Body& body : model.bodies)
    for (const Triangle& triangle : body.boundary)
      for (const std::int32_t node : triangle) at(on_surface, node) = 1;
  std::vector<std::vector<std::size_t>> terms(model.bodies.size());
  for (std::size_t e = 0; e < model.tetrahedra.size(); ++e) {
    const Tetrahedron& nodes = model.tetrahedra[e];
    if (std::none_of(nodes.begin(), nodes.end(), [&](auto a) { return at(on_surface, a); })) continue;
    auto& of_body = at(terms, model.body_of_tetrahedron[e]);
    const auto term = static_cast<std::size_t>(localization.term_of_tetrahedron[e]);
    if (std::find(of_body.begin(), of_body.end(), term) == of_body.end()) of_body.push_back(term);
  }
  return terms;
}

std::string term_name(const Model& model, const Term& term, int parts) {
  const std::string body = at(model.bodies, term.body).name;
  switch (term.kind) {
    case Term::Kind::contact:
      return body + "/" + at(model.bodies, term.second).name;
    case Term::Kind::wall:
      return body + "/" + at(model.walls, term.second).name;
    case Term::Kind::elastic:
      break;
  }
  return parts == 1 ? body : body + "." + std::to_string(term.second + 1);
}

void number_subdomains(const Model& model, int parts, double energy_step, Groups& groups,
                       Localization& result) {
  std::vector<std::int32_t> number(result.terms.size(), -1);
  std::vector<int> members;
  for (std::size_t t = 0; t < result.terms.size(); ++t) {
    const std::size_t first = groups.first(t);
    Term& term = result.terms[t];
    if (number[first] < 0) {
      number[first] = static_cast<std::int32_t>(result.subdomains.size());
      const double step = term.kind == Term::Kind::elastic ? energy_step : result.contact_energy_step;
      result.subdomains.push_back({term_name(model, term, parts), step, false, false});
      members.push_back(0);
    }
    term.subdomain = number[first];
    const auto s = static_cast<std::size_t>(term.subdomain);
    SubdomainPlan& plan = result.subdomains[s];
    if (term.kind == Term::Kind::contact) plan.contact = true;
    if (term.kind == Term::Kind::wall) plan.wall = true;
    if (++members[s] == 2) plan.name += " and more";
  }
}

}  // namespace

// Bodies that balance under pressure need one terrace in common if their forces are smooth: tests/README.md,
// A7.
ContactLocalization resolved(ContactLocalization choice, const ContactEntry& contact) {
  if (choice != ContactLocalization::automatic) return choice;
  // Without contact of bodies there may be walls, whose forces are smooth.
  const bool forces_are_smooth = contact.smooth() || contact.model == ContactModel::none;
  // Contact with an energy step of its own needs a terrace of its own.
  return forces_are_smooth && !(contact.energy_step > 0) ? ContactLocalization::touching
                                                         : ContactLocalization::own;
}

int parts_of(const Body& body, const LocalizationEntry& choice) {
  return choice.kind == LocalizationKind::metis ? std::min(choice.parts, body.tetrahedron_count) : 1;
}

Localization localize(const Model& model, const LocalizationEntry& choice, const ContactEntry& contact,
                      double energy_step, MPI_Comm communicator) {
  Localization result;
  const ContactLocalization of_contact = resolved(choice.contact, contact);
  const int parts = choice.kind == LocalizationKind::metis ? choice.parts : 1;
  add_elastic_terms(model, choice, communicator, result);
  const std::size_t elastic = result.terms.size();
  // A set constraint has an infinite energy step: it can share no terrace with potentials of finite steps.
  const bool rigid = contact.model == ContactModel::rigid;
  result.pairs_apart =
      rigid || (of_contact != ContactLocalization::with_bodies && choice.kind != LocalizationKind::global);
  result.touching_share = result.pairs_apart && !rigid && of_contact == ContactLocalization::touching;
  if (contact.energy_step > 0 && result.touching_share)
    throw Error(
        Error::Kind::input, contact.where,
        "no contact.energy_step with localization.contact = \"touching\": touching bodies share a terrace",
        "contact.energy_step");
  result.contact_energy_step = contact.energy_step > 0 ? contact.energy_step : energy_step;
  add_contact_terms(model, contact, result);

  Groups groups(result.terms.size());
  if (choice.kind == LocalizationKind::global)
    for (std::size_t t = 1; t < result.terms.size(); ++t) groups.join(0, t);
  // Where pairs are apart the terms behind the elastic ones are walls alone.
  if (of_contact != ContactLocalization::own) {
    const auto loaded = surface_terms(model, result);
    for (std::size_t t = elastic; t < result.terms.size(); ++t) {
      const Term& term = result.terms[t];
      for (const std::size_t other : at(loaded, term.body)) groups.join(t, other);
      if (term.kind == Term::Kind::contact)
        for (const std::size_t other : at(loaded, term.second)) groups.join(t, other);
    }
  }
  number_subdomains(model, parts, energy_step, groups, result);
  return result;
}

}  // namespace terrace
