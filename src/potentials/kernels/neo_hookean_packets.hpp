// Packets of elements as they lie in memory; the kernels of all levels of the processor read and write them.
#pragma once

#include <cstdint>

#include "potentials/kernels/packets.hpp"

namespace terrace::neo_hookean {

using simd::row;
using simd::width;

/// Reference geometry of `width` elements; padding has zero volume and zero gradients.
struct alignas(64) PacketGeometry {
  double shape_gradient[3][3][width];  ///< ∂N_a/∂X_i [1/length] of the first three nodes; the fourth is minus
                                       ///< their sum
  double volume[width];             ///< [length³]
  std::int32_t node_row[4][width];  ///< `row` · compact node number
};

/// The energies of `width` elements restricted to a line: J − 1 is the cubic Σ jacobian[i] sⁱ; and tr FᵀF − 3
/// − 2 (J − 1), which is of second order in the strain, is strain[0] + strain[1] s + strain[2] s² − 2
/// jacobian[3] s³.
struct alignas(64) PacketLine {
  double jacobian[4][width];
  double strain[3][width];
  double volume[width];
};

}  // namespace terrace::neo_hookean

namespace terrace::tetrahedra {

/// The energies of `width` elements restricted to a line, for laws that are the sum of a function of J and a
/// quartic in s: J − 1 is the cubic Σ jacobian[i] sⁱ (0 for a law without such a function), the quartic is Σ
/// energy[i] sⁱ [energy/length³].
struct alignas(64) QuarticLine {
  double jacobian[4][simd::width];
  double energy[5][simd::width];
  double volume[simd::width];
};

}  // namespace terrace::tetrahedra
