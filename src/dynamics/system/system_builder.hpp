// The one way to a Lagrangian: whatever a system consists of is put in here, and each rank gets its share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// In two steps. First, on all ranks alike and with the system's node numbers: bodies, subdomains, and which
/// ranks load which nodes. Then, after `number_nodes`, each rank puts in its own potentials, with local
/// numbers. In either, on all ranks alike and in the same order: what pushes from outside. Time and memory
/// are those of the whole system's nodes once, not once for every rank.
class SystemBuilder {
 public:
  /// Reference positions [length] and masses of the whole system's nodes. All arguments must outlive this,
  /// `communicator` also the system.
  SystemBuilder(Communicator& communicator, std::span<const Vector3> positions,
                std::span<const double> masses);

  /// A body has the nodes from `first_node` on; numbered in the order of the calls, as reactions are.
  void add_body(const std::string& name, std::int32_t first_node, std::int32_t count);
  /// What pushes from outside gets a ledger: its number. `velocity`: constant, of a support that moves.
  int add_reaction(const std::string& name, const Vector3& velocity = {});
  /// Appends a subdomain, whose lists of nodes and potentials are made here.
  void add_subdomain(Subdomain subdomain) { system_.subdomains.push_back(std::move(subdomain)); }
  /// `rank` has a share of a subdomain's potentials that loads these nodes.
  void load(std::span<const std::int32_t> nodes, std::int32_t subdomain, int rank);
  /// Every rank holds these nodes, whether it loads them or not.
  void hold_on_all_ranks(std::span<const std::int32_t> nodes);

  /// Ends the first step: makes this rank's nodes, and the lists of nodes and messages of all subdomains.
  void number_nodes();

  /// This rank's number of every node of the system, −1 where it has no copy.
  [[nodiscard]] std::span<const std::int32_t> local_numbers() const { return local_; }
  /// Nodes (or elements of them) of the system by their local numbers.
  [[nodiscard]] std::vector<std::int32_t> local(std::vector<std::int32_t> nodes) const;
  template <class Element>
  [[nodiscard]] Element local_element(Element nodes) const {
    for (std::int32_t& node : nodes) node = at(local_, node);
    return nodes;
  }
  /// Of this rank's share of a subdomain; `reaction`: the place in reaction_names of what exerts the
  /// forces. Returns its number.
  std::int32_t add(std::int32_t subdomain, std::unique_ptr<Potential> potential, int reaction = -1);
  /// Of an impenetrable subdomain, which has nothing else, on its one rank.
  void add_constraint(std::int32_t subdomain, std::unique_ptr<SetConstraint> constraint, int reaction);

  /// What has been made so far, to read and to complete.
  [[nodiscard]] Lagrangian& system() { return system_; }
  [[nodiscard]] Subdomain& subdomain(std::int32_t number) { return at(system_.subdomains, number); }
  /// Ends the second step.
  Lagrangian finish() { return std::move(system_); }

 private:
  /// A rank has a share of a subdomain's potentials that loads a node.
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
  std::vector<Load> loads_;  // with the first ones once nodes are numbered
  std::vector<std::uint8_t> on_all_ranks_;
  std::vector<std::int32_t> body_of_;  // by node of the system
  std::vector<std::int32_t> local_;
  // Most nodes are loaded by one rank for one subdomain, but by some twenty tetrahedra: that load once.
  std::vector<Load> first_load_;  // by node of the system; node −1: none
};

}  // namespace terrace
