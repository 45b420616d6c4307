// Collective code on as many ranks as there are: ctest runs these tests on one, two and three.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "mesh/model.hpp"
#include "parallel/archive.hpp"
#include "parallel/broadcast.hpp"
#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/shared_nodes.hpp"
#include "parallel/together.hpp"

namespace terrace::on_ranks_test {
namespace {

class OnRanks : public testing::Test {
 protected:
  Communicator world_{MPI_COMM_WORLD};
  int me_ = world_.rank(), ranks_ = world_.size();
};

TEST_F(OnRanks, ReductionsOfEveryTypeAreCounted) {
  std::array<double, 2> sums = {1.0 + me_, 0.5}, most = {-2.0 * me_, 3.0 * me_};
  std::array<std::int64_t, 1> integers = {(std::int64_t{1} << 60) / ranks_ - me_};
  std::array<std::uint64_t, 1> bits = {std::uint64_t{1} << 63};
  const double n = ranks_;
  world_.sum(sums);
  world_.maximum(most);
  world_.sum(integers);
  world_.sum(bits);
  world_.count_exchange();
  EXPECT_EQ(sums, (std::array<double, 2>{n * (n + 1) / 2, n / 2}));
  EXPECT_EQ(most, (std::array<double, 2>{0, 3 * (n - 1)}));
  EXPECT_EQ(integers[0], (std::int64_t{1} << 60) / ranks_ * ranks_ - ranks_ * (ranks_ - 1) / 2);
  EXPECT_EQ(bits[0], static_cast<std::uint64_t>(ranks_) << 63);  // modulo 2^64, as hashes add
  EXPECT_EQ(world_.collectives(), 5);
  world_.count_exchange_of_nodes(true);
  EXPECT_EQ(world_.collectives(), ranks_ > 1 ? 6 : 5) << "one rank shares no nodes";
  EXPECT_EQ(world_.exchanges(), ranks_ > 1 ? 0 : 1);
  world_.count_exchange_of_nodes(false);
  EXPECT_EQ(world_.collectives(), ranks_ > 1 ? 6 : 5) << "between neighbours";
  EXPECT_EQ(world_.exchanges(), ranks_ > 1 ? 1 : 2);
}

TEST_F(OnRanks, NumbersOfAllComeInTheOrderOfRanks) {
  const std::array<double, 2> mine = {0.5 + me_, -1.0 * me_};
  const std::vector<double> all = world_.numbers_of_all(mine, 1e3, [](double) { FAIL(); });
  ASSERT_EQ(all.size(), 2 * static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) {
    EXPECT_EQ(all[2 * static_cast<std::size_t>(rank)], 0.5 + rank);
    EXPECT_EQ(all[2 * static_cast<std::size_t>(rank) + 1], -1.0 * rank);
  }
}

TEST_F(OnRanks, WhoWaitsForLongIsToldSoOnce) {
  if (me_ == ranks_ - 1) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  int told = 0;
  double waited = 0;
  const double mine = me_;
  (void)world_.numbers_of_all({&mine, 1}, 0.05, [&](double seconds) {
    ++told;
    waited = seconds;
  });
  if (me_ == ranks_ - 1) return;
  EXPECT_EQ(told, 1);
  EXPECT_GE(waited, 0.05);
}

// Terms over six decades, divided over the ranks, add up to the bits of one loop over all of them.
TEST_F(OnRanks, ASumOnAGridDoesNotDependOnWhoHasTheTerms) {
  constexpr int terms = 1000;
  const DoubleGrid grids = DoubleGrid::holding(1.0, terms);
  const auto term = [](int k) { return std::sin(1.7 * k) * std::pow(10.0, -(k % 7)); };
  ExactSum all, mine;
  for (int k = 0; k < terms; ++k) all.add(grids, term(k));
  for (int k = terms - 1; k >= 0; --k)
    if (k * k % ranks_ == me_) mine.add(grids, term(k));
  std::array<double, 2> sums = {mine.coarse, mine.fine};
  world_.sum(sums);
  EXPECT_EQ(sums[0], all.coarse);
  EXPECT_EQ(sums[1], all.fine);
}

/// The error that `together` throws on this rank when `work` fails on some ranks; an empty text if it throws
/// none.
struct Told {
  std::string text;
  Error::Kind kind = Error::Kind::run;
  bool on_all_ranks = false;
};
Told told_by(const std::function<void()>& work) {
  try {
    together(MPI_COMM_WORLD, work);
  } catch (const Error& error) {
    return {error.what(), error.kind(), error.on_all_ranks()};
  }
  return {};
}

TEST_F(OnRanks, WorkThatSucceedsIsDoneOnEveryRank) {
  int done = 0;
  EXPECT_EQ(told_by([&] { done += 1 + me_; }).text, "");
  EXPECT_EQ(done, 1 + me_);
}

TEST_F(OnRanks, AFailureOfTheLastRankIsToldOnAll) {
  const auto fail = [&](Error::Kind kind, const std::string& where, const std::string& expected,
                        const std::string& found) {
    return told_by([&] {
      if (me_ == ranks_ - 1) throw Error(kind, where, expected, found);
    });
  };
  const Told input = fail(Error::Kind::input, "deck.toml:12", "a positive density", "-1");
  EXPECT_EQ(input.text, "deck.toml:12: expected a positive density, found -1");
  EXPECT_EQ(input.kind, Error::Kind::input);
  EXPECT_TRUE(input.on_all_ranks);
  const Told run = fail(Error::Kind::run, "", "room on the disk", "");
  EXPECT_EQ(run.text, "expected room on the disk");
  EXPECT_EQ(run.kind, Error::Kind::run);
  EXPECT_TRUE(run.on_all_ranks);
  // Names that a user may choose and that contain the words of the message.
  EXPECT_EQ(fail(Error::Kind::run, "body as expected of it", "J > 0", "0").text,
            "body as expected of it: expected J > 0, found 0");
  EXPECT_EQ(fail(Error::Kind::run, "body a: expected b", "J: expected", ", found").text,
            "body a: expected b: expected J: expected, found , found");
}

TEST_F(OnRanks, OfSeveralFailuresTheLowestRanksIsTold) {
  const Told told = told_by([&] {
    if (me_ >= ranks_ / 2) throw std::runtime_error("rank " + std::to_string(me_) + " has no memory");
  });
  EXPECT_NE(told.text.find("rank " + std::to_string(ranks_ / 2) + " has no memory"), std::string::npos)
      << told.text;
  EXPECT_TRUE(told.on_all_ranks);
  // All are in step afterwards.
  std::array<double, 1> one = {1};
  world_.sum(one);
  EXPECT_EQ(one[0], ranks_);
}

Model full_model() {
  Model model;
  model.materials = {{"steel", 7800, 1.1e11, 8e10}, {"gel, soft", 1059, 12.04e4, 1.34e4}};
  model.bodies = {{"left", 1, 0, 4, 0, 1, {{0, 2, 1}, {0, 1, 3}}}, {"right", 0, 4, 1, 1, 1, {}}};
  model.walls = {{"floor", {1, 2, 3}, {0, 0.6, 0.8}, 5e3, WallModel::penalty, 0, true},
                 {"lid", {4, 5, 6}, {0, 0, -1}, 0, WallModel::barrier, 0.125, false}};
  model.materials[1].law = MaterialLaw::mooney_rivlin;
  model.materials[1].c01 = 2e3;
  model.supports = {{"clamp", {0, 1, -2}, {true, false, true}, {3, 1}}, {"none", {}, {}, {}}};
  model.probes = {{"tip", 3}, {"foot, left", 0}};
  model.gravity = {0, 0, -9.81};
  model.particles.dimension = 2;
  model.particles.interactions.resize(2);
  model.particles.interactions[1].name = "spring";
  model.particles.interactions[1].strength = 3;
  model.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0.1, 1.0 / 3}};
  model.velocities = {{1, 2, 3}, {-1, 0, 0}, {0, -0.0, 0}, {4, 4, 4}, {1e-300, 0, 1e300}};
  model.masses = {0.1, 0.2, 0.3, 0.4, 0.5};
  model.tetrahedra = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  model.body_of_tetrahedron = {0, 1};
  return model;
}

