// Small systems: oscillators, wells, walls, a planet, balls and beads.
#include <algorithm>
#include <cmath>

#include "hamiltonian/bead_chain.hpp"
#include "hamiltonian/force_terms.hpp"
#include "hamiltonian/make_systems.hpp"
#include "hamiltonian/powers.hpp"
#include "hamiltonian/time_scalings.hpp"

namespace terrace {

namespace {

/// ½ (q⁴ − q²).
Derivatives double_well(double q) {
  return {0.5 * (q * q * q * q - q * q), 2 * q * q * q - q, 6 * q * q - 1};
}

/// 1/(q − a)².
Curve repelling_centre(double a) {
  return [a](double q) {
    const double x = q - a;
    return Derivatives{1 / (x * x), -2 / (x * x * x), 6 / (x * x * x * x)};
  };
}

/// H = ½ (1 + q²)(1 + p²).
class ProductEnergy final : public GeneralEnergy {
 public:
  [[nodiscard]] double value(View z) const override { return 0.5 * (1 + z[0] * z[0]) * (1 + z[1] * z[1]); }
  [[nodiscard]] Values gradient(View z) const override {
    return {z[0] * (1 + z[1] * z[1]), z[1] * (1 + z[0] * z[0])};
  }
  void add_hessian(View z, Matrix& hessian) const override {
    hessian(0, 0) += 1 + z[1] * z[1];
    hessian(1, 1) += 1 + z[0] * z[0];
    hessian(0, 1) += 2 * z[0] * z[1];
    hessian(1, 0) += 2 * z[0] * z[1];
  }
};

}  // namespace

MadeSystem make_perturbed_oscillator(const SystemParameters& of) {
  const double perturbation = of.at("perturbation"), distance = of.at("distance");
  auto system = blank_system("perturbed-oscillator", {1}, {1});
  system->cubic = perturbation;
  system->forces.push_back(std::make_unique<CurveTerm>("near_centre", 0, repelling_centre(0)));
  system->forces.push_back(std::make_unique<CurveTerm>("far_centre", 0, repelling_centre(distance)));
  system->forces.push_back(std::make_unique<UniformTerm>("perturbation", Values{-perturbation}));
  system->scaling = std::make_shared<CentresScaling>(distance);
  return system;
}

MadeSystem make_double_well(const SystemParameters& /*of*/) {
  auto system = blank_system("double-well", {1}, {0.74});
  system->forces.push_back(std::make_unique<CurveTerm>("well", 0, double_well));
  return system;
}

MadeSystem make_double_well_oscillator(const SystemParameters& of) {
  auto system = blank_system("double-well-oscillator", {1, 1}, {1, 1});
  system->forces.push_back(std::make_unique<CurveTerm>("well", 0, double_well));
  Matrix spring(2), coupling(2);
  spring(1, 1) = 1;
  coupling(0, 1) = coupling(1, 0) = -of.at("coupling");
  system->forces.push_back(std::make_unique<SpringTerm>("spring", spring, false));
  system->forces.push_back(std::make_unique<SpringTerm>("coupling", coupling, false));
  return system;
}

MadeSystem make_kepler(const SystemParameters& of) {
  const double e = of.at("eccentricity");
  auto system = blank_system("kepler", {1, 1}, {1 - e, 0});
  system->initial.p = {0, std::sqrt((1 + e) / (1 - e))};
  auto sun = std::make_unique<RadialForceTerm>(
      "sun", 2,
      [](double square) {
        const double r = std::sqrt(square);
        return Derivatives{-1 / r, 0.5 / (square * r), -0.75 / (square * square * r)};
      },
      false);
  sun->add_point(0);
  system->forces.push_back(std::move(sun));
  system->invariants.push_back({"angular_momentum", [](const DenseState& state) {
                                  return state.q[0] * state.p[1] - state.q[1] * state.p[0];
                                }});
  system->scaling = std::make_shared<RadiusScaling>(1.5);
  return system;
}

MadeSystem make_soft_and_stiff_wall(const SystemParameters& of) {
  const double soft = of.at("soft"), stiff = of.at("stiff");
  auto system = blank_system("soft-and-stiff-wall", {1}, {1});
  system->forces.push_back(std::make_unique<CurveTerm>("walls", 0, [soft, stiff](double q) {
    const double k = q > 0 ? soft : stiff;
    return Derivatives{0.5 * k * q * q, k * q, k};
  }));
  system->scaling = std::make_shared<WallScaling>(soft, stiff, of.at("smoothing"));
  return system;
}

MadeSystem make_two_oscillators(const SystemParameters& of) {
  auto system = blank_system("two-oscillators", {1, 1}, {1, 1.1});
  Matrix soft(2), bond(2), damping(2);
  soft(0, 0) = of.at("soft");
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      bond(i, j) = i == j ? of.at("stiff") : -of.at("stiff");
      damping(i, j) = i == j ? of.at("damping") : -of.at("damping");
    }
  system->forces.push_back(std::make_unique<SpringTerm>("soft", soft, false));
  system->forces.push_back(std::make_unique<SpringTerm>("stiff", bond, true));
  system->forces.push_back(std::make_unique<DamperTerm>("damper", damping, true));
  if (of.at("damping") == 0) system->forces.back()->on = false;
  return system;
}

