// Boxes about many points, whose coordinates follow each other: x y z x y z …
#pragma once

#include "potentials/kernels/packet_kernels.hpp"
#include "potentials/kernels/simd.hpp"

namespace terrace::TERRACE_LEVEL {

/// Three batches hold as many points as a batch has lanes: each lane is always the same coordinate's.
/// `batch_at(i)` and `number_at(i)`: the coordinates from the i-th on, and the i-th alone.
template <class BatchAt, class NumberAt>
[[gnu::always_inline]] inline void box_of(std::size_t count, BatchAt batch_at, NumberAt number_at,
                                          BoxCorners& box) {
  constexpr std::size_t stride = 3 * static_cast<std::size_t>(lanes);
  const auto include = [&box](std::size_t k, double lowest, double highest) {
    box.low[k] = lowest < box.low[k] ? lowest : box.low[k];
    box.high[k] = highest > box.high[k] ? highest : box.high[k];
  };
  const std::size_t coordinates = 3 * count;
  if (coordinates < stride) {
    for (std::size_t i = 0; i < coordinates; i += 3)
      for (std::size_t k = 0; k < 3; ++k) include(k, number_at(i + k), number_at(i + k));
  } else {
    Batch least[3], most[3];
    const auto include_batches = [&](std::size_t i) {
      for (int part = 0; part < 3; ++part) {
        const Batch x = batch_at(i + static_cast<std::size_t>(part * lanes));
        least[part] = minimum(x, least[part]);
        most[part] = maximum(x, most[part]);
      }
    };
    for (int part = 0; part < 3; ++part) {
      least[part] = Batch(__builtin_inf());
      most[part] = Batch(-__builtin_inf());
    }
    for (std::size_t i = 0; i + stride <= coordinates; i += stride) include_batches(i);
    include_batches(coordinates - stride);  // some of these once more
    alignas(64) double low[stride], high[stride];
    for (int part = 0; part < 3; ++part) {
      least[part].store_aligned(low + part * lanes);
      most[part].store_aligned(high + part * lanes);
    }
    for (std::size_t i = 0; i < stride; i += 3)
      for (std::size_t k = 0; k < 3; ++k) include(k, low[i + k], high[i + k]);
  }
  for (std::size_t k = 0; k < 3; ++k) {  // of −0 and 0 any may be the first
    box.low[k] += 0.0;
    box.high[k] += 0.0;
  }
}

/// PacketKernels::box_of_points.
inline void box_of_points(const double* points, std::size_t count, BoxCorners& box) {
  box_of(
      count, [=](std::size_t i) { return Batch::load_unaligned(points + i); },
      [=](std::size_t i) { return points[i]; }, box);
}

/// PacketKernels::box_of_differences.
inline void box_of_differences(const double* points, const double* others, std::size_t count,
                               BoxCorners& box) {
  box_of(
      count,
      [=](std::size_t i) { return Batch::load_unaligned(points + i) - Batch::load_unaligned(others + i); },
      [=](std::size_t i) { return points[i] - others[i]; }, box);
}

/// PacketKernels::box_of_moved.
inline void box_of_moved(const double* points, const double* velocities, double time, std::size_t count,
                         BoxCorners& box) {
  const Batch all(time);
  box_of(
      count,
      [=](std::size_t i) {
        return multiply_add(all, Batch::load_unaligned(velocities + i), Batch::load_unaligned(points + i));
      },
      [=](std::size_t i) { return time * velocities[i] + points[i]; }, box);
}

}  // namespace terrace::TERRACE_LEVEL
