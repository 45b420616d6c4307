#include "potentials/particles/pair_set.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "numerics/at.hpp"
#include "numerics/elementary.hpp"
#include "numerics/infinity.hpp"
#include "numerics/sort_each_once.hpp"

namespace terrace {
namespace {

/// Particles sorted into the cells of a regular grid. Particles far out share the cells of its rim.
class Cells {
 public:
  Cells(std::span<const std::int32_t> members, std::span<const Vector3> positions, double size)
      : positions_(positions) {
    Vector3 high = {-infinity, -infinity, -infinity};
    low_ = {infinity, infinity, infinity};
    for (const std::int32_t member : members)
      for (std::size_t d = 0; d < 3; ++d) {
        low_[d] = std::min(low_[d], at(positions, member)[d]);
        high[d] = std::max(high[d], at(positions, member)[d]);
      }
    // At most a few cells for each particle.
    const double most = 2 * numerics::cube_root(static_cast<double>(members.size() + 1));
    for (std::size_t d = 0; d < 3; ++d) {
      count_[d] = 1 + whole_part((high[d] - low_[d]) / size - 1, most);
      width_[d] = std::max((high[d] - low_[d]) / count_[d], size);
    }
    first_.assign(static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) *
                          static_cast<std::size_t>(count_[2]) +
                      1,
                  0);
    for (const std::int32_t member : members) ++first_[index(cell_of(at(positions, member))) + 1];
    for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
    members_.resize(members.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const std::int32_t member : members)
      members_[next[index(cell_of(at(positions, member)))]++] = member;
  }

  /// Calls visit(member) for all members in the cell of x and in the cells around it.
  template <class Visit>
  void for_each_near(const Vector3& x, Visit visit) const {
    const Cell here = cell_of(x);
    Cell low{}, high{};
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::max(here[d] - 1, 0);
      high[d] = std::min(here[d] + 1, count_[d] - 1);
    }
    for (std::int32_t i = low[0]; i <= high[0]; ++i)
      for (std::int32_t j = low[1]; j <= high[1]; ++j)
        for (std::int32_t k = low[2]; k <= high[2]; ++k) {
          const std::size_t cell = index({i, j, k});
          for (std::size_t m = first_[cell]; m < first_[cell + 1]; ++m) visit(members_[m]);
        }
  }

 private:
  using Cell = std::array<std::int32_t, 3>;
  // The whole part of x, at least 0 and at most `most`; 0 if x is not a number, as for particles that have
  // left all bounds.
  static std::int32_t whole_part(double x, double most) {
    return x > 0 ? static_cast<std::int32_t>(std::min(x, most)) : 0;
  }
  [[nodiscard]] Cell cell_of(const Vector3& x) const {
    Cell cell{};
    for (std::size_t d = 0; d < 3; ++d) cell[d] = whole_part((x[d] - low_[d]) / width_[d], count_[d] - 1);
    return cell;
  }
  [[nodiscard]] std::size_t index(const Cell& cell) const {
    return (static_cast<std::size_t>(cell[0]) * static_cast<std::size_t>(count_[1]) +
            static_cast<std::size_t>(cell[1])) *
               static_cast<std::size_t>(count_[2]) +
           static_cast<std::size_t>(cell[2]);
  }

  std::span<const Vector3> positions_;
  Vector3 low_{}, width_{};
  Cell count_{};
  std::vector<std::size_t> first_;  // by cell, its first place in members_
  std::vector<std::int32_t> members_;
};

std::vector<PairOfPlaces> all_pairs(const PairSet& set) {
  std::vector<PairOfPlaces> pairs;
  pairs.reserve(static_cast<std::size_t>(set.count()));
  for (std::size_t i = 0; i < set.first.size(); ++i) {
    if (set.second.empty())
      for (std::size_t j = i + 1; j < set.first.size(); ++j) pairs.push_back({set.first[i], set.first[j]});
    for (const std::int32_t other : set.second) pairs.push_back({set.first[i], other});
  }
  return pairs;
}

}  // namespace

double PairSet::count() const {
  if (!listed.empty()) return static_cast<double>(listed.size());
  const auto n = static_cast<double>(first.size());
  return second.empty() ? n * (n - 1) / 2 : n * static_cast<double>(second.size());
}

double PairSet::count_at_particle() const {
  if (listed.empty())
    return static_cast<double>(second.empty() ? std::max<std::size_t>(first.size(), 1) - 1
                                              : std::max(first.size(), second.size()));
  std::map<std::int32_t, int> pairs;
  int most = 0;
  for (const PairOfPlaces& pair : listed)
    for (const std::int32_t place : pair) most = std::max(most, ++pairs[place]);
  return most;
}

std::vector<std::int32_t> PairSet::particles() const {
  std::vector<std::int32_t> all = first;
  all.insert(all.end(), second.begin(), second.end());
  for (const PairOfPlaces& pair : listed) all.insert(all.end(), pair.begin(), pair.end());
  sort_each_once(all);
  return all;
}

std::vector<PairOfPlaces> pairs_within(const PairSet& set, std::span<const Vector3> positions, double reach) {
  if (!set.listed.empty()) return set.listed;
  if (!std::isfinite(reach)) return all_pairs(set);
  std::vector<PairOfPlaces> pairs;
  if (set.first.empty()) return pairs;
  const bool among_themselves = set.second.empty();
  const Cells cells(among_themselves ? set.first : set.second, positions, reach);
  for (const std::int32_t i : set.first)
    cells.for_each_near(at(positions, i), [&](std::int32_t j) {
      if (among_themselves && j <= i) return;
      const Vector3 d = at(positions, j) - at(positions, i);
      if (dot(d, d) <= reach * reach) pairs.push_back({i, j});
    });
  return pairs;
}

}  // namespace terrace