std::vector<std::byte> bytes_of(const Model& model) {
  ByteWriter writer;
  writer(model);
  return writer.take();
}

TEST_F(OnRanks, TheModelOfRankZeroArrivesWhole) {
  Model model = me_ == 0 ? full_model() : Model{};
  // What a rank held before must go.
  if (me_ > 0) model.masses.assign(100, -1), model.walls.resize(3);
  broadcast(model, MPI_COMM_WORLD);
  const Model expected = full_model();
  ASSERT_EQ(model.materials.size(), expected.materials.size());
  for (std::size_t i = 0; i < expected.materials.size(); ++i) {
    const Material &found = model.materials[i], &sent = expected.materials[i];
    EXPECT_EQ(std::tie(found.name, found.density, found.lame_lambda, found.lame_mu, found.law, found.c01),
              std::tie(sent.name, sent.density, sent.lame_lambda, sent.lame_mu, sent.law, sent.c01));
  }
  ASSERT_EQ(model.bodies.size(), expected.bodies.size());
  for (std::size_t i = 0; i < expected.bodies.size(); ++i) {
    const Body &found = model.bodies[i], &sent = expected.bodies[i];
    EXPECT_EQ(std::tie(found.name, found.material, found.first_node, found.node_count,
                       found.first_tetrahedron, found.tetrahedron_count, found.boundary),
              std::tie(sent.name, sent.material, sent.first_node, sent.node_count, sent.first_tetrahedron,
                       sent.tetrahedron_count, sent.boundary));
  }
  ASSERT_EQ(model.walls.size(), expected.walls.size());
  for (std::size_t i = 0; i < expected.walls.size(); ++i) {
    const Wall &found = model.walls[i], &sent = expected.walls[i];
    EXPECT_EQ(std::tie(found.name, found.point, found.normal, found.stiffness, found.model, found.distance,
                       found.two_sided),
              std::tie(sent.name, sent.point, sent.normal, sent.stiffness, sent.model, sent.distance,
                       sent.two_sided));
  }
  ASSERT_EQ(model.supports.size(), expected.supports.size());
  for (std::size_t i = 0; i < expected.supports.size(); ++i) {
    const Support &found = model.supports[i], &sent = expected.supports[i];
    EXPECT_EQ(std::tie(found.name, found.velocity, found.components, found.nodes),
              std::tie(sent.name, sent.velocity, sent.components, sent.nodes));
  }
  ASSERT_EQ(model.probes.size(), expected.probes.size());
  for (std::size_t i = 0; i < expected.probes.size(); ++i)
    EXPECT_EQ(std::tie(model.probes[i].name, model.probes[i].node),
              std::tie(expected.probes[i].name, expected.probes[i].node));
  EXPECT_EQ(std::tie(model.gravity, model.positions, model.velocities, model.masses, model.tetrahedra,
                     model.body_of_tetrahedron),
            std::tie(expected.gravity, expected.positions, expected.velocities, expected.masses,
                     expected.tetrahedra, expected.body_of_tetrahedron));
  EXPECT_EQ(model.particles.dimension, 2);
  ASSERT_EQ(model.particles.interactions.size(), 2U);
  EXPECT_EQ(model.particles.interactions[1].name, "spring");
  EXPECT_EQ(bytes_of(model), bytes_of(expected)) << "and all else";
}

