// Boxes that change one by one, and those near a given one without a look at each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "geometry/box.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Boxes in the cells of an unbounded grid whose width is the mean of their lengths at the start. Boxes far
/// larger than that, and such that are not finite, are in no cell and looked at every time: a few of them
/// cost little. What is found depends on the boxes alone, not on the cells.
class BoxIndex {
 public:
  /// Forgets what there was; box i gets the number i.
  void build(std::span<const Box> boxes);
  [[nodiscard]] std::size_t size() const { return boxes_.size(); }
  [[nodiscard]] const Box& operator[](std::int32_t i) const { return at(boxes_, i); }
  /// Box `i` changes.
  void replace(std::int32_t i, const Box& box);

  /// The boxes of all that overlap `box` by `distance` ≥ 0 (Box::overlaps), ascending.
  [[nodiscard]] std::vector<std::int32_t> near(const Box& box, double distance) const;

  /// Boxes that `near` compared since `build`: what it costs.
  [[nodiscard]] std::size_t comparisons() const { return comparisons_; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.boxes_, self.width_);
    if constexpr (Archive::reads) self.enter_all();
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };
  struct Cells {
    Cell low, high;
    double count;
  };
  [[nodiscard]] Cells cells_of(const Box& box, double distance) const;
  [[nodiscard]] bool is_large(const Cells& cells) const;
  template <class Visit>
  static void for_each(const Cells& cells, Visit visit);
  void enter_all();
  void enter(std::int32_t i);
  void leave(std::int32_t i);

  double width_ = 1;
  std::vector<Box> boxes_;
  std::unordered_map<Cell, std::vector<std::int32_t>, CellHash> members_;
  std::vector<std::int32_t> large_;
  mutable std::size_t comparisons_ = 0;
};

}  // namespace terrace
