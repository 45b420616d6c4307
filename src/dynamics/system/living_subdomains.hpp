// Subdomains that come and go while a system moves.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// A contact pair's subdomain with this rank's share of it, if it has one: a potential or a constraint.
struct PairSubdomain {
  Subdomain subdomain;
  std::unique_ptr<Potential> potential;
  std::unique_ptr<SetConstraint> constraint;
};

/// The one writer to a system that the SystemBuilder has finished. Contact pairs and groups of touching
/// bodies have their subdomains behind those of the localization, each in its place until a pair is dropped;
/// on all ranks alike that work in one communicator on the same.
class LivingSubdomains {
 public:
  /// `system` outlives this.
  explicit LivingSubdomains(Lagrangian& system);

  [[nodiscard]] const Lagrangian& system() const { return system_; }  ///< as it is now
  /// Of all kinds, in use or not.
  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(system_.subdomains.size()); }

  /// A pair in the place of one that was dropped, or, where `number` is as many as there are, a further one.
  void add_pair(std::int32_t number, PairSubdomain pair);
  /// Appends a subdomain and returns its number.
  std::int32_t add_group(Subdomain group);
  /// A group in the place of a former one, or of none.
  void replace_group(std::int32_t number, Subdomain group);
  /// Of a contact pair whose bodies are far apart.
  void set_asleep(std::int32_t pair, bool asleep);
  /// Of a pair that sleeps only what others go by is left (its order, its rank); its potential, constraint
  /// and lists of nodes end, of which lines and groups must hold nothing any more.
  void release(std::int32_t pair);
  /// Nothing is left of a pair that sleeps, released or not.
  void drop_pair(std::int32_t pair);
  /// A pair that was released has everything again.
  void make_again(std::int32_t pair, PairSubdomain made);
  [[nodiscard]] bool is_released(std::int32_t pair) const {
    return at(system_.subdomains, pair).nodes.empty();
  }
  /// A pair that is awake has other shares of its potential, of which lines must hold nothing any more.
  void replace_pair(std::int32_t pair, PairSubdomain made);
  /// A group that ends holds nothing of its former members.
  void retire_group(std::int32_t number);
  /// The last subdomain is a pair's: takes it away with what it brought, if it has not been released.
  void remove_last_pair();
  /// The last subdomain is a group's.
  void remove_last_group() { system_.subdomains.pop_back(); }

  /// A subdomain of the localization has its elastic potentials from now on, where they come and go
  /// (Elements::on_demand); where they have always been there nothing happens, here and with end_elements.
  void make_elements(std::int32_t number);
  /// It has none, and lines and groups must hold nothing of them any more.
  void end_elements(std::int32_t number);

  /// The ranks of the system's communicator, of which each holds all nodes, work together from now on on
  /// bodies that were one rank's, each one subdomain of the same number: one of them, `rank`, has the body's
  /// elements and walls, and counts its nodes; the others follow its surface. No line may know the body.
  void share_out(std::int32_t body, int rank, std::span<const std::int32_t> surface);
  /// The same of a body of which each of them has everything.
  void hold_everywhere(std::int32_t body, int rank);
  /// A body that was shared out, or held everywhere, is one rank's again, who holds everything; no line may
  /// know it.
  void take_back(std::int32_t body);
  /// All nodes of a body, shared out or not.
  [[nodiscard]] std::span<const std::int32_t> whole_nodes(std::int32_t body) const {
    const auto entry = shared_out_.find(body);
    return entry == shared_out_.end() || entry->second.nodes.empty() ? at(system_.subdomains, body).nodes
                                                                     : entry->second.nodes;
  }
  [[nodiscard]] bool is_shared_out(std::int32_t body) const { return shared_out_.contains(body); }

 private:
  using Places = std::unordered_map<const void*, std::size_t>;
  template <class Owned>
  void take_in(Owned source, std::vector<Owned>& all, Places& places);
  template <class Owned, class Source>
  void end(const Source* source, std::vector<Owned>& all, Places& places);
  void end_potentials_of(const Subdomain& pair);
  void adopt(PairSubdomain& pair);

  template <class Visit>
  void for_each_passing_block(std::int32_t number, Visit visit);

  Lagrangian& system_;
  Places potentials_, constraints_;                      // that come and go, among the system's
  std::multimap<std::int32_t, std::size_t> of_passing_;  // blocks whose potentials do, by their subdomains
  struct Whole {
    std::vector<const Potential*> potentials;
    std::vector<int> reaction_of_potential;
    std::vector<std::int32_t> nodes, owned_nodes;
  };
  std::map<std::int32_t, Whole> shared_out_;  // what this rank has nothing to do with meanwhile, by body
};

}  // namespace terrace
