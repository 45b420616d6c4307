// Variational integrators with equal steps: the family of discrete Lagrangians
// L((1 − α) q0 + α q1, (q1 − q0)/h) with forces and constraints (Kane, Marsden and Ortiz 1999, where γ = 1 −
// α; Wendlandt and Marsden 1997); SHAKE and RATTLE; and the implicit midpoint rule for any system.
#include <algorithm>
#include <cmath>
#include <optional>

#include "hamiltonian/compositions.hpp"
#include "hamiltonian/first_order_form.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/newton.hpp"
#include "hamiltonian/projection.hpp"

namespace terrace {

namespace {

/// A step solves p0 = M Δ/h − h (1 − α) F(q0 + α Δ, Δ/h, t + α h) − Dg(q0)ᵀλ and g(q0 + Δ) = 0 for Δ and λ,
/// and takes p1 = M Δ/h + h α F. Then it projects p1 such that Dg M⁻¹ p1 = 0; that does not change later
/// steps, as their λ takes up the difference. Steps are composed only if they are symmetric (α = ½).
class Variational final : public Method {
 public:
  Variational(HamiltonianSystem& system, const MethodSettings& settings, double weight)
      : system_(system),
        h_(settings.time_step),
        order_(settings.order),
        alpha_(weight),
        constraints_(system.constraint == nullptr ? 0 : system.constraint->count()),
        newton_(system.size() + constraints_),
        watches_energy_(settings.order == 2 && !system.time_dependent() && !system.dissipative()) {}

  void step(DenseState& state) override {
    compose(symmetric_composition(order_), h_, [&](double h) { substep(state, h); });
  }
  [[nodiscard]] double equal_step() const override { return h_; }
  [[nodiscard]] MethodRecord record() const override {
    MethodRecord record = record_of(newton_);
    if (watches_energy_) record.largest["discrete_energy_drift"] = drift_;
    return record;
  }

 private:
  // The discrete energy −∂(h L_d)/∂h, which oscillates. In compositions, whose steps are unequal, it is not
  // one quantity and is not watched.
  void watch_energy(View q, View change, double h) {
    double energy = system_.potential(plus(q, alpha_, change), 0);
    for (std::size_t i = 0; i < change.size(); ++i)
      energy += 0.5 * system_.masses[i] * change[i] * change[i] / (h * h);
    if (!first_energy_) first_energy_ = energy;
    drift_ = std::max(drift_, std::abs(energy - *first_energy_));
  }

  void substep(DenseState& state, double h) {
    const std::size_t n = system_.size();
    const double time = state.time + alpha_ * h;
    Values unknowns(n + constraints_, 0.0);
    for (std::size_t i = 0; i < n; ++i) unknowns[i] = h * state.p[i] / system_.masses[i];
    std::vector<Values> at_start;
    if (constraints_ > 0) at_start = system_.constraint->gradients(state.q);
    const auto force = [&](View change) {
      return system_.force(plus(state.q, alpha_, change), plus(Values(n, 0.0), 1 / h, change), time);
    };
    const auto residual = [&](const Values& x, Values& defect) {
      const View change = View(x).first(n);
      const Values f = force(change);
      for (std::size_t i = 0; i < n; ++i)
        defect[i] = system_.masses[i] * x[i] / h - h * (1 - alpha_) * f[i] - state.p[i];
      if (constraints_ == 0) return;
      const Values g = system_.constraint->values(plus(state.q, 1, change));
      for (std::size_t k = 0; k < constraints_; ++k) {
        for (std::size_t i = 0; i < n; ++i) defect[i] -= at_start[k][i] * x[n + k];
        defect[n + k] = g[k];
      }
    };
    const auto tangent = [&](const Values& x, Matrix& matrix) {
      const View change = View(x).first(n);
      Matrix by_q(n), by_v(n);
      system_.add_force_derivatives(plus(state.q, alpha_, change), plus(Values(n, 0.0), 1 / h, change), time,
                                    by_q, by_v);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          matrix(i, j) =
              (i == j ? system_.masses[i] / h : 0) - (1 - alpha_) * (h * alpha_ * by_q(i, j) + by_v(i, j));
      if (constraints_ == 0) return;
      const std::vector<Values> at_end = system_.constraint->gradients(plus(state.q, 1, change));
      for (std::size_t k = 0; k < constraints_; ++k)
        for (std::size_t i = 0; i < n; ++i) {
          matrix(i, n + k) = -at_start[k][i];
          matrix(n + k, i) = at_end[k][i];
        }
    };
    // With α = 1 the first guess violates only the constraint, by less than h² v²: such a residual cannot be
    // reduced by a given factor, and needs an absolute bound.
    const double round_off = constraints_ > 0 ? 4e-16 * dot(state.q, state.q) : 0;
    newton_.solve(unknowns, {residual, tangent, round_off}, state.time);
    const View change = View(unknowns).first(n);
    const Values f = force(change);
    for (std::size_t i = 0; i < n; ++i) state.p[i] = system_.masses[i] * unknowns[i] / h + h * alpha_ * f[i];
    if (watches_energy_) watch_energy(state.q, change, h);
    state.q = plus(state.q, 1, change);
    state.time += h;
    if (constraints_ > 0) project_momentum(system_, state);
  }

