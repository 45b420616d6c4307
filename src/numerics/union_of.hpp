// The union of many lists of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace terrace {

/// The numbers in any of the lists, ascending, each once. Each list must be ascending, without negative
/// numbers. The time grows with the total length of the lists, however many there are.
[[nodiscard]] std::vector<std::int32_t> union_of(std::span<const std::span<const std::int32_t>> lists);

}  // namespace terrace
