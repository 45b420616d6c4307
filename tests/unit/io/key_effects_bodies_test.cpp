// Keys of [materials.NAME] and [[bodies]]: what each changes in the model that a deck gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "numerics/infinity.hpp"
#include "support/key_effects.hpp"

namespace terrace::key_effects_bodies_test {
namespace {

using testing::ElementsAre;

struct Whole {
  double mass = 0, volume = 0;
  Vector3 centre{}, velocity{};  ///< of the centre of mass
  Box box;
};

Whole whole(const Model& model, std::size_t body) {
  Whole result;
  const Body& b = model.bodies[body];
  for (std::int32_t i = 0; i < b.node_count; ++i) {
    const auto a = static_cast<std::size_t>(b.first_node + i);
    result.mass += model.masses[a];
    result.centre += model.masses[a] * model.positions[a];
    result.velocity += model.masses[a] * model.velocities[a];
    result.box.include(model.positions[a]);
  }
  result.centre = (1 / result.mass) * result.centre;
  result.velocity = (1 / result.mass) * result.velocity;
  result.volume = result.mass / model.materials[static_cast<std::size_t>(b.material)].density;
  return result;
}

void expect_near(const Vector3& a, const Vector3& b, double tolerance = 1e-13) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

bool has_node(const Model& model, const Vector3& place) {
  return std::any_of(model.positions.begin(), model.positions.end(),
                     [&](const Vector3& x) { return norm(x - place) < 1e-12; });
}

/// Mean and shortest edge of the tetrahedra of the first body with a node within `radius` of `point`.
struct Edges {
  double mean = 0, shortest = infinity;
};
Edges edges_near(const Model& model, const Vector3& point, double radius) {
  Edges edges;
  int count = 0;
  for (std::int32_t e = 0; e < model.bodies[0].tetrahedron_count; ++e) {
    const Tetrahedron& t = model.tetrahedra[static_cast<std::size_t>(e)];
    const auto at = [&](std::size_t k) { return model.positions[static_cast<std::size_t>(t[k])]; };
    bool near = false;
    for (std::size_t k = 0; k < 4; ++k) near = near || norm(at(k) - point) <= radius;
    for (std::size_t k = 0; near && k < 4; ++k)
      for (std::size_t l = 0; l < k; ++l) {
        const double length = norm(at(k) - at(l));
        edges.mean += length;
        edges.shortest = std::min(edges.shortest, length);
        ++count;
      }
  }
  edges.mean /= count;
  return edges;
}

const std::vector<std::string> ball = {
    "bodies.0={name='left',material='soft',shape='ball',radius=0.5,size=0.25}"};
const std::vector<std::string> block = {
    "bodies.0={name='left',material='soft',shape='block',extent=[1,0.5,0.25],size=0.125}"};

std::vector<std::string> with(std::vector<std::string> settings, const std::string& more) {
  settings.push_back(more);
  return settings;
}

TEST_F(KeyEffect, DensityTimesVolumeIsTheMassOfTheMaterialThatTheBodyNames) {
  EXPECT_NEAR(whole(model({}), 0).mass, 2, 1e-14);
  EXPECT_NEAR(whole(model({}), 1).mass, 7, 1e-14);
  EXPECT_NEAR(whole(model({"materials.soft.density=3"}), 0).mass, 3, 1e-14);
  EXPECT_NEAR(whole(model({"bodies.0.material=stiff"}), 0).mass, 7, 1e-14);
  EXPECT_EQ(model({}).bodies[1].name, "right");
}

// W of a body stretched by half along x: λ/2 ln² J − μ ln J + μ/2 (tr FᵀF − 3) with J = 1.5.
TEST_F(KeyEffect, ElasticConstantsGiveTheEnergyOfAStretch) {
  const auto energies = [&](const Settings& settings) {
    const auto stretched = system(settings);
    std::vector<double> energy(2, 0.0);
    for (const ElasticBlock& part : stretched->lagrangian.elastic_blocks)
      energy[static_cast<std::size_t>(part.body)] +=
          energy_of(*stretched->lagrangian.potentials[static_cast<std::size_t>(part.potential)],
                    stretched->lagrangian, [](const Vector3& x) {
                      return Vector3{0.5 * x[0], 0, 0};
                    });
    return energy;
  };
  const auto by_hand = [](double lambda, double mu) {
    const double logarithm = std::log(1.5);
    return 0.5 * lambda * logarithm * logarithm - mu * logarithm + 0.5 * mu * (1.5 * 1.5 - 1);
  };
  EXPECT_NEAR(energies({})[0], by_hand(3, 5), 1e-12);
  EXPECT_NEAR(energies({"materials.soft.lame_lambda=11"})[0], by_hand(11, 5), 1e-12);
  EXPECT_NEAR(energies({"materials.soft.lame_mu=13"})[0], by_hand(3, 13), 1e-12);
  // E = 10, ν = ¼: λ = μ = 4. ν = 0: λ = 0, μ = E/2.
  EXPECT_NEAR(energies({})[1], by_hand(4, 4), 1e-12);
  EXPECT_NEAR(energies({"materials.stiff.youngs_modulus=20"})[1], by_hand(8, 8), 1e-12);
  EXPECT_NEAR(energies({"materials.stiff.poissons_ratio=0"})[1], by_hand(0, 5), 1e-12);
}

// The same stretch: I₁ − 3 = a² − 1, I₂ − 3 = 2 (a² − 1), E = ½ (a² − 1) along x alone.
TEST_F(KeyEffect, TheLawAndItsRatioDecideTheEnergyOfAStretch) {
  const auto energy = [&](const Settings& settings) {
    const auto stretched = system(with(settings, "materials.soft.lame_lambda=11"));
    const ElasticBlock& soft = stretched->lagrangian.elastic_blocks.at(0);
    return energy_of(*soft.elastic, stretched->lagrangian, [](const Vector3& x) {
      return Vector3{0.5 * x[0], 0, 0};
    });
  };
  const double squares = 1.25, log = std::log(1.5);
  const auto mooney = [&](double c10, double c01) {
    return (c10 + 2 * c01) * (squares - 2 * log) + (5.5 - 2 * c01) * log * log;
  };
  EXPECT_NEAR(energy({}), mooney(2.5, 0), 1e-12);
  EXPECT_NEAR(energy({"materials.soft.law=neo-hookean"}), mooney(2.5, 0), 1e-12);
  EXPECT_NEAR(energy({"materials.soft.law=mooney-rivlin", "materials.soft.mooney_ratio=0.4"}), mooney(1.5, 1),
              1e-12);
  EXPECT_NEAR(energy({"materials.soft.law=mooney-rivlin", "materials.soft.mooney_ratio=1"}), mooney(0, 2.5),
              1e-12);
  EXPECT_NEAR(energy({"materials.soft.law=st-venant-kirchhoff"}), (5.5 + 5) * 0.25 * squares * squares,
              1e-12);
}

TEST_F(KeyEffect, TheRatioOfMooneyRivlinIsForThatLawAndKeepsSqueezingExpensive) {
  const auto refused = [&](const Settings& settings) { return message(two_blocks, settings); };
  EXPECT_THAT(refused({"materials.soft.mooney_ratio=0.1"}),
              testing::HasSubstr(
                  "materials.soft.mooney_ratio only with the law \"mooney-rivlin\", found another law"));
  EXPECT_THAT(
      refused({"materials.soft.law=mooney-rivlin", "materials.soft.mooney_ratio=0.31"}),
      testing::HasSubstr("mooney_ratio to be at most 1 and at most lame_lambda / (2 lame_mu) = 0.3, found "
                         "0.31"));
  EXPECT_THAT(refused({"materials.soft.law=mooney-rivlin", "materials.soft.lame_lambda=50",
                       "materials.soft.mooney_ratio=1.01"}),
              testing::HasSubstr("at most 1"));
  EXPECT_THAT(refused({"materials.soft.law=mooney-rivlin"}), testing::HasSubstr("mooney_ratio"));
}

TEST_F(KeyEffect, ABallHasItsRadiusAndNearlyItsVolume) {
  for (const double radius : {0.5, 0.7}) {
    const Model made = model(with(ball, "bodies.0.radius=" + std::to_string(radius)));
    for (const Triangle& triangle : made.bodies[0].boundary)
      for (const std::int32_t node : triangle)
        EXPECT_NEAR(norm(made.positions[static_cast<std::size_t>(node)]), radius, 1e-14);
    const double sphere = 4 * std::numbers::pi / 3 * radius * radius * radius;
    EXPECT_LT(whole(made, 0).volume, sphere);
    EXPECT_GT(whole(made, 0).volume, 0.85 * sphere);
  }
}

TEST_F(KeyEffect, ABlockAndALatticeHaveTheirExtentAboutTheOrigin) {
  for (const auto& shape :
       {with(block, "bodies.0.extent=[1,0.5,0.25]"), Settings{"bodies.0.extent=[1,0.5,0.25]"}}) {
    const Whole made = whole(model(shape), 0);
    EXPECT_NEAR(made.volume, 0.125, 1e-14);
    expect_near(made.box.low, {-0.5, -0.25, -0.125}, 1e-15);
    expect_near(made.box.high, {0.5, 0.25, 0.125}, 1e-15);
  }
}

TEST_F(KeyEffect, CellsOfALatticeHave24TetrahedraEach) {
  const Model made = model({"bodies.0.cells=[2,3,5]", "bodies.0.extent=[2,6,20]"});
  EXPECT_EQ(made.bodies[0].tetrahedron_count, 24 * 2 * 3 * 5);
  EXPECT_TRUE(has_node(made, {0, 1, 2})) << "a corner of cells 1 × 2 × 4";
}

// On average Gmsh's edges are some tenths longer than what it is asked for.
TEST_F(KeyEffect, SizeIsTheLengthOfTheEdges) {
  for (const auto& [shape, size] : {std::pair{ball, 0.25},
                                    {with(ball, "bodies.0.size=0.12"), 0.12},
                                    std::pair{block, 0.125},
                                    {with(block, "bodies.0.size=0.06"), 0.06}})
    EXPECT_NEAR(edges_near(model(shape), {}, 9).mean / size, 1.15, 0.2) << size;
}

TEST_F(KeyEffect, RefinementHasItsSizeAtItsPointAndReachesToItsRadius) {
  for (const auto& shape : {ball, block}) {
    const double usual = edges_near(model(shape), {-0.5, 0, 0}, 0.15).shortest;
    const auto refined = [&](const std::string& keys) {
      return model(with(shape, "bodies.0.refine=[{" + keys + "}]"));
    };
    const Vector3 right = {0.5, 0, 0}, left = {-0.5, 0, 0};
    const Model small = refined("point=[0.5,0,0],size=0.04,radius=0.2");
    EXPECT_NEAR(edges_near(small, right, 0.06).shortest / 0.04, 1, 0.5);
    EXPECT_GT(edges_near(small, left, 0.15).shortest, 0.6 * usual) << "far away all is as before";
    EXPECT_NEAR(edges_near(refined("point=[-0.5,0,0],size=0.04,radius=0.2"), left, 0.06).shortest / 0.04, 1,
                0.5);
    EXPECT_GT(edges_near(refined("point=[0.5,0,0],size=0.08,radius=0.2"), right, 0.1).shortest,
              1.3 * edges_near(small, right, 0.06).shortest);
    const Model wide = refined("point=[0.5,0,0],size=0.04,radius=0.6");
    EXPECT_GT(wide.bodies[0].tetrahedron_count, 1.25 * small.bodies[0].tetrahedron_count);
  }
}

/// Two tetrahedra apart, of volumes 1/6 and 8/6, the physical volumes "small" and "large".
std::string two_groups() {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"small\"\n3 2 \"large\"\n"
         "$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 4 0 0\n6 6 0 0\n7 4 2 0\n"
         "8 4 0 2\n$EndNodes\n$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 2 2 5 6 7 8\n$EndElements\n";
}

TEST_F(KeyEffect, AFileIsMeshedWithItsGroupScaleAndSize) {
  std::ofstream(directory_ / "two.msh") << two_groups();
  std::ofstream(directory_ / "box.geo") << "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, "
                                           "1};\nMesh.MeshSizeMin = 0.6;\nMesh.MeshSizeMax = 0.6;\n";
  const auto file = [&](const std::string& keys) {
    return model({"bodies.0={name='left',material='soft',shape='file',position=[0,0,50]," + keys + "}"});
  };
  EXPECT_THROW(file("file='two.msh'"), Error) << "two bodies";
  EXPECT_NEAR(whole(file("file='two.msh',group='small'"), 0).volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(whole(file("file='two.msh',group='large'"), 0).volume, 8.0 / 6, 1e-14);
  EXPECT_NEAR(whole(file("file='two.msh',group='large',scale=0.5"), 0).volume, 8.0 / 48, 1e-15);
  EXPECT_NEAR(whole(file("file='box.geo',size=0.25"), 0).volume, 1, 1e-13);
  EXPECT_NEAR(edges_near(file("file='box.geo',size=0.25"), {0.5, 0.5, 50.5}, 9).mean / 0.25, 1, 0.25);
  EXPECT_GT(edges_near(file("file='box.geo'"), {0.5, 0.5, 50.5}, 9).mean, 0.45) << "the file's own";
}

// Bodies of equal shape share a mesh; those that differ in a single key must not.
TEST_F(KeyEffect, BesideANearlyEqualBodyABodyHasTheMeshItHasAlone) {
  std::ofstream(directory_ / "two.msh") << two_groups();
  for (const auto& [name, height] : {std::pair("cube.geo", "1"), std::pair("slab.geo", "0.8")})
    std::ofstream(directory_ / name) << "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, " << height
                                     << "};\n";
  const auto body = [](const std::string& place, const std::string& keys) {
    return "{name='at" + place + "',material='soft',position=[" + place + ",0,0]," + keys + "}";
  };
  const auto of_ball = [](const std::string& keys) { return "shape='ball',radius=0.5,size=0.4" + keys; };
  const auto of_file = [](const std::string& keys) { return "shape='file',file='two.msh'" + keys; };
  const std::string refine = ",refine=[{point=[0.5,0,0],radius=0.3,size=",
                    wide = ",refine=[{point=[0.5,0,0],radius=0.6,size=0.1";
  // Meshes of the same body differ in the number of elements alone.
  const auto mesh = [&](const Model& model, std::size_t number) {
    return whole(model, number).volume + 0.01 * model.bodies[number].tetrahedron_count;
  };
  for (const auto& [one, other] : std::vector<std::array<std::string, 2>>{
           {of_ball(""), "shape='ball',radius=0.5,size=0.25"},
           {of_ball(""), of_ball(refine + "0.1}]")},
           {of_ball(refine + "0.1}]"), of_ball(refine + "0.05}]")},
           {of_ball(refine + "0.1}]"), of_ball(wide + "}]")},
           {of_ball(wide + "}]"), of_ball(wide + ",core=0.2}]")},
           {"shape='block',extent=[1,1,1],size=0.4", "shape='block',extent=[1,1,0.8],size=0.4"},
           {"shape='block',extent=[1,1,1],size=0.4", "shape='block',extent=[1,1,1],size=0.25"},
           {"shape='file',file='cube.geo',size=0.4", "shape='file',file='cube.geo',size=0.25"},
           {"shape='file',file='cube.geo',size=0.4", "shape='file',file='slab.geo',size=0.4"},
           {of_file(",group='large'"), of_file(",group='small'")},
           {of_file(",group='small',scale=2"), of_file(",group='small'")}}) {
    const double alone = mesh(model({"bodies.0=" + body("0", one)}), 0);
    const Model both = model({"bodies.0=" + body("-50", other), "bodies.1=" + body("0", one)});
    EXPECT_NEAR(mesh(both, 1), alone, 1e-12) << one << " beside " << other;
    EXPECT_GT(std::abs(mesh(both, 0) - alone), 1e-4) << one << " beside " << other;
  }
}

// The corner (½, 1, −3/2) turned by 30° about x, then placed.
TEST_F(KeyEffect, RotationComesBeforePositionAndItsAngleIsInDegreesAboutItsAxis) {
  const double c = std::cos(std::numbers::pi / 6), s = 0.5;
  const Settings slab = {"bodies.0.extent=[1,2,3]", "bodies.0.position=[-10,20,30]"};
  const Vector3 origin = {-10, 20, 30};
  expect_near(whole(model(slab), 0).centre, origin, 1e-12);
  const Model about_x = model(with(slab, "bodies.0.rotation={axis=[2,0,0],angle=30}"));
  EXPECT_TRUE(has_node(about_x, origin + Vector3{0.5, c + 1.5 * s, s - 1.5 * c}));
  EXPECT_FALSE(has_node(about_x, origin + Vector3{0.5, c + 1.5 * s, 1.5 * c - s})) << "turned by −30°";
  const Model about_z = model(with(slab, "bodies.0.rotation={axis=[0,0,1],angle=-30}"));
  EXPECT_TRUE(has_node(about_z, origin + Vector3{0.5 * c + s, c - 0.5 * s, 1.5}));
  EXPECT_FALSE(has_node(about_z, origin + Vector3{0.5 * c + s, 0.5 * s - c, 1.5})) << "turned by +30°";
}

TEST_F(KeyEffect, VelocityIsOfTheCentreAndSpinTurnsAboutIt) {
  const Vector3 velocity = {4, -1, 0.5}, spin = {3, -2, 7}, centre = {-10, 20, 30};
  const Model made =
      model({"bodies.0.position=[-10,20,30]", "bodies.0.velocity=[4,-1,0.5]", "bodies.0.spin=[3,-2,7]"});
  for (std::int32_t i = 0; i < made.bodies[0].node_count; ++i) {
    const auto a = static_cast<std::size_t>(i);
    expect_near(made.velocities[a], velocity + cross(spin, made.positions[a] - centre), 1e-12);
  }
  for (const Vector3& v : model({}).velocities) EXPECT_EQ(v, Vector3{}) << "at rest without the keys";
}

TEST_F(KeyEffect, RepeatedBodiesStandInARowOrInAGrid) {
  const auto names = [](const Model& made) {
    std::vector<std::string> all;
    for (const Body& body : made.bodies) all.push_back(body.name);
    return all;
  };
  const Model row = model({"bodies.0.repeat={count=3,offset=[0,2,-3]}"});
  EXPECT_THAT(names(row), ElementsAre("left-1", "left-2", "left-3", "right"));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto n = static_cast<double>(i);
    expect_near(whole(row, i).centre, {0, 2 * n, -3 * n});
  }
  // 2 × 3 × 2 bodies, x first.
  const Model grid =
      model({"bodies.1.position=[-9,0,0]", "bodies.0.repeat={counts=[2,3,2],spacing=[2,3,4]}"});
  ASSERT_EQ(grid.bodies.size(), 13U);
  EXPECT_EQ(grid.bodies[11].name, "left-12");
  expect_near(whole(grid, 1).centre, {2, 0, 0});
  expect_near(whole(grid, 2).centre, {0, 3, 0});
  expect_near(whole(grid, 6).centre, {0, 0, 4});
  expect_near(whole(grid, 11).centre, {2, 6, 4});
}

std::vector<Vector3> random_velocities(const Model& made, std::size_t count) {
  std::vector<Vector3> velocities;
  for (std::size_t b = 0; b < count; ++b) velocities.push_back(whole(made, b).velocity);
  return velocities;
}

// In a ball of radius V, |v|³/V³ is uniform between 0 and 1, and ⟨v_i v_j⟩ = V²/5 δ_ij. Tolerances are four
// standard deviations for 1,000 bodies.
TEST_F(KeyEffect, RandomSpeedsFillABallUniformlyAboutTheVelocity) {
  const std::string repeat = "bodies.0.repeat={counts=[10,10,10],spacing=[2,2,2],random_speed=3,seed=17}";
  const Model made = model({repeat, "bodies.0.velocity=[10,20,30]", "bodies.1.position=[-9,0,0]"});
  const std::size_t count = 1000;
  Vector3 mean{};
  double cubes = 0;
  std::array<std::array<double, 3>, 3> moments{};
  std::set<Vector3> different;
  for (const Vector3& velocity : random_velocities(made, count)) {
    const Vector3 v = (1.0 / 3) * (velocity - Vector3{10, 20, 30});
    EXPECT_LE(norm(v), 1 + 1e-12);
    different.insert(v);
    mean += (1.0 / count) * v;
    cubes += std::pow(norm(v), 3) / count;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) moments[i][j] += v[i] * v[j] / count;
  }
  EXPECT_EQ(different.size(), count);
  EXPECT_NEAR(cubes, 0.5, 4 * std::sqrt(1.0 / 12 / count));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(mean[i], 0, 4 * std::sqrt(0.2 / count)) << i;
    EXPECT_NEAR(moments[i][i], 0.2, 4 * std::sqrt((3.0 / 35 - 0.04) / count)) << i;
    for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(moments[i][j], 0, 4 * std::sqrt(1.0 / 35 / count));
  }
}

TEST_F(KeyEffect, RandomSpeedsAreTheSameForTheSameSeedOnly) {
  const auto velocities = [&](const std::string& keys) {
    return random_velocities(model({"bodies.0.repeat={count=5,offset=[0,2,0]" + keys + "}"}), 5);
  };
  const std::vector<Vector3> first = velocities(",random_speed=1,seed=3");
  EXPECT_EQ(velocities(",random_speed=1,seed=3"), first);
  EXPECT_NE(velocities(",random_speed=1,seed=4"), first);
  EXPECT_EQ(velocities(",random_speed=1"), velocities(",random_speed=1,seed=0"));
  std::vector<Vector3> twice = velocities(",random_speed=2,seed=3");
  for (std::size_t i = 0; i < 5; ++i) expect_near(twice[i], 2 * first[i]);
  EXPECT_EQ(velocities(",seed=3"), std::vector<Vector3>(5)) << "no random speed without the key";
}

}  // namespace
}  // namespace terrace::key_effects_bodies_test
