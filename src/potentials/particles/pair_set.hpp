// Which pairs of particles a potential is between, and which of them are near each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

/// A pair by places in a table.
using PairOfPlaces = std::array<std::int32_t, 2>;

/// All pairs in `first`, all of one in `first` and one in `second`, or those in `listed`, no particle with
/// itself. All numbers are places in a table of particles; the two lists are ascending and have none in
/// common.
struct PairSet {
  std::vector<std::int32_t> first, second;
  std::vector<PairOfPlaces> listed;

  [[nodiscard]] double count() const;
  /// At one particle, the most.
  [[nodiscard]] double count_at_particle() const;
  /// Places of all particles of some pair, ascending.
  [[nodiscard]] std::vector<std::int32_t> particles() const;
};

/// The pairs whose particles are within `reach` of each other, and perhaps some others; all for an infinite
/// reach. By cells of that size: the cost is that of the particles and of the pairs found.
[[nodiscard]] std::vector<PairOfPlaces> pairs_within(const PairSet& set, std::span<const Vector3> positions,
                                                     double reach);

}  // namespace terrace
