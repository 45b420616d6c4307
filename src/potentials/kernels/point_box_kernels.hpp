// Boxes about many points, whose coordinates follow each other in memory: x y z x y z …
#pragma once

#include "potentials/kernels/packet_kernels.hpp"
#include "potentials/kernels/simd.hpp"

namespace terrace::TERRACE_LEVEL {

/// Includes points with this many coordinates each in the box `low`, `high`. As many batches as a point has
/// coordinates hold a whole number of points, so that each lane of each of these batches always holds the
/// same coordinate. `batch_at(i)` and `number_at(i)` give the coordinates from the i-th on, and the i-th
/// alone; some are asked for twice.
template <int coordinates, class BatchAt, class NumberAt>
[[gnu::always_inline]] inline void box_of(std::size_t points, BatchAt batch_at, NumberAt number_at,
                                          double (&low)[coordinates], double (&high)[coordinates]) {
  constexpr std::size_t step = coordinates, stride = step * static_cast<std::size_t>(lanes);
  const auto include = [&](std::size_t k, double lowest, double highest) {
    low[k] = lowest < low[k] ? lowest : low[k];
    high[k] = highest > high[k] ? highest : high[k];
  };
  const std::size_t count = step * points;
  if (count < stride) {
    for (std::size_t i = 0; i < count; i += step)
      for (std::size_t k = 0; k < step; ++k) include(k, number_at(i + k), number_at(i + k));
  } else {
    Batch least[coordinates], most[coordinates];
    const auto include_batches = [&](std::size_t i) {
      for (int part = 0; part < coordinates; ++part) {
        const Batch x = batch_at(i + static_cast<std::size_t>(part * lanes));
        least[part] = minimum(x, least[part]);
        most[part] = maximum(x, most[part]);
      }
    };
    for (int part = 0; part < coordinates; ++part) {
      least[part] = Batch(__builtin_inf());
      most[part] = Batch(-__builtin_inf());
    }
    for (std::size_t i = 0; i + stride <= count; i += stride) include_batches(i);
    include_batches(count - stride);  // the last points, some of them once more
    alignas(64) double lowest[stride], highest[stride];
    for (int part = 0; part < coordinates; ++part) {
      least[part].store_aligned(lowest + part * lanes);
      most[part].store_aligned(highest + part * lanes);
    }
    for (std::size_t i = 0; i < stride; i += step)
      for (std::size_t k = 0; k < step; ++k) include(k, lowest[i + k], highest[i + k]);
  }
  for (std::size_t k = 0; k < step; ++k) {  // −0 becomes 0: which of the two was found depends on the level
    low[k] += 0.0;
    high[k] += 0.0;
  }
}

/// PacketKernels::box_of_points.
inline void box_of_points(const double* points, std::size_t count, BoxCorners& box) {
  box_of<3>(
      count, [=](std::size_t i) { return Batch::load_unaligned(points + i); },
      [=](std::size_t i) { return points[i]; }, box.low, box.high);
}

/// PacketKernels::box_of_differences.
inline void box_of_differences(const double* points, const double* others, std::size_t count,
                               BoxCorners& box) {
  box_of<3>(
      count,
      [=](std::size_t i) { return Batch::load_unaligned(points + i) - Batch::load_unaligned(others + i); },
      [=](std::size_t i) { return points[i] - others[i]; }, box.low, box.high);
}

/// PacketKernels::box_of_moved.
inline void box_of_moved(const double* points, const double* velocities, double time, std::size_t count,
                         BoxCorners& box) {
  const Batch all(time);
  box_of<3>(
      count,
      [=](std::size_t i) {
        return multiply_add(all, Batch::load_unaligned(velocities + i), Batch::load_unaligned(points + i));
      },
      [=](std::size_t i) { return time * velocities[i] + points[i]; }, box.low, box.high);
}

/// PacketKernels::box_of_rows.
inline bool box_of_rows(const double* rows, std::size_t count, BoxCorners& box) {
  static_assert(row == 4);
  double low[row], high[row], zero = 0;
  for (int k = 0; k < row; ++k) {
    low[k] = k < 3 ? box.low[k] : 0;
    high[k] = k < 3 ? box.high[k] : 0;
  }
  Batch zeros(0.0);  // x − x is NaN if x is not finite
  box_of<row>(
      count,
      [&, rows](std::size_t i) {
        const Batch x = Batch::load_unaligned(rows + i);
        zeros = zeros + (x - x);
        return x;
      },
      [&, rows](std::size_t i) {
        zero += rows[i] - rows[i];
        return rows[i];
      },
      low, high);
  for (int k = 0; k < 3; ++k) {
    box.low[k] = low[k];
    box.high[k] = high[k];
  }
  return zero + sum_of_lanes(zeros) == 0;
}

}  // namespace terrace::TERRACE_LEVEL
