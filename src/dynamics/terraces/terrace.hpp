// The terrace a subdomain is on, and new ones when subdomains are joined or divided.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace terrace {

/// The terrace k h ≤ V − V₀ < (k + 1) h. A surface at or below the lowest value of V is none. The offset V₀
/// is 0 until subdomains are joined or divided, which keeps Σ h k and leaves V as it is; the level may then
/// be negative. It is negative too where V is; a V without lowest value starts in the middle of a terrace.
struct Terrace {
  double energy_step = 1;  ///< h; +∞ for a set constraint, which is always on level 0
  std::int64_t level = 0;  ///< k
  double offset = 0;       ///< V₀ [energy]
  double lowest = 0;       ///< V is never below; −∞ allowed
  [[nodiscard]] double terraced() const { return level == 0 ? 0 : static_cast<double>(level) * energy_step; }
  [[nodiscard]] double bottom() const { return offset + terraced(); }
  [[nodiscard]] double top() const { return offset + static_cast<double>(level + 1) * energy_step; }
  [[nodiscard]] bool has_bottom() const { return bottom() > lowest; }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [energy_step, level, offset, lowest] = self;
    archive(energy_step, level, offset, lowest);
  }
  /// The level of a finite energy.
  [[nodiscard]] std::int64_t level_of(double value) const {
    return static_cast<std::int64_t>(std::floor((value - offset) / energy_step));
  }
  /// `wanted`, or the level of the lowest value where that is higher.
  [[nodiscard]] std::int64_t not_below_lowest(std::int64_t wanted) const {
    return std::isfinite(lowest) ? std::max(wanted, level_of(lowest)) : wanted;
  }
  /// On the level that holds `value`. Where no lowest value gives the levels their place, `value` is put in
  /// the middle of one, so that none is met at once; the offset is at most h / 2.
  void start_at(double value);
};

/// Terraces for subdomains with the energies `values` whose levels add up to `levels`, so that Σ h k stays
/// what it was. Every energy is well inside its terrace; the offsets are as small as that allows.
[[nodiscard]] std::vector<Terrace> share_levels(std::int64_t levels, double energy_step,
                                                std::span<const double> values);

}  // namespace terrace