// The model is sent in several parts. As the material's name has three letters, no number of eight bytes ends
// at the end of a part: the one that does not fit begins the next part.
TEST_F(OnRanks, ALargeModelArrivesInParts) {
  Model large;
  large.materials = {{"abc", 1, 2, 3}};
  for (int i = 0; i < 400000; ++i) large.masses.push_back(1.0 / (i + 1));
  Model model = me_ == 0 ? large : Model{};
  broadcast(model, MPI_COMM_WORLD);
  EXPECT_EQ(model.materials.front().name, "abc");
  EXPECT_EQ(model.masses, large.masses);
}

TEST_F(OnRanks, AnEmptyModelArrivesEmpty) {
  Model model = me_ == 0 ? Model{} : full_model();
  broadcast(model, MPI_COMM_WORLD);
  EXPECT_TRUE(model.materials.empty() && model.bodies.empty() && model.walls.empty() &&
              model.positions.empty());
  EXPECT_TRUE(model.velocities.empty() && model.masses.empty() && model.tetrahedra.empty() &&
              model.body_of_tetrahedron.empty());
  EXPECT_EQ(bytes_of(model), bytes_of(Model{}));
}

TEST_F(OnRanks, EachGetsWhatIsForIt) {
  // 3 i + j bytes from i to j, but none from 1.
  const auto bytes = [](int from, int to) {
    return std::vector<std::byte>(from == 1 ? 0u : static_cast<std::size_t>(3 * from + to),
                                  static_cast<std::byte>(16 * from + to));
  };
  std::vector<std::vector<std::byte>> to_each, expected;
  for (int rank = 0; rank < ranks_; ++rank) {
    to_each.push_back(bytes(me_, rank));
    expected.push_back(bytes(rank, me_));
  }
  EXPECT_EQ(world_.bytes_from_each(to_each), expected);
}

TEST_F(OnRanks, BytesOfAllComeInTheOrderOfTheRanks) {
  std::vector<std::byte> mine(static_cast<std::size_t>(2 * me_ + 1), static_cast<std::byte>(me_));
  if (me_ == 1) mine.clear();
  std::vector<std::byte> expected;
  for (int rank = 0; rank < ranks_; ++rank)
    expected.insert(expected.end(), rank == 1 ? 0u : static_cast<std::size_t>(2 * rank + 1),
                    static_cast<std::byte>(rank));
  EXPECT_EQ(world_.bytes_of_all(mine), expected);
}

}  // namespace
}  // namespace terrace::on_ranks_test
