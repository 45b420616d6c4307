// The nodes of some of a mesh's tetrahedra, and consecutive numbers for them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// The nodes that some tetrahedra load, and the place of each among them in ascending order. Holds one bit
/// for each node number from the first to the last of them. This is quicker to make than a sorted list of all
/// corners, and small where a part of a body has a small range of all node numbers.
class NodePlaces {
 public:
  /// Throws Error(input) for a node number that is negative or not below `node_count`.
  NodePlaces(std::span<const Tetrahedron> tetrahedra, std::size_t node_count);

  /// The place, from 0 on, of a node that the tetrahedra load.
  [[nodiscard]] std::int32_t of(std::int32_t node) const {
    const Word& word = at(words_, word_of(node));
    return word.before + std::popcount(word.bits & (bit_of(node) - 1));
  }
  /// The loaded nodes, ascending.
  [[nodiscard]] std::vector<std::int32_t> nodes() const;

 private:
  static constexpr std::int32_t bits_of_a_word = 64;
  struct Word {
    std::uint64_t bits = 0;
    std::int32_t before = 0;  // number of loaded nodes below the first of this word
  };
  [[nodiscard]] std::size_t word_of(std::int32_t node) const {
    return static_cast<std::size_t>((node - first_) / bits_of_a_word);
  }
  [[nodiscard]] std::uint64_t bit_of(std::int32_t node) const {
    return std::uint64_t{1} << ((node - first_) % bits_of_a_word);
  }

  std::int32_t first_ = 0, count_ = 0;
  std::vector<Word> words_;
};

}  // namespace terrace
