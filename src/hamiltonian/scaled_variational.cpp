// Adaptive variational integrators (Modin and Führer, ZAMM 86, 2006): the discrete Lagrangian of time scaled
// by l(q).
#include <fmt/core.h>

#include <cmath>

#include "hamiltonian/adaptive_steps.hpp"
#include "hamiltonian/dense_motion.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/scalings.hpp"
#include "parallel/error.hpp"

namespace terrace {

namespace {

/// F̄^{α,β}, or the mean of it and F̄^{1−α,1−β}. With Δ = q1 − q0, q_α = q0 + α Δ, h = ε l(q_β) and
/// e = ΔᵀMΔ/(2h²) + V(q_α) − E₀, a step solves
///   p0 = M Δ/h + ε (1 − β) e ∇l(q_β) + h (1 − α) ∇V(q_α) for Δ, and then takes
///   p1 = M Δ/h − ε β e ∇l(q_β) − h α ∇V(q_α).
class ScaledVariational final : public Method {
 public:
  ScaledVariational(HamiltonianSystem& system, const MethodSettings& settings, bool symmetric)
      : system_(system),
        epsilon_(settings.step_parameter),
        energy_(system.energy(system.initial)),
        scaling_(scaling_by_place(system, settings)),
        newton_(system.size()) {
    const double alpha = settings.weight, beta = settings.scaling_weight;
    if (symmetric)
      parts_ = {{0.5, alpha, beta}, {0.5, 1 - alpha, 1 - beta}};
    else
      parts_ = {{1, alpha, beta}};
  }

  void step(DenseState& state) override {
    const std::size_t n = system_.size();
    Values change(n);
    const double first = epsilon_ * scaling_->value(state.q);
    for (std::size_t i = 0; i < n; ++i) change[i] = first * state.p[i] / system_.masses[i];
    const auto residual = [&](const Values& x, Values& defect) {
      defect = plus(Values(n, 0.0), -1, state.p);
      for (const Part& part : parts_) add_start(part, state.q, x, defect);
    };
    const auto tangent = [&](const Values& x, Matrix& matrix) {
      matrix.clear();
      for (const Part& part : parts_) add_tangent(part, state.q, x, matrix);
    };
    newton_.solve(change, {residual, tangent}, state.time);
    Values momentum(n, 0.0);
    double duration = 0;
    for (const Part& part : parts_) {
      add_end(part, state.q, change, momentum);
      duration += part.share * epsilon_ * scaling_->value(plus(state.q, part.beta, change));
    }
    state.q = plus(state.q, 1, change);
    state.p = momentum;
    state.time += duration;
  }

  [[nodiscard]] MethodRecord record() const override { return record_of(newton_); }

 private:
  struct Part {
    double share, alpha, beta;
  };
  /// Values that the equations of both ends of a step share.
  struct Middle {
    double h, defect;
    Values inertial, slope, force;  ///< M Δ/h, ∇l(q_β), ∇V(q_α)
  };

  [[nodiscard]] Middle middle(const Part& part, View q, View change) const {
    Middle of;
    const Values at_alpha = plus(q, part.alpha, change), at_beta = plus(q, part.beta, change);
    of.h = epsilon_ * scaling_->value(at_beta);
    of.slope = scaling_->gradient(at_beta);
    of.force = system_.gradient(at_alpha, 0);
    of.defect = system_.potential(at_alpha, 0) - energy_;
    for (std::size_t i = 0; i < q.size(); ++i) {
      of.inertial.push_back(system_.masses[i] * change[i] / of.h);
      of.defect += 0.5 * of.inertial[i] * change[i] / of.h;
    }
    return of;
  }

  void add_start(const Part& part, View q, View change, Values& sum) const {
    const Middle of = middle(part, q, change);
    for (std::size_t i = 0; i < q.size(); ++i)
      sum[i] += part.share * (of.inertial[i] + epsilon_ * (1 - part.beta) * of.defect * of.slope[i] +
                              of.h * (1 - part.alpha) * of.force[i]);
  }

  void add_end(const Part& part, View q, View change, Values& sum) const {
    const Middle of = middle(part, q, change);
    for (std::size_t i = 0; i < q.size(); ++i)
      sum[i] += part.share * (of.inertial[i] - epsilon_ * part.beta * of.defect * of.slope[i] -
                              of.h * part.alpha * of.force[i]);
  }

