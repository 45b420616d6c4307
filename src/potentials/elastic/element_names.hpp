// What messages call the elements of a potential.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace terrace {

struct ElementNames {
  std::vector<std::int32_t> numbers;  ///< the model's; empty: 0, 1, 2, …
  std::string body;                   ///< empty: numbers alone tell
  std::int32_t first = 0;             ///< number of the body's first element

  /// Of an element, by its place in the potential: that of its body's mesh, from 0.
  [[nodiscard]] std::int32_t number(std::size_t e) const {
    return numbers.empty() ? static_cast<std::int32_t>(e) : numbers[e] - first;
  }
  /// "body ball, element 7".
  [[nodiscard]] std::string name(std::size_t e) const {
    return (body.empty() ? "" : "body " + body + ", ") + "element " + std::to_string(number(e));
  }
};

}  // namespace terrace
