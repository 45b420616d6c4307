// Force and energy of two spheres in contact, without the part of their approach that the meshes yield
// themselves.
#pragma once

namespace terrace {

/// Two spheres under the force F approach by a²/R, a³ = 3FR/(4E*), with their relative radius R and relative
/// modulus E* (Johnson, Contact Mechanics, 1985, ch. 4). Where the force acts on meshes, over patches of
/// radius b, the meshes yield by F c of that, with their compliance c. The penetration δ of this law, between
/// the patches, is the rest:
///   δ = (b²/R) (x² − β x³),  F = (4E*b³/3R) x³,  x = a/b,  β = (4/3) E* b c.
/// (Half-spaces under p(r) = 3F/(2πb²) √(1 − r²/b²) yield, in the mean weighted by p, by 3F/(5E*b): β = 0.8.)
/// Bodies with such a law between their patches approach as spheres do, however coarse their meshes are, at
/// any force with x ≤ `widest`. Beyond that the force continues along its tangent, which is too soft for
/// spheres.
class HertzLaw {
 public:
  /// Arguments: E* [pressure], R [length], b [length], c of both bodies together [length/force]; all
  /// positive.
  HertzLaw(double modulus, double radius, double patch, double compliance);

  /// V [energy], F = V′ and V″ at the penetration δ [length]; all 0 for δ ≤ 0. V″ never decreases with δ.
  struct Values {
    double value = 0, first = 0, second = 0;
  };
  [[nodiscard]] Values at(double penetration) const;
  [[nodiscard]] double patch_radius() const { return patch_; }
  /// By how much the overlap of the spheres exceeds the penetration `felt` [length], if that is more than the
  /// patch is meant for: more than b²/R or a tenth of R. Else 0.
  [[nodiscard]] double unfelt(double overlap, double felt) const;
  /// Contact radius at δ as a multiple of the largest that the law is meant for, (a/b)/widest. Above 1 the
  /// force is too soft.
  [[nodiscard]] double width(double penetration) const;
  /// Force, δ and V″ at x = `widest`: the largest that the law is meant for.
  [[nodiscard]] double largest_force() const { return force_ * widest_ * widest_ * widest_; }
  [[nodiscard]] double largest_penetration() const { return last_; }
  [[nodiscard]] double largest_stiffness() const { return tangent_; }
  /// The largest x = a/b that the law is meant for: 0.9, or 0.6/β if less, as δ stops growing at x = 2/(3β).
  [[nodiscard]] double widest() const { return widest_; }

 private:
  /// x at the penetration δ = depth · b²/R.
  [[nodiscard]] double share(double depth) const;

  double depth_, force_;  ///< b²/R, 4E*b³/3R
  double beta_, widest_;
  double patch_;           ///< b
  double last_, tangent_;  ///< δ and V″ at `widest`
};

/// E* of two bodies from their moduli E/(1 − ν²), or R from two radii. The modulus of a rigid body and the
/// radius of a plane are infinite.
[[nodiscard]] inline double relative(double first, double second) { return 1 / (1 / first + 1 / second); }

}  // namespace terrace
