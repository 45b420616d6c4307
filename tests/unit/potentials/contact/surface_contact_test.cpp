// Barrier and gap contact of surfaces: closest points, energies of pairs against central differences, balance
// of forces and torques, certificates, and sums over pairs that do not depend on earlier calls or on the
// division over ranks.
#include "potentials/contact/surface_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "support/followed.hpp"
#include "support/two_blocks.hpp"

namespace terrace::surface_contact_test {
namespace {

constexpr unsigned seed = 20200;
using Random = std::mt19937_64;

Vector3 random_vector(Random& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

PairNodes random_nodes(Random& random, double size) {
  return {random_vector(random, size), random_vector(random, size), random_vector(random, size),
          random_vector(random, size)};
}

PairNodes moved(const PairNodes& x, const PairNodes& v, double s) {
  PairNodes result = x;
  for (std::size_t i = 0; i < 4; ++i) result[i] += s * v[i];
  return result;
}

/// Families of pairs, by `which`: 0 in general position, 1 near each other, 2 nearly parallel edges or a
/// vertex near a side, 3 near a corner, 4 in one plane.
PairNodes family(Random& random, PairKind kind, int which) {
  PairNodes x = random_nodes(random, 1);
  std::uniform_real_distribution<double> share(0, 1);
  const double u = share(random), w = (1 - u) * share(random);
  const std::size_t last = kind == PairKind::vertex_triangle ? 0 : 1;
  if (which == 1) {  // close: the simplices nearly meet at inner points
    const Vector3 target = kind == PairKind::vertex_triangle ? (1 - u - w) * x[1] + u * x[2] + w * x[3]
                                                             : (1 - u) * x[2] + u * x[3];
    const Vector3 here = kind == PairKind::vertex_triangle ? x[0] : (1 - w) * x[0] + w * x[1];
    const Vector3 shift = target - here + random_vector(random, 0.05);
    for (std::size_t i = 0; i <= last; ++i) x[i] += shift;
  } else if (which == 2) {  // nearly parallel edges; vertex above a side
    if (kind == PairKind::edge_edge) {
      x[3] = x[2] + (x[1] - x[0]) + random_vector(random, 0.02);
      const Vector3 shift = x[2] - x[0] + random_vector(random, 0.1);
      for (std::size_t i = 0; i <= 1; ++i) x[i] += shift;
    } else {
      x[0] = (1 - u) * x[1] + u * x[2] + random_vector(random, 0.1);
    }
  } else if (which == 3) {  // near a corner
    x[0] = x[2] + random_vector(random, 0.1);
  } else if (which == 4) {  // in one plane
    for (Vector3& node : x) node[2] = 0;
  }
  return x;
}

double brute_force_distance(PairKind kind, const PairNodes& x) {
  double least = 1e300;
  constexpr int n = 60;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= (kind == PairKind::vertex_triangle ? n - i : n); ++j) {
      const double u = static_cast<double>(i) / n, w = static_cast<double>(j) / n;
      const Vector3 r = kind == PairKind::vertex_triangle
                            ? x[0] - ((1 - u - w) * x[1] + u * x[2] + w * x[3])
                            : ((1 - u) * x[0] + u * x[1]) - ((1 - w) * x[2] + w * x[3]);
      least = std::min(least, norm(r));
    }
  return least;
}

TEST(ClosestPoints, AreNoFartherThanAnyOthersAndOnTheSimplices) {
  Random random(seed);
  for (const PairKind kind : {PairKind::vertex_triangle, PairKind::edge_edge})
    for (int which = 0; which < 5; ++which)
      for (int i = 0; i < 400; ++i) {
        const PairNodes x = family(random, kind, which);
        const ClosestPoints closest = closest_points(kind, x);
        const double d = norm(closest.difference), reference = brute_force_distance(kind, x);
        ASSERT_LE(d, reference + 1e-12) << "seed " << seed << " family " << which;
        ASSERT_GE(d, reference - 0.08) << "seed " << seed << " family " << which;
        double sum = 0;
        Vector3 combination{};
        for (std::size_t a = 0; a < 4; ++a) {
          const bool first = a == 0 || (a == 1 && kind == PairKind::edge_edge);
          ASSERT_GE(first ? closest.weights[a] : -closest.weights[a], -1e-12);
          sum += closest.weights[a];
          combination += closest.weights[a] * x[a];
        }
        ASSERT_NEAR(sum, 0, 1e-15);
        ASSERT_LE(norm(combination - closest.difference), 1e-7) << "seed " << seed << " family " << which;
      }
}

struct Case {
  PairKind kind;
  ContactProfile::Kind profile;
};

class PairEnergy : public ::testing::TestWithParam<Case> {
 protected:
  ContactProfile profile{GetParam().profile, 0.3};
  ContactPair pair{GetParam().kind, 2.5, GetParam().kind == PairKind::edge_edge ? 0.02 : 0.0};
};

// 5 families of 10,000 pairs for each kind of pair and each profile.
TEST_P(PairEnergy, DerivativesMatchCentralDifferences) {
  Random random(seed);
  int in_contact = 0;
  double worst_gradient = 0, worst_slope = 0;
  for (int which = 0; which < 5; ++which)
    for (int i = 0; i < 10000; ++i) {
      const PairNodes x = family(random, pair.kind, which), v = random_nodes(random, 1);
      const PairSample here = sample_pair(pair, profile, x, v);
      PairNodes gradient{};
      const bool touches = pair_gradient(pair, profile, x, gradient).has_value();
      const double d = norm(closest_points(pair.kind, x).difference);
      if (d < 1e-3) continue;  // the scale of the differences below
      const double step = 1e-5 * d;
      const PairSample before = sample_pair(pair, profile, moved(x, v, -step), v);
      const PairSample after = sample_pair(pair, profile, moved(x, v, step), v);
      const double difference = (after.value - before.value) / (2 * step);
      const double scale = std::abs(here.slope) + std::abs(here.value) / d + 1e-6;
      double product = 0;
      for (std::size_t a = 0; a < 4; ++a) product += dot(gradient[a], v[a]);
      if (!touches) {
        ASSERT_EQ(here.value, 0);
        continue;
      }
      ++in_contact;
      worst_slope = std::max(worst_slope, std::abs(here.slope - difference) / scale);
      worst_gradient = std::max(worst_gradient, std::abs(product - here.slope) / scale);
    }
  EXPECT_GT(in_contact, 8000) << "seed " << seed;
  EXPECT_LT(worst_slope, 2e-3) << "seed " << seed;
  EXPECT_LT(worst_gradient, 1e-6) << "seed " << seed;
}

TEST_P(PairEnergy, CurvatureMatchesCentralDifferencesAwayFromSwitchesOfTheClosestFeatures) {
  Random random(seed);
  std::vector<double> errors;
  for (int which = 0; which < 4; ++which)
    for (int i = 0; i < 5000; ++i) {
      const PairNodes x = family(random, pair.kind, which), v = random_nodes(random, 1);
      const PairSample here = sample_pair(pair, profile, x, v);
      const ClosestPoints closest = closest_points(pair.kind, x);
      const double d = norm(closest.difference);
      if (here.value == 0 || d < 0.02 || d > 0.28) continue;
      const double step = 1e-6;
      const PairNodes left = moved(x, v, -step), right = moved(x, v, step);
      const auto same_features = [&](const PairNodes& y) {
        const ClosestPoints other = closest_points(pair.kind, y);
        if (other.free_directions != closest.free_directions) return false;
        for (std::size_t a = 0; a < 4; ++a)
          if ((other.weights[a] == 0) != (closest.weights[a] == 0)) return false;
        return true;
      };
      if (!same_features(left) || !same_features(right)) continue;
      const double difference =
          (sample_pair(pair, profile, right, v).slope - sample_pair(pair, profile, left, v).slope) /
          (2 * step);
      errors.push_back(std::abs(here.curvature - difference) /
                       (std::abs(here.curvature) + std::abs(here.value) / (d * d)));
    }
  ASSERT_GT(errors.size(), 3000u);
  std::sort(errors.begin(), errors.end());
  // Edges that are all but parallel turn their closest points within a step of the difference.
  EXPECT_LT(errors[errors.size() * 99 / 100], 1e-4) << "seed " << seed;
}

TEST_P(PairEnergy, ForceAndTorqueOfAPairVanish) {
  Random random(seed);
  for (int which = 0; which < 5; ++which)
    for (int i = 0; i < 5000; ++i) {
      const PairNodes x = family(random, pair.kind, which);
      PairNodes gradient{};
      if (!pair_gradient(pair, profile, x, gradient)) continue;
      Vector3 force{}, torque{};
      double largest = 0;
      for (std::size_t a = 0; a < 4; ++a) {
        force += gradient[a];
        torque += cross(x[a], gradient[a]);
        largest = std::max(largest, norm(gradient[a]));
      }
      ASSERT_LE(norm(force), 1e-14 * largest + 1e-300) << "seed " << seed << " family " << which;
      // The closest points of nearly parallel edges are known only to a larger error than round-off.
      ASSERT_LE(norm(torque), 1e-9 * largest + 1e-300) << "seed " << seed << " family " << which;
    }
}

TEST_P(PairEnergy, CertificateHoldsOnItsWholeInterval) {
  Random random(seed);
  std::uniform_real_distribution<double> exponent(-4, 0.5);
  int bounded = 0;
  double sharpest = 1e300;
  for (int which = 0; which < 5; ++which)
    for (int i = 0; i < 4000; ++i) {
      const PairNodes x = family(random, pair.kind, which), v = random_nodes(random, 1);
      const double duration = std::pow(10.0, exponent(random));
      const PairSample here = sample_pair(pair, profile, x, v);
      const PairBound bound = bound_pair(pair, profile, x, v, here, closing_speed(pair.kind, v), duration);
      if (bound.invalid) continue;
      if (here.value > 0) ++bounded;
      for (int k = 1; k <= 40; ++k) {
        const double s = duration * k / 40;
        const double value = sample_pair(pair, profile, moved(x, v, s), v).value;
        const double change = value - here.value - s * here.slope - 0.5 * s * s * here.curvature;
        const double slack = 1e-9 * (std::abs(here.value) + s * std::abs(here.slope) + value);
        ASSERT_LE(change, bound.rise * s + 0.5 * bound.above * s * s + slack)
            << "seed " << seed << " family " << which << " pair " << i << " s " << s << " of " << duration;
        ASSERT_GE(change, -bound.fall * s - 0.5 * bound.below * s * s - slack)
            << "seed " << seed << " family " << which << " pair " << i << " s " << s << " of " << duration;
        if (change > 0.01 * here.value && here.value > 0)
          sharpest = std::min(sharpest, (bound.rise * s + 0.5 * bound.above * s * s) / change);
      }
    }
  EXPECT_GT(bounded, 1000);
  EXPECT_LT(sharpest, 20) << "the certificate is never near the truth";
}

INSTANTIATE_TEST_SUITE_P(Kinds, PairEnergy,
                         ::testing::Values(Case{PairKind::vertex_triangle, ContactProfile::Kind::barrier},
                                           Case{PairKind::edge_edge, ContactProfile::Kind::barrier},
                                           Case{PairKind::vertex_triangle, ContactProfile::Kind::gap},
                                           Case{PairKind::edge_edge, ContactProfile::Kind::gap}));

/// Two wavy sheets of triangles, one above the other.
struct Sheets {
  std::vector<Vector3> positions;
  std::vector<Triangle> lower, upper;
  std::vector<NodeLine> lines;

