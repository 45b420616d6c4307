// The result of a search as numbers for a sum over ranks: one rank contributes them, the others zeros.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dynamics/terraces/subdomain_state.hpp"

namespace terrace {

/// Number of doubles in a packed CrossingFound.
constexpr std::size_t result_width = 9;

/// Packs a result into doubles; `unpacked` is the inverse.
inline std::array<double, result_width> packed(const CrossingFound& found) {
  return {found.known ? 1.0 : 0.0,
          found.certain_until,
          static_cast<double>(found.surface),
          found.instant,
          found.instant_before,
          found.gradient_instant,
          static_cast<double>(found.level_beyond),
          found.first_value,
          found.apart};
}

inline CrossingFound unpacked(const double* numbers) {
  return {numbers[0] > 0,
          numbers[1],
          static_cast<FirstCrossing::Surface>(static_cast<int>(numbers[2])),
          numbers[3],
          numbers[4],
          numbers[5],
          static_cast<std::int64_t>(numbers[6]),
          numbers[7],
          numbers[8]};
}

}  // namespace terrace
