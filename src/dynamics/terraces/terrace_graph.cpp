#include "dynamics/terraces/terrace_graph.hpp"

#include <algorithm>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/sort_each_once.hpp"
#include "parallel/profile.hpp"

namespace terrace {

// Calls visit(body) for the bodies whose surfaces a member (a subdomain that is no group) loads.
template <class Visit>
void TerraceGraph::visit_bodies(std::int32_t member, Visit visit) const {
  if (!near_pairs_.any()) return;
  const BodyPair* pair = near_pairs_.bodies_of(member);
  if (pair == nullptr) {
    for (const std::int32_t body : near_pairs_.loaded_bodies(member)) visit(body);
    return;
  }
  visit(pair->first);
  if (pair->second != pair->first) visit(pair->second);
}

std::vector<std::int32_t> TerraceGraph::neighbours_of(std::int32_t subdomain,
                                                      std::span<const std::uint8_t> changed) const {
  constexpr std::size_t usual = 32;
  const OperationScope operation(Operation::following);
  std::vector<std::int32_t> terraces;
  terraces.reserve(usual);
  const auto add = [&](std::int32_t neighbour) {
    const std::int32_t terrace = touching_.terrace_of(neighbour);
    if (terrace != subdomain) terraces.push_back(terrace);
  };
  const bool is_group = touching_.is_group(subdomain);
  touching_.visit_members(subdomain, [&](std::int32_t member) {
    const bool is_pair = near_pairs_.bodies_of(member) != nullptr;
    if (is_pair && is_group) return;  // its bodies are members too, and have its neighbours
    for (const std::int32_t j : at(system_.subdomains, member).neighbours) add(j);
    const auto add_if_changed = [&](std::span<const std::int32_t> others) {
      for (const std::int32_t j : others)
        if (!is_pair || near_pairs_.any_surface_node(j, changed)) add(j);
    };
    visit_bodies(member, [&](std::int32_t body) {
      if (is_pair) add_if_changed(near_pairs_.loading_subdomains(body));
      add_if_changed(near_pairs_.awake_pairs(body));
    });
  });
  sort_each_once(terraces);
  return terraces;
}

std::vector<std::int32_t> TerraceGraph::loaded_bodies(std::int32_t subdomain) const {
  std::vector<std::int32_t> bodies;
  touching_.visit_members(subdomain, [&](std::int32_t member) {
    visit_bodies(member, [&](std::int32_t body) { bodies.push_back(body); });
  });
  sort_each_once(bodies);
  return bodies;
}

void TerraceGraph::follow_bodies(std::span<const NodeLine> lines, std::int32_t subdomain, double instant) {
  const OperationScope operation(Operation::following);
  for (const std::int32_t body : loaded_bodies(subdomain)) near_pairs_.follow(body, lines, instant);
}

void TerraceGraph::tell_walls(Lines& lines, std::int32_t subdomain) const {
  if (!near_pairs_.any() || system_.reaction_names.empty()) return;
  touching_.visit_members(subdomain, [&](std::int32_t member) {
    if (near_pairs_.bodies_of(member) != nullptr || near_pairs_.loaded_bodies(member).size() != 1) return;
    const std::int32_t body = near_pairs_.loaded_bodies(member).front();
    for (const Potential* potential : at(system_.subdomains, member).potentials)
      if (potential->is_contact())
        lines.of(*potential).expect_inside(near_pairs_.box(body), near_pairs_.exit(body));
  });
}

bool TerraceGraph::has_terrace(std::int32_t subdomain) const {
  return touching_.in_use(subdomain) && touching_.terrace_of(subdomain) == subdomain &&
         !at(system_.subdomains, subdomain).asleep;
}

void TerraceGraph::save(ByteWriter& writer) const {
  TERRACE_VERIFY(near_pairs_.keeps_places(), subdomains_.count());
  const std::int32_t count = subdomains_.count();
  writer(count, near_pairs_, touching_);
}

// Subdomains never change their places: those that were added after the save are removed, and missing ones
// are added in the same order as before it.
void TerraceGraph::restore(ByteReader& reader) {
  const auto pairs_now = near_pairs_.pair_subdomains();
  std::int32_t count = 0;
  reader(count, near_pairs_, touching_);
  while (subdomains_.count() > count) {
    if (std::ranges::binary_search(pairs_now, subdomains_.count() - 1))
      subdomains_.remove_last_pair();
    else
      subdomains_.remove_last_group();
  }
  while (subdomains_.count() < count) {
    if (const BodyPair* pair = near_pairs_.bodies_of(subdomains_.count()); pair != nullptr)
      subdomains_.add_pair(subdomains_.count(),
                           system_.contact_pairs->subdomain_of(system_, *pair, subdomains_.count()));
    else
      subdomains_.add_group({});  // remake_groups fills it below
  }
  TERRACE_VERIFY(subdomains_.count() == count, subdomains_.count(), count);
  near_pairs_.take_over();
  for (const std::int32_t pair : near_pairs_.pair_subdomains())
    if (!at(system_.subdomains, pair).asleep)
      near_pairs_.set_touching(pair, shares_pairs_in_touch_ && touching_.terrace_of(pair) != pair);
  touching_.remake_groups();  // after set_touching, which replaces potentials of pairs
}

}  // namespace terrace
