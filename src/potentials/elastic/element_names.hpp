// How messages name the elements of a potential.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace terrace {

/// The numbers of a potential's elements, and the body that they belong to.
struct ElementNames {
  std::vector<std::int32_t> numbers;  ///< in the model, by place in the potential; empty: 0, 1, 2, …
  std::string body;                   ///< its name; empty: messages tell the number alone
  std::int32_t first = 0;             ///< number of the body's first element

  /// The number within its body's mesh, from 0 on, of the element at place e of the potential.
  [[nodiscard]] std::int32_t number(std::size_t e) const {
    return numbers.empty() ? static_cast<std::int32_t>(e) : numbers[e] - first;
  }
  /// The name of the element at place e, such as "body ball, element 7".
  [[nodiscard]] std::string name(std::size_t e) const {
    return (body.empty() ? "" : "body " + body + ", ") + "element " + std::to_string(number(e));
  }
};

}  // namespace terrace
