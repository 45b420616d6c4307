// Boxes that stay as they are, and those near a given one: made at one go, for few or many questions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/box.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Every box lies in one cell of an unbounded grid, that of its lowest corner, and cells in the buckets of
/// one table: cheap to make, where BoxIndex is made for boxes that change. Boxes far longer than the mean,
/// and such that are not finite, are in no cell and looked at every time. What is found depends on the boxes
/// alone.
class StillBoxes {
 public:
  /// For so many questions, about: for a few there is no grid, and all boxes are looked at. `boxes` must
  /// outlive this.
  StillBoxes(std::span<const Box> boxes, std::size_t questions);

  [[nodiscard]] std::size_t size() const { return boxes_.size(); }
  [[nodiscard]] const Box& operator[](std::int32_t i) const { return at(boxes_, i); }

  /// Calls visit(i), once, for all boxes that overlap `box` by `distance` ≥ 0 (Box::overlaps); in no order
  /// that matters.
  template <class Visit>
  void visit_near(const Box& box, double distance, Visit visit) const;

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Entry {
    Cell cell;
    std::int32_t box;
  };
  void find_width();
  void enter_all();
  [[nodiscard]] bool cell_of(const Vector3& place, Cell& cell) const;
  [[nodiscard]] std::size_t bucket_of(const Cell& cell) const;
  [[nodiscard]] bool cells_near(const Box& box, double distance, Cell& first, Cell& last) const;

  std::span<const Box> boxes_;
  double width_ = 1, longest_ = 0;  // of cells, of a box in one
  std::vector<Entry> entries_;      // by buckets; none: no grid
  std::vector<std::size_t> first_;  // of each bucket in `entries_`, and behind the last
  std::vector<std::int32_t> large_;
};

template <class Visit>
void StillBoxes::visit_near(const Box& box, double distance, Visit visit) const {
  const auto look = [&](std::int32_t i) {
    if (at(boxes_, i).overlaps(box, distance)) visit(i);
  };
  Cell first, last;
  if (!cells_near(box, distance, first, last)) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) look(static_cast<std::int32_t>(i));
    return;
  }
  for (std::int64_t i = first[0]; i <= last[0]; ++i)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t k = first[2]; k <= last[2]; ++k) {
        const Cell cell{i, j, k};
        const std::size_t bucket = bucket_of(cell);
        for (std::size_t place = first_[bucket]; place < first_[bucket + 1]; ++place)
          if (entries_[place].cell == cell) look(entries_[place].box);
      }
  std::for_each(large_.begin(), large_.end(), look);
}

}  // namespace terrace
