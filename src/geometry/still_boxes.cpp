#include "geometry/still_boxes.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace terrace {
namespace {

/// Looking at all boxes so many times costs less than entering each.
constexpr std::size_t few_questions = 8;
/// In mean lengths: what is longer is in no cell.
constexpr double large_length = 2;
/// Beyond it, cells are as good as one: integers hold their numbers, and no loop over them ends.
constexpr double farthest_number = 1e15;

double length_of(const Box& box) {
  const Vector3 size = box.high - box.low;
  return std::max({size[0], size[1], size[2]});
}

}  // namespace

StillBoxes::StillBoxes(std::span<const Box> boxes, std::size_t questions) : boxes_(boxes) {
  if (questions <= few_questions) return;
  find_width();
  enter_all();
}

void StillBoxes::find_width() {
  double lengths = 0;
  std::size_t counted = 0;
  for (const Box& box : boxes_) {
    const double length = length_of(box);
    if (!(length > 0) || !std::isfinite(length)) continue;
    lengths += length;
    ++counted;
  }
  if (counted > 0 && std::isfinite(lengths)) width_ = lengths / static_cast<double>(counted);
}

bool StillBoxes::cell_of(const Vector3& place, Cell& cell) const {
  for (std::size_t k = 0; k < 3; ++k) {
    const double number = std::floor(place[k] / width_);
    if (!(std::abs(number) < farthest_number)) return false;
    cell[k] = static_cast<std::int64_t>(number);
  }
  return true;
}

std::size_t StillBoxes::bucket_of(const Cell& cell) const {
  std::uint64_t value = 0;
  for (const std::int64_t number : cell)
    value = (value ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>((value ^ (value >> 32)) & (first_.size() - 2));
}

// Counted, then put in place.
void StillBoxes::enter_all() {
  const std::size_t buckets = std::bit_ceil(2 * boxes_.size() + 1);
  first_.assign(buckets + 1, 0);
  std::vector<Entry> entries;
  std::vector<std::size_t> bucket;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    Entry entry{{}, static_cast<std::int32_t>(i)};
    const double length = length_of(boxes_[i]);
    if (!(length <= large_length * width_) || !cell_of(boxes_[i].low, entry.cell)) {
      large_.push_back(entry.box);
      continue;
    }
    longest_ = std::max(longest_, length);
    entries.push_back(entry);
    bucket.push_back(bucket_of(entry.cell));
    ++first_[bucket.back()];
  }
  std::size_t before = 0;
  for (std::size_t& first : first_) before += std::exchange(first, before);
  std::vector<std::size_t> next = first_;
  entries_.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) entries_[next[bucket[i]]++] = entries[i];
}

// All cells in which the lowest corner of a box near this one may be; false where looking at all costs less.
bool StillBoxes::cells_near(const Box& box, double distance, Cell& first, Cell& last) const {
  if (first_.empty()) return false;
  // A thousandth of a cell more, lest rounding of the distance costs a box.
  const double more = distance + 1e-3 * width_;
  Vector3 low = box.low, high = box.high;
  for (std::size_t k = 0; k < 3; ++k) {
    low[k] -= more + longest_;
    high[k] += more;
  }
  if (!cell_of(low, first) || !cell_of(high, last)) return false;
  double count = 1;
  for (std::size_t k = 0; k < 3; ++k)
    count *= static_cast<double>(std::max<std::int64_t>(last[k] - first[k] + 1, 0));
  return count <= static_cast<double>(boxes_.size());
}

}  // namespace terrace
