// How the energy of contact per area depends on the distance.
#pragma once

#include "numerics/elementary.hpp"

namespace terrace {

/// ψ(d) with x = d / d̂, zero from the activation distance d̂ on. ψ is decreasing and convex, and ψ″ does not
/// increase, so that the values of |ψ|, |ψ′| and ψ″ at the smallest one of a range of distances bound those
/// over the range.
///   barrier:  ψ = −(1 − x)² ln x  (Li et al. 2020, in d instead of d²): +∞ at d = 0, twice continuously
///             differentiable;
///   gap:      ψ = ½ (1 − x)²: finite, may be penetrated; ψ″ jumps at d̂;
///   penalty:  ψ = ½ d² [length²] for d < 0, a function of the depth alone without d̂; ψ″ jumps at d = 0.
class ContactProfile {
 public:
  enum class Kind { barrier, gap, penalty };
  /// `activation`: d̂ > 0 [length]; 0 for the penalty.
  ContactProfile(Kind kind, double activation) : kind_(kind), activation_(activation) {}

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] double activation() const { return activation_; }
  [[nodiscard]] bool diverges() const { return kind_ == Kind::barrier; }
  /// Up to this distance [length] d″ is taken as 0. Where faces in one plane slide through each other d″, up
  /// to L²/d, is that of rounding, and says nothing about how V changes.
  [[nodiscard]] double least_curved() const { return diverges() ? 0 : 1e-6 * activation_; }

  /// ψ and its derivatives by d [1, 1/length, 1/length²; for the penalty length², length, 1].
  struct Values {
    double value = 0, first = 0, second = 0;
  };
  [[nodiscard]] Values at(double distance) const {
    if (kind_ == Kind::penalty)
      return distance < 0 ? Values{0.5 * distance * distance, distance, 1} : Values{};
    const double x = distance / activation_;
    if (!(x < 1)) return {};
    const double rest = 1 - x, per = 1 / activation_;
    if (kind_ == Kind::gap) return {0.5 * rest * rest, -rest * per, per * per};
    const double logarithm = numerics::log(x), inverse = 1 / x;
    return {-rest * rest * logarithm, (2 * rest * logarithm - rest * rest * inverse) * per,
            (-2 * logarithm + 4 * rest * inverse + rest * rest * inverse * inverse) * per * per};
  }

 private:
  Kind kind_;
  double activation_;
};

}  // namespace terrace
