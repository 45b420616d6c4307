// Small systems that swing or turn: pendulum, Cartesian pendulums, rotor, magnetic pendulum, rigid body.
#include <cmath>

#include "hamiltonian/force_terms.hpp"
#include "hamiltonian/make_systems.hpp"
#include "hamiltonian/powers.hpp"

namespace terrace {

namespace {

/// The constraint ½ (|q|² − l²) = 0.
class Sphere final : public Constraint {
 public:
  explicit Sphere(double length) : length_(length) {}
  [[nodiscard]] std::size_t count() const override { return 1; }
  [[nodiscard]] Values values(View q) const override { return {0.5 * (dot(q, q) - length_ * length_)}; }
  [[nodiscard]] std::vector<Values> gradients(View q) const override { return {Values(q.begin(), q.end())}; }
  void add_hessian(View q, View multipliers, Matrix& hessian) const override {
    for (std::size_t i = 0; i < q.size(); ++i) hessian(i, i) += multipliers[0];
  }

 private:
  double length_;
};

/// The invariant q_a p_b − q_b p_a of one point.
Invariant angular_momentum(std::string name, std::size_t a, std::size_t b) {
  return {std::move(name),
          [a, b](const DenseState& state) { return state.q[a] * state.p[b] - state.q[b] * state.p[a]; }};
}

/// −g cos q, and its derivatives.
Curve gravity_of_angle(double strength) {
  return [strength](double q) {
    const double c = numerics::cosine(q), s = numerics::sine(q);
    return Derivatives{-strength * c, strength * s, strength * c};
  };
}

/// μ / w, where w = cos² q + (1 + δ − sin q)² is the squared distance to the magnet; its components are cos q
/// and 1 + δ − sin q.
Curve magnet(double strength, double gap) {
  return [strength, gap](double q) {
    const double c = numerics::cosine(q), s = numerics::sine(q), a = 1 + gap;
    // w = 1 + a² − 2 a sin q.
    const double w = c * c + (a - s) * (a - s), w1 = -2 * a * c, w2 = 2 * a * s;
    return Derivatives{strength / w, -strength * w1 / (w * w),
                       strength * (2 * w1 * w1 / (w * w * w) - w2 / (w * w))};
  };
}

}  // namespace

MadeSystem make_pendulum(const SystemParameters& of) {
  const double mass = of.at("mass"), length = of.at("length");
  auto system = blank_system("pendulum", {mass * length * length}, {pi / 2});
  system->forces.push_back(
      std::make_unique<CurveTerm>("gravity", 0, gravity_of_angle(mass * of.at("gravity") * length)));
  return system;
}

MadeSystem make_cartesian_pendulum(const SystemParameters& of) {
  const auto dimension = static_cast<std::size_t>(of.at("dimension"));
  const double length = of.at("length");
  Values start(dimension, 0.0), down(dimension, 0.0);
  start[0] = length;
  down.back() = -of.at("gravity");
  auto system = blank_system("cartesian-pendulum", Values(dimension, 1.0), start);
  system->forces.push_back(std::make_unique<UniformTerm>("gravity", down));
  system->constraint = std::make_unique<Sphere>(length);
  if (dimension == 3) system->invariants.push_back(angular_momentum("angular_momentum", 0, 1));
  return system;
}

MadeSystem make_stiff_pendulum(const SystemParameters& of) {
  auto system = blank_system("stiff-pendulum", {1, 1}, {1.01, 0});
  system->forces.push_back(std::make_unique<UniformTerm>("gravity", Values{0, -of.at("gravity")}));
  const double stiffness = of.at("stiffness");
  auto penalty = std::make_unique<RadialForceTerm>(
      "penalty", 2,
      [stiffness](double square) {
        return Derivatives{0.25 * stiffness * (square - 1) * (square - 1), 0.5 * stiffness * (square - 1),
                           0.5 * stiffness};
      },
      true);
  penalty->add_point(0);
  system->forces.push_back(std::move(penalty));
  return system;
}

MadeSystem make_rotor(const SystemParameters& of) {
  const double mass = of.at("mass"), frequency = of.at("frequency");
  auto system = blank_system("rotor", {mass, mass}, {0, 0});
  Matrix stiffness(2);
  stiffness(0, 0) = stiffness(1, 1) = of.at("stiffness");
  system->forces.push_back(std::make_unique<SpringTerm>("spring", stiffness, false));
  system->forces.push_back(
      std::make_unique<RotatingLoad>("load", of.at("imbalance") * frequency * frequency, frequency));
  if (of.at("imbalance") == 0) system->forces.back()->on = false;
  return system;
}

MadeSystem make_magnetic_pendulum(const SystemParameters& of) {
  auto system = blank_system("magnetic-pendulum", {1}, {pi / 2});
  system->initial.p = {0.5};
  system->forces.push_back(std::make_unique<CurveTerm>("gravity", 0, gravity_of_angle(of.at("gravity"))));
  system->forces.push_back(std::make_unique<CurveTerm>("magnet", 0, magnet(of.at("magnet"), of.at("gap"))));
  return system;
}

MadeSystem make_rigid_body(const SystemParameters& of) {
  constexpr double angle = 0.2;
  auto system = std::make_unique<HamiltonianSystem>();
  system->kind = "rigid-body";
  system->inertia = Values{of.at("inertia_1"), of.at("inertia_2"), of.at("inertia_3")};
  system->initial.q = {0, numerics::cosine(angle), numerics::sine(angle)};
  system->coordinate_names = {"x_1", "x_2", "x_3"};
  system->invariants.push_back({"half_square_of_angular_momentum",
                                [](const DenseState& state) { return 0.5 * dot(state.q, state.q); }});
  return system;
}

}  // namespace terrace
