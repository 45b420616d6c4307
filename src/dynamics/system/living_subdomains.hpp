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

/// A contact pair's subdomain with this rank's share of it: a potential or a constraint, or neither.
struct PairSubdomain {
  Subdomain subdomain;
  std::unique_ptr<Potential> potential;
  std::unique_ptr<SetConstraint> constraint;
};

/// The only writer to a Lagrangian that the SystemBuilder has finished. Subdomains of contact pairs and of
/// groups of touching bodies stand behind those of the localization; a pair keeps its number until it is
/// dropped. All ranks of the system's communicator that work on the same bodies make the same calls.
class LivingSubdomains {
 public:
  /// `system` outlives this.
  explicit LivingSubdomains(Lagrangian& system);

  [[nodiscard]] const Lagrangian& system() const { return system_; }  ///< as it is now
  /// Number of subdomains of all kinds, in use or not.
  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(system_.subdomains.size()); }

  /// Puts a pair at `number`: the place of one that was dropped, or count() to append it.
  void add_pair(std::int32_t number, PairSubdomain pair);
  /// Appends a subdomain and returns its number.
  std::int32_t add_group(Subdomain group);
  /// Overwrites the group at `number`, whether it was retired or not.
  void replace_group(std::int32_t number, Subdomain group);
  /// A contact pair is asleep while its bodies are far apart.
  void set_asleep(std::int32_t pair, bool asleep);
  /// Frees the potential, constraint and lists of nodes of a pair that sleeps, and leaves what others need
  /// (its order, its rank). No lines or groups may refer to the pair any more.
  void release(std::int32_t pair);
  /// Clears a pair that sleeps, released or not: another may be added in its place.
  void drop_pair(std::int32_t pair);
  /// Gives a released pair its potential or constraint and its lists again.
  void make_again(std::int32_t pair, PairSubdomain made);
  [[nodiscard]] bool is_released(std::int32_t pair) const {
    return at(system_.subdomains, pair).nodes.empty();
  }
  /// Gives a pair that is awake another share of its potential. No lines may refer to the old one any more.
  void replace_pair(std::int32_t pair, PairSubdomain made);
  /// Empties a group that ends, so that it refers to nothing of its former members.
  void retire_group(std::int32_t number);
  /// Removes the last subdomain, which is a pair's and not dropped, with its potential or constraint.
  void remove_last_pair();
  /// Removes the last subdomain, which is a group's.
  void remove_last_group() { system_.subdomains.pop_back(); }

  /// Makes the elastic potentials of a subdomain of the localization, where they come and go
  /// (Elements::on_demand). This and end_elements do nothing where potentials are permanent.
  void make_elements(std::int32_t number);
  /// Destroys them again. No lines or groups may refer to them any more.
  void end_elements(std::int32_t number);

  /// Divides a body, which this rank held as a whole, among a team: the ranks of the system's communicator,
  /// each with all nodes of the system and the body as the subdomain of the same number. From now on `rank`,
  /// one of them, has the body's elements and walls and counts its nodes; the others follow its `surface`
  /// nodes only. No line may know the body.
  void share_out(std::int32_t body, int rank, std::span<const std::int32_t> surface);
  /// The same for a body that each of those ranks goes on holding as a whole; `rank` becomes rank_of_body.
  void hold_everywhere(std::int32_t body, int rank);
  /// Ends share_out or hold_everywhere, on ranks that work alone again: this rank holds all of the body. No
  /// line may know it.
  void take_back(std::int32_t body);
  /// All nodes of a body, also while this rank follows only its surface.
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
  Places potentials_, constraints_;  // those that come and go: their indices in the system's lists
  std::multimap<std::int32_t, std::size_t> of_passing_;  // by subdomain: blocks whose potentials come and go
  struct Whole {
    std::vector<const Potential*> potentials;
    std::vector<int> reaction_of_potential;
    std::vector<std::int32_t> nodes, owned_nodes;
  };
  std::map<std::int32_t, Whole> shared_out_;  // by body shared out: what another rank works on meanwhile
};

}  // namespace terrace
