// The terms of a potential by the nodes that they load, for methods that move one node at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "numerics/infinity.hpp"
#include "potentials/displacements.hpp"

namespace terrace {

/// The terms of a potential by node. The potential must outlive it. All node numbers are local.
class TermsAtNodes {
 public:
  TermsAtNodes() = default;
  TermsAtNodes(const TermsAtNodes&) = delete;
  TermsAtNodes& operator=(const TermsAtNodes&) = delete;
  virtual ~TermsAtNodes() = default;

  /// The distance [length] beyond which its terms are 0; +∞ if there is none.
  [[nodiscard]] virtual double reach() const { return infinity; }
  /// For terms with a finite reach: restricts this object to those that can be other than 0 while no node is
  /// farther than `slack` [length] along any axis from these displacements. Before the first call it has no
  /// terms. Does nothing for other potentials.
  virtual void list(const Displacements& /*displacements*/, double /*slack*/) {}

  /// The nodes whose places determine the terms at `node`, ascending; empty if `node` is not loaded.
  [[nodiscard]] virtual std::span<const std::int32_t> nodes_around(std::int32_t node) const = 0;
  /// Appends the energies [J] of the terms that depend on the place of `node`, always in the same order; +∞
  /// or NaN for a term that has none. Reads only the displacements of nodes_around(node).
  virtual void append_energies(std::int32_t node, const Displacements& displacements,
                               std::vector<double>& energies) const = 0;
};

/// For each of some nodes a list of numbers, of terms or of nodes.
class ListsOfNodes {
 public:
  ListsOfNodes() = default;
  /// Makes the lists from pairs (node, number): ascending, without repetitions. `nodes`: the number of nodes.
  ListsOfNodes(std::vector<std::pair<std::int32_t, std::int32_t>> entries, std::size_t nodes);
  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t node) const {
    const auto a = static_cast<std::size_t>(node);
    if (a + 1 >= first_.size()) return {};
    return std::span(numbers_).subspan(first_[a], first_[a + 1] - first_[a]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> numbers_;
};

class Potential;
/// Every term of a potential belongs to each of its nodes: for potentials of few nodes.
[[nodiscard]] std::unique_ptr<TermsAtNodes> all_terms_at_every_node(const Potential& potential);

}  // namespace terrace
