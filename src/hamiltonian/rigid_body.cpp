// Splittings of the free rigid body (Modin 2009, paper IV), with equal steps and with Nambu's extension.
#include "hamiltonian/rigid_body.hpp"

#include <fmt/core.h>

#include <cmath>

#include "hamiltonian/make_methods.hpp"
#include "numerics/elementary.hpp"
#include "parallel/error.hpp"

namespace terrace {

RigidBody::RigidBody(View inertia) {
  for (std::size_t i = 0; i < 3; ++i) inertia_[i] = inertia[i];
  for (std::size_t i = 0; i < 3; ++i) {
    const double j = inertia[(i + 1) % 3], k = inertia[(i + 2) % 3];
    rates_[i] = (j - k) / (j * k);
  }
}

Values RigidBody::rate(View x) const {
  return {rates_[0] * x[1] * x[2], rates_[1] * x[2] * x[0], rates_[2] * x[0] * x[1]};
}

void RigidBody::add_rate_derivative(View x, Matrix& by_x) const {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    by_x(i, j) += rates_[i] * x[k];
    by_x(i, k) += rates_[i] * x[j];
  }
}

void RigidBody::rotate(Values& x, std::size_t axis, double duration) const {
  const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
  const double angle = duration * x[axis] / inertia_[axis];
  const double c = numerics::cosine(angle), s = numerics::sine(angle);
  const double of_j = c * x[j] + s * x[k], of_k = -s * x[j] + c * x[k];
  x[j] = of_j;
  x[k] = of_k;
}

void RigidBody::shear(Values& x, std::size_t axis, double duration) const {
  x[axis] += duration * rates_[axis] * x[(axis + 1) % 3] * x[(axis + 2) % 3];
}

namespace {

enum class Splitting { rotations, shears };

class RigidBodySplitting final : public Method {
 public:
  RigidBodySplitting(const HamiltonianSystem& system, const MethodSettings& settings, Splitting splitting)
      : system_(system),
        body_(*system.inertia),
        splitting_(splitting),
        step_(settings.time_step),
        epsilon_(settings.step_parameter) {}

  void step(DenseState& state) override {
    ++system_.evaluations;
    if (epsilon_ > 0) return adaptive_step(state);
    flow(state.q, step_);
    state.time += step_;
  }
  [[nodiscard]] double equal_step() const override { return epsilon_ > 0 ? 0 : step_; }

  [[nodiscard]] MethodRecord record() const override {
    MethodRecord record;
    if (epsilon_ > 0) record.largest["extension_drift"] = drift_;
    return record;
  }

 private:
  // The symmetric product A ⊙ B = A^{1/2} B A^{1/2} of the three flows.
  void flow(Values& x, double h) {
    // Shears are in the order of their planes (1, 2), (2, 3), (3, 1), which change the components 3, 1, 2.
    const std::array<std::size_t, 3> order = splitting_ == Splitting::rotations
                                                 ? std::array<std::size_t, 3>{0, 1, 2}
                                                 : std::array<std::size_t, 3>{2, 0, 1};
    const auto part = [&](std::size_t axis, double duration) {
      splitting_ == Splitting::rotations ? body_.rotate(x, axis, duration) : body_.shear(x, axis, duration);
    };
    part(order[0], 0.5 * h);
    part(order[1], 0.5 * h);
    part(order[2], h);
    part(order[1], 0.5 * h);
    part(order[0], 0.5 * h);
  }

  static double norm(View x) { return std::sqrt(dot(x, x)); }

  // A step in the fictitious time τ, dt/dτ = 1/ξ. The exact motion keeps G = log ξ + G₁ with
  // G₁ = −log(‖X‖ + 0.01), X = ẋ: ξ′ = −X · ∇G₁.
  void adaptive_step(DenseState& state) {
    constexpr double regular = 0.01;
    if (extension_ == 0) extension_ = norm(body_.rate(state.q)) + regular;
    const auto advance_extension = [&](double epsilon) {
      const Values rate = body_.rate(state.q);
      Matrix derivative(3);
      body_.add_rate_derivative(state.q, derivative);
      const double size = norm(rate);
      // d‖X‖/dt = X · DX X / ‖X‖.
      const double growth = size > 0 ? dot(rate, times(derivative, rate)) / size : 0;
      extension_ += epsilon * growth / (size + regular);
    };
    advance_extension(0.5 * epsilon_);
    if (!(extension_ > 0))
      throw Error(Error::Kind::run, at_time(state.time),
                  "a density of steps that keeps its sign: choose a smaller integrator.step_parameter",
                  fmt::format("{:g}", extension_));
    const double h = epsilon_ / extension_;
    flow(state.q, h);
    state.time += h;
    advance_extension(0.5 * epsilon_);
    drift_ = std::max(drift_, std::abs(std::log(extension_ / (norm(body_.rate(state.q)) + regular))));
  }

  const HamiltonianSystem& system_;
  RigidBody body_;
  Splitting splitting_;
  double step_, epsilon_, extension_ = 0, drift_ = 0;
};

}  // namespace

MadeMethod make_rigid_body_rotations(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<RigidBodySplitting>(system, settings, Splitting::rotations);
}

MadeMethod make_rigid_body_shears(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<RigidBodySplitting>(system, settings, Splitting::shears);
}

}  // namespace terrace
