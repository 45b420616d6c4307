// Balls in contact by Hertz's law, with each other and with a plane: derivatives, exact momenta, and
// certificates over random lines.
#include "potentials/contact/hertz_contact.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "support/followed.hpp"

namespace terrace::hertz_contact_test {
namespace {

const HertzLaw law(50, 0.5, 0.2, 0.6 / (50 * 0.2));

/// Nodes of two balls of radius 1 that only just touch at the origin. Eight of each ball are about the
/// contact and carry the load; all of its twenty define its middle. They move along random lines that begin
/// with the balls in each other by about `depth`.
struct Pair {
  std::vector<Vector3> positions;
  std::vector<NodeLine> lines;
  SpherePatch first, second;
  std::array<Sphere, 2> spheres;
  double gap;

  explicit Pair(unsigned seed, double depth, double speed = 1e-3, double turning = 1e-3) : gap(0) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vector3{uniform(random), uniform(random), uniform(random)}; };
    const Vector3 axis = [&] {
      const Vector3 v = vector();
      return (1 / norm(v)) * v;
    }();
    spheres = {Sphere{-1 * axis, 1}, Sphere{axis, 1}};
    for (const double side : {-1.0, 1.0}) {
      SpherePatch& patch = side < 0 ? first : second;
      double load = 0, middle = 0;
      for (int i = 0; i < 20; ++i) {
        patch.nodes.push_back(static_cast<std::int32_t>(positions.size()));
        patch.load.push_back(i < 8 ? 1 + uniform(random) : 0);
        patch.middle.push_back(1.5 + uniform(random));
        load += patch.load.back();
        middle += patch.middle.back();
        const Vector3 place = i < 8 ? 0.1 * vector() : side * axis + vector();
        positions.push_back(place);
        lines.push_back({1e-3 * vector() - (0.5 * depth * side) * axis,
                         speed * (vector() - (2 * side) * axis) + turning * cross(vector(), place), 0, 1});
      }
      patch.inside = 8;
      for (double& share : patch.load) share /= load;
      for (double& share : patch.middle) share /= middle;
    }
  }
  [[nodiscard]] HertzContact source() const {
    return HertzContact(positions, first, second, spheres, law, gap);
  }
  [[nodiscard]] Followed<HertzContact> followed() const {
    return Followed<HertzContact>(positions, first, second, spheres, law, gap);
  }
};

LineGrids grids() {
  const Grid grid = Grid::holding(64, 64);
  return {DoubleGrid::holding(64, 64), grid, grid, grid, grid, grid, grid, grid};
}

template <class Contact>
LineSample at(Contact& contact, double s) {
  LineSample sum;
  contact.sample(s, grids(), sum);
  return sum;
}

std::vector<Vector3> places(const Pair& pair, double time) {
  std::vector<Vector3> displacements;
  for (const NodeLine& line : pair.lines) displacements.push_back(line.displacement_at(time));
  return displacements;
}

TEST(HertzContact, GradientAndHessianAgreeWithDifferences) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Pair pair(seed, 0.01);
    const HertzContact contact = pair.source();
    std::vector<Vector3> here = places(pair, 0);
    std::vector<Vector3> gradient(here.size());
    const Grid grid = Grid::holding(8, 64);
    EXPECT_GT(contact.add_gradient(Displacements(here), grid, gradient), 0) << "seed " << seed;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Vector3> direction, product(here.size()), before(here.size()), after(here.size());
    for (std::size_t a = 0; a < here.size(); ++a)
      direction.push_back({uniform(random), uniform(random), uniform(random)});
    const double step = 1e-6;
    std::vector<Vector3> back = here, forth = here;
    for (std::size_t a = 0; a < here.size(); ++a) {
      back[a] += -step * direction[a];
      forth[a] += step * direction[a];
    }
    double slope = 0;
    for (std::size_t a = 0; a < here.size(); ++a) slope += dot(gradient[a], direction[a]);
    EXPECT_NEAR(slope,
                (contact.value(Displacements(forth)) - contact.value(Displacements(back))) / (2 * step),
                1e-6 * (1 + std::abs(slope)))
        << "seed " << seed;
    ASSERT_TRUE(contact.has_hessian());
    contact.add_hessian_times(Displacements(here), direction, product);
    contact.add_gradient(Displacements(back), grid, before);
    contact.add_gradient(Displacements(forth), grid, after);
    for (std::size_t a = 0; a < here.size(); ++a)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(product[a][k], (after[a][k] - before[a][k]) / (2 * step),
                    1e-6 * (1 + std::abs(product[a][k])))
            << "seed " << seed << " node " << a;
  }
}

