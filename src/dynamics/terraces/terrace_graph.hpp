// The terraces there are (subdomains, awake contact pairs, groups of touching bodies), and which of them are
// neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/terraces/lines.hpp"
#include "dynamics/terraces/near_pairs.hpp"
#include "dynamics/terraces/touching_bodies.hpp"
#include "parallel/archive.hpp"

namespace terrace {

/// The graph of terraces: two of them are neighbours if they share nodes. Every rank comes to the same graph
/// to the bit, without messages.
class TerraceGraph {
 public:
  /// `system` must outlive this. Subdomains of pairs that wake up and of groups are added to it.
  explicit TerraceGraph(Lagrangian& system)
      : subdomains_(system),
        near_pairs_(subdomains_, system.contact_pairs.get()),
        touching_(subdomains_, near_pairs_),
        system_(system) {}

  TerraceGraph(const TerraceGraph&) = delete;  // its parts refer to each other
  TerraceGraph& operator=(const TerraceGraph&) = delete;

  /// The only writer to the system.
  [[nodiscard]] LivingSubdomains& subdomains() { return subdomains_; }
  [[nodiscard]] const LivingSubdomains& subdomains() const { return subdomains_; }
  /// Which pairs of bodies are near each other, and which of them touch.
  [[nodiscard]] NearPairs& near_pairs() { return near_pairs_; }
  [[nodiscard]] const NearPairs& near_pairs() const { return near_pairs_; }
  [[nodiscard]] TouchingBodies& touching() { return touching_; }
  [[nodiscard]] const TouchingBodies& touching() const { return touching_; }

  /// Returns the terraces that share nodes with `subdomain`, ascending, including the awake contact pairs of
  /// the bodies it loads. If `subdomain` is a contact pair, only those with a changed surface node count,
  /// where `changed` marks local nodes. All ranks hold the surface nodes and agree.
  [[nodiscard]] std::vector<std::int32_t> neighbours_of(std::int32_t subdomain,
                                                        std::span<const std::uint8_t> changed) const;
  /// The bodies whose surfaces a terrace loads, ascending.
  [[nodiscard]] std::vector<std::int32_t> loaded_bodies(std::int32_t subdomain) const;
  /// Follows the surfaces of the bodies that a terrace loads on their new lines from `instant` on
  /// (NearPairs::follow).
  void follow_bodies(std::span<const NodeLine> lines, std::int32_t subdomain, double instant);
  /// Tells the walls of a terrace until when its bodies stay in their boxes. To be called after follow_bodies
  /// and before the new lines are set.
  void tell_walls(Lines& lines, std::int32_t subdomain) const;

  /// Whether the subdomain has a terrace of its own at present: false for members of groups, former groups
  /// and sleeping pairs.
  [[nodiscard]] bool has_terrace(std::int32_t subdomain) const;

  /// Makes `restore` share the pairs that touch between the ranks of both bodies (NearPairs::set_touching).
  void share_pairs_in_touch() { shares_pairs_in_touch_ = true; }

  void save(ByteWriter& writer) const;
  /// Reads a graph that was saved, and makes the system's subdomains of pairs and groups those of that graph.
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
