#include "dynamics/terraces/touching_bodies.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/disjoint_sets.hpp"
#include "numerics/infinity.hpp"
#include "numerics/sort_each_once.hpp"
#include "numerics/union_of.hpp"

namespace terrace {

static constexpr std::int32_t no_group = -1;

bool TouchingBodies::waits(std::int32_t subdomain) const {
  return system_.touching_bodies_share && near_.bodies_of(subdomain) != nullptr &&
         terrace_of(subdomain) == subdomain;
}

std::int32_t TouchingBodies::terrace_of(std::int32_t subdomain) const {
  if (subdomain >= std::ssize(group_of_)) return subdomain;
  const std::int32_t group = at(group_of_, subdomain);
  return group == no_group ? subdomain : group;
}

std::vector<std::int32_t> TouchingBodies::members(std::int32_t subdomain) const {
  std::vector<std::int32_t> members;
  visit_members(subdomain, [&](std::int32_t member) { members.push_back(member); });
  return members;
}

std::vector<std::int32_t> TouchingBodies::pairs(std::int32_t subdomain) const {
  const auto entry = groups_.find(subdomain);
  if (entry == groups_.end()) return {};
  return {entry->second.pairs.begin(), entry->second.pairs.end()};
}

// Returns the pair itself and the subdomains that load the surfaces of its bodies.
std::set<std::int32_t> TouchingBodies::joined_by(std::int32_t pair) const {
  const BodyPair& bodies = *near_.bodies_of(pair);
  std::set<std::int32_t> joined = {pair};
  for (const std::int32_t body : {bodies.first, bodies.second}) {
    const auto loading = near_.loading_subdomains(body);
    joined.insert(loading.begin(), loading.end());
  }
  return joined;
}

std::set<std::int32_t> TouchingBodies::joined_terraces(std::int32_t pair) const {
  std::set<std::int32_t> terraces;
  for (const std::int32_t member : joined_by(pair)) terraces.insert(terrace_of(member));
  return terraces;
}

TouchingBodies::Change TouchingBodies::touch(std::int32_t pair) {
  const std::set<std::int32_t> ending = joined_terraces(pair);
  Group group;
  group.pairs = {pair};
  for (const std::int32_t former : ending) {
    const std::vector<std::int32_t> of_former = members(former), touching = pairs(former);
    group.members.insert(group.members.end(), of_former.begin(), of_former.end());
    group.pairs.insert(touching.begin(), touching.end());
    if (groups_.erase(former) > 0) retire(former);
  }
  sort_each_once(group.members);
  return {{ending.begin(), ending.end()}, {make_group(std::move(group))}};
}

TouchingBodies::Change TouchingBodies::part(std::int32_t number, std::span<const std::int32_t> parted) {
  Group whole = std::move(groups_.at(number));
  groups_.erase(number);
  retire(number);
  Change change{{number}, {}};
  for (const std::int32_t pair : parted) whole.pairs.erase(pair);
  // Members that the remaining pairs join, directly or over others, are a group; all others are on their own.
  const auto place = [&](std::int32_t member) {
    return static_cast<std::int32_t>(std::ranges::lower_bound(whole.members, member) - whole.members.begin());
  };
  DisjointSets sets(whole.members.size());
  for (const std::int32_t pair : whole.pairs)
    for (const std::int32_t member : joined_by(pair)) sets.unite(place(pair), place(member));
  std::vector<Group> groups;  // in the order of their first pairs
  std::vector<std::int32_t> group_of_set(whole.members.size(), no_group);
  for (const std::int32_t pair : whole.pairs) {
    std::int32_t& group = at(group_of_set, sets.of(place(pair)));
    if (group == no_group) {
      group = static_cast<std::int32_t>(groups.size());
      groups.emplace_back();
    }
    at(groups, group).pairs.insert(pair);
  }
  for (const std::int32_t member : whole.members) {
    if (const std::int32_t group = at(group_of_set, sets.of(place(member))); group != no_group) {
      at(groups, group).members.push_back(member);
    } else {
      at(group_of_, member) = no_group;
      change.beginning.push_back(member);
    }
  }
  for (Group& group : groups) change.beginning.push_back(make_group(std::move(group)));
  std::sort(change.beginning.begin(), change.beginning.end());
  return change;
}

std::int32_t TouchingBodies::unite(const std::set<std::int32_t>& pairs) {
  Group group;
  group.pairs = pairs;
  for (const std::int32_t pair : pairs)
    for (const std::int32_t member : joined_by(pair)) group.members.push_back(member);
  sort_each_once(group.members);
  return make_group(std::move(group));
}

void TouchingBodies::dissolve(std::int32_t number) {
  for (const std::int32_t member : groups_.at(number).members) at(group_of_, member) = no_group;
  groups_.erase(number);
  retire(number);
}

void TouchingBodies::retire(std::int32_t group) {
  unused_.insert(group);
  subdomains_.retire_group(group);
}

void TouchingBodies::look_for_pair_with_itself(Group& group) const {
  group.has_pair_with_itself = std::ranges::any_of(group.pairs, [&](std::int32_t pair) {
    const BodyPair& bodies = *near_.bodies_of(pair);
    return bodies.first == bodies.second;
  });
}

std::int32_t TouchingBodies::make_group(Group group) {
  std::int32_t number = -1;
  if (unused_.empty()) {
    number = subdomains_.add_group(united(group, "touching bodies " + std::to_string(++made_)));
  } else {
    number = unused_.extract(unused_.begin()).value();
    subdomains_.replace_group(number, united(group, at(system_.subdomains, number).name));
  }
  if (!group.members.empty() && group.members.back() >= std::ssize(group_of_))
    group_of_.resize(static_cast<std::size_t>(group.members.back()) + 1, no_group);
  for (const std::int32_t member : group.members) at(group_of_, member) = number;
  look_for_pair_with_itself(group);
  groups_[number] = std::move(group);
  return number;
}

std::set<std::int32_t> TouchingBodies::group_subdomains() const {
  std::set<std::int32_t> all = unused_;
  for (const auto& [number, group] : groups_) all.insert(number);
  return all;
}

// Numbers the names in the order of the groups' places.
void TouchingBodies::remake_groups() {
  int count = 0;
  for (const std::int32_t number : group_subdomains()) {
    const std::string name = "touching bodies " + std::to_string(++count);
    const auto group = groups_.find(number);
    if (group != groups_.end()) look_for_pair_with_itself(group->second);
    subdomains_.replace_group(number, united(group == groups_.end() ? Group{} : group->second, name));
  }
}

// Finds which bodies each potential of a group loads. If a member loads several bodies, this is left open,
// and the group counts as one body.
void TouchingBodies::find_loads(const Group& group, Subdomain& all) const {
  std::vector<std::int32_t> bodies;
  for (const std::int32_t number : group.pairs) {
    const BodyPair& pair = *near_.bodies_of(number);
    bodies.insert(bodies.end(), {pair.first, pair.second});
  }
  sort_each_once(bodies);
  const auto place = [&](std::int32_t body) {
    return static_cast<std::int32_t>(std::ranges::lower_bound(bodies, body) - bodies.begin());
  };
  std::vector<std::array<std::int32_t, 2>> loads;
  for (const std::int32_t member : group.members) {
    const BodyPair* pair = near_.bodies_of(member);
    const auto loaded = pair == nullptr ? near_.loaded_bodies(member) : std::span<const std::int32_t>();
    if (pair == nullptr && loaded.size() != 1) return;
    const std::array<std::int32_t, 2> of_member =
        pair == nullptr ? std::array{place(loaded.front()), place(loaded.front())}
                        : std::array{place(pair->first), place(pair->second)};
    loads.insert(loads.end(), at(system_.subdomains, member).potentials.size(), of_member);
  }
  all.loads_of_potential = std::move(loads);
  all.loaded_bodies = static_cast<std::int32_t>(bodies.size());
}

Subdomain TouchingBodies::united(const Group& group, const std::string& name) const {
  Subdomain all;
  all.name = name;
  all.terms = all.terms_at_node = all.node_count = 0;
  all.stable_step = infinity;
  all.order = {std::numeric_limits<std::int32_t>::max(), 0};
  all.contact = true;
  all.everywhere = !group.members.empty();
  bool is_first = true;
  double between_bodies = infinity, of_bodies = infinity;  // stable steps of contact
  std::vector<std::span<const std::int32_t>> nodes, owned_nodes;
  std::vector<const SharedNodes*> shared;
  for (const std::int32_t member : group.members) {
    const Subdomain& part = at(system_.subdomains, member);
    all.energy_step = part.energy_step;
    all.terms += part.terms;
    all.terms_at_node += part.terms_at_node;
    all.elements += part.elements;
    all.node_count += part.node_count;
    all.stable_step = std::min(all.stable_step, part.stable_step);
    double& contact_step = near_.bodies_of(member) != nullptr ? between_bodies : of_bodies;
    contact_step = std::min(contact_step, part.stable_contact_step);
    all.order = std::min(all.order, part.order);
    all.certified = all.certified && part.certified;
    all.everywhere = all.everywhere && part.everywhere;
    all.only_rank = is_first || all.only_rank == part.only_rank ? part.only_rank : -1;
    is_first = false;
    all.potentials.insert(all.potentials.end(), part.potentials.begin(), part.potentials.end());
    all.reaction_of_potential.insert(all.reaction_of_potential.end(), part.reaction_of_potential.begin(),
                                     part.reaction_of_potential.end());
    nodes.emplace_back(part.nodes);
    owned_nodes.emplace_back(part.owned_nodes);
    shared.push_back(&part.shared_nodes);
  }
  all.stable_contact_step = stable_together(between_bodies, of_bodies);
  all.nodes = union_of(nodes);
  all.owned_nodes = union_of(owned_nodes);
  all.shared_nodes = SharedNodes::united(shared);
  if (!group.pairs.empty()) find_loads(group, all);
  if (system_.bodies_are_shared_out) all.is_shared = all.shared_nodes.are_shared(all.nodes);
  return all;
}

}  // namespace terrace
