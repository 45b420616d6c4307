// Contacts of a chain of equal beads in one dimension.
#pragma once

#include <vector>

#include "hamiltonian/curve.hpp"
#include "hamiltonian/force_term.hpp"

namespace terrace {

/// Hertz springs k δ^{3/2} between neighbours, δ_k = max(u_{k−1} − u_k, 0). If the beads lose energy by a
/// coefficient of restitution e(v) = 1 − c v^b, each force is multiplied by 1 + α δ̇, with α by Gonthier's
/// energy-consistent model (Gonzalez 2011, (5.20) and (5.22)) and v the largest speed of approach since this
/// contact began. There is no tension.
class HertzContacts final : public ForceTerm {
 public:
  /// `stiffness` is k, `loss` c and `exponent` b.
  HertzContacts(std::string name, double stiffness, double loss, double exponent);
  [[nodiscard]] ForceTraits traits() const override { return {.conservative = !(loss_ > 0)}; }
  [[nodiscard]] double potential(View q, double time) const override;
  void add_gradient(View q, double time, Values& gradient) const override;
  void add_hessian(View q, double time, Matrix& hessian) const override;
  void add_force(View q, View v, double time, Values& force) const override;
  void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v) const override;
  /// Taken pair by pair, so that it keeps the momentum.
  void add_discrete_gradient(View q0, View q1, double time, Values& gradient) const override;
  void add_discrete_hessian(View q0, View q1, double time, Matrix& by_q1) const override;
  void step_done(View q, View v) override;

 private:
  /// The energy 2/5 k δ^{5/2} of a pair and its derivatives by u_{k−1} − u_k.
  [[nodiscard]] Derivatives spring(double overlap) const;

  double stiffness_, loss_, exponent_;
  std::vector<double> approach_, factor_;  ///< v and α of every contact
};

/// Drag by the discrete Laplacian of the velocities L = v_{k−1} − 2 v_k + v_{k+1}: the force m |γ| |L|^α sign
/// L (Carretero-González et al., Physical Review Letters 102, 2009, as (5.2) of Gonzalez 2011) on all beads
/// but the first and the last, whether they touch or not. It does not keep the momentum. Its sign is the one
/// that loses energy.
class LaplacianDrag final : public ForceTerm {
 public:
  LaplacianDrag(std::string name, double mass, double prefactor, double exponent);
  [[nodiscard]] ForceTraits traits() const override { return {.conservative = false}; }
  void add_force(View q, View v, double time, Values& force) const override;
  void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v) const override;

 private:
  double factor_, exponent_;
};

/// The solution α v of (1 + α v) / (1 − α v e) = exp(α v (1 + e)), 0 < α v < 1/e: (5.22) of Gonzalez 2011,
/// with e the coefficient of restitution. 0 for e = 1.
[[nodiscard]] double restitution_factor(double restitution);

}  // namespace terrace