  Sheets(Random& random, double gap, double speed) {
    constexpr int n = 6;
    for (int sheet = 0; sheet < 2; ++sheet) {
      const auto first = static_cast<std::int32_t>(positions.size());
      for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
          positions.push_back(Vector3{0.1 * i, 0.1 * j, sheet * gap} + random_vector(random, 0.02));
      const auto node = [&](int i, int j) { return first + static_cast<std::int32_t>(i * (n + 1) + j); };
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          auto& triangles = sheet == 0 ? lower : upper;
          triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
          triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
        }
    }
    for (std::size_t a = 0; a < positions.size(); ++a)
      lines.push_back(
          {{0, 0, 0},
           Vector3{0, 0, a < positions.size() / 2 ? 0 : -speed} + random_vector(random, 0.3 * speed),
           0,
           1});
  }
};

// Whatever was asked before, samples and certificates are those of a fresh potential, to the bit. The
// certificate holds for the sum over all pairs.
TEST(SurfaceContact, AnswersDoNotDependOnWhatWasAskedBefore) {
  Random random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  LineGrids grids;
  grids.value = DoubleGrid::holding(1e3, 65536);
  for (Grid* grid : {&grids.slope, &grids.curvature, &grids.below, &grids.above, &grids.rise, &grids.fall})
    *grid = Grid::holding(1e6, 256);
  int certificates = 0;
  for (const auto kind : {ContactProfile::Kind::barrier, ContactProfile::Kind::gap})
    for (int run = 0; run < 12; ++run) {
      const Sheets sheets(random, 0.12, 1);
      const ContactProfile profile(kind, 0.03);
      const auto make = [&] {
        auto contact = std::make_unique<Followed<SurfaceContact>>(sheets.positions, sheets.lower,
                                                                  sheets.upper, profile, 10, "test");
        contact->set_line(sheets.lines, 0);
        return contact;
      };
      const auto asked = make();
      SurfaceContactOnLine& old = *asked;
      for (int question = 0; question < 40; ++question) {
        const double from = 0.06 * uniform(random), to = from + 0.02 * std::pow(uniform(random), 3);
        const auto never_asked = make();
        SurfaceContactOnLine& fresh = *never_asked;
        LineBound bound, fresh_bound;
        old.bound(from, to, grids, bound);
        fresh.bound(from, to, grids, fresh_bound);
        ASSERT_EQ(bound.invalid > 0, fresh_bound.invalid > 0) << "seed " << seed;
        LineSample sample, fresh_sample;
        old.sample(from, grids, sample);
        fresh.sample(from, grids, fresh_sample);
        ASSERT_EQ(sample.value.value(), fresh_sample.value.value()) << "seed " << seed;
        ASSERT_EQ(sample.slope, fresh_sample.slope);
        ASSERT_EQ(sample.curvature, fresh_sample.curvature);
        if (bound.invalid > 0) continue;
        ASSERT_EQ(bound.above, fresh_bound.above) << "seed " << seed;
        ASSERT_EQ(bound.below, fresh_bound.below);
        ASSERT_EQ(bound.rise, fresh_bound.rise);
        if (sample.value.value() > 0) ++certificates;
        for (int k = 1; k <= 5; ++k) {
          const double s = (to - from) * k / 5;
          LineSample later;
          make()->sample(from + s, grids, later);
          const double change =
              later.value.value() - sample.value.value() - s * sample.slope - 0.5 * s * s * sample.curvature;
          // Rounding of the sums to the grids.
          const double slack = 1e-9 * (later.value.value() + sample.value.value()) + 1e-4 * s;
          ASSERT_LE(change, bound.rise * s + 0.5 * bound.above * s * s + slack) << "seed " << seed;
          ASSERT_GE(change, -bound.fall * s - 0.5 * bound.below * s * s - slack) << "seed " << seed;
        }
      }
    }
  EXPECT_GT(certificates, 50);
}

// Contact whose pairs are divided over three ranks: the samples, forces and certificates of the shares add up
// to those of the whole, to the bit.
TEST(SurfaceContact, SharesOfItsPairsAddUpToTheWhole) {
  Random random(seed);
  LineGrids grids;
  grids.value = DoubleGrid::holding(1e3, 65536);
  for (Grid* grid : {&grids.slope, &grids.curvature, &grids.below, &grids.above, &grids.rise, &grids.fall})
    *grid = Grid::holding(1e6, 256);
  const Grid force = Grid::holding(1e4, 256);
  for (const auto kind : {ContactProfile::Kind::barrier, ContactProfile::Kind::gap})
    for (int run = 0; run < 20; ++run) {
      const Sheets sheets(random, 0.08, 1);
      const ContactProfile profile(kind, 0.06);
      LineSample whole, sum;
      LineBound whole_bound, bound;
      std::vector<Vector3> whole_forces(sheets.positions.size()), forces(sheets.positions.size());
      ContactExtremes whole_extremes, extremes;
      constexpr int parts = 3;
      for (int part = -1; part < parts; ++part) {
        const PairShare share = part < 0 ? PairShare{} : PairShare{part, parts};
        Followed<SurfaceContact> contact(sheets.positions, sheets.lower, sheets.upper, profile, 10, "test",
                                         share);
        contact.set_line(sheets.lines, 0);
        contact.bound(0.02, 0.022, grids, part < 0 ? whole_bound : bound);
        contact.sample(0.02, grids, part < 0 ? whole : sum);
        contact.add_gradient(sheets.lines, 0.02, force, part < 0 ? whole_forces : forces);
        contact.report(part < 0 ? whole_extremes : extremes);
      }
      ASSERT_GT(whole.value.value(), 0) << "seed " << seed;
      EXPECT_EQ(sum.value.value(), whole.value.value());
      EXPECT_EQ(sum.slope, whole.slope);
      EXPECT_EQ(sum.curvature, whole.curvature);
      EXPECT_EQ(sum.contact_terms, whole.contact_terms);
      EXPECT_EQ(bound.above, whole_bound.above);
      EXPECT_EQ(bound.below, whole_bound.below);
      EXPECT_EQ(bound.rise, whole_bound.rise);
      EXPECT_EQ(forces, whole_forces);
      EXPECT_EQ(extremes.least_distance, whole_extremes.least_distance);
      EXPECT_EQ(extremes.deepest_penetration, whole_extremes.deepest_penetration);
    }
}

// On an interval in which nodes move farther than the lists reach, all pairs that may come near are looked
// at, each by the rank that holds it.
TEST(SurfaceContact, SharesOfALongCertificateAddUpToTheWhole) {
  Random random(seed);
  LineGrids grids;
  for (Grid* grid : {&grids.slope, &grids.curvature, &grids.below, &grids.above, &grids.rise, &grids.fall})
    *grid = Grid::holding(1e6, 256);
  const Sheets sheets(random, 0.05, 1);
  LineBound whole, sum;
  constexpr int parts = 3;
  for (int part = -1; part < parts; ++part) {
    const PairShare share = part < 0 ? PairShare{} : PairShare{part, parts};
    Followed<SurfaceContact> contact(sheets.positions, sheets.lower, sheets.upper,
                                     ContactProfile(ContactProfile::Kind::gap, 0.01), 10, "test", share);
    contact.set_line(sheets.lines, 0);
    contact.bound(0, 0.012, grids, part < 0 ? whole : sum);
  }
  ASSERT_EQ(whole.invalid, 0);
  ASSERT_GT(whole.above, 0) << "seed " << seed;
  EXPECT_EQ(sum.contact_terms, whole.contact_terms);
  EXPECT_EQ(sum.above, whole.above);
  EXPECT_EQ(sum.below, whole.below);
  EXPECT_EQ(sum.rise, whole.rise);
  EXPECT_EQ(sum.fall, whole.fall);
}

/// The certificate of the sheets from the start of their lines on: the sum of bound_pair over all pairs.
LineBound bound_of_all_pairs(const Sheets& sheets, const ContactProfile& profile, double stiffness,
                             double duration, const LineGrids& grids) {
  const ContactSurfaces surfaces(sheets.positions, sheets.lower, sheets.upper, "test");
  const auto round_up = [](const Grid& grid, double x) { return x > 0 ? grid.round(x) + grid.quantum : 0; };
  LineBound sum;
  const auto add = [&](const SurfacePair& pair) {
    const ContactPair weighted{pair.kind, stiffness * pair.area / 3,
                               parallel_edge_threshold(pair.length_product)};
    PairNodes x{}, v{};
    for (std::size_t i = 1; i < 4; ++i) {
      const auto node = static_cast<std::size_t>(pair.nodes[i]),
                 base = static_cast<std::size_t>(pair.nodes[0]);
      x[i] = sheets.positions[node] - sheets.positions[base];
      v[i] = sheets.lines[node].velocity - sheets.lines[base].velocity;
    }
    const PairBound bound = bound_pair(weighted, profile, x, v, sample_pair(weighted, profile, x, v),
                                       closing_speed(pair.kind, v), duration);
    sum.invalid += bound.invalid ? 1 : 0;
    sum.rise += round_up(grids.rise, bound.rise);
    sum.fall += round_up(grids.fall, bound.fall);
    if (bound.below == 0 && bound.above == 0 && bound.rise == 0) return;
    sum.contact_terms += 1;
    sum.below += round_up(grids.below, bound.below + grids.curvature.quantum);
    sum.above += round_up(grids.above, bound.above + grids.curvature.quantum);
  };
  for (std::size_t s = 0; s < sheets.lower.size(); ++s)
    for (std::size_t t = 0; t < sheets.upper.size(); ++t)
      surfaces.visit_pairs(static_cast<std::int32_t>(s), static_cast<std::int32_t>(t), add);
  return sum;
}

// The certificate of an interval in which pairs that the lists do not reach may come near is that of all
// pairs.
TEST(SurfaceContact, ALongCertificateIsThatOfAllPairs) {
  Random random(seed);
  LineGrids grids;
  for (Grid* grid : {&grids.slope, &grids.curvature, &grids.below, &grids.above, &grids.rise, &grids.fall})
    *grid = Grid::holding(1e6, 256);
  constexpr double activation = 0.01, stiffness = 10;
  double terms = 0;
  int valid = 0;
  for (const auto kind : {ContactProfile::Kind::barrier, ContactProfile::Kind::gap})
    for (int run = 0; run < 30; ++run) {
      const Sheets sheets(random, 0.045 + 0.001 * run, 1);
      const ContactProfile profile(kind, activation);
      Followed<SurfaceContact> contact(sheets.positions, sheets.lower, sheets.upper, profile, stiffness,
                                       "test");
      contact.set_line(sheets.lines, 0);
      const double duration = kind == ContactProfile::Kind::gap ? 0.012 : 0.008;  // both beyond the lists
      LineBound bound;
      contact.bound(0, duration, grids, bound);
      const LineBound expected = bound_of_all_pairs(sheets, profile, stiffness, duration, grids);
      ASSERT_EQ(bound.invalid > 0, expected.invalid > 0) << "seed " << seed << " run " << run;
      EXPECT_EQ(bound.contact_terms, expected.contact_terms) << "seed " << seed << " run " << run;
      if (expected.invalid > 0) continue;
      ++valid;
      terms += expected.contact_terms;
      constexpr double rounding = 1e-10;  // packets and single pairs
      EXPECT_NEAR(bound.rise, expected.rise, rounding * expected.rise);
      EXPECT_NEAR(bound.fall, expected.fall, rounding * expected.fall);
      EXPECT_NEAR(bound.below, expected.below, rounding * expected.below);
      EXPECT_NEAR(bound.above, expected.above, rounding * expected.above);
    }
  EXPECT_GT(valid, 30);
  EXPECT_GT(terms, 500);
  std::printf("%d valid, %.0f pairs felt\n", valid, terms);
}

TEST(SurfaceContact, AGapKnowsHowFarBodiesAreInEachOther) {
  const TwoBlocks blocks(2);
  const auto penetration = [&](ContactProfile::Kind kind, const Vector3& apart) {
    const SurfaceContact contact(blocks.nodes, blocks.first, blocks.second, ContactProfile(kind, 0.05), 1,
                                 "");
    const std::vector<Vector3> displacements = blocks.apart(apart);
    return contact.unfelt_penetration(Displacements(displacements), true);
  };
  constexpr auto gap = ContactProfile::Kind::gap;
  EXPECT_EQ(penetration(gap, {0.01, 0.02, 1.01}), 0) << "felt, and outside";
  EXPECT_NEAR(penetration(gap, {0.13, 0.07, 0.9}), 0.1, 1e-12);
  EXPECT_NEAR(penetration(gap, {0.13, 0.07, -0.9}), 0.1, 1e-12);
  EXPECT_EQ(penetration(ContactProfile::Kind::barrier, {0.13, 0.07, 0.9}), 0) << "it cannot be there";
}

// Where d is no more than rounding (below ContactProfile::least_curved), V″ of a gap contains the term with
// ψ″ alone, not the one with d″ = L²/d. The bounds hold on either side of that limit.
TEST(SurfaceContact, AGapHasNoCurvatureOfItsOwnWhereItsDistanceIsRounding) {
  const ContactProfile gap(ContactProfile::Kind::gap, 0.4);
  const ContactPair pair{PairKind::vertex_triangle, 2.0, 0};
  for (const double share : {0.0, 0.5, 0.999, 1.001, 2.0}) {
    const double d = share * gap.least_curved();
    // Sliding beside an edge, where d″ = L²/d.
    const PairNodes x = {Vector3{0.5, 0, -d}, {0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}};
    const PairNodes v = {Vector3{0, -1, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const PairSample now = sample_pair(pair, gap, x, v);
    EXPECT_LE(std::abs(now.curvature), share > 1 ? 2.0 / (0.4 * d) : 2.0 / (0.4 * 0.4)) << share;
    for (const double duration : {1e-9, 1e-6, 1e-3}) {
      const PairBound bound = bound_pair(pair, gap, x, v, now, 1, duration);
      if (bound.invalid) continue;
      for (const double s : {0.25 * duration, duration}) {
        const double rest = sample_pair(pair, gap, moved(x, v, s), v).value -
                            (now.value + s * (now.slope + 0.5 * s * now.curvature));
        EXPECT_LE(rest, s * (bound.rise + 0.5 * s * bound.above) + 1e-15) << share << " " << s;
        EXPECT_GE(rest, -s * (bound.fall + 0.5 * s * bound.below) - 1e-15) << share << " " << s;
      }
    }
  }
}

}  // namespace
}  // namespace terrace::surface_contact_test
