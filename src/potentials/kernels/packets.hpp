// The layout that all levels of the processor share: how many elements or pairs a packet holds, and how nodes
// lie in memory.
#pragma once

namespace terrace::simd {

/// Elements or pairs per packet, however many the processor handles at once: one with narrower registers
/// walks through halves or quarters of a packet, so that padding and layout are the same everywhere.
inline constexpr int width = 8;

inline constexpr int row = 4;  ///< doubles per node: x, y, z, unused

/// One number of every element or pair of a packet.
using Lanes = double[width];

}  // namespace terrace::simd
