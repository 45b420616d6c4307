// Lists of elements whose potentials come and go. Every rank has those of all bodies, so that bodies of equal
// shape share one.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"
#include "numerics/each_once.hpp"

namespace terrace {

/// The elements of an ElasticBlock, with nodes and elements counted from the block's lowest numbers.
struct ElementLists {
  std::vector<Tetrahedron> tetrahedra;
  std::vector<std::int32_t> numbers;

  friend auto operator<=>(const ElementLists&, const ElementLists&) = default;
};

/// The elements of one block: lists that equal blocks share, and this block's lowest numbers.
struct PassingElements {
  std::shared_ptr<const ElementLists> lists;
  std::int32_t first_node = 0, first_element = 0;

  /// The tetrahedra in local node numbers.
  [[nodiscard]] std::vector<Tetrahedron> tetrahedra() const;
  /// The tetrahedra's numbers in the model.
  [[nodiscard]] std::vector<std::int32_t> numbers() const;
};

/// Makes PassingElements, such that equal lists exist once.
class PassingElementsMaker {
 public:
  /// From a block's tetrahedra (local node numbers), at least one, and their numbers in the model.
  [[nodiscard]] PassingElements make(std::span<const Tetrahedron> tetrahedra,
                                     std::span<const std::int32_t> numbers);

 private:
  EachOnce<ElementLists> known_;
};

}  // namespace terrace
