// Boxes that may change one by one; finds those near a given box without comparing all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "geometry/box.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Each box belongs to the cell of its lowest corner in an unbounded grid, whose cells are wider than the box
/// is long and at most twice as wide. There is a grid (level) for every power of two, so that boxes of any
/// sizes may be mixed. Boxes without a length, or too far away for a cell number, are compared every time: a
/// few of them cost little. What is found depends on the boxes alone, not on the cells.
class BoxIndex {
 public:
  /// Replaces all boxes; box i gets the number i.
  void build(std::vector<Box> boxes);
  [[nodiscard]] std::size_t size() const { return boxes_.size(); }
  [[nodiscard]] const Box& operator[](std::int32_t i) const { return at(boxes_, i); }
  /// Replaces box `i`.
  void replace(std::int32_t i, const Box& box);

  /// The numbers of all boxes that overlap `box` within `distance` ≥ 0 (Box::overlaps), ascending.
  [[nodiscard]] std::vector<std::int32_t> near(const Box& box, double distance) const;
  /// Calls visit(i) once for each of these numbers, in any order.
  template <class Visit>
  void visit_near(const Box& box, double distance, Visit visit) const {
    (void)any(box, distance, [&](std::int32_t i) {
      visit(i);
      return false;
    });
  }
  /// Calls test(i) once for each of these numbers, in any order, until it returns true; returns whether it
  /// did.
  template <class Test>
  [[nodiscard]] bool any(const Box& box, double distance, Test test) const;

  /// Number of comparisons of boxes since `build`: what the searches cost.
  [[nodiscard]] std::size_t comparisons() const { return comparisons_; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.boxes_);
    if constexpr (Archive::reads) self.enter_all();
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Cells {
    Cell first{}, last{};
    double count = 0;
  };
  struct Place {
    std::int32_t level = 0;  // cells are 2^level wide
    Cell cell{};
    std::int32_t member = -1;  // place among the members of the level
  };
  struct Level {
    std::vector<std::int32_t> members;
    double longest = 0;  // length of any member so far
  };
  void enter_all();
  void enter(std::int32_t i);
  void leave(std::int32_t i);
  [[nodiscard]] static Place place_of(const Box& box);
  /// All cells that may hold the lowest corner of a box near this one; infinitely many (count = +∞) if there
  /// are no such cell numbers.
  [[nodiscard]] static Cells cells_near(const Box& box, double distance, std::int32_t level, double longest);
  [[nodiscard]] std::size_t bucket_of(std::int32_t level, const Cell& cell) const;

  std::vector<Box> boxes_;
  std::vector<Place> places_;          // by box
  std::vector<std::int32_t> buckets_;  // first box of each, −1: none; all levels share one table
  std::vector<std::int32_t> next_;     // by box: the next one in its bucket
  std::map<std::int32_t, Level> levels_;
  mutable std::size_t comparisons_ = 0;
};

template <class Test>
bool BoxIndex::any(const Box& box, double distance, Test test) const {
  const auto is_near = [&](std::int32_t i) {
    ++comparisons_;
    return at(boxes_, i).overlaps(box, distance);
  };
  const auto accept = [&](std::int32_t i) { return is_near(i) && test(i); };
  for (const auto& [number, level] : levels_) {
    const Cells cells = cells_near(box, distance, number, level.longest);
    if (cells.count > static_cast<double>(level.members.size())) {
      if (std::any_of(level.members.begin(), level.members.end(), accept)) return true;
      continue;
    }
    for (std::int64_t i = cells.first[0]; i <= cells.last[0]; ++i)
      for (std::int64_t j = cells.first[1]; j <= cells.last[1]; ++j)
        for (std::int64_t k = cells.first[2]; k <= cells.last[2]; ++k) {
          const Cell cell{i, j, k};
          for (std::int32_t other = buckets_[bucket_of(number, cell)]; other >= 0; other = at(next_, other)) {
            if (!is_near(other)) continue;
            // The bucket may hold boxes of other cells too, which have their own turn.
            const Place& place = at(places_, other);
            if (place.cell == cell && place.level == number && test(other)) return true;
          }
        }
  }
  return false;
}

}  // namespace terrace
