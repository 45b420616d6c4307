// Energies and momenta measured of two bodies in affine motion, each component against a hand calculation.
//
// A box of one cell and 24 tetrahedra has half its mass at its corners (1/16 each), a quarter at the centres
// of its faces (1/24 each) and a quarter in the middle. Its second moments Σ m y yᵀ about the middle are
// therefore 7/48 m a² along an axis of length a.
#include <gtest/gtest.h>

#include <numeric>

#include "support/matrix3.hpp"
#include "support/small_system.hpp"
#include "support/still_integrator.hpp"

namespace terrace::diagnostics_motion_test {
namespace {

constexpr double density = 0.1, lambda = 0.01, mu = 0.0066;  // of soft_deck

Matrix3 spinning(const Vector3& w) { return {{{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}}}; }

/// A box, turned and placed, that moves with v = v₀ + B (x − c).
struct Moving {
  Vector3 extent, axis;
  double degrees;
  Vector3 centre, velocity;
  Matrix3 gradient;

  [[nodiscard]] double volume() const { return extent[0] * extent[1] * extent[2]; }
  [[nodiscard]] double mass() const { return density * volume(); }
  [[nodiscard]] Matrix3 turned(const Vector3& principal) const {
    const Matrix3 turn = rotation(axis, degrees);
    return turn * diagonal(principal) * transposed(turn);
  }
  [[nodiscard]] Vector3 squares() const {
    return {extent[0] * extent[0], extent[1] * extent[1], extent[2] * extent[2]};
  }
  /// Σ m y yᵀ at the start.
  [[nodiscard]] Matrix3 second_moments() const { return turned((7.0 / 48 * mass()) * squares()); }
  /// F after `time` on straight lines, y = F y₀.
  [[nodiscard]] Matrix3 deformation(double time) const { return unit_matrix + time * gradient; }
  [[nodiscard]] Matrix3 second_moments(double time) const {
    return deformation(time) * second_moments() * transposed(deformation(time));
  }
  /// Of motion about the centre: Σ m y × B y₀.
  [[nodiscard]] Vector3 own_angular_momentum(double time) const {
    const Matrix3 m = deformation(time) * second_moments() * transposed(gradient);  // Σ m y wᵀ
    return {m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]};
  }
  [[nodiscard]] double vibrational_kinetic() const {
    return 0.5 * trace(gradient * second_moments() * transposed(gradient));
  }
  [[nodiscard]] double kinetic() const {
    return 0.5 * mass() * dot(velocity, velocity) + vibrational_kinetic();
  }
  [[nodiscard]] Vector3 angular_momentum(double time) const {
    return cross(centre, mass() * velocity) + own_angular_momentum(time);
  }
  /// W(F) times the volume (thesis (2.88)).
  [[nodiscard]] double elastic_energy(double time) const {
    const Matrix3 f = deformation(time);
    const double logarithm = std::log(determinant(f)), squares_of_f = trace(f * transposed(f));
    return volume() * (0.5 * lambda * logarithm * logarithm - mu * logarithm + 0.5 * mu * (squares_of_f - 3));
  }
  /// Energy of the velocities B y₀ − ω × y relative to the mean of each element, divided by 3/4 as
  /// Diagnostics does. The nodes of a tetrahedron are the middle of the box, the centre of a face and two
  /// corners of it. Along an axis of extent a the variance of its four coordinates is 3/64 a² if the axis is
  /// normal to the face, 1/8 a² if it is parallel to the edge of the two corners, else 1/16 a²; the mean is
  /// 5/64 a².
  [[nodiscard]] double element_scale_kinetic(double time, const Vector3& spin) const {
    const Matrix3 variance = turned(5.0 / 64 * squares());
    const Matrix3 rest = gradient + -1.0 * (spinning(spin) * deformation(time));
    return 0.5 * mass() * trace(rest * variance * transposed(rest)) / 0.75;
  }
};

const Moving one{
    {1, 1.5, 2.25},   {1, 2, 3},          40,
    {0.3, -0.7, 1.1}, {0.4, -0.25, 0.15}, {{{0.05, -0.11, 0.07}, {0.13, -0.04, 0.02}, {-0.03, 0.17, 0.06}}}};
const Moving other{
    {0.75, 2, 1.25},  {-2, 1, 1},         65,
    {5.2, 3.1, -2.3}, {-0.1, 0.35, 0.55}, {{{-0.02, 0.09, 0.15}, {0.04, 0.08, -0.12}, {0.21, 0.01, 0.03}}}};

/// The two in one system at `time`, measured once.
struct Pair {
  explicit Pair(const std::vector<Moving>& moving, double time) : system(deck(moving)) {
    std::vector<Vector3> velocities;
    for (std::size_t a = 0; a < system.lagrangian.masses.size(); ++a) {
      const Moving& body = moving[static_cast<std::size_t>(system.lagrangian.body_of_node[a])];
      velocities.push_back(body.velocity + body.gradient * (system.lagrangian.reference[a] - body.centre));
    }
    system.state.set_velocities(velocities);
    system.state.time = time;
    integrator.event_count = 77;
  }
  static Deck deck(const std::vector<Moving>& moving) {
    Deck deck = soft_deck({});
    for (const Moving& body : moving) {
      BodyEntry entry = cube_entry("box" + std::to_string(deck.bodies.size()), 1, body.centre);
      entry.shape = LatticeShape{body.extent, {1, 1, 1}};
      entry.rotation_axis = body.axis;
      entry.rotation_angle = body.degrees;
      deck.bodies.push_back(entry);
    }
    return deck;
  }
  Diagnostics::Measurement measure() { return system.diagnostics.measure(system.state, integrator); }
  SmallSystem system;
  StillIntegrator integrator;
};

constexpr double round_off = 1e-13;
void expect_near(const Vector3& found, const Vector3& expected, const std::string& what) {
  for (std::size_t d = 0; d < 3; ++d)
    EXPECT_NEAR(found[d], expected[d], round_off * (1 + norm(expected))) << what << ", component " << d;
}

class DiagnosticsOfTwoBodies : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(At, DiagnosticsOfTwoBodies, testing::Values(0.0, 0.5));

TEST_P(DiagnosticsOfTwoBodies, EachBodysRowIsAsCalculatedByHand) {
  const double time = GetParam();
  const std::vector<BodyRecord> rows = Pair({one, other}, time).measure().bodies;
  ASSERT_EQ(rows.size(), 2u);
  for (std::size_t b = 0; b < 2; ++b) {
    const Moving& body = b == 0 ? one : other;
    const BodyRecord& row = rows[b];
    EXPECT_EQ(row.name, "box" + std::to_string(b));
    expect_near(row.momentum, body.mass() * body.velocity, "momentum");
    expect_near(row.velocity, body.velocity, "velocity");
    expect_near(row.position, body.centre + time * body.velocity, "position");
    EXPECT_NEAR(row.kinetic, body.kinetic(), round_off);
    EXPECT_NEAR(row.vibrational_kinetic, body.vibrational_kinetic(), round_off);
    EXPECT_NEAR(row.element_scale_kinetic, body.element_scale_kinetic(time, row.spin), round_off);
    EXPECT_NEAR(row.potential, body.elastic_energy(time), round_off);
    const Matrix3 moments = body.second_moments(time);
    const Matrix3 inertia = trace(moments) * unit_matrix + -1.0 * moments;
    expect_near(inertia * row.spin, body.own_angular_momentum(time), "inertia times spin");
    expect_near(row.contact_force, {}, "no force before the first row");
  }
}

TEST_P(DiagnosticsOfTwoBodies, TheSystemsRowIsTheirSum) {
  const double time = GetParam();
  Pair pair({one, other}, time);
  const SystemRecord row = pair.measure().system;
  EXPECT_EQ(row.time, time);
  EXPECT_EQ(row.events, 77);
  EXPECT_NEAR(row.kinetic, one.kinetic() + other.kinetic(), round_off);
  expect_near(row.momentum, one.mass() * one.velocity + other.mass() * other.velocity, "momentum");
  expect_near(row.angular_momentum, one.angular_momentum(time) + other.angular_momentum(time),
              "angular momentum");
  const double elastic = one.elastic_energy(time) + other.elastic_energy(time);
  EXPECT_NEAR(row.potential, elastic, round_off);
  EXPECT_EQ(row.terraced, row.potential) << "without terraces, V itself";
  EXPECT_EQ(row.energy, row.kinetic + row.potential);

  pair.integrator.terraced = 0.125;
  const SystemRecord terraced = pair.measure().system;
  EXPECT_EQ(terraced.potential, row.potential);
  EXPECT_EQ(terraced.terraced, 0.125);
  EXPECT_EQ(terraced.energy, row.kinetic + 0.125);
}

TEST(Diagnostics, ARigidBodysSpinIsItsAngularVelocity) {
  const Vector3 spin{0.3, -0.5, 0.8};
  Moving body = one;
  body.gradient = spinning(spin);
  const BodyRecord row = Pair({body}, 0).measure().bodies.front();
  expect_near(row.spin, spin, "spin");
  const Matrix3 moments = body.second_moments();
  const double turning = 0.5 * (trace(moments) * dot(spin, spin) - dot(spin, moments * spin));  // ½ ω·I ω
  EXPECT_NEAR(row.vibrational_kinetic, turning, round_off);
  EXPECT_LE(row.element_scale_kinetic, 1e-25 * turning) << "it does not vibrate";
}

TEST(Diagnostics, TheScaleOfAngularMomentumAddsSizesNotVectors) {
  // The box, whose centre is at the origin, flies along z: the angular momenta of its nodes cancel.
  const Moving body{{1, 1.5, 2.25}, {0, 0, 1}, 0, {0, 0, 0}, {0, 0, 0.4}, {}};
  Pair pair({body}, 3.0);
  const double corner = 0.5 * std::hypot(1.0, 1.5), side = 0.5 * 1.0, front = 0.5 * 1.5;
  EXPECT_NEAR(pair.system.diagnostics.angular_momentum_scale(pair.system.state),
              body.mass() * 0.4 * (0.5 * corner + side / 12 + front / 12), round_off);
  expect_near(pair.measure().system.angular_momentum, {}, "sum");
}

TEST(Diagnostics, TheScaleOfAngularMomentumIsOfThePresentPositions) {
  const Moving body{{1, 1.5, 2.25}, {0, 0, 1}, 0, {5, -3, 0}, {0, 0, 0.4}, {}};
  Pair pair({body}, 3.0);
  for (NodeLine& line : pair.system.state.lines) line.displacement = {-5, 3, 7};
  const double corner = 0.5 * std::hypot(1.0, 1.5), side = 0.5 * 1.0, front = 0.5 * 1.5;
  EXPECT_NEAR(pair.system.diagnostics.angular_momentum_scale(pair.system.state),
              body.mass() * 0.4 * (0.5 * corner + side / 12 + front / 12), round_off);
}

TEST(Diagnostics, TheAngularMomentumAboutTheMovingCentreIsThatOfABoxAtHome) {
  Moving home = one, far = one;
  home.centre = {0, 0, 0};
  home.velocity = {0, 0, 0};
  far.centre = {3e6, -2e6, 1e6};
  far.velocity = {5, -7, 3};
  for (const double time : {0.0, 0.5}) {
    Pair pair({far}, 0), at_home({home}, 0);
    for (const double now : {0.0, time}) {
      pair.system.state.time = at_home.system.state.time = now;
      const Vector3 found = pair.measure().system.own_angular_momentum;
      // Coordinates of 3e6 are stored to 5e-10.
      for (std::size_t d = 0; d < 3; ++d)
        EXPECT_NEAR(found[d], home.own_angular_momentum(now)[d], 1e-8) << now;
      expect_near(at_home.measure().system.own_angular_momentum, home.own_angular_momentum(now), "at home");
    }
  }
}

TEST(Diagnostics, TheScaleOfAngularMomentumIsThatOfABoxAtHome) {
  Moving far = one;
  far.centre = {300, -200, 100};
  Moving home = one;
  home.centre = {0, 0, 0};
  Pair there({far}, 0), here({home}, 0);
  const double scale = here.system.diagnostics.angular_momentum_scale(here.system.state);
  EXPECT_NEAR(there.system.diagnostics.angular_momentum_scale(there.system.state), scale, 1e-11 * scale);
  there.system.state.time = 2;
  for (NodeLine& line : there.system.state.lines) line.time = 2, line.displacement = 2 * far.velocity;
  EXPECT_NEAR(there.system.diagnostics.angular_momentum_scale(there.system.state), scale, 1e-11 * scale)
      << "the point moves on with the centre of mass";
}

TEST(Diagnostics, ABodyThatMovesAgainIsMeasuredAgain) {
  Pair pair({one, other}, 0);
  const Diagnostics::Measurement first = pair.measure();
  EXPECT_EQ(pair.measure().bodies[0].potential, first.bodies[0].potential);
  pair.system.state.time = 0.5;
  EXPECT_NEAR(pair.measure().bodies[0].potential, one.elastic_energy(0.5), round_off);
  // One body comes to rest, the other changes its velocity where it is.
  for (std::size_t a = 0; a < pair.system.state.lines.size(); ++a) {
    NodeLine& line = pair.system.state.lines[a];
    line.displacement = line.displacement_at(0.5);
    line.time = 0.5;
    line.velocity = pair.system.lagrangian.body_of_node[a] == 0 ? Vector3{} : 2.0 * line.velocity;
  }
  const Diagnostics::Measurement later = pair.measure();
  EXPECT_LE(later.bodies[0].element_scale_kinetic, 1e-25);
  EXPECT_NEAR(later.bodies[0].potential, one.elastic_energy(0.5), round_off);
  EXPECT_NEAR(later.bodies[1].element_scale_kinetic,
              4 * other.element_scale_kinetic(0.5, 0.5 * later.bodies[1].spin), round_off);
  EXPECT_EQ(pair.measure().bodies[1].element_scale_kinetic, later.bodies[1].element_scale_kinetic);
}

TEST(Diagnostics, NodesThatAnotherRankCountsAreLeftOut) {
  Pair pair({one}, 0);
  const double kinetic = pair.measure().system.kinetic;
  const NodeLine& line = pair.system.state.lines[3];
  const double of_node = 0.5 / line.inverse_mass * dot(line.velocity, line.velocity);
  const Vector3 momentum = (1 / line.inverse_mass) * line.velocity;
  pair.system.lagrangian.owned[3] = 0;
  const Diagnostics::Measurement rest = pair.measure();
  EXPECT_NEAR(rest.system.kinetic, kinetic - of_node, round_off);
  expect_near(rest.system.momentum, one.mass() * one.velocity - momentum, "momentum");
  EXPECT_NEAR(rest.bodies[0].kinetic, kinetic - of_node, round_off);
}

TEST(Diagnostics, ContactCountsAsPotentialEnergyAtTheTimeThatIsMeasured) {
  Deck deck = soft_deck({cube_entry("a", 1), cube_entry("b", 1, {3, 0, 0.05})});
  deck.walls = {{"floor", {0, 0, -0.5}, {0, 0, 1}, 3}};
  SmallSystem system(deck);
  system.state.set_velocities(std::vector<Vector3>(system.lagrangian.masses.size(), {0, 0, -0.1}));
  system.state.time = 2;
  // The five nodes of a's lower face are 0.2 behind the floor, b's 0.15; V = 1/(2ε) Σ depth².
  EXPECT_NEAR(system.diagnostics.measure(system.state, StillIntegrator{}).system.potential,
              0.5 * 3 * 5 * (0.2 * 0.2 + 0.15 * 0.15), 1e-12);
}

/// Two cubes and a wall that receive impulses by hand, in quanta.
struct Struck {
  explicit Struck(const Vector3& gravity = {}) : system(deck(gravity)) {}
  static Deck deck(const Vector3& gravity) {
    Deck deck = soft_deck({cube_entry("a", 1), cube_entry("b", 1, {3, 0, 0})});
    deck.gravity = gravity;
    deck.walls = {{"floor", {0, 0, -2}, {0, 0, 1}, 1}};
    return deck;
  }
  /// Gives `units` to the body in all, in two parts to its first two nodes.
  void strike(std::int32_t body, const std::array<std::int64_t, 3>& units) {
    const auto node = static_cast<std::size_t>(
        std::find(system.lagrangian.body_of_node.begin(), system.lagrangian.body_of_node.end(), body) -
        system.lagrangian.body_of_node.begin());
    for (std::size_t d = 0; d < 3; ++d)
      for (const std::size_t share : {0u, 1u})  // parts −3 and units + 3
        system.state.momenta[node + share][d] += (share == 0 ? -3 : units[d] + 3) * unit;
  }
  void strike_wall(const std::array<std::int64_t, 3>& units) {
    for (std::size_t d = 0; d < 3; ++d) system.state.ledger[0][d] += units[d] * unit;
  }
  /// Forces [units per time] of a, b and the wall at `time`.
  std::vector<Vector3> forces_at(double time) {
    system.state.time = time;
    std::vector<Vector3> forces;
    const double newton = static_cast<double>(unit) * system.state.quantum;
    for (const BodyRecord& row : system.diagnostics.measure(system.state, StillIntegrator{}).bodies)
      forces.push_back((1 / newton) * row.contact_force);
    return forces;
  }
  static constexpr Integer128 unit = Integer128{5} << 90;
  SmallSystem system;
};

TEST(Diagnostics, ContactForceIsTheImpulseSinceTheLastRowOverTheTimeSinceThen) {
  Struck struck;
  EXPECT_EQ(struck.forces_at(1), (std::vector<Vector3>{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}));
  struck.strike(0, {1, -2, 3});
  struck.strike(1, {40, 50, -60});
  struck.strike_wall({-700, 800, 900});
  EXPECT_EQ(struck.forces_at(1.25),
            (std::vector<Vector3>{{4, -8, 12}, {160, 200, -240}, {-2800, 3200, 3600}}));
  struck.strike(1, {-6, 8, 10});
  EXPECT_EQ(struck.forces_at(3.25), (std::vector<Vector3>{{0, 0, 0}, {-3, 4, 5}, {0, 0, 0}}));
  struck.strike(0, {1, 1, 1});
  EXPECT_EQ(struck.forces_at(3.25), (std::vector<Vector3>{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}))
      << "no time has gone by";
}

TEST(Diagnostics, ContactForceOfABodyIsWithoutItsWeight) {
  Struck struck({0, 0.01, -0.05});
  const auto rows_at = [&](double time) {
    struck.system.state.time = time;
    return struck.system.diagnostics.measure(struck.system.state, StillIntegrator{}).bodies;
  };
  expect_near(rows_at(1)[0].contact_force, {}, "no force before the first row");
  // A body that keeps its momentum under gravity is held by a force that equals its weight.
  const double mass =
      std::accumulate(struck.system.lagrangian.masses.begin(), struck.system.lagrangian.masses.end(), 0.0) /
      2;
  const std::vector<BodyRecord> rows = rows_at(1.5);
  for (const std::size_t body : {0u, 1u})
    expect_near(rows[body].contact_force, mass * Vector3{0, -0.01, 0.05}, rows[body].name);
  for (const std::size_t outside : {2u, 3u}) expect_near(rows[outside].contact_force, {}, rows[outside].name);
}

TEST(Diagnostics, TheTotalMomentumIsOfAllNodesAndLedgersToTheQuantum) {
  Struck struck;
  constexpr Integer128 large = (Integer128{1} << 100) + (Integer128{1} << 64) + (Integer128{1} << 32) - 1;
  struck.system.state.momenta[0] = {large, -large, 1};
  struck.system.state.momenta[20] = {7, -1, -(Integer128{1} << 32)};
  struck.system.state.ledger[0] = {-5, (Integer128{1} << 70), 2};
  const IntegerMomentum total = struck.system.diagnostics.total_momentum(struck.system.state);
  EXPECT_TRUE(total[0] == large + 2);
  EXPECT_TRUE(total[1] == (Integer128{1} << 70) - large - 1);
  EXPECT_TRUE(total[2] == 3 - (Integer128{1} << 32));
  const Diagnostics::Measurement rows =
      struck.system.diagnostics.measure(struck.system.state, StillIntegrator{});
  const double quantum = struck.system.state.quantum;
  EXPECT_EQ(rows.bodies[2].name, "floor");
  EXPECT_EQ(rows.bodies[2].momentum, (Vector3{-5 * quantum, std::ldexp(quantum, 70), 2 * quantum}));
  EXPECT_EQ(rows.system.momentum[2], (1 - std::ldexp(1.0, 32)) * quantum) << "without the wall's";
}

}  // namespace
}  // namespace terrace::diagnostics_motion_test
