// Contact pairs for integrators by steps.
#pragma once

#include <cstdint>
#include <span>

#include "dynamics/terraces/near_pairs.hpp"
#include "parallel/profile.hpp"

namespace terrace {

/// Wakes the pairs whose bodies come near each other on their present lines between the times `from` and
/// `to`, and puts pairs to sleep whose bodies move apart.
inline void wake_pairs_on_the_way(NearPairs& pairs, std::span<const NodeLine> lines, double from, double to) {
  if (!pairs.any()) return;
  const OperationScope operation(Operation::following);
  for (std::int32_t body = 0; body < pairs.bodies(); ++body) pairs.follow(body, lines, from);
  while (pairs.next_exit() <= to) pairs.renew_box(lines, [](std::int32_t) { return true; });
}

}  // namespace terrace
