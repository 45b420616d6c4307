#include "potentials/elastic/node_places.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "parallel/error.hpp"

namespace terrace {

NodePlaces::NodePlaces(std::span<const Tetrahedron> tetrahedra, std::size_t node_count) {
  if (tetrahedra.empty()) return;
  std::int32_t last = 0;
  first_ = std::numeric_limits<std::int32_t>::max();
  for (const Tetrahedron& tetrahedron : tetrahedra)
    for (const std::int32_t node : tetrahedron) {
      if (node < 0 || static_cast<std::size_t>(node) >= node_count)
        throw Error(Error::Kind::input, "elements", "node numbers below " + std::to_string(node_count),
                    std::to_string(node));
      first_ = std::min(first_, node);
      last = std::max(last, node);
    }
  words_.resize(word_of(last) + 1);
  for (const Tetrahedron& tetrahedron : tetrahedra)
    for (const std::int32_t node : tetrahedron) at(words_, word_of(node)).bits |= bit_of(node);
  for (Word& word : words_) {
    word.before = count_;
    count_ += std::popcount(word.bits);
  }
}

std::vector<std::int32_t> NodePlaces::nodes() const {
  std::vector<std::int32_t> nodes;
  nodes.reserve(static_cast<std::size_t>(count_));
  std::int32_t first = first_;  // number of the word's first bit
  for (const Word& word : words_) {
    for (std::uint64_t left = word.bits; left != 0; left &= left - 1)
      nodes.push_back(first + std::countr_zero(left));
    first += bits_of_a_word;
  }
  return nodes;
}

}  // namespace terrace
