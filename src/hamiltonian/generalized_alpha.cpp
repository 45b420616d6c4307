// The generalised-α method (Chung and Hulbert, Journal of Applied Mechanics 60, 1993), given by its spectral
// radius at infinite frequency, as structural codes have it. PETSc 3.18 has one too (TSALPHA2), but for radii
// below 1 its error on a Kepler orbit only halves when the step is halved; that of this one is quartered.
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/newton.hpp"

namespace terrace {

namespace {

/// A step solves M ((1 − α_m) a1 + α_m a0) = F((1 − α_f) q1 + α_f q0, …) for a1, with Newmark's formulas for
/// q1 and v1.
class GeneralizedAlpha final : public Method {
 public:
  GeneralizedAlpha(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system),
        h_(settings.time_step),
        alpha_m_((2 * settings.spectral_radius - 1) / (settings.spectral_radius + 1)),
        alpha_f_(settings.spectral_radius / (settings.spectral_radius + 1)),
        gamma_(0.5 - alpha_m_ + alpha_f_),
        beta_(0.25 * (1 - alpha_m_ + alpha_f_) * (1 - alpha_m_ + alpha_f_)),
        newton_(system.size()) {}

  void step(DenseState& state) override {
    const std::size_t n = system_.size();
    const Values v0 = system_.velocity(state.p);
    if (acceleration_.empty()) acceleration_ = over_masses(system_.force(state.q, v0, state.time));
    const Values q_known = plus(plus(state.q, h_, v0), h_ * h_ * (0.5 - beta_), acceleration_);
    const Values v_known = plus(v0, h_ * (1 - gamma_), acceleration_);
    const double middle = state.time + (1 - alpha_f_) * h_;
    const double of_q = beta_ * h_ * h_, of_v = gamma_ * h_;
    const auto between = [&](View start, View end) {
      return plus(plus(Values(n, 0.0), alpha_f_, start), 1 - alpha_f_, end);
    };
    const auto residual = [&](const Values& a, Values& defect) {
      const Values force = system_.force(between(state.q, plus(q_known, of_q, a)),
                                         between(v0, plus(v_known, of_v, a)), middle);
      for (std::size_t i = 0; i < n; ++i)
        defect[i] = system_.masses[i] * ((1 - alpha_m_) * a[i] + alpha_m_ * acceleration_[i]) - force[i];
    };
    const auto tangent = [&](const Values& a, Matrix& matrix) {
      Matrix by_q(n), by_v(n);
      system_.add_force_derivatives(between(state.q, plus(q_known, of_q, a)),
                                    between(v0, plus(v_known, of_v, a)), middle, by_q, by_v);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          matrix(i, j) = (i == j ? system_.masses[i] * (1 - alpha_m_) : 0) -
                         (1 - alpha_f_) * (of_q * by_q(i, j) + of_v * by_v(i, j));
    };
    Values a = acceleration_;
    newton_.solve(a, {residual, tangent}, state.time);
    state.q = plus(q_known, of_q, a);
    const Values v1 = plus(v_known, of_v, a);
    for (std::size_t i = 0; i < n; ++i) state.p[i] = system_.masses[i] * v1[i];
    acceleration_ = a;
    state.time += h_;
  }
  [[nodiscard]] double equal_step() const override { return h_; }
  [[nodiscard]] MethodRecord record() const override { return record_of(newton_); }

 private:
  [[nodiscard]] Values over_masses(Values force) const {
    for (std::size_t i = 0; i < force.size(); ++i) force[i] /= system_.masses[i];
    return force;
  }

  HamiltonianSystem& system_;
  double h_, alpha_m_, alpha_f_, gamma_, beta_;
  NewtonSolver newton_;
  Values acceleration_;
};

}  // namespace

MadeMethod make_generalized_alpha(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<GeneralizedAlpha>(system, settings);
}

}  // namespace terrace
