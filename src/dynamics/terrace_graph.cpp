#include "dynamics/terrace_graph.hpp"

#include <set>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

// Bodies whose surfaces a subdomain that is no group loads.
std::vector<std::int32_t> TerraceGraph::bodies_of(std::int32_t member) const {
  if (!near_pairs_.any()) return {};
  if (const BodyPair* pair = near_pairs_.bodies_of(member); pair != nullptr)
    return pair->first == pair->second ? std::vector{pair->first} : std::vector{pair->first, pair->second};
  const auto loaded = near_pairs_.loaded_bodies(member);
  return {loaded.begin(), loaded.end()};
}

std::vector<std::int32_t> TerraceGraph::neighbours_of(std::int32_t subdomain,
                                                      std::span<const std::uint8_t> changed) const {
  std::set<std::int32_t> neighbours;
  for (const std::int32_t member : touching_.members(subdomain)) {
    const auto& sharing_nodes = at(system_.subdomains, member).neighbours;
    neighbours.insert(sharing_nodes.begin(), sharing_nodes.end());
    const bool is_pair = near_pairs_.bodies_of(member) != nullptr;
    const auto add = [&](std::span<const std::int32_t> others) {
      for (const std::int32_t j : others)
        if (!is_pair || near_pairs_.any_surface_node(j, changed)) neighbours.insert(j);
    };
    for (const std::int32_t body : bodies_of(member)) {
      if (is_pair) add(near_pairs_.loading_subdomains(body));
      add(near_pairs_.awake_pairs(body));
    }
  }
  std::set<std::int32_t> terraces;
  for (const std::int32_t j : neighbours) terraces.insert(touching_.terrace_of(j));
  terraces.erase(subdomain);
  return {terraces.begin(), terraces.end()};
}

void TerraceGraph::follow_bodies(std::span<const NodeLine> lines, std::int32_t subdomain, double instant) {
  std::set<std::int32_t> bodies;
  for (const std::int32_t member : touching_.members(subdomain))
    for (const std::int32_t body : bodies_of(member)) bodies.insert(body);
  for (const std::int32_t body : bodies) near_pairs_.follow(body, lines, instant);
}

bool TerraceGraph::has_terrace(std::int32_t subdomain) const {
  return touching_.in_use(subdomain) && touching_.terrace_of(subdomain) == subdomain &&
         !at(system_.subdomains, subdomain).asleep;
}

void TerraceGraph::save(ByteWriter& writer) const {
  const std::int32_t count = subdomains_.count();
  writer(count, near_pairs_, touching_);
}

// Subdomains never change their places: those that came up later are taken away, those that are missing are
// made in the same order as then.
void TerraceGraph::restore(ByteReader& reader) {
  const auto pairs_now = near_pairs_.pair_subdomains();
  std::int32_t count = 0;
  reader(count, near_pairs_, touching_);
  while (subdomains_.count() > count) {
    if (pairs_now.contains(subdomains_.count() - 1))
      subdomains_.remove_last_pair();
    else
      subdomains_.remove_last_group();
  }
  while (subdomains_.count() < count) {
    if (const BodyPair* pair = near_pairs_.bodies_of(subdomains_.count()); pair != nullptr)
      subdomains_.add_pair(system_.contact_pairs->subdomain_of(system_, *pair));
    else
      subdomains_.add_group({});  // made below
  }
  TERRACE_VERIFY(subdomains_.count() == count, subdomains_.count(), count);
  touching_.remake_groups();
  near_pairs_.take_over();
}

}  // namespace terrace
