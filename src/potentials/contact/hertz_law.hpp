// Force and energy of two spheres in contact, less what their meshes already do.
#pragma once

namespace terrace {

/// Two spheres approach by a²/R, a³ = 3FR/(4E*), R and E* their relative radius and modulus (Johnson, Contact
/// Mechanics, 1985, ch. 4). Where the force acts on meshes, over patches of the radius b, the meshes yield by
/// F c of it; what lies between the patches yields by the rest:
///   δ = (b²/R) (x² − β x³),  F = (4E*b³/3R) x³,  x = a/b,  β = (4/3) E* b c.
/// (Half-spaces under p(r) = 3F/(2πb²) √(1 − r²/b²) yield to its weighted mean by 3F/(5E*b): β = 0.8.) Bodies
/// with such a law between their patches approach as spheres do, however coarse their meshes are, at any
/// force with x ≤ `widest`. Beyond it the force goes on along its tangent, too soft for spheres.
class HertzLaw {
 public:
  /// E* [pressure], R [length], b [length], c of both bodies [length/force]; all positive.
  HertzLaw(double modulus, double radius, double patch, double compliance);

  /// V [energy], F = V′ and V″ at δ [length]; 0 for δ ≤ 0. V″ never falls with δ.
  struct Values {
    double value = 0, first = 0, second = 0;
  };
  [[nodiscard]] Values at(double penetration) const;
  [[nodiscard]] double patch_radius() const { return patch_; }
  /// By how much the spheres are in each other [length] beyond `felt`, where that is more than the patch is
  /// meant for, or a tenth of R; else 0.
  [[nodiscard]] double unfelt(double overlap, double felt) const;
  /// a/b over `widest` at δ: above 1 the force is too soft.
  [[nodiscard]] double width(double penetration) const;
  /// The largest that the law is meant for.
  [[nodiscard]] double largest_force() const { return force_ * widest_ * widest_ * widest_; }
  [[nodiscard]] double largest_penetration() const { return last_; }
  [[nodiscard]] double largest_stiffness() const { return tangent_; }
  /// Largest share of the patch's radius that the contact's may have: 0.9, less where δ would hardly grow.
  [[nodiscard]] double widest() const { return widest_; }

 private:
  [[nodiscard]] double share(double depth) const;

  double depth_, force_;  ///< b²/R, 4E*b³/3R
  double beta_, widest_;
  double patch_;           ///< b
  double last_, tangent_;  ///< δ and V″ at `widest`
};

/// E* of two bodies with the moduli E/(1 − ν²), and R of two radii; infinity for a rigid body, a plane.
[[nodiscard]] inline double relative(double first, double second) { return 1 / (1 / first + 1 / second); }

}  // namespace terrace