  // Adds the derivative of `add_start` by Δ.
  void add_tangent(const Part& part, View q, View change, Matrix& matrix) const {
    const std::size_t n = q.size();
    const Middle of = middle(part, q, change);
    Matrix of_scaling(n), of_force(n);
    const double scale = epsilon_ * (1 - part.beta);
    scaling_->add_hessian(plus(q, part.beta, change), scale * of.defect * part.beta, of_scaling);
    system_.add_hessian(plus(q, part.alpha, change), 0, of_force);
    const double energy = dot(of.inertial, change) / (of.h * of.h);
    for (std::size_t j = 0; j < n; ++j) {
      const double h_j = epsilon_ * part.beta * of.slope[j];
      const double defect_j = of.inertial[j] / of.h - energy * h_j + part.alpha * of.force[j];
      for (std::size_t i = 0; i < n; ++i)
        matrix(i, j) +=
            part.share * ((i == j ? system_.masses[i] / of.h : 0) - of.inertial[i] / of.h * h_j +
                          scale * of.slope[i] * defect_j + of_scaling(i, j) +
                          (1 - part.alpha) * (of.force[i] * h_j + of.h * part.alpha * of_force(i, j)));
    }
  }

  HamiltonianSystem& system_;
  double epsilon_, energy_;
  std::shared_ptr<const TimeScaling> scaling_;
  NewtonSolver newton_;
  std::vector<Part> parts_;
};

/// F̄^{0,0}, which is explicit: a step solves one scalar quadratic equation. If the potential energy scales
/// time, it takes the step that finite elements take too (adaptive_variational_step); otherwise ∇l may have
/// any direction.
class ExplicitScaledVariational final : public Method {
 public:
  ExplicitScaledVariational(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system),
        epsilon_(settings.step_parameter),
        energy_(system.energy(system.initial)),
        scaling_(scaling_by_place(system, settings)) {
    if (settings.scaling == ScalingKind::potential)
      of_potential_.emplace(settings.scaling_exponent, settings.scaling_shift,
                            system.potential(system.initial.q, 0));
  }

  void step(DenseState& state) override {
    if (!(of_potential_ ? along_gradient(state) : in_any_direction(state)))
      throw Error(Error::Kind::run, at_time(state.time),
                  "a step parameter for which the explicit step has a solution; take a smaller one",
                  fmt::format("{}", epsilon_), Error::Reach::all_ranks);
  }

 private:
  [[nodiscard]] bool along_gradient(DenseState& state) {
    DenseMotion motion(system_, state, known_);
    return adaptive_variational_step(motion, epsilon_, energy_, [&](double potential) {
      return ScalingOfPotential{of_potential_->value(potential), of_potential_->derivative(potential)};
    });
  }

  [[nodiscard]] bool in_any_direction(DenseState& state) {
    const std::size_t n = system_.size();
    const double l = scaling_->value(state.q), h = epsilon_ * l;
    const Values slope = scaling_->gradient(state.q), force = system_.gradient(state.q, 0);
    const double defect = system_.potential(state.q, 0) - energy_;
    Values w(n);
    double w_squared = 0, a = 0, b = 1;
    for (std::size_t i = 0; i < n; ++i) {
      w[i] = h / system_.masses[i] * (state.p[i] - epsilon_ * defect * slope[i] - h * force[i]);
      w_squared += w[i] * system_.masses[i] * w[i];
      a += 0.25 * slope[i] * slope[i] / (system_.masses[i] * l * l);
      b += slope[i] * w[i] / l;
    }
    const double discriminant = b * b - 4 * a * w_squared;
    if (!(discriminant >= 0) || !(b > 0)) return false;
    const double s = 2 * w_squared / (b + std::sqrt(discriminant));
    for (std::size_t i = 0; i < n; ++i) {
      const double change = w[i] - 0.5 * s * slope[i] / (system_.masses[i] * l);
      state.q[i] += change;
      state.p[i] = system_.masses[i] * change / h;
    }
    state.time += h;
    return true;
  }

  HamiltonianSystem& system_;
  double epsilon_, energy_;
  std::shared_ptr<const TimeScaling> scaling_;
  std::optional<SignedPower> of_potential_;
  KnownGradient known_;
};

}  // namespace

MadeMethod make_adaptive_variational(HamiltonianSystem& system, const MethodSettings& settings) {
  if (settings.variant == "explicit") return std::make_unique<ExplicitScaledVariational>(system, settings);
  return std::make_unique<ScaledVariational>(system, settings, settings.variant == "symmetric");
}

}  // namespace terrace