TEST(HertzContact, ForcesAddUpToZeroToTheBitAndTheirMomentsToRounding) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Pair pair(seed, 0.01);
    const HertzContact contact = pair.source();
    std::vector<Vector3> here = places(pair, 0), gradient(here.size());
    const Grid grid = Grid::holding(8, 64);
    contact.add_gradient(Displacements(here), grid, gradient);
    Vector3 sum{}, moment{};
    for (std::size_t a = 0; a < here.size(); ++a) {
      sum += gradient[a];
      moment += cross(pair.positions[a] + here[a], gradient[a]);
    }
    EXPECT_EQ(sum, Vector3{}) << "seed " << seed;
    EXPECT_LT(norm(moment), 200 * grid.quantum) << "seed " << seed;
  }
}

TEST(HertzContact, EnergyIsOfThePenetrationOfTheSpheresWhateverTheBodiesDoTogether) {
  const Pair pair(3, 0);
  const HertzContact contact = pair.source();
  // Only the second body moves, by `depth` along the line between the middles.
  std::vector<Vector3> here(pair.positions.size());
  Vector3 axis{};
  for (std::size_t i = 0; i < pair.first.nodes.size(); ++i) {
    axis += pair.second.middle[i] * pair.positions[static_cast<std::size_t>(pair.second.nodes[i])];
    axis += -pair.first.middle[i] * pair.positions[static_cast<std::size_t>(pair.first.nodes[i])];
  }
  axis = (1 / norm(axis)) * axis;
  for (const double depth : {0.003, 0.008}) {
    for (const std::int32_t node : pair.second.nodes) here[static_cast<std::size_t>(node)] = -depth * axis;
    EXPECT_NEAR(contact.value(Displacements(here)), law.at(depth).value, 1e-12 * law.at(depth).value);
    // Turned and moved as a whole.
    std::vector<Vector3> turned = here;
    for (std::size_t a = 0; a < here.size(); ++a) {
      const Vector3 x = pair.positions[a] + here[a];
      turned[a] = Vector3{7 - x[1], x[0] - 2, x[2] + 5} - pair.positions[a];
    }
    EXPECT_NEAR(contact.value(Displacements(turned)), law.at(depth).value, 1e-11 * law.at(depth).value);
  }
  for (const std::int32_t node : pair.second.nodes) here[static_cast<std::size_t>(node)] = 1e-9 * axis;
  EXPECT_TRUE(contact.energies(Displacements(here)).empty()) << "apart";
}

TEST(HertzContact, AGapAtTheStartMustBeClosedFirst) {
  Pair pair(3, 0.01);
  const double touching = pair.source().value(Displacements(places(pair, 0)));
  pair.gap = 0.004;
  const double with_gap = pair.source().value(Displacements(places(pair, 0)));
  EXPECT_GT(with_gap, 0);
  EXPECT_LT(with_gap, touching);
  pair.gap = 0.1;
  EXPECT_EQ(pair.source().value(Displacements(places(pair, 0))), 0);
}

