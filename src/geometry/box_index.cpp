#include "geometry/box_index.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

/// The level of boxes that are in no cell, as if its cells were infinitely wide.
constexpr std::int32_t boundless = std::numeric_limits<std::int32_t>::max();
/// Cell numbers up to this one are good to a thousandth of a cell.
constexpr double farthest_cell = 1e12;

double width_of(std::int32_t level) { return std::ldexp(1.0, level); }

double length_of(const Box& box) {
  const Vector3 size = box.high - box.low;
  return std::max({size[0], size[1], size[2]});
}

bool is_cell(double number) { return std::abs(number) < farthest_cell; }

}  // namespace

BoxIndex::Place BoxIndex::place_of(const Box& box) {
  Place place{.level = boundless};
  const double length = length_of(box);
  if (!(length > 0) || !std::isfinite(length)) return place;
  const std::int32_t level = std::ilogb(length) + 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const double number = std::floor(box.low[k] / width_of(level));
    if (!is_cell(number)) return place;
    place.cell[k] = static_cast<std::int64_t>(number);
  }
  place.level = level;
  return place;
}

BoxIndex::Cells BoxIndex::cells_near(const Box& box, double distance, std::int32_t level, double longest) {
  Cells cells;
  cells.count = infinity;
  const double width = width_of(level);
  // A thousandth of a cell more, so that rounding of the distance loses no box.
  const double more = distance + 1e-3 * width;
  double count = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const double first = std::floor((box.low[k] - more - longest) / width),
                 last = std::floor((box.high[k] + more) / width);
    if (!is_cell(first) || !is_cell(last)) return cells;
    count *= std::max(last - first + 1, 0.0);
    cells.first[k] = static_cast<std::int64_t>(first);
    cells.last[k] = static_cast<std::int64_t>(last);
  }
  cells.count = count;
  return cells;
}

std::size_t BoxIndex::bucket_of(std::int32_t level, const Cell& cell) const {
  auto value = static_cast<std::uint64_t>(level);
  for (const std::int64_t number : cell)
    value = (value ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>((value ^ (value >> 32)) & (buckets_.size() - 1));
}

void BoxIndex::build(std::vector<Box> boxes) {
  boxes_ = std::move(boxes);
  enter_all();
}

void BoxIndex::enter_all() {
  comparisons_ = 0;
  levels_.clear();
  places_.resize(boxes_.size());
  next_.assign(boxes_.size(), -1);
  buckets_.assign(std::bit_ceil(2 * boxes_.size() + 1), -1);
  for (std::size_t i = 0; i < boxes_.size(); ++i) enter(static_cast<std::int32_t>(i));
}

void BoxIndex::enter(std::int32_t i) {
  Place place = place_of(at(boxes_, i));
  Level& level = levels_[place.level];
  place.member = static_cast<std::int32_t>(level.members.size());
  level.members.push_back(i);
  if (place.level != boundless) {
    level.longest = std::max(level.longest, length_of(at(boxes_, i)));
    at(next_, i) = std::exchange(buckets_[bucket_of(place.level, place.cell)], i);
  }
  at(places_, i) = place;
}

void BoxIndex::leave(std::int32_t i) {
  const Place& place = at(places_, i);
  if (place.level != boundless) {
    std::int32_t* link = &buckets_[bucket_of(place.level, place.cell)];
    while (*link != i) link = &at(next_, *link);
    *link = at(next_, i);
  }
  const auto level = levels_.find(place.level);
  std::vector<std::int32_t>& members = level->second.members;
  at(members, place.member) = members.back();
  at(places_, members.back()).member = place.member;
  members.pop_back();
  if (members.empty()) levels_.erase(level);
}

void BoxIndex::replace(std::int32_t i, const Box& box) {
  TERRACE_VERIFY(i >= 0 && static_cast<std::size_t>(i) < boxes_.size(), i, boxes_.size());
  leave(i);
  at(boxes_, i) = box;
  enter(i);
}

std::vector<std::int32_t> BoxIndex::near(const Box& box, double distance) const {
  std::vector<std::int32_t> found;
  visit_near(box, distance, [&](std::int32_t i) { found.push_back(i); });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace terrace
