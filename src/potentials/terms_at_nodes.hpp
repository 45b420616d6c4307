// The terms of a potential by the nodes they load, for what moves one node at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "numerics/infinity.hpp"
#include "potentials/displacements.hpp"

namespace terrace {

/// What it was made of must outlive it. All node numbers are local.
class TermsAtNodes {
 public:
  TermsAtNodes() = default;
  TermsAtNodes(const TermsAtNodes&) = delete;
  TermsAtNodes& operator=(const TermsAtNodes&) = delete;
  virtual ~TermsAtNodes() = default;

  /// The distance [length] at which its terms end; +∞ where they do not.
  [[nodiscard]] virtual double reach() const { return infinity; }
  /// Of terms that end somewhere, from now on those are meant that some nodes have while none of them is
  /// farther than `slack` [length] from these displacements, along any axis. None are before the first call.
  virtual void list(const Displacements& /*displacements*/, double /*slack*/) {}

  /// The nodes on whose places the terms at `node` depend, ascending; none where it is not loaded.
  [[nodiscard]] virtual std::span<const std::int32_t> nodes_around(std::int32_t node) const = 0;
  /// Appends the energies [J] of the terms that depend on where `node` is, in the same order always; +∞ or
  /// NaN where one has none. Reads no displacements but those of nodes_around(node).
  virtual void append_energies(std::int32_t node, const Displacements& displacements,
                               std::vector<double>& energies) const = 0;
};

/// Numbers of terms or nodes for each of some nodes.
class ListsOfNodes {
 public:
  ListsOfNodes() = default;
  /// Of pairs (node, number); each list becomes ascending, without repetitions. `nodes`: how many there are.
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
/// Every term of a potential at each of its nodes: for potentials of a few nodes.
[[nodiscard]] std::unique_ptr<TermsAtNodes> all_terms_at_every_node(const Potential& potential);

}  // namespace terrace