TEST(HertzContact, SampleAgreesWithValueAndDifferences) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Pair pair(seed, 0.01, 1e-2, 0.3);
    auto contact = pair.followed();
    contact.set_line(pair.lines, 0);
    const double s = 0.02, step = 1e-5;
    const LineSample here = at(contact, s);
    EXPECT_NEAR(here.value.value(), contact.source.value(Displacements(pair.lines, s)), 1e-13);
    const auto value = [&](double t) { return at(contact, t).value.value(); };
    EXPECT_NEAR(here.slope, (value(s + step) - value(s - step)) / (2 * step),
                1e-6 * (1 + std::abs(here.slope)));
    EXPECT_NEAR(here.curvature, (at(contact, s + step).slope - at(contact, s - step).slope) / (2 * step),
                1e-5 * (1 + std::abs(here.curvature)))
        << "seed " << seed;
    EXPECT_EQ(here.contact_terms, value(s) > 0 ? 1 : 0);
  }
}

template <class Contact>
int check_certificate(Contact& contact, double from, double to, const std::string& what) {
  const LineSample start = at(contact, from);
  LineBound bound;
  contact.bound(from, to, grids(), bound);
  if (bound.invalid > 0) return 0;
  for (int i = 1; i <= 50; ++i) {
    const double t = (to - from) * i / 50;
    const double model = start.value.value() + start.slope * t + 0.5 * start.curvature * t * t;
    const double error = at(contact, from + t).value.value() - model;
    const double round_off = grids().slope.quantum * t + grids().curvature.quantum * t * t + 1e-15;
    EXPECT_LE(error, 0.5 * bound.above * t * t + round_off) << what;
    EXPECT_GE(error, -0.5 * bound.below * t * t - round_off) << what;
  }
  return bound.above > 0 && bound.below > 0 ? 1 : 0;
}

TEST(HertzContactCertificate, HoldsEverywhereInTheInterval) {
  int restrictive = 0, tight = 0;
  for (unsigned seed = 1; seed <= 600; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    // Some turn fast, some begin apart.
    const Pair pair(seed, 0.02 * uniform(random) - 0.004, 1e-2, std::pow(10, -3 + 3 * uniform(random)));
    auto contact = pair.followed();
    contact.set_line(pair.lines, 0);
    const double from = 0.05 * uniform(random), to = from + 0.1 * std::pow(uniform(random), 3);
    const int found = check_certificate(contact, from, to, "seed " + std::to_string(seed));
    restrictive += found;
    LineBound bound;
    contact.bound(from, to, grids(), bound);
    if (found > 0 && bound.above < std::abs(at(contact, from).curvature)) ++tight;
  }
  EXPECT_GT(restrictive, 200);
  EXPECT_GT(tight, 50) << "a bound that holds for being huge is of no use";
}

TEST(HertzContactCertificate, AsksForShorterIntervalsWhereBallsPassAndIsSilentApart) {
  const Pair pair(5, 0.01, 1e-2);
  auto contact = pair.followed();
  contact.set_line(pair.lines, 0);
  LineBound bound;
  contact.bound(0, 1e3, grids(), bound);
  EXPECT_EQ(bound.invalid, 1);
  const Pair apart(5, -1, 1e-2);
  auto far_contact = apart.followed();
  far_contact.set_line(apart.lines, 0);
  LineBound none;
  far_contact.bound(0, 1, grids(), none);
  EXPECT_EQ(none.invalid, 0);
  EXPECT_EQ(none.above, 0);
  EXPECT_EQ(none.contact_terms, 0);
}