MadeSystem make_product_oscillator(const SystemParameters& /*of*/) {
  auto system = blank_system("product-oscillator", {1}, {0.5});
  system->general = std::make_unique<ProductEnergy>();
  return system;
}

// Balls in the unit square. Each contact of two balls, or of a ball and a wall, has the energy K Δ²/2 of its
// overlap Δ (Modin and Führer 2006, example 3.3). The initial positions are not published. Here the balls are
// on the diagonal and hit each other in turn, from one corner to the other and back; at time 2 it is the last
// one that moves.
MadeSystem make_billiard(const SystemParameters& of) {
  const auto balls = static_cast<std::size_t>(of.at("balls"));
  const double radius = of.at("radius"), stiffness = of.at("stiffness");
  Values q;
  for (std::size_t a = 0; a < balls; ++a)
    for (int d = 0; d < 2; ++d)
      q.push_back(radius + static_cast<double>(a) * (std::sqrt(2.0) * radius + 0.05));
  auto system = blank_system("billiard", Values(2 * balls, 1.0), q);
  system->initial.p[0] = system->initial.p[1] = 1;
  auto contacts = std::make_unique<RadialForceTerm>(
      "contacts", 2,
      [radius, stiffness](double square) {
        const double r = std::sqrt(square), overlap = 2 * radius - r;
        if (!(overlap > 0)) return Derivatives{};
        return Derivatives{0.5 * stiffness * overlap * overlap, -0.5 * stiffness * overlap / r,
                           0.25 * stiffness * (1 / square + overlap / (square * r))};
      },
      false);
  for (std::size_t a = 0; a < balls; ++a)
    for (std::size_t b = 0; b < a; ++b) contacts->add_pair(b, a);
  system->forces.push_back(std::move(contacts));
  for (std::size_t i = 0; i < 2 * balls; ++i)
    system->forces.push_back(
        std::make_unique<CurveTerm>("walls_" + std::to_string(i + 1), i, [radius, stiffness](double x) {
          const double overlap = x < radius ? x - radius : x > 1 - radius ? x - 1 + radius : 0.0;
          return Derivatives{0.5 * stiffness * overlap * overlap, stiffness * overlap,
                             overlap != 0 ? stiffness : 0.0};
        }));
  system->overlap = [radius](View places) {
    double most = 0;
    for (const double x : places) most = std::max({most, radius - x, x - 1 + radius});
    for (std::size_t a = 0; a < places.size(); a += 2)
      for (std::size_t b = 0; b < a; b += 2)
        most = std::max(most, 2 * radius - std::hypot(places[a] - places[b], places[a + 1] - places[b + 1]));
    return most;
  };
  system->scaling = std::make_shared<ContactScaling>(radius, stiffness, of.at("smoothing"), of.at("limit"));
  return system;
}

MadeSystem make_bead_chain(const SystemParameters& of) {
  const auto beads = static_cast<std::size_t>(of.at("beads"));
  const double diameter = of.at("diameter"), nu = of.at("poissons_ratio");
  const double mass = of.at("density") * pi / 6 * diameter * diameter * diameter;
  const double stiffness = std::sqrt(diameter) * of.at("youngs_modulus") / (3 * (1 - nu * nu));
  auto system = blank_system("bead-chain", Values(beads, mass), Values(beads, 0.0));
  system->initial.p[0] = mass * of.at("speed");
  system->forces.push_back(
      std::make_unique<HertzContacts>("hertz", stiffness, of.at("loss"), of.at("loss_exponent")));
  system->forces.push_back(
      std::make_unique<LaplacianDrag>("drag", mass, of.at("drag"), of.at("drag_exponent")));
  if (of.at("drag") == 0) system->forces.back()->on = false;
  system->invariants.push_back({"momentum",
                                [](const DenseState& state) {
                                  double sum = 0;
                                  for (const double p : state.p) sum += p;
                                  return sum;
                                },
                                "drag"});
  return system;
}

}  // namespace terrace
