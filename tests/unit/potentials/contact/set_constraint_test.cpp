// Rigid contact: bodies reflect exactly where they touch. What they conserve, and that they never pass
// through each other.
#include "potentials/contact/set_constraint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "dynamics/terraces/energy_stepping.hpp"
#include "mesh/overlap.hpp"
#include "parallel/error.hpp"
#include "support/followed.hpp"
#include "support/small_system.hpp"

namespace terrace::set_constraint_test {
namespace {

/// Two cubes of 2³ cells, `gap` apart in x, that meet at `speed`; the second one is `shift` aside and turned.
Deck colliding_cubes(double gap, double speed, const Vector3& shift, double angle) {
  BodyEntry first = cube_entry("first", 2), second = cube_entry("second", 2, {1 + gap, shift[1], shift[2]});
  first.velocity = {speed, 0, 0};
  second.spin = {0, 0, 0.2 * speed};
  second.rotation_axis = {0.3, 1, 0.5};
  second.rotation_angle = angle;
  Deck deck = soft_deck({first, second});
  deck.contact.model = ContactModel::rigid;
  return deck;
}

struct Colliding : SmallSystem {
  explicit Colliding(const Deck& deck, const LocalizationEntry& choice = {LocalizationKind::bodies},
                     double h = 2e-5)
      : SmallSystem(deck, choice, h), integrator(lagrangian, state), deformed(model) {
    for (Subdomain& subdomain : lagrangian.subdomains)
      if (subdomain.impenetrable) {
        ++constraints;
        touching = dynamic_cast<const ImpenetrabilityConstraint&>(*subdomain.constraint).touching();
      }
  }
  /// Expects the deformed bodies to be apart, by the checks that decks get; updates the least distance, which
  /// the constraint itself measures.
  void expect_apart() {
    Followed<ImpenetrabilityConstraint> fresh(lagrangian.reference, model.bodies[0].boundary,
                                              model.bodies[1].boundary, "");
    fresh.set_line(state.lines, state.time);
    least_distance = std::min(least_distance, fresh.distance(0));
    for (std::size_t a = 0; a < deformed.positions.size(); ++a) deformed.positions[a] = position(a);
    EXPECT_FALSE(find_overlap(deformed).has_value()) << "at " << state.time;
    EXPECT_NO_THROW(require_apart(deformed.positions, model.bodies[0].boundary, model.bodies[1].boundary, ""))
        << "at " << state.time;
  }
  [[nodiscard]] std::int64_t collisions() const {
    std::int64_t sum = 0;
    for (const SubdomainRecord& record : integrator.subdomain_records())
      if (std::isinf(record.energy_step)) sum += record.events;
    return sum;
  }

