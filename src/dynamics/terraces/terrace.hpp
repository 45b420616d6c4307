// The terrace that a subdomain is on, and the new terraces when subdomains are joined or divided.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace terrace {

/// The terrace k h ≤ V − V₀ < (k + 1) h of a subdomain's potential energy V. Its bottom does not count as a
/// surface where it is at or below the lowest value that V can have.
///
/// The offset V₀ is 0 at first. Joining or dividing subdomains changes it, so that Σ h k is kept while V
/// stays as it is. A V without a lowest value has an offset from the start: it begins in the middle of a
/// terrace. The level k is negative where V − V₀ is.
struct Terrace {
  double energy_step = 1;  ///< h; +∞ for a set constraint, which is always on level 0
  std::int64_t level = 0;  ///< k
  double offset = 0;       ///< V₀ [J]
  double lowest = 0;       ///< lower bound of V [J]; −∞ allowed
  /// h k [J]; 0 on level 0, also where h = +∞.
  [[nodiscard]] double terraced() const { return level == 0 ? 0 : static_cast<double>(level) * energy_step; }
  [[nodiscard]] double bottom() const { return offset + terraced(); }
  [[nodiscard]] double top() const { return offset + static_cast<double>(level + 1) * energy_step; }
  [[nodiscard]] bool has_bottom() const { return bottom() > lowest; }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [energy_step, level, offset, lowest] = self;
    archive(energy_step, level, offset, lowest);
  }
  /// The level whose terrace contains `value` [J], which must be finite.
  [[nodiscard]] std::int64_t level_of(double value) const {
    return static_cast<std::int64_t>(std::floor((value - offset) / energy_step));
  }
  /// The level `wanted`, but no level below that of the lowest value of V.
  [[nodiscard]] std::int64_t not_below_lowest(std::int64_t wanted) const {
    return std::isfinite(lowest) ? std::max(wanted, level_of(lowest)) : wanted;
  }
  /// Sets level and offset so that the terrace contains `value` [J], the energy at the start. The offset is 0
  /// if V has a lowest value. Else nothing fixes where the levels lie, and the offset (at most h / 2) puts
  /// `value` in the middle of the terrace, so that no surface is met at once.
  void start_at(double value);
};

/// Returns one terrace for each of the energies `values` [J]. Their levels add up to `levels`, so that Σ h k
/// stays what it was. Every energy is well inside its terrace (by 5 % of h); the offsets are as small as that
/// allows. The members `lowest` are left at 0.
[[nodiscard]] std::vector<Terrace> share_levels(std::int64_t levels, double energy_step,
                                                std::span<const double> values);

}  // namespace terrace
