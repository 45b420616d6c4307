#include "numerics/union_of.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/sort_each_once.hpp"

namespace terrace {
namespace {

constexpr std::int64_t bits = 64;

/// The union of lists of numbers from `first` to `last`, by a bit for each number.
std::vector<std::int32_t> union_by_bits(std::span<const std::span<const std::int32_t>> lists,
                                        std::int64_t first, std::int64_t last) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>((last - first) / bits + 1));
  for (const std::span<const std::int32_t> list : lists)
    for (const std::int32_t number : list)
      at(words, (number - first) / bits) |= std::uint64_t{1} << (number - first) % bits;
  std::size_t count = 0;
  for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
  std::vector<std::int32_t> all;
  all.reserve(count);
  for (std::size_t word = 0; word < words.size(); ++word)
    for (std::uint64_t left = words[word]; left != 0; left &= left - 1)
      all.push_back(
          static_cast<std::int32_t>(first + static_cast<std::int64_t>(word) * bits + std::countr_zero(left)));
  return all;
}

}  // namespace

std::vector<std::int32_t> union_of(std::span<const std::span<const std::int32_t>> lists) {
  constexpr std::int64_t far_apart = 4 * bits;
  std::int64_t first = std::numeric_limits<std::int32_t>::max(), last = -1, total = 0;
  for (const std::span<const std::int32_t> list : lists) {
    if (list.empty()) continue;
    TERRACE_ASSERT(list.front() >= 0 && std::ranges::is_sorted(list), list.size());
    first = std::min<std::int64_t>(first, list.front());
    last = std::max<std::int64_t>(last, list.back());
    total += std::ssize(list);
  }
  if (total == 0) return {};
  if (last - first < far_apart * total) return union_by_bits(lists, first, last);
  std::vector<std::int32_t> all;
  for (const std::span<const std::int32_t> list : lists) all.insert(all.end(), list.begin(), list.end());
  sort_each_once(all);
  return all;
}

}  // namespace terrace