  EnergyStepping integrator;
  Model deformed;
  int constraints = 0;
  double touching = 0;  // of the constraint, which ends when the bodies part
  double least_distance = 1;
};

struct Impact {
  double gap, speed, angle;
  Vector3 shift;
  ContactLocalization contact;
  LocalizationKind kind;
};

class SetConstraint : public testing::TestWithParam<Impact> {};
INSTANTIATE_TEST_SUITE_P(
    Impacts, SetConstraint,
    testing::Values(
        Impact{0.05, 0.3, 0, {0, 0.15, 0.2}, ContactLocalization::own, LocalizationKind::bodies},
        Impact{0.05, 0.3, 0, {0, 0, 0}, ContactLocalization::own, LocalizationKind::bodies},
        Impact{0, 0.3, 0, {0, 0, 0}, ContactLocalization::own, LocalizationKind::bodies},
        Impact{0.4, 0.3, 30, {0, 0.1, 0.2}, ContactLocalization::own, LocalizationKind::bodies},
        Impact{0.4, 0.03, 30, {0, 0.1, 0.2}, ContactLocalization::own, LocalizationKind::bodies},
        Impact{0.4, 0.3, 30, {0, 0.1, 0.2}, ContactLocalization::own, LocalizationKind::global},
        Impact{0.4, 0.3, 30, {0, 0.1, 0.2}, ContactLocalization::with_bodies, LocalizationKind::bodies}));

TEST_P(SetConstraint, ConservesEverythingAndKeepsBodiesApart) {
  const Impact& impact = GetParam();
  const Deck deck = colliding_cubes(impact.gap, impact.speed, impact.shift, impact.angle);
  const double h = 2e-4 * impact.speed * impact.speed;
  Colliding cubes(deck, {impact.kind, 1, impact.contact}, h);
  ASSERT_EQ(cubes.constraints, 1) << "a subdomain of its own";
  const SystemRecord start = cubes.record(cubes.integrator);
  const IntegerMomentum momentum = cubes.diagnostics.total_momentum(cubes.state);
  const double angular = cubes.diagnostics.angular_momentum_scale(cubes.state);
  double energy_drift = 0, angular_drift = 0;
  std::int64_t seen = 0;
  const double end = (impact.gap + 4) / impact.speed;
  for (int event = 0; cubes.integrator.advance(cubes.state, end); ++event) {
    const bool collided = cubes.collisions() > seen;
    seen = cubes.collisions();
    if (!collided && event % 20 != 0) continue;
    cubes.expect_apart();
    const SystemRecord now = cubes.record(cubes.integrator);
    energy_drift = std::max(energy_drift, std::abs(now.energy - start.energy) / start.energy);
    angular_drift = std::max(angular_drift, norm(now.angular_momentum - start.angular_momentum) / angular);
  }
  EXPECT_GE(seen, 5);
  EXPECT_LE(energy_drift, 1e-14);
  EXPECT_LE(angular_drift, 1e-12);
  EXPECT_TRUE(cubes.diagnostics.total_momentum(cubes.state) == momentum) << "not a quantum";
  EXPECT_GT(cubes.smallest_jacobian(), 0);
  if (impact.gap > 0) {
    EXPECT_GE(cubes.least_distance, 0.25 * cubes.touching);
  }
  const std::vector<BodyRecord> bodies = cubes.diagnostics.measure(cubes.state, cubes.integrator).bodies;
  EXPECT_LT(bodies[0].velocity[0], 0.6 * impact.speed);
  std::printf(
      "%ld collisions in %ld events, velocity %.3f of the first, drift %.1e and %.1e, least distance %.1e\n",
      static_cast<long>(seen), static_cast<long>(cubes.integrator.events()),
      bodies[0].velocity[0] / impact.speed, energy_drift, angular_drift, cubes.least_distance);
}

/// Nodes on random lines: the answer must not depend on what was looked at before.
TEST(SetConstraintSearch, DependsOnTheLinesAlone) {
  const Deck deck = colliding_cubes(0.1, 1, {0, 0.1, 0.2}, 5);
  SmallSystem cubes(deck);
  const auto make = [&] {
    return ImpenetrabilityConstraint(cubes.lagrangian.reference, cubes.model.bodies[0].boundary,
                                     cubes.model.bodies[1].boundary, "");
  };
  Followed<ImpenetrabilityConstraint> used(make);
  std::mt19937_64 random{7};
  std::uniform_real_distribution<double> uniform(-1, 1);
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    UntouchedArray<NodeLine> lines = cubes.state.lines;
    const double speed = round % 3 == 0 ? 0.02 : 0.5;
    for (NodeLine& line : lines) {
      line.displacement = {0.02 * uniform(random), 0.02 * uniform(random), 0.02 * uniform(random)};
      line.velocity = {speed * uniform(random), speed * uniform(random), speed * uniform(random)};
    }
    Followed<ImpenetrabilityConstraint> fresh(make);
    for (Followed<ImpenetrabilityConstraint>* constraint : {&used, &fresh}) constraint->set_line(lines, 0);
    double from = 0;
    while (from < 2) {
      const FirstCollision one = used.first_collision(from, 2), other = fresh.first_collision(from, 2);
      ASSERT_EQ(one.instant, other.instant);
      ASSERT_EQ(one.searched_to, other.searched_to);
      if (std::isfinite(one.instant)) {
        ++found;
        std::vector<Vector3> a(lines.size(), Vector3{}), b = a;
        const Grid grid = Grid::holding(1, 1);
        used.add_gradient(lines, one.instant, grid, a);
        fresh.add_gradient(lines, one.instant, grid, b);
        EXPECT_EQ(a, b);
        Vector3 sum{};
        for (const Vector3& n : a) sum += n;
        EXPECT_EQ(norm(sum), 0.0) << "to the bit";
        break;
      }
      from = one.searched_to;
    }
    if (round % 5 == 0) {
      EXPECT_GE(used.distance(0.3), 0);  // moves the boxes
    }
  }
  EXPECT_GT(found, 50);
}

/// Two tips, each above a face; the second pair is the first one shifted by 4. With these coordinates the two
/// touch at the same instant to the bit.
TEST(SetConstraintSearch, OfSimultaneousTouchesTheFirstListedCounts) {
  std::vector<Vector3> positions;
  for (const double x : {0.0, 4.0})
    for (const Vector3& p : {Vector3{0, 0, 0.125}, Vector3{-0.5, 0.25, 1}, Vector3{0.5, 0.25, 1}})
      positions.push_back(p + Vector3{x, 0, 0});
  for (const double x : {0.0, 4.0})
    for (const Vector3& p : {Vector3{-1, -1, 0}, Vector3{1, -1, 0}, Vector3{0, 1, 0}})
      positions.push_back(p + Vector3{x, 0, 0});
  std::vector<NodeLine> lines(12, NodeLine{{}, {}, 0, 1});
  for (std::size_t i = 0; i < 6; ++i) lines[i].velocity = {0, 0, -1};
  const std::vector<Triangle> tips{{0, 1, 2}, {3, 4, 5}}, faces{{6, 7, 8}, {9, 10, 11}};
  Followed<ImpenetrabilityConstraint> constraint(positions, tips, faces, "");
  constraint.set_line(lines, 0);
  const double instant = constraint.first_collision(0, 1).instant;
  ASSERT_NEAR(instant, 0.125, 1e-6);
  std::vector<Vector3> gradient(12, Vector3{});
  constraint.add_gradient(lines, instant, Grid::holding(1, 1), gradient);
  EXPECT_NEAR(std::abs(gradient[0][2]), 1, 1e-6);
  EXPECT_EQ(norm(gradient[3]), 0) << "as late as the first, and not before it";
}

// Where the last digit of a coordinate is larger than the distance at which features touch, it cannot be told
// on which side of each other they are.
TEST(SetConstraintSearch, BodiesThatMeetTooFarFromTheOriginAreAnError) {
  const auto meet = [](double common_speed) {
    Deck deck = colliding_cubes(0.1, 1, {0, 0.1, 0.2}, 5);
    for (BodyEntry& body : deck.bodies) body.velocity[1] = common_speed;
    Colliding cubes(deck);
    while (cubes.integrator.advance(cubes.state, 0.3)) continue;
    cubes.expect_apart();
    EXPECT_GT(cubes.collisions(), 0) << common_speed;
  };
  meet(1e4);
  try {
    meet(1e6);
    FAIL() << "they meet at a coordinate of 100,000";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("they have flown too far from the origin"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what())
                  .find("bodies that meet where rounding tells on which side of each other they are"),
              std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("first/second"), std::string::npos) << error.what();
  }
}

TEST(SetConstraintSearch, BodiesThatIntersectAtTheStartAreAnError) {
  const Deck apart = colliding_cubes(1e-3, 1, {}, 0), touching = colliding_cubes(0, 1, {}, 0),
             overlapping = colliding_cubes(-1e-7, 1, {0, 0.1, 0.2}, 0);
  EXPECT_NO_THROW(SmallSystem{apart});
  EXPECT_NO_THROW(SmallSystem{touching});
  EXPECT_THROW(SmallSystem{overlapping}, Error);
}

}  // namespace
}  // namespace terrace::set_constraint_test