TEST(HertzContact, TellsHowWideItBecameAndHowFarItsMiddleMoved) {
  Pair pair(7, 0.01);
  for (NodeLine& line : pair.lines) line.velocity = {};
  auto contact = pair.followed();  // without set_line, as under Newmark's method
  std::vector<Vector3> gradient(pair.positions.size());
  contact.add_gradient(pair.lines, 0, Grid::holding(8, 64), gradient);
  ContactExtremes seen;
  contact.report(seen);
  // V grows strictly with δ: bisection finds δ from V, and the width follows from δ.
  double below = 0, above = 0.1;
  for (int i = 0; i < 60; ++i)
    (law.at(0.5 * (below + above)).value < contact.source.value(Displacements(pair.lines, 0)) ? below
                                                                                              : above) =
        0.5 * (below + above);
  EXPECT_NEAR(seen.widest_contact, law.width(below), 1e-6);
  EXPECT_LT(seen.largest_shift, 0.7) << "the loads of this pair have random places";
  // The first body turns by a right angle about its own middle: its load is then a radius off the axis.
  Vector3 middle{};
  for (std::size_t i = 0; i < pair.first.nodes.size(); ++i)
    middle += pair.first.middle[i] * pair.positions[static_cast<std::size_t>(pair.first.nodes[i])];
  const Vector3 axis = (1 / norm(middle)) * middle;
  const Vector3 some = cross(axis, Vector3{0.3, 0.5, 0.7}), across = (1 / norm(some)) * some;
  for (std::size_t i = 0; i < pair.first.nodes.size(); ++i) {
    const auto node = static_cast<std::size_t>(pair.first.nodes[i]);
    const Vector3 x = pair.positions[node] - middle;
    const double a = dot(x, axis), b = dot(x, across);
    // As far towards the other ball as before, so that they still touch.
    pair.lines[node].displacement +=
        (b - a) * axis + (-a - b) * across + (pair.first.load[i] > 0 ? -1.2 : 0.0) * axis;
  }
  contact.set_line(pair.lines, 0);
  contact.add_gradient(pair.lines, 0, Grid::holding(64, 64), gradient);
  ContactExtremes turned;
  contact.report(turned);
  EXPECT_GT(turned.largest_shift, 2) << "in radii of the patch, 0.2";
}

/// Nodes of one ball before a plane, on random lines that begin with the ball in the plane by `depth`.
struct BallAtPlane {
  std::vector<Vector3> positions;
  std::vector<NodeLine> lines;
  SpherePatch patch;
  Plane plane{{0.1, 0.2, 0.3}, {0, 0.6, 0.8}};
  Sphere sphere;

  explicit BallAtPlane(unsigned seed, double depth) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vector3{uniform(random), uniform(random), uniform(random)}; };
    sphere = {plane.point + 1.25 * plane.normal, 1};  // a gap of a quarter
    double load = 0;
    for (std::int32_t i = 0; i < 12; ++i) {
      patch.nodes.push_back(i);
      patch.load.push_back(i % 3 == 0 ? 0 : 1 + uniform(random));
      patch.middle.push_back(0.5);
      load += patch.load.back();
      positions.push_back(sphere.centre - plane.normal + 0.1 * vector());
      lines.push_back({(-0.25 - depth) * plane.normal, 1e-2 * vector(), 0, 1});
    }
    patch.inside = 8;
    for (double& share : patch.load) share /= load;
  }
  [[nodiscard]] HertzWall source() const { return HertzWall(positions, patch, sphere, plane, law); }
};

TEST(HertzWall, EnergyIsOfThePenetrationAndNodesWithoutLoadAreNotPartOfIt) {
  const BallAtPlane ball(1, 0.01);
  const HertzWall wall = ball.source();
  EXPECT_NEAR(wall.value(Displacements(ball.lines, 0)), law.at(0.01).value, 1e-12 * law.at(0.01).value);
  EXPECT_EQ(wall.nodes().size(), 8);
  const BallAtPlane apart(1, -1e-9);
  EXPECT_EQ(apart.source().value(Displacements(apart.lines, 0)), 0);
}

