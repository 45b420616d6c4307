// Messages larger than an int can count.
#pragma once

#include <algorithm>
#include <cstddef>

namespace terrace {

/// Calls transfer(first, count) for parts of `total` bytes, in their order, each small enough for MPI, which
/// counts in int.
template <class Transfer>
void in_parts(std::size_t total, Transfer transfer) {
  constexpr std::size_t most_at_once = std::size_t{1} << 30;
  for (std::size_t first = 0; first < total; first += most_at_once)
    transfer(first, static_cast<int>(std::min(most_at_once, total - first)));
}

}  // namespace terrace
