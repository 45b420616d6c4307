// The one way to make a Lagrangian: takes all that a system consists of, and makes each rank's share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Makes this rank's Lagrangian in two steps. In the first, all ranks alike add bodies, subdomains, and which
/// ranks load which nodes, by the system's node numbers. `number_nodes` ends it. In the second, each rank
/// adds its own potentials, by local numbers. Reactions may be added in either, by all ranks in the same
/// order. A "load" is that a rank has a share of a subdomain's potentials which acts on a node. Time and
/// memory grow with the nodes of the whole system, but not with the number of ranks.
class SystemBuilder {
 public:
  /// `positions` [length] and `masses`: of the whole system's nodes, in the reference configuration. All
  /// arguments must outlive this, `communicator` also the Lagrangian.
  SystemBuilder(Communicator& communicator, std::span<const Vector3> positions,
                std::span<const double> masses);

  /// Adds a body of `count` nodes from `first_node` on. Bodies are numbered in the order of the calls.
  void add_body(const std::string& name, std::int32_t first_node, std::int32_t count);
  /// Adds a ledger for something that acts from outside, and returns its number, in the order of the calls.
  /// `velocity`: constant, of a support that moves.
  int add_reaction(const std::string& name, const Vector3& velocity = {});
  /// Appends a subdomain; the builder makes its lists of nodes and potentials.
  void add_subdomain(Subdomain subdomain) { system_.subdomains.push_back(std::move(subdomain)); }
  /// Says that `rank` has a share of the subdomain's potentials which loads these nodes.
  void load(std::span<const std::int32_t> nodes, std::int32_t subdomain, int rank);
  /// Makes every rank hold these nodes, whether it loads them or not.
  void hold_on_all_ranks(std::span<const std::int32_t> nodes);

  /// Ends the first step: numbers this rank's nodes, and makes all subdomains' nodes, messages and
  /// neighbours.
  void number_nodes();

  /// This rank's number of every node of the system, −1 where it has no copy.
  [[nodiscard]] std::span<const std::int32_t> local_numbers() const { return local_; }
  /// The local numbers of nodes of the system.
  [[nodiscard]] std::vector<std::int32_t> local(std::vector<std::int32_t> nodes) const;
  /// An element with its nodes' local numbers.
  template <class Element>
  [[nodiscard]] Element local_element(Element nodes) const {
    for (std::int32_t& node : nodes) node = at(local_, node);
    return nodes;
  }
  /// Adds a potential to this rank's share of a subdomain, and returns its number in Lagrangian::potentials.
  /// `reaction`: index into reaction_names of what exerts its forces; −1: they are internal.
  std::int32_t add(std::int32_t subdomain, std::unique_ptr<Potential> potential, int reaction = -1);
  /// Adds the constraint of an impenetrable subdomain, on the one rank that has it.
  void add_constraint(std::int32_t subdomain, std::unique_ptr<SetConstraint> constraint, int reaction);

  /// What has been made so far, to read and to complete.
  [[nodiscard]] Lagrangian& system() { return system_; }
  [[nodiscard]] Subdomain& subdomain(std::int32_t number) { return at(system_.subdomains, number); }
  /// Ends the second step and hands the Lagrangian over.
  Lagrangian finish() { return std::move(system_); }

 private:
  /// That `rank` has a share of the potentials of `subdomain` which loads `node`.
  struct Load {
    std::int32_t node, subdomain, rank;
    friend auto operator<=>(const Load&, const Load&) = default;
  };
  class Messages;
  template <class Visit>
  void for_each_node(Visit visit) const;
  void take_nodes();
  void make_lists();
  void find_neighbours();

  Lagrangian system_;
  std::span<const Vector3> positions_;
  std::span<const double> masses_;
  std::vector<Load> loads_;  // without those in first_load_, which number_nodes adds
  std::vector<std::uint8_t> on_all_ranks_;
  std::vector<std::int32_t> body_of_;  // by node of the system
  std::vector<std::int32_t> local_;
  // The first load of each node of the system; node −1: none. Most nodes have one load only, which some
  // twenty tetrahedra repeat: here it is kept once.
  std::vector<Load> first_load_;
};

}  // namespace terrace
