#include "dynamics/clocked/balanced_kick.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {

BalancedKick balanced_kick(const KickData& data) {
  const double w = data.weight, s = data.compliance, a = data.ahead;
  const bool has_force = s > 0;
  const double held = data.stored + data.offset - data.bend;
  BalancedKick kick;
  kick.imbalance =
      held - kinetic_gain(-w, data.normal_velocity, s) - (data.value + a * (data.normal_velocity - w * s));
  const double slope = data.normal_velocity + (a - w) * s;
  const double square = slope * slope + 2 * s * kick.imbalance;
  double correction = 0;
  if (kick.imbalance != 0 && has_force) {
    kick.clipped = square < 0;
    // Without a root, what is left unbalanced is least where its derivative by δ is 0.
    correction =
        kick.clipped ? -slope / s : 2 * kick.imbalance / (slope + std::copysign(std::sqrt(square), slope));
    const double most = std::abs(data.largest_correction * w);
    if (!(std::abs(correction) <= most)) {
      kick.clipped = true;
      correction = std::isnan(correction) ? 0 : std::clamp(correction, -most, most);
    }
  }
  kick.multiplier = -w + correction;
  kick.debt = held - kinetic_gain(kick.multiplier, data.normal_velocity, s) -
              (data.value + a * (data.normal_velocity + kick.multiplier * s));
  return kick;
}

}  // namespace terrace