  HamiltonianSystem& system_;
  double h_;
  int order_;
  double alpha_;
  std::size_t constraints_;
  NewtonSolver newton_;
  bool watches_energy_;
  std::optional<double> first_energy_;
  double drift_ = 0;
};

/// The implicit midpoint rule z1 = z0 + h f((z0 + z1)/2, t + h/2), and its compositions.
class Midpoint final : public Method {
 public:
  Midpoint(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system),
        h_(settings.time_step),
        order_(settings.order),
        newton_(joined(system.initial).size()) {}

  void step(DenseState& state) override {
    compose(symmetric_composition(order_), h_, [&](double h) { substep(state, h); });
  }
  [[nodiscard]] double equal_step() const override { return h_; }
  [[nodiscard]] MethodRecord record() const override { return record_of(newton_); }

 private:
  void substep(DenseState& state, double h) {
    const Values start = joined(state);
    const double middle = state.time + 0.5 * h;
    // The unknown is the change z1 − z0, whose size is that of the step: convergence is relative to it.
    Values change = plus(Values(start.size(), 0.0), h, rate(system_, start, state.time));
    const auto residual = [&](const Values& x, Values& defect) {
      defect = plus(x, -h, rate(system_, plus(start, 0.5, x), middle));
    };
    const auto tangent = [&](const Values& x, Matrix& matrix) {
      set_rate_derivative(system_, plus(start, 0.5, x), middle, matrix);
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) matrix(i, j) = (i == j ? 1 : 0) - 0.5 * h * matrix(i, j);
    };
    newton_.solve(change, {residual, tangent}, state.time);
    split(plus(start, 1, change), state);
    state.time += h;
  }

  HamiltonianSystem& system_;
  double h_;
  int order_;
  NewtonSolver newton_;
};

/// Verlet on a constraint: SHAKE, or, with momenta projected to the tangent of the constraint, RATTLE
/// (Andersen 1983).
class ConstrainedVerlet final : public Method {
 public:
  ConstrainedVerlet(HamiltonianSystem& system, const MethodSettings& settings, bool projects)
      : system_(system),
        h_(settings.time_step),
        order_(settings.order),
        projects_(projects),
        newton_(system.constraint->count()) {}

  void step(DenseState& state) override {
    compose(symmetric_composition(order_), h_, [&](double h) { substep(state, h); });
  }
  [[nodiscard]] double equal_step() const override { return h_; }
  [[nodiscard]] MethodRecord record() const override { return record_of(newton_); }

 private:
  void substep(DenseState& state, double h) {
    const std::size_t n = system_.size(), m = system_.constraint->count();
    const Values p = plus(state.p, -0.5 * h, system_.gradient(state.q, state.time));
    const std::vector<Values> at_start = system_.constraint->gradients(state.q);
    const auto momentum = [&](View multipliers) {
      Values sum = p;
      for (std::size_t k = 0; k < m; ++k) sum = plus(sum, multipliers[k], at_start[k]);
      return sum;
    };
    const auto place = [&](View multipliers) {
      return plus(state.q, h, system_.velocity(momentum(multipliers)));
    };
    const auto residual = [&](const Values& x, Values& defect) {
      defect = system_.constraint->values(place(x));
    };
    const auto tangent = [&](const Values& x, Matrix& matrix) {
      const std::vector<Values> at_end = system_.constraint->gradients(place(x));
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t l = 0; l < m; ++l) {
          matrix(k, l) = 0;
          for (std::size_t i = 0; i < n; ++i)
            matrix(k, l) += h * at_end[k][i] * at_start[l][i] / system_.masses[i];
        }
    };
    Values multipliers(m, 0.0);
    newton_.solve(multipliers, {residual, tangent, 4e-16 * dot(state.q, state.q)}, state.time);
    const Values half = momentum(multipliers);
    state.q = place(multipliers);
    state.time += h;
    state.p = plus(half, -0.5 * h, system_.gradient(state.q, state.time));
    if (projects_) project_momentum(system_, state);
  }

  HamiltonianSystem& system_;
  double h_;
  int order_;
  bool projects_;
  NewtonSolver newton_;
};

}  // namespace

MadeMethod make_variational(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<Variational>(system, settings, settings.weight);
}

// With a quadratic kinetic energy the variational integrator is the same method with half the unknowns.
MadeMethod make_implicit_midpoint(HamiltonianSystem& system, const MethodSettings& settings) {
  if (system.general == nullptr && !system.inertia && system.cubic == 0)
    return std::make_unique<Variational>(system, settings, 0.5);
  return std::make_unique<Midpoint>(system, settings);
}

MadeMethod make_shake(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<ConstrainedVerlet>(system, settings, false);
}

MadeMethod make_rattle(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<ConstrainedVerlet>(system, settings, true);
}

}  // namespace terrace
