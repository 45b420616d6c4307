// Disjoint sets of numbers that are united one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "numerics/at.hpp"

namespace terrace {

/// Disjoint sets of the numbers from 0 on. At first each number is alone; each set is named by its least
/// member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  /// The name (least member) of the set that holds a number.
  std::int32_t of(std::int32_t number) {
    while (at(parent_, number) != number) number = at(parent_, number) = at(parent_, at(parent_, number));
    return number;
  }
  void unite(std::int32_t a, std::int32_t b) {
    a = of(a);
    b = of(b);
    at(parent_, std::max(a, b)) = std::min(a, b);
  }

 private:
  std::vector<std::int32_t> parent_;
};

}  // namespace terrace
