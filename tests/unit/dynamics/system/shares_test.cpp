// Counts of what each rank would hold and send: by hand, and against what ranks do hold and send.
#include "dynamics/system/shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "dynamics/terraces/subdomain_gradient.hpp"
#include "parallel/profile.hpp"
#include "support/small_system.hpp"

namespace terrace::shares_test {
namespace {

struct Divided {
  Model model;
  Localization localization;
};

/// One cell: 24 tetrahedra of the centre and three of 14 nodes of the surface.
Divided cubes_of_one_cell(int count, bool pairs_apart) {
  Deck deck = soft_deck({});
  for (int i = 0; i < count; ++i)
    deck.bodies.push_back(cube_entry(std::string(1, static_cast<char>('a' + i)), 1, {2.0 * i, 0, 0}));
  Model model = build_model(deck);
  Localization localization = localize(model, {LocalizationKind::bodies}, deck.contact, 1e-5);
  localization.pairs_apart = pairs_apart;
  return {std::move(model), std::move(localization)};
}

/// The first tetrahedron of each cube on rank 1, the others on rank 0.
Layout first_apart(const Divided& system) {
  Layout layout = lay_out(system.model, system.localization, LayoutKind::own, 1);
  for (std::size_t e = 0; e < layout.rank_of_tetrahedron.size(); e += 24) layout.rank_of_tetrahedron[e] = 1;
  return layout;
}

TEST(Shares, OfOneRankAreAllThereIs) {
  const Divided system = cubes_of_one_cell(2, false);
  const Shares shares = shares_of(system.model, system.localization,
                                  lay_out(system.model, system.localization, LayoutKind::slice, 1), 1, true);
  EXPECT_EQ(shares.elements, 48);
  EXPECT_EQ(shares.largest_elements, 48);
  EXPECT_EQ(shares.event_elements, 48);
  EXPECT_EQ(shares.nodes, 30);
  EXPECT_EQ(shares.empty_ranks, 0);
  EXPECT_EQ(shares.boundary_nodes, 0);
  EXPECT_EQ(shares.neighbours, 0);
  EXPECT_EQ(shares.sent_nodes, 0);
  EXPECT_EQ(shares.surface_nodes, 0);
}

TEST(Shares, WholeBodiesLeaveRanksEmptyAndHelpNoEvent) {
  const Divided system = cubes_of_one_cell(2, false);
  const Shares shares = shares_of(system.model, system.localization,
                                  lay_out(system.model, system.localization, LayoutKind::own, 3), 3, true);
  EXPECT_EQ(shares.largest_elements, 24);
  EXPECT_EQ(shares.event_elements, 48) << "each body's events wait for all of it";
  EXPECT_EQ(shares.empty_ranks, 1);
  EXPECT_EQ(shares.nodes, 15);
  EXPECT_EQ(shares.boundary_nodes, 0);
}

TEST(Shares, ByHandWhereATetrahedronOfEachBodyIsElsewhere) {
  const Divided system = cubes_of_one_cell(2, false);
  const Shares shares = shares_of(system.model, system.localization, first_apart(system), 3, true);
  EXPECT_EQ(shares.largest_elements, 46);
  EXPECT_EQ(shares.event_elements, 46);
  EXPECT_EQ(shares.empty_ranks, 1);
  EXPECT_EQ(shares.nodes, 30);
  EXPECT_EQ(shares.boundary_nodes, 8);
  EXPECT_NEAR(shares.mean_boundary_nodes, 16.0 / 3, 1e-12);
  EXPECT_EQ(shares.neighbours, 1);
  EXPECT_EQ(shares.sent_nodes, 4) << "in an exchange of one body";
}

TEST(Shares, SurfacesThatAllHoldAreNotOfNeighbours) {
  const Divided system = cubes_of_one_cell(2, true);
  EXPECT_EQ(shares_of(system.model, system.localization, first_apart(system), 3, false).surface_nodes, 0);
  const Shares shares = shares_of(system.model, system.localization, first_apart(system), 3, true);
  EXPECT_EQ(shares.surface_nodes, 28);
  EXPECT_EQ(shares.surface_copies, 14 + 3) << "of one body, by both ranks";
  EXPECT_EQ(shares.nodes, 28 + 2);
  EXPECT_EQ(shares.boundary_nodes, 2) << "the centres";
  EXPECT_EQ(shares.sent_nodes, 1);
}

// On all ranks that there are.
TEST(OnRanksShares, AreWhatRanksHoldAndSend) {
  Communicator world(MPI_COMM_WORLD);
  for (const bool in_parts : {false, true}) {
    const Deck deck = in_parts ? spinning_cube(4) : three_cubes(3, false);
    ContactEntry contact;
    if (!in_parts) {
      contact.model = ContactModel::face_intersection;
      contact.stiffness = 1;
    }
    const LocalizationEntry choice =
        in_parts ? LocalizationEntry{LocalizationKind::metis, 3, ContactLocalization::own}
                 : LocalizationEntry{LocalizationKind::bodies, 1, ContactLocalization::own};
    SmallSystem system(build_model(deck), contact, choice, 1e-5, LayoutKind::slice, MPI_COMM_WORLD);
    const Shares shares =
        shares_of(system.model, system.localization, system.layout, world.size(), !in_parts);
    double elements = 0;
    for (const ElasticBlock& block : system.lagrangian.elastic_blocks)
      elements += static_cast<double>(block.tetrahedra.size());
    Lines lines;
    SubdomainGradient gradient(system.lagrangian, lines);
    const auto subdomains = static_cast<std::int32_t>(system.localization.subdomains.size());
    double sent = 0;
    for (std::int32_t j = 0; j < subdomains; ++j) {
      const OperationTrace trace;
      const StageScope stage(Stage::stepping);
      GradientGrids grids;
      static_cast<void>(gradient.evaluate(j, system.state, 0, grids));
      const OperationRecord booked = trace.of(Stage::stepping, Operation::exchange);
      std::array<double, 2> most = {static_cast<double>(booked.bytes) / static_cast<double>(booked.calls), 0};
      most[1] = static_cast<double>(booked.to_all);
      world.maximum(most);
      sent += most[0] / 24 / subdomains;
      EXPECT_EQ(most[1] > 0, world.size() > 1 && !in_parts) << "only where pairs have to be looked for";
    }
    std::array<double, 2> most = {static_cast<double>(system.lagrangian.masses.size()), elements};
    world.maximum(most);
    EXPECT_EQ(static_cast<double>(shares.nodes), most[0]);
    EXPECT_EQ(static_cast<double>(shares.largest_elements), most[1]);
    if (in_parts) {
      EXPECT_NEAR(shares.sent_nodes, sent, 1e-12 * sent);
    }
    EXPECT_EQ(shares.surface_nodes > 0, !in_parts);
  }
}

}  // namespace
}  // namespace terrace::shares_test
