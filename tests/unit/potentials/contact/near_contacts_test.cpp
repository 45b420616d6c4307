// The near pairs that NearContacts lists and visits, against all pairs of the surfaces.
#include "potentials/contact/near_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "geometry/closest_points.hpp"

namespace terrace::near_contacts_test {
namespace {

constexpr unsigned seed = 20261129;
using Random = std::mt19937_64;
using Key = std::tuple<PairKind, std::array<std::int32_t, 4>>;

Vector3 random_vector(Random& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

/// Appends the nodes of a wavy sheet to `positions` and returns its triangles.
std::vector<Triangle> sheet(Random& random, double height, std::vector<Vector3>& positions) {
  constexpr int n = 5;
  const auto first = static_cast<std::int32_t>(positions.size());
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      positions.push_back(Vector3{0.1 * i, 0.1 * j, height} + random_vector(random, 0.03));
  const auto node = [&](int i, int j) { return first + static_cast<std::int32_t>(i * (n + 1) + j); };
  std::vector<Triangle> triangles;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
      triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
    }
  return triangles;
}

/// Two sheets, one above the other, or one against itself.
SmoothContact contact_of(Random& random, double gap, bool against_itself, const PairShare& share,
                         std::vector<Vector3>& positions) {
  positions.clear();
  const std::vector<Triangle> lower = sheet(random, 0, positions), upper = sheet(random, gap, positions);
  return {ContactSurfaces(positions, lower, against_itself ? lower : upper, "test"), share,
          ContactProfile(ContactProfile::Kind::barrier, 0.02), 1};
}

std::vector<Vector3> in_own_numbers(const ContactSurfaces& surfaces, const std::vector<Vector3>& positions) {
  std::vector<Vector3> own;
  for (std::size_t node = 0; node < surfaces.size(); ++node) own.push_back(positions[surfaces.local(node)]);
  return own;
}

double distance_of(const SurfacePair& pair, std::span<const Vector3> positions) {
  return norm(closest_points(pair.kind, relative_positions(pair.nodes, positions)).difference);
}

TEST(NearContacts, WhatIsVisitedAreAllPairsThatMayBeNear) {
  Random random(seed);
  std::size_t all_near = 0, all_visited = 0, all = 0;
  for (int trial = 0; trial < 24; ++trial) {
    const bool against_itself = trial % 3 == 2;
    std::vector<Vector3> positions;
    const SmoothContact contact = contact_of(random, 0.05 + 0.002 * trial, against_itself, {}, positions);
    const std::vector<Vector3> own = in_own_numbers(contact.surfaces, positions);
    NearContacts near(contact);
    near.listed_within(own, std::vector<Vector3>(own.size()), 0);
    const double farthest = near.complete_to();
    std::set<Key> visited;
    near.visit_within(farthest, own, [&](const SurfacePair& pair) {
      EXPECT_TRUE(visited.insert({pair.kind, pair.nodes}).second) << "twice";
    });
    std::size_t within = 0;
    for (std::size_t s = 0; s < contact.surfaces.first().triangles.size(); ++s)
      for (std::size_t t = 0; t < contact.surfaces.second().triangles.size(); ++t)
        contact.surfaces.visit_pairs(static_cast<std::int32_t>(s), static_cast<std::int32_t>(t),
                                     [&](const SurfacePair& pair) {
                                       ++all;
                                       if (distance_of(pair, own) > farthest) return;
                                       ++within;
                                       EXPECT_TRUE(visited.contains({pair.kind, pair.nodes}))
                                           << "seed " << seed << ", trial " << trial;
                                     });
    all_near += within;
    all_visited += visited.size();
    EXPECT_EQ(near.size(), within);
  }
  EXPECT_GT(all_near, 1000u);
  EXPECT_LT(10 * all_visited, all) << "boxes rule out most";
}

TEST(NearContacts, SharesOfRanksAreAllPairsEachOnce) {
  Random random(seed);
  std::vector<Vector3> positions;
  std::map<Key, int> parts_of;
  std::size_t whole = 0;
  for (int part = -1; part < 3; ++part) {
    Random again(seed + 1);
    const PairShare share = part < 0 ? PairShare{} : PairShare{part, 3};
    const SmoothContact contact = contact_of(again, 0.06, false, share, positions);
    const std::vector<Vector3> own = in_own_numbers(contact.surfaces, positions);
    NearContacts near(contact);
    near.listed_within(own, std::vector<Vector3>(own.size()), 0);
    near.visit_within(near.complete_to(), own, [&](const SurfacePair& pair) {
      if (part < 0)
        ++whole;
      else
        ++parts_of[{pair.kind, pair.nodes}];
    });
  }
  EXPECT_GT(whole, 50u);
  EXPECT_EQ(parts_of.size(), whole);
  EXPECT_TRUE(std::ranges::all_of(parts_of, [](const auto& entry) { return entry.second == 1; }));
}

TEST(NearContacts, TheRegionIsOfAllCandidatesNodes) {
  Random random(seed);
  std::vector<Vector3> positions;
  const SmoothContact contact = contact_of(random, 0.06, false, {}, positions);
  const std::vector<Vector3> own = in_own_numbers(contact.surfaces, positions);
  NearContacts near(contact);
  near.listed_within(own, std::vector<Vector3>(own.size()), 0);
  std::set<std::int32_t> nodes;
  for (const BroadPhase::Pair& pair : near.candidates()) {
    for (const std::int32_t node : contact.surfaces.first_triangle(pair.first)) nodes.insert(node);
    for (const std::int32_t node : contact.surfaces.second_triangle(pair.second)) nodes.insert(node);
  }
  EXPECT_GT(nodes.size(), 20u);
  EXPECT_EQ(near.nodes_of_candidates(), std::vector<std::int32_t>(nodes.begin(), nodes.end()));
}

}  // namespace
}  // namespace terrace::near_contacts_test
