// The union of many lists of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace terrace {

/// The numbers that stand in any of the lists, each ascending and of numbers that are not negative:
/// ascending, each once. In a time that grows with all that stands in the lists, however many there are.
[[nodiscard]] std::vector<std::int32_t> union_of(std::span<const std::span<const std::int32_t>> lists);

}  // namespace terrace
