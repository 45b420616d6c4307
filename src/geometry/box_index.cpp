#include "geometry/box_index.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

constexpr double most_cells_of_a_box = 64;
/// Beyond it, cells are as good as one: integers hold their numbers, and no loop over them ends.
constexpr double farthest_cell = 1e15;

}  // namespace

std::size_t BoxIndex::CellHash::operator()(const Cell& cell) const {
  std::uint64_t value = 0;
  for (const std::int64_t number : cell)
    value = (value ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(value ^ (value >> 32));
}

void BoxIndex::build(std::span<const Box> boxes) {
  boxes_.assign(boxes.begin(), boxes.end());
  double lengths = 0;
  std::size_t counted = 0;
  for (const Box& box : boxes_) {
    const Vector3 size = box.high - box.low;
    const double length = std::max({size[0], size[1], size[2]});
    if (!(length > 0) || !std::isfinite(length)) continue;
    lengths += length;
    ++counted;
  }
  width_ = counted > 0 && std::isfinite(lengths) ? lengths / static_cast<double>(counted) : 1;
  enter_all();
}

void BoxIndex::enter_all() {
  members_.clear();
  large_.clear();
  comparisons_ = 0;
  for (std::size_t i = 0; i < boxes_.size(); ++i) enter(static_cast<std::int32_t>(i));
}

BoxIndex::Cells BoxIndex::cells_of(const Box& box, double distance) const {
  Cells cells{{}, {}, 1};
  for (std::size_t k = 0; k < 3; ++k) {
    const double low = std::floor((box.low[k] - distance) / width_);
    const double high = std::floor((box.high[k] + distance) / width_);
    cells.count *=
        std::abs(low) < farthest_cell && std::abs(high) < farthest_cell ? high - low + 1 : infinity;
    if (!std::isfinite(cells.count)) return cells;
    cells.low[k] = static_cast<std::int64_t>(low);
    cells.high[k] = static_cast<std::int64_t>(high);
  }
  return cells;
}

bool BoxIndex::is_large(const Cells& cells) const { return !(cells.count <= most_cells_of_a_box); }

template <class Visit>
void BoxIndex::for_each(const Cells& cells, Visit visit) {
  for (std::int64_t i = cells.low[0]; i <= cells.high[0]; ++i)
    for (std::int64_t j = cells.low[1]; j <= cells.high[1]; ++j)
      for (std::int64_t k = cells.low[2]; k <= cells.high[2]; ++k) visit(Cell{i, j, k});
}

void BoxIndex::enter(std::int32_t i) {
  const Cells cells = cells_of(at(boxes_, i), 0);
  if (is_large(cells)) return large_.push_back(i);
  for_each(cells, [&](const Cell& cell) { members_[cell].push_back(i); });
}

void BoxIndex::leave(std::int32_t i) {
  const Cells cells = cells_of(at(boxes_, i), 0);
  if (is_large(cells)) {
    std::erase(large_, i);
    return;
  }
  for_each(cells, [&](const Cell& cell) {
    const auto entry = members_.find(cell);
    std::erase(entry->second, i);
    if (entry->second.empty()) members_.erase(entry);
  });
}

void BoxIndex::replace(std::int32_t i, const Box& box) {
  TERRACE_VERIFY(i >= 0 && static_cast<std::size_t>(i) < boxes_.size(), i, boxes_.size());
  leave(i);
  at(boxes_, i) = box;
  enter(i);
}

std::vector<std::int32_t> BoxIndex::near(const Box& box, double distance) const {
  std::vector<std::int32_t> found;
  const auto compare = [&](std::int32_t i) {
    ++comparisons_;
    if (at(boxes_, i).overlaps(box, distance)) found.push_back(i);
  };
  // A thousandth of a cell more, lest rounding of the distance costs a box.
  const Cells cells = cells_of(box, distance + 1e-3 * width_);
  if (!(cells.count <= static_cast<double>(boxes_.size()))) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) compare(static_cast<std::int32_t>(i));
    return found;
  }
  for_each(cells, [&](const Cell& cell) {
    const auto entry = members_.find(cell);
    if (entry != members_.end()) std::for_each(entry->second.begin(), entry->second.end(), compare);
  });
  std::for_each(large_.begin(), large_.end(), compare);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace terrace
