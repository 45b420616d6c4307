// Which terraces there are and who is whose neighbour: subdomains, awake contact pairs, groups of touching
// bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/terraces/lines.hpp"
#include "dynamics/terraces/near_pairs.hpp"
#include "dynamics/terraces/touching_bodies.hpp"
#include "parallel/archive.hpp"

namespace terrace {

/// Every rank comes to the same graph to the bit, without messages.
class TerraceGraph {
 public:
  /// `system` outlives this; it takes the subdomains of pairs that wake up and of groups.
  explicit TerraceGraph(Lagrangian& system)
      : subdomains_(system),
        near_pairs_(subdomains_, system.contact_pairs.get()),
        touching_(subdomains_, near_pairs_),
        system_(system) {}

  TerraceGraph(const TerraceGraph&) = delete;  // its parts know each other
  TerraceGraph& operator=(const TerraceGraph&) = delete;

  /// The one that writes to the system.
  [[nodiscard]] LivingSubdomains& subdomains() { return subdomains_; }
  [[nodiscard]] const LivingSubdomains& subdomains() const { return subdomains_; }
  /// Which pairs of bodies are near each other, and which of them touch.
  [[nodiscard]] NearPairs& near_pairs() { return near_pairs_; }
  [[nodiscard]] const NearPairs& near_pairs() const { return near_pairs_; }
  [[nodiscard]] TouchingBodies& touching() { return touching_; }
  [[nodiscard]] const TouchingBodies& touching() const { return touching_; }

  /// Terraces that share nodes with this one, the awake contact pairs of the bodies it loads among them,
  /// ascending. Of a contact pair's event only those are touched whose own surface nodes `changed` (local
  /// nodes): all ranks hold these and agree.
  [[nodiscard]] std::vector<std::int32_t> neighbours_of(std::int32_t subdomain,
                                                        std::span<const std::uint8_t> changed) const;
  /// The bodies whose surfaces a terrace loads, ascending.
  [[nodiscard]] std::vector<std::int32_t> loaded_bodies(std::int32_t subdomain) const;
  /// The surfaces of the bodies a terrace loads have new lines from `instant` on.
  void follow_bodies(std::span<const NodeLine> lines, std::int32_t subdomain, double instant);
  /// Tells the walls of a terrace until when its bodies stay in their boxes. After follow_bodies, and before
  /// the new lines are set.
  void tell_walls(Lines& lines, std::int32_t subdomain) const;

  /// True for subdomains with a terrace at present: no members of groups, former groups or sleeping pairs.
  [[nodiscard]] bool has_terrace(std::int32_t subdomain) const;

  /// Pairs of bodies that touch are shared by the ranks of both (NearPairs::set_touching): of those that are
  /// read too.
  void share_pairs_in_touch() { shares_pairs_in_touch_ = true; }

  void save(ByteWriter& writer) const;
  /// The subdomains of pairs and groups are again those of the graph that was saved.
  void restore(ByteReader& reader);

 private:
  template <class Visit>
  void visit_bodies(std::int32_t member, Visit visit) const;

  LivingSubdomains subdomains_;
  NearPairs near_pairs_;
  TouchingBodies touching_;
  const Lagrangian& system_;
  bool shares_pairs_in_touch_ = false;
};

}  // namespace terrace
