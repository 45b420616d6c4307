// Lists of numbers in which each stands once.
#pragma once

#include <algorithm>
#include <vector>

namespace terrace {

/// Ascending, and of equal ones the first alone.
template <class Number>
void sort_each_once(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace terrace
