// Numbers that the last rank computes for all ranks: all get the same numbers, or the same error.
#include "parallel/on_last_rank.hpp"

#include <gtest/gtest.h>

#include "dynamics/system/layout.hpp"
#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::on_last_rank_test {
namespace {

class OnRanksLast : public testing::Test {
 protected:
  Communicator world_{MPI_COMM_WORLD};
  int me_ = world_.rank(), last_ = world_.size() - 1;
};

TEST_F(OnRanksLast, AllGetItsNumbersAndNoOtherRankWorks) {
  int calls = 0;
  const auto numbers = on_last_rank(MPI_COMM_WORLD, 3, [&] {
    ++calls;
    return std::vector<std::int32_t>{me_, 17, -1};
  });
  EXPECT_EQ(numbers, (std::vector<std::int32_t>{last_, 17, -1}));
  EXPECT_EQ(calls, me_ == last_ ? 1 : 0);
}

TEST_F(OnRanksLast, ItsFailureIsToldOnAll) {
  try {
    (void)on_last_rank(MPI_COMM_WORLD, 3, []() -> std::vector<std::int32_t> {
      throw Error(Error::Kind::run, "partition of tetrahedra", "2 parts",
                  "METIS reports insufficient memory");
    });
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "partition of tetrahedra: expected 2 parts, found METIS reports insufficient memory");
    EXPECT_TRUE(error.on_all_ranks());
  }
}

TEST_F(OnRanksLast, PartsAndSlicesAreThoseOfOneRankAlone) {
  const Deck deck = three_cubes(4, true);
  const Model model = build_model(deck);
  const auto localized = [&](MPI_Comm handle) {
    return localize(model, {LocalizationKind::metis, 3}, {}, 1e-5, handle);
  };
  const Localization alone = localized(MPI_COMM_SELF), together = localized(MPI_COMM_WORLD);
  EXPECT_EQ(together.term_of_tetrahedron, alone.term_of_tetrahedron);
  EXPECT_EQ(lay_out(model, alone, LayoutKind::slice, 4, MPI_COMM_WORLD).rank_of_tetrahedron,
            lay_out(model, alone, LayoutKind::slice, 4).rank_of_tetrahedron);
}

// Without contact a rank holds the nodes of its tetrahedra and of nothing else.
TEST_F(OnRanksLast, WithoutContactRanksHoldTheNodesOfTheirElementsAlone) {
  SmallSystem system(build_model(spinning_cube(4)), {}, {LocalizationKind::bodies}, 1e-5, LayoutKind::slice,
                     MPI_COMM_WORLD);
  std::vector<std::uint8_t> used(system.lagrangian.masses.size(), 0);
  std::size_t elements = 0;
  for (const ElasticBlock& block : system.lagrangian.elastic_blocks) {
    elements += block.tetrahedra.size();
    for (const Tetrahedron& tetrahedron : block.tetrahedra)
      for (const std::int32_t node : tetrahedron) used[static_cast<std::size_t>(node)] = 1;
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0);
  const double share = 1536.0 / world_.size();
  EXPECT_LE(static_cast<double>(elements), 1.1 * share);
}

}  // namespace
}  // namespace terrace::on_last_rank_test
