// Momenta of wide integers, for sums that may grow for as long as a run lasts.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "dynamics/state/wide_integer.hpp"
#include "geometry/vector3.hpp"

namespace terrace {

using WideMomentum = std::array<WideInteger, 3>;

template <class Momentum>
void add_momentum(WideMomentum& sum, const Momentum& more) {
  for (std::size_t d = 0; d < 3; ++d) sum[d] += more[d];
}

/// Adds more[i] to all[i] for each of `more`, of which there may be fewer than of `all`.
inline void add_momenta(std::span<WideMomentum> all, std::span<const WideMomentum> more) {
  for (std::size_t i = 0; i < more.size(); ++i) add_momentum(all[i], more[i]);
}

/// A momentum [kg m/s] in quanta, rounded to the nearest integers.
inline WideMomentum nearest_momentum(const Vector3& momentum, double quantum) {
  return {WideInteger::nearest(momentum[0] / quantum), WideInteger::nearest(momentum[1] / quantum),
          WideInteger::nearest(momentum[2] / quantum)};
}

inline Vector3 to_momentum(const WideMomentum& quanta, double quantum) {
  return {quanta[0].value() * quantum, quanta[1].value() * quantum, quanta[2].value() * quantum};
}

}  // namespace terrace