TEST(HertzWall, DerivativesAgreeWithDifferencesAndTheCertificateHolds) {
  int restrictive = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const BallAtPlane ball(seed, 0.01);
    Followed<HertzWall> wall(ball.positions, ball.patch, ball.sphere, ball.plane, law);
    wall.set_line(ball.lines, 0);
    const double s = 0.1, step = 1e-5;
    const LineSample here = at(wall, s);
    const auto value = [&](double t) { return at(wall, t).value.value(); };
    EXPECT_NEAR(here.slope, (value(s + step) - value(s - step)) / (2 * step),
                1e-8 * (1 + std::abs(here.slope)));
    EXPECT_NEAR(here.curvature, (at(wall, s + step).slope - at(wall, s - step).slope) / (2 * step),
                1e-7 * (1 + std::abs(here.curvature)));
    std::vector<Vector3> gradient(ball.positions.size()), product(ball.positions.size()), velocities;
    for (const NodeLine& line : ball.lines) velocities.push_back(line.velocity);
    wall.add_gradient(ball.lines, s, Grid::holding(64, 64), gradient);
    wall.source.add_hessian_times(Displacements(ball.lines, s), velocities, product);
    double power = 0, curvature = 0;
    for (std::size_t a = 0; a < gradient.size(); ++a) {
      power += dot(gradient[a], velocities[a]);
      curvature += dot(product[a], velocities[a]);
      EXPECT_LE(dot(gradient[a], ball.plane.normal), 0) << "a wall pushes, V grows towards it";
    }
    EXPECT_NEAR(power, here.slope, 1e-12);
    EXPECT_NEAR(curvature, here.curvature, 1e-12);
    restrictive += check_certificate(wall, s, s + 0.002 * seed, "seed " + std::to_string(seed));
  }
  EXPECT_GT(restrictive, 50);
}

TEST(HertzWall, ItsDiscreteGradientDoesTheWorkThatVGainsAndChangesAsItSays) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const double duration : {2.0, 0.1, 1e-4}) {
      // Some of the long ways end or begin out of contact.
      const BallAtPlane ball(seed, seed % 2 == 0 ? 0.01 : 0.001);
      const HertzWall wall = ball.source();
      const auto discrete = wall.discrete_gradient();
      const Displacements from(ball.lines, 0), to(ball.lines, duration);
      const auto between = [&](double until) {
        std::vector<Vector3> gradient(ball.positions.size());
        discrete->add(from, Displacements(ball.lines, until), Grid::holding(1, 1), gradient);
        return gradient;
      };
      const std::vector<Vector3> gradient = between(duration), later = between(duration + 1e-5),
                                 earlier = between(duration - 1e-5);
      std::vector<Vector3> change(gradient.size()), velocities;
      for (const NodeLine& line : ball.lines) velocities.push_back(line.velocity);
      discrete->linearize(from, to);
      discrete->add_change(velocities, change);
      double work = 0;
      for (std::size_t a = 0; a < gradient.size(); ++a) {
        work += duration * dot(gradient[a], velocities[a]);
        EXPECT_LE(norm(change[a] - (1 / 2e-5) * (later[a] - earlier[a])), 1e-6 * (1 + norm(change[a])));
      }
      EXPECT_NEAR(work, wall.value(to) - wall.value(from), 1e-14);
    }
}

// Beyond the widest contact the force continues along its tangent, so that V‴ jumps there. A mean of V′ by
// Gauss' rule is not exact across the jump.
TEST(HertzWall, ItsDiscreteGradientIsExactAcrossTheWidestContact) {
  const double widest = law.largest_penetration();
  for (const double share : {0.98, 0.995, 1.005}) {
    const BallAtPlane from(3, share * widest), to(3, 1.02 * widest);
    const HertzWall wall = from.source();
    const Displacements first(from.lines, 0), last(to.lines, 0);
    std::vector<Vector3> gradient(from.positions.size());
    wall.discrete_gradient()->add(first, last, Grid::holding(1, 1), gradient);
    double work = 0;
    for (std::size_t a = 0; a < gradient.size(); ++a) work += dot(gradient[a], last[a] - first[a]);
    const double gain = wall.value(last) - wall.value(first);
    EXPECT_GT(gain, 0);
    EXPECT_NEAR(work / gain, 1, 1e-9) << "from " << share << " of the widest";
  }
}

TEST(HertzWall, TellsHowWideItsContactBecame) {
  const BallAtPlane ball(2, 0.01);
  Followed<HertzWall> wall(ball.positions, ball.patch, ball.sphere, ball.plane, law);
  std::vector<Vector3> gradient(ball.positions.size());
  wall.add_gradient(ball.lines, 0, Grid::holding(64, 64), gradient);
  ContactExtremes seen;
  wall.report(seen);
  EXPECT_NEAR(seen.widest_contact, law.width(0.01), 1e-9);
}

}  // namespace
}  // namespace terrace::hertz_contact_test
