// Sets of pairs of particles, and those of their pairs that are near each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

/// A pair by places in a table.
using PairOfPlaces = std::array<std::int32_t, 2>;

/// A set of pairs, no particle with itself: the pairs in `listed`, if there are any; else all pairs of one
/// particle in `first` and one in `second`; or all pairs in `first` if `second` is empty. All numbers are
/// places in a table of particles. `first` and `second` are ascending and have no number in common.
struct PairSet {
  std::vector<std::int32_t> first, second;
  std::vector<PairOfPlaces> listed;

  /// The number of pairs.
  [[nodiscard]] double count() const;
  /// The largest number of pairs at one particle.
  [[nodiscard]] double count_at_particle() const;
  /// Places of all particles that are in some pair, ascending.
  [[nodiscard]] std::vector<std::int32_t> particles() const;
};

/// The pairs whose particles are within `reach` of each other, and perhaps some others; all pairs for an
/// infinite reach. Particles are sorted into cells of the size `reach`: the cost is that of the particles and
/// of the pairs found.
[[nodiscard]] std::vector<PairOfPlaces> pairs_within(const PairSet& set, std::span<const Vector3> positions,
                                                     double reach);

}  // namespace terrace
