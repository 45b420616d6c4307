#include "dynamics/system/passing_elements.hpp"

#include <algorithm>
#include <limits>

namespace terrace {

std::vector<Tetrahedron> PassingElements::tetrahedra() const {
  std::vector<Tetrahedron> tetrahedra = lists->tetrahedra;
  for (Tetrahedron& tetrahedron : tetrahedra)
    for (std::int32_t& node : tetrahedron) node += first_node;
  return tetrahedra;
}

std::vector<std::int32_t> PassingElements::numbers() const {
  std::vector<std::int32_t> numbers = lists->numbers;
  for (std::int32_t& number : numbers) number += first_element;
  return numbers;
}

PassingElements PassingElementsMaker::make(std::span<const Tetrahedron> tetrahedra,
                                           std::span<const std::int32_t> numbers) {
  PassingElements elements{.lists = {},
                           .first_node = std::numeric_limits<std::int32_t>::max(),
                           .first_element = std::ranges::min(numbers)};
  for (const Tetrahedron& tetrahedron : tetrahedra)
    elements.first_node = std::min(elements.first_node, std::ranges::min(tetrahedron));
  ElementLists lists{{tetrahedra.begin(), tetrahedra.end()}, {numbers.begin(), numbers.end()}};
  for (Tetrahedron& tetrahedron : lists.tetrahedra)
    for (std::int32_t& node : tetrahedron) node -= elements.first_node;
  for (std::int32_t& number : lists.numbers) number -= elements.first_element;
  elements.lists = known_.keep(std::move(lists));
  return elements;
}

}  // namespace terrace
