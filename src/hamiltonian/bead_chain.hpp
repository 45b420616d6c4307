// Contacts of a chain of equal beads in one dimension.
#pragma once

#include <vector>

#include "hamiltonian/curve.hpp"
#include "hamiltonian/force_term.hpp"

namespace terrace {

/// Hertz springs k δ^{3/2}, δ_k = max(u_{k−1} − u_k, 0), each times 1 + α δ̇ where the beads lose energy by a
/// coefficient of restitution e(v) = 1 − c v^b: α by Gonthier's energy-consistent model (Gonzalez 2011,
/// (5.20) and (5.22)), of the largest speed of approach v that this contact has seen since it began. No
/// tension.
class HertzContacts final : public ForceTerm {
 public:
  HertzContacts(std::string name, double stiffness, double loss, double exponent);
  [[nodiscard]] ForceTraits traits() const override { return {.conservative = !(loss_ > 0)}; }
  [[nodiscard]] double potential(View q, double time) const override;
  void add_gradient(View q, double time, Values& gradient) const override;
  void add_hessian(View q, double time, Matrix& hessian) const override;
  void add_force(View q, View v, double time, Values& force) const override;
  void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v) const override;
  /// Pair by pair, so that it keeps the momentum.
  void add_discrete_gradient(View q0, View q1, double time, Values& gradient) const override;
  void add_discrete_hessian(View q0, View q1, double time, Matrix& by_q1) const override;
  void step_done(View q, View v) override;

 private:
  /// Of a pair, 2/5 k δ^{5/2}, and its derivatives by u_{k−1} − u_k.
  [[nodiscard]] Derivatives spring(double overlap) const;

  double stiffness_, loss_, exponent_;
  std::vector<double> approach_, factor_;  ///< v and α of every contact
};

/// By the discrete Laplacian of the velocities, the force m |γ| |L|^α sign L (Carretero-González et al.,
/// Physical Review Letters 102, 2009, as (5.2) of Gonzalez 2011), L = v_{k−1} − 2 v_k + v_{k+1}, contacts or
/// not, on all beads but the first and the last; it does not keep the momentum. The sign is the one that
/// loses energy.
class LaplacianDrag final : public ForceTerm {
 public:
  LaplacianDrag(std::string name, double mass, double prefactor, double exponent);
  [[nodiscard]] ForceTraits traits() const override { return {.conservative = false}; }
  void add_force(View q, View v, double time, Values& force) const override;
  void add_force_derivatives(View q, View v, double time, Matrix& by_q, Matrix& by_v) const override;

 private:
  double factor_, exponent_;
};

/// α v with (1 + α v) / (1 − α v e) = exp(α v (1 + e)), 0 < α v < 1/e: (5.22). 0 for e = 1.
[[nodiscard]] double restitution_factor(double restitution);

}  // namespace terrace
