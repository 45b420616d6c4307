// Groups of bodies that share a terrace for as long as they touch (localization.contact = "touching").
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "dynamics/terraces/near_pairs.hpp"

namespace terrace {

/// The groups of subdomains that have one terrace together: those of bodies that touch, with the contact
/// pairs between them. So forces that balance under pressure balance within one terrace, and bodies far from
/// any contact keep their own.
///
/// The members of a group are subdomains of the localization and contact pairs. The group itself is a further
/// subdomain of the Lagrangian, which holds the potentials of its members; these have no events of their own
/// meanwhile. All ranks come to the same groups.
class TouchingBodies {
 public:
  /// Both must outlive this. `near` may be without pairs.
  TouchingBodies(LivingSubdomains& subdomains, const NearPairs& near)
      : subdomains_(subdomains), system_(subdomains.system()), near_(near) {}

  /// The terraces that end, and those that take their place with the same members.
  struct Change {
    std::vector<std::int32_t> ending, beginning;
  };

  /// Whether the subdomain is a contact pair that does not touch: it waits for its first touch. False unless
  /// touching bodies share a terrace.
  [[nodiscard]] bool waits(std::int32_t subdomain) const;
  /// Returns the subdomain to whose terrace this one belongs: its group, or itself if it is in none.
  [[nodiscard]] std::int32_t terrace_of(std::int32_t subdomain) const;
  [[nodiscard]] bool is_group(std::int32_t subdomain) const { return groups_.contains(subdomain); }
  /// Returns the members of a group; the subdomain itself if it is no group.
  [[nodiscard]] std::vector<std::int32_t> members(std::int32_t subdomain) const;
  /// Calls visit(member) for each of them.
  template <class Visit>
  void visit_members(std::int32_t subdomain, Visit visit) const {
    const auto entry = groups_.find(subdomain);
    if (entry == groups_.end()) return visit(subdomain);
    for (const std::int32_t member : entry->second.members) visit(member);
  }
  /// Returns the touching pairs of a group; nothing for other subdomains.
  [[nodiscard]] std::vector<std::int32_t> pairs(std::int32_t subdomain) const;
  /// Whether the subdomain is a group in which a body touches itself.
  [[nodiscard]] bool has_pair_with_itself(std::int32_t subdomain) const {
    const auto entry = groups_.find(subdomain);
    return entry != groups_.end() && entry->second.has_pair_with_itself;
  }

  /// Returns the terraces that become one when the pair touches: its own and those of its bodies.
  [[nodiscard]] std::set<std::int32_t> joined_terraces(std::int32_t pair) const;
  /// A waiting pair touches: makes one group of joined_terraces.
  Change touch(std::int32_t pair);
  /// `pairs` of a group no longer touch: divides it into a group for each set of bodies that still touch, and
  /// single members.
  Change part(std::int32_t group, std::span<const std::int32_t> pairs);

  /// Makes one group of these pairs, which are in none, as if they had touched one after the other. Returns
  /// its subdomain.
  std::int32_t unite(const std::set<std::int32_t>& pairs);
  /// Ends a group; its members are on their own.
  void dissolve(std::int32_t group);

  /// The subdomains of groups and of former groups.
  [[nodiscard]] std::set<std::int32_t> group_subdomains() const;
  /// False for the subdomain of a former group.
  [[nodiscard]] bool in_use(std::int32_t subdomain) const { return !unused_.contains(subdomain); }
  /// Makes the subdomains of all groups anew in their places, after `fields` were read.
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
    bool has_pair_with_itself = false;  // follows from the pairs; kept here as every event needs it
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
  std::vector<std::int32_t> group_of_;    // by member; -1 or beyond the end: in no group
  std::set<std::int32_t> unused_;         // subdomains of former groups, which new groups take
  int made_ = 0;                          // number of subdomains made for groups
};

}  // namespace terrace
