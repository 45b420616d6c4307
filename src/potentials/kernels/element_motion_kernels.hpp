// How much tetrahedra deform in a step, from a bound of ‖F⁻¹‖ that is updated from step to step.
#pragma once

#include "potentials/kernels/tetrahedron_kernels.hpp"

namespace terrace::TERRACE_LEVEL {

/// PacketKernels::inverse_norms: F⁻¹ = (cof F)ᵀ / J.
inline void inverse_norms(const PacketGeometry* packets, std::size_t count, const double* displacements,
                          double* norms) {
  const Batch zero(0.0), one(1.0);
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      const Tensor g = field_gradient(packets[i], lane, displacements), c = cofactor(g);
      const Tensor k = cofactor_change(g, c, trace(g));  // cof F − I
      const Tensor f = {one + k.xx, k.xy, k.xz, k.yx, one + k.yy, k.yz, k.zx, k.zy, one + k.zz};
      const Batch jacobian = one + (trace(g) + (trace(c) + determinant(g, c)));
      select(jacobian > zero, xsimd::sqrt(contract(f, f)) / jacobian, Batch(__builtin_inf()))
          .store_aligned(norms + i * width + lane);
    }
}

/// PacketKernels::find_deforming: ‖(F + ΔF)⁻¹‖ ≤ ‖F⁻¹‖ / (1 − ‖F⁻¹ ΔF‖).
inline std::size_t find_deforming(const PacketGeometry* packets, std::size_t count, const double* velocities,
                                  double duration, double most, double* norms, std::int32_t* found) {
  const Batch one(1.0), span(duration), limit(most);
  std::size_t deforming = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Mask all(true);
    for (int lane = 0; lane < width; lane += lanes) {
      const Tensor rate = field_gradient(packets[i], lane, velocities);
      const Batch inverse = load(norms + i * width + lane);
      const Batch change = inverse * (span * xsimd::sqrt(contract(rate, rate)));
      all = all & (change <= limit);
      (inverse / (one - change)).store_aligned(norms + i * width + lane);
    }
    found[deforming] = static_cast<std::int32_t>(i);
    deforming += xsimd::all(all) ? 0 : 1;
  }
  return deforming;
}

}  // namespace terrace::TERRACE_LEVEL
