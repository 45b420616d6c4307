// A uniform grid that finds boxes near a box.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "geometry/box.hpp"
#include "numerics/elementary.hpp"

namespace terrace {

/// Cells of about the size of the boxes put in; only the part of the boxes inside `region` is recorded, so
/// queries outside it find boxes that need not be near, never miss one that meets the query inside the
/// region.
class BoxGrid {
 public:
  /// `boxes` must meet `region`. At most about eight cells per box are made.
  void build(const std::vector<Box>& boxes, const Box& region) {
    region_ = region;
    boxes_ = boxes;
    choose_cells();
    members_.assign(cells_[0] * cells_[1] * cells_[2], {});
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      (void)any_cell(boxes_[i], [&](std::size_t cell) {
        members_[cell].push_back(i);
        return false;
      });
  }

  /// Calls `test(index)` for boxes that intersect `box` (perhaps several times for one) until it returns
  /// true.
  template <class Test>
  [[nodiscard]] bool any(const Box& box, const Test& test) const {
    if (boxes_.empty() || !box.overlaps(region_)) return false;
    return any_cell(box, [&](std::size_t cell) {
      return std::any_of(members_[cell].begin(), members_[cell].end(),
                         [&](std::size_t i) { return boxes_[i].overlaps(box) && test(i); });
    });
  }

 private:
  void choose_cells() {
    Vector3 mean{};
    for (const Box& box : boxes_) mean += (1.0 / static_cast<double>(boxes_.size())) * (box.high - box.low);
    const double most = 2 * numerics::cube_root(static_cast<double>(boxes_.size()) + 1);
    for (std::size_t d = 0; d < 3; ++d) {
      const double wanted = mean[d] > 0 ? (region_.high[d] - region_.low[d]) / mean[d] : 1;
      cells_[d] = static_cast<std::size_t>(std::clamp(wanted, 1.0, most));
    }
  }

  [[nodiscard]] std::size_t cell_of(double x, std::size_t d) const {
    const double width = region_.high[d] - region_.low[d];
    const auto count = static_cast<double>(cells_[d]);
    if (!(width > 0)) return 0;
    return static_cast<std::size_t>(std::clamp((x - region_.low[d]) / width * count, 0.0, count - 1));
  }

  template <class Visit>
  bool any_cell(const Box& box, const Visit& visit) const {
    std::array<std::size_t, 3> low{}, high{};
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = cell_of(box.low[d], d);
      high[d] = cell_of(box.high[d], d);
    }
    for (std::size_t i = low[0]; i <= high[0]; ++i)
      for (std::size_t j = low[1]; j <= high[1]; ++j)
        for (std::size_t k = low[2]; k <= high[2]; ++k)
          if (visit((i * cells_[1] + j) * cells_[2] + k)) return true;
    return false;
  }

  Box region_;
  std::vector<Box> boxes_;
  std::array<std::size_t, 3> cells_{1, 1, 1};
  std::vector<std::vector<std::size_t>> members_;
};

}  // namespace terrace
