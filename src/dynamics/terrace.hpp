// The terrace a subdomain is on, and new ones when subdomains are joined or divided.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace terrace {

/// The terrace k h ≤ V − V₀ < (k + 1) h. V ≥ 0: a surface at or below 0 is none. The offset V₀ is 0 until
/// subdomains are joined or divided, which keeps Σ h k and leaves V as it is; the level may then be negative.
struct Terrace {
  double energy_step = 1;  ///< h; +∞ for a set constraint, which is always on level 0
  std::int64_t level = 0;  ///< k
  double offset = 0;       ///< V₀ [energy]
  [[nodiscard]] double terraced() const { return level == 0 ? 0 : static_cast<double>(level) * energy_step; }
  [[nodiscard]] double bottom() const { return offset + terraced(); }
  [[nodiscard]] double top() const { return offset + static_cast<double>(level + 1) * energy_step; }
  [[nodiscard]] bool has_bottom() const { return bottom() > 0; }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [energy_step, level, offset] = self;
    archive(energy_step, level, offset);
  }
  /// The level of an energy.
  [[nodiscard]] std::int64_t level_of(double value) const {
    return static_cast<std::int64_t>(std::floor((value - offset) / energy_step));
  }
};

/// Terraces for subdomains with the energies `values` whose levels add up to `levels`, so that Σ h k stays
/// what it was. Every energy is well inside its terrace; the offsets are as small as that allows.
[[nodiscard]] std::vector<Terrace> share_levels(std::int64_t levels, double energy_step,
                                                std::span<const double> values);

}  // namespace terrace
