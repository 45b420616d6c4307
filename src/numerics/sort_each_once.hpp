// Sorted lists of numbers without repetitions.
#pragma once

#include <algorithm>
#include <vector>

namespace terrace {

/// Sorts the numbers in ascending order and keeps one of equal ones.
template <class Number>
void sort_each_once(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace terrace
