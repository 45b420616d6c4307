#include "potentials/contact/hertz_law.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/contract.hpp"
#include "numerics/elementary.hpp"

namespace terrace {

HertzLaw::HertzLaw(double modulus, double radius, double patch, double compliance)
    : depth_(patch * patch / radius),
      force_(4 * modulus * patch * patch * patch / (3 * radius)),
      beta_(4.0 / 3 * modulus * patch * compliance),
      widest_(std::min(0.9, 0.6 / beta_)),
      patch_(patch),
      last_(depth_ * (widest_ * widest_) * (1 - beta_ * widest_)),
      tangent_(force_ / depth_ * (3 * widest_) / (2 - 3 * beta_ * widest_)) {
  TERRACE_VERIFY(modulus > 0 && radius > 0 && patch > 0 && compliance > 0, modulus, radius, patch,
                 compliance);
}

/// Solves x² − β x³ = depth for x in [0, widest_] by Newton's method between bounds.
double HertzLaw::share(double depth) const {
  double below = std::sqrt(depth), above = std::min(widest_, std::sqrt(depth / (1 - beta_ * widest_)));
  double x = below;
  for (int i = 0; i < 100; ++i) {
    const double rest = x * x * (1 - beta_ * x) - depth, slope = x * (2 - 3 * beta_ * x);
    (rest > 0 ? above : below) = x;
    double next = x - rest / slope;
    if (!(next >= below && next <= above)) next = 0.5 * (below + above);
    if (std::abs(next - x) <= 1e-16 * x) return next;
    x = next;
  }
  return x;
}

HertzLaw::Values HertzLaw::at(double penetration) const {
  if (!(penetration > 0)) return {};
  const double inside = std::min(penetration, last_), beyond = penetration - inside;
  const double x = share(inside / depth_), square = x * x;
  const double value = force_ * depth_ * square * square * x * (0.4 - 0.5 * beta_ * x);
  const double force = force_ * square * x;
  const double stiffness = std::min(tangent_, force_ / depth_ * (3 * x) / (2 - 3 * beta_ * x));
  return {value + beyond * (force + 0.5 * beyond * stiffness), force + beyond * stiffness, stiffness};
}

double HertzLaw::unfelt(double overlap, double felt) const {
  const double radius = patch_ * patch_ / depth_, rest = overlap - std::max(felt, 0.0);
  return rest > std::min(depth_, 0.1 * radius) ? rest : 0;
}

double HertzLaw::width(double penetration) const {
  return numerics::cube_root(at(penetration).first / force_) / widest_;
}

}  // namespace terrace
