// Access to tables by number.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "numerics/contract.hpp"

namespace terrace {

/// table[number]. Nodes, bodies, subdomains … have 32-bit numbers from 0 on, −1 for none. Debug builds check
/// that the number is a place in the table.
template <class Table, std::integral Number>
[[nodiscard]] constexpr decltype(auto) at(Table&& table, Number number) {
  if constexpr (requires { table.size(); })
    TERRACE_ASSERT(number >= 0 && static_cast<std::size_t>(number) < table.size(), number, table.size());
  return table[static_cast<std::size_t>(number)];
}

/// A number as a place in a table; not checked.
[[nodiscard]] constexpr std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

}  // namespace terrace
