// Bodies that touch share a terrace for as long as they do (localization.contact = "touching").
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "dynamics/terraces/near_pairs.hpp"

namespace terrace {

/// Groups of subdomains that have one terrace: those of bodies that touch, with the contact between them.
/// What balances under pressure then balances within one terrace, and what is far from any contact keeps its
/// own.
///
/// Subdomains of the localization and contact pairs are the members; a group is a further subdomain of the
/// Lagrangian that holds the potentials of its members, which have no events of their own meanwhile. All
/// ranks come to the same groups.
class TouchingBodies {
 public:
  /// Both must outlive this. `near` may have no pairs.
  TouchingBodies(LivingSubdomains& subdomains, const NearPairs& near)
      : subdomains_(subdomains), system_(subdomains.system()), near_(near) {}

  /// Terraces that end and terraces that take their place; the members are the same.
  struct Change {
    std::vector<std::int32_t> ending, beginning;
  };

  /// True for a contact pair that does not touch: it waits for the first touch.
  [[nodiscard]] bool waits(std::int32_t subdomain) const;
  /// The subdomain with a terrace that this one is part of: itself or its group.
  [[nodiscard]] std::int32_t terrace_of(std::int32_t subdomain) const;
  /// Whether it is that of several members.
  [[nodiscard]] bool is_group(std::int32_t subdomain) const { return groups_.contains(subdomain); }
  /// The members of a group; the subdomain itself if it is none.
  [[nodiscard]] std::vector<std::int32_t> members(std::int32_t subdomain) const;
  /// Calls visit(member) for each of them.
  template <class Visit>
  void visit_members(std::int32_t subdomain, Visit visit) const {
    const auto entry = groups_.find(subdomain);
    if (entry == groups_.end()) return visit(subdomain);
    for (const std::int32_t member : entry->second.members) visit(member);
  }
  /// The touching pairs of a group, none for other subdomains.
  [[nodiscard]] std::vector<std::int32_t> pairs(std::int32_t subdomain) const;
  /// Whether it is a group in which a body touches itself.
  [[nodiscard]] bool has_pair_with_itself(std::int32_t subdomain) const {
    const auto entry = groups_.find(subdomain);
    return entry != groups_.end() && entry->second.has_pair_with_itself;
  }

  /// The terraces that a pair's touch makes one.
  [[nodiscard]] std::set<std::int32_t> joined_terraces(std::int32_t pair) const;
  /// A waiting pair touches: the terraces of its bodies and its own become one.
  Change touch(std::int32_t pair);
  /// Pairs of a group that no longer touch: it falls into as many terraces as there are groups of touching
  /// bodies left in it.
  Change part(std::int32_t group, std::span<const std::int32_t> pairs);

  /// The group of these pairs, which are in none, as if they had touched one after the other: its subdomain.
  std::int32_t unite(const std::set<std::int32_t>& pairs);
  /// A group ends; its members are on their own.
  void dissolve(std::int32_t group);

  /// Subdomains of groups, in use or not.
  [[nodiscard]] std::set<std::int32_t> group_subdomains() const;
  /// False for the subdomain of a former group.
  [[nodiscard]] bool in_use(std::int32_t subdomain) const { return !unused_.contains(subdomain); }
  /// What was read comes into force: the subdomains of groups are made anew in their places.
  void remake_groups();

  /// What changes as bodies touch and part.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.groups_, self.group_of_, self.unused_, self.made_);
  }

 private:
  struct Group {
    std::vector<std::int32_t> members;  // ascending
    std::set<std::int32_t> pairs;
    bool has_pair_with_itself = false;  // follows from the pairs; looked at in every event
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [members, pairs, found_anew] = self;
      archive(members, pairs);
    }
  };
  void look_for_pair_with_itself(Group& group) const;
  [[nodiscard]] std::set<std::int32_t> joined_by(std::int32_t pair) const;
  std::int32_t make_group(Group group);
  void retire(std::int32_t group);
  [[nodiscard]] Subdomain united(const Group& group, const std::string& name) const;
  void find_loads(const Group& group, Subdomain& all) const;

  LivingSubdomains& subdomains_;
  const Lagrangian& system_;
  const NearPairs& near_;
  std::map<std::int32_t, Group> groups_;  // by subdomain
  std::vector<std::int32_t> group_of_;    // of members; -1 or beyond the end: of none
  std::set<std::int32_t> unused_;         // subdomains of former groups, used again
  int made_ = 0;
};

}  // namespace terrace
