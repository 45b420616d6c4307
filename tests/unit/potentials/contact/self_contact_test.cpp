// Contact of a body with itself: without folds it does nothing, and the prongs of a fork do not pass through
// each other.
#include <gtest/gtest.h>

#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "potentials/contact/face_intersection.hpp"
#include "support/followed.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_system.hpp"

namespace terrace::self_contact_test {
namespace {

const LocalizationEntry own_pairs{LocalizationKind::bodies, 1, ContactLocalization::own};

ContactEntry with_itself(ContactModel model) {
  ContactEntry contact;
  contact.model = model;
  contact.self = true;
  return contact;
}

TEST(SelfContact, DoesNothingToABodyWithoutFolds) {
  Deck deck = spinning_cube(2);
  deck.contact = with_itself(ContactModel::barrier);
  SmallSystem with(deck, own_pairs), without(spinning_cube(2), own_pairs);
  EnergyStepping one(with.lagrangian, with.state), other(without.lagrangian, without.state);
  for (int event = 0; event < 300; ++event) {
    ASSERT_TRUE(one.advance(with.state, 100));
    ASSERT_TRUE(other.advance(without.state, 100));
  }
  EXPECT_EQ(one.subdomain_records().size(), 2u);
  EXPECT_NEAR(with.state.time, without.state.time, 1e-9);
}

/// A U of two prongs, 2 long, 0.5 wide and 0.6 apart, which swing towards each other.
Model folding_body() {
  const ScratchDirectory directory;
  const std::string path = directory.path() / "fork.geo";
  std::ofstream(path) << R"(SetFactory("OpenCASCADE");
Box(1) = {-0.8, -0.5, -0.25, 1.6, 2.5, 0.5};
Box(2) = {-0.3, 0, -0.25, 0.6, 2, 0.5};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }
)";
  BodyEntry fork;
  fork.name = fork.where = "fork";
  fork.material = 0;
  fork.shape = FileShape{path, "", 0.45, 1};
  Model model = build_model(soft_deck({fork}));
  for (std::size_t a = 0; a < model.positions.size(); ++a) {
    const Vector3& x = model.positions[a];
    // The prongs swing differently and a little sideways, so that no symmetry hides a fault.
    if (x[1] > 0) model.velocities[a] = {x[0] > 0 ? -0.03 * x[1] : 0.04 * x[1], 0, x[0] > 0 ? 0.002 : 0};
  }
  return model;
}

/// The boundary triangles of one prong, of the left one for the sign −1.
std::vector<Triangle> prong(const Model& model, double sign) {
  std::vector<Triangle> triangles;
  for (const Triangle& triangle : model.bodies[0].boundary)
    if (std::all_of(triangle.begin(), triangle.end(), [&](std::int32_t node) {
          const Vector3& x = model.positions[static_cast<std::size_t>(node)];
          return sign * x[0] > 0.2 && x[1] > 0;
        }))
      triangles.push_back(triangle);
  return triangles;
}

/// Whether the prongs' surfaces intersect now.
bool prongs_intersect(const SmallSystem& system) {
  Followed<FaceIntersection> faces(system.lagrangian.reference, prong(system.model, -1),
                                   prong(system.model, 1), 1);
  faces.set_line(system.state.lines, system.state.time);
  LineSample sample;
  faces.sample(0, LineGrids{}, sample);
  return sample.largest_value > 0;
}

/// Least distance of the prongs' ends along x; negative when they have changed sides.
double opening(const SmallSystem& system) {
  double left = -1e9, right = 1e9;
  for (std::size_t a = 0; a < system.model.positions.size(); ++a) {
    const Vector3& x = system.model.positions[a];
    if (x[1] < 1.99) continue;
    double& end = x[0] < 0 ? left : right;
    end = x[0] < 0 ? std::max(end, system.position(a)[0]) : std::min(end, system.position(a)[0]);
  }
  return right - left;
}

constexpr double end_of_swing = 20;

TEST(SelfContact, WithoutItProngsPassThroughEachOther) {
  const Model model = folding_body();
  SmallSystem fork(model, {}, own_pairs, 1e-3 * initial_kinetic_energy(model));
  EnergyStepping stepping(fork.lagrangian, fork.state);
  int intersections = 0;
  double least_opening = 1;
  for (int instant = 1; instant <= 40; ++instant) {
    while (stepping.advance(fork.state, end_of_swing * instant / 40)) {
    }
    if (prongs_intersect(fork)) ++intersections;
    least_opening = std::min(least_opening, opening(fork));
  }
  std::printf("%zu tetrahedra, %d of 40 pictures show an intersection, least opening %.3f\n",
              model.tetrahedra.size(), intersections, least_opening);
  EXPECT_GT(intersections, 5);
  EXPECT_LT(least_opening, -0.2);
}

class FoldOf : public testing::TestWithParam<ContactModel> {};
INSTANTIATE_TEST_SUITE_P(Smooth, FoldOf, testing::Values(ContactModel::barrier, ContactModel::gap),
                         [](const auto& model) {
                           return model.param == ContactModel::barrier ? "Barrier" : "Gap";
                         });

TEST_P(FoldOf, ProngsRepelEachOtherAndKeepThePromises) {
  const Model model = folding_body();
  SmallSystem fork(model, with_itself(GetParam()), own_pairs, 1e-3 * initial_kinetic_energy(model));
  EnergyStepping stepping(fork.lagrangian, fork.state);
  const SystemRecord first = fork.record(stepping);
  const IntegerMomentum momentum = fork.diagnostics.total_momentum(fork.state);
  double least_opening = 1;
  for (int instant = 1; instant <= 40; ++instant) {
    while (stepping.advance(fork.state, end_of_swing * instant / 40)) {
    }
    EXPECT_FALSE(prongs_intersect(fork)) << fork.state.time;
    least_opening = std::min(least_opening, opening(fork));
  }
  const SystemRecord last = fork.record(stepping);
  ContactExtremes extremes;
  stepping.report(extremes);
  std::printf("%zu events, least opening %.3f, least distance %.3g, activation distance %.3g\n",
              static_cast<std::size_t>(stepping.events()), least_opening, extremes.least_distance,
              fork.lagrangian.contact_pairs->activation({0, 0}));
  EXPECT_GT(least_opening, 0);
  EXPECT_GT(extremes.least_distance, 0);
  EXPECT_EQ(extremes.deepest_penetration, 0);
  EXPECT_LE(std::abs(last.energy - first.energy), 1e-12 * first.energy);
  EXPECT_EQ(fork.diagnostics.total_momentum(fork.state), momentum);
  EXPECT_LE(norm(last.angular_momentum - first.angular_momentum),
            1e-12 * fork.diagnostics.angular_momentum_scale(fork.state));
}

}  // namespace
}  // namespace terrace::self_contact_test
