// Lists of the elements that come and go, shared by bodies of equal shape: every rank has those of all
// bodies.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"
#include "numerics/each_once.hpp"

namespace terrace {

/// Elements of an ElasticBlock; nodes and elements are counted from its lowest numbers.
struct ElementLists {
  std::vector<Tetrahedron> tetrahedra;
  std::vector<std::int32_t> numbers;

  friend auto operator<=>(const ElementLists&, const ElementLists&) = default;
};

/// Those of one block.
struct PassingElements {
  std::shared_ptr<const ElementLists> lists;
  std::int32_t first_node = 0, first_element = 0;

  /// By local node numbers.
  [[nodiscard]] std::vector<Tetrahedron> tetrahedra() const;
  /// Their numbers in the model.
  [[nodiscard]] std::vector<std::int32_t> numbers() const;
};

/// Makes them, such that equal lists are there once.
class PassingElementsMaker {
 public:
  /// Of a block's tetrahedra [local node numbers] and their numbers in the model, at least one.
  [[nodiscard]] PassingElements make(std::span<const Tetrahedron> tetrahedra,
                                     std::span<const std::int32_t> numbers);

 private:
  EachOnce<ElementLists> known_;
};

}  // namespace terrace
