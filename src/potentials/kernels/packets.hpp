// What every processor has in common: how many elements or pairs a packet holds, and how nodes lie in memory.
#pragma once

namespace terrace::simd {

/// Elements or pairs per packet, whatever the processor can do at once: narrower ones walk halves or quarters
/// of a packet, so that padding and layout are the same everywhere.
inline constexpr int width = 8;

inline constexpr int row = 4;  ///< doubles per node: x, y, z, unused

/// One number of every element or pair of a packet.
using Lanes = double[width];

}  // namespace terrace::simd
