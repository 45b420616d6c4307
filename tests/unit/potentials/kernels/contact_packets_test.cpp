// Packets of contact pairs against the functions of single pairs: V, V′, V″ and certificates. No lane depends
// on its neighbours.
#include "potentials/kernels/contact_packets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace terrace::contact_packets_test {
namespace {

constexpr unsigned seed = 1905;
using Random = std::mt19937_64;

struct LinePair {
  ContactPair pair;
  PairNodes start, velocity;
};

PairNodes random_nodes(Random& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  PairNodes x;
  for (Vector3& node : x) node = {uniform(random), uniform(random), uniform(random)};
  return x;
}

/// Families, by `which`: 0 anywhere, 1 near each other, 2 nearly parallel edges or a vertex near a side, 3
/// near a corner, 4 in one plane, 5 a simplex without area or length, 6 touching.
LinePair random_pair(Random& random, PairKind kind, int which) {
  std::uniform_real_distribution<double> share(0, 1);
  PairNodes x = random_nodes(random);
  const bool vertex = kind == PairKind::vertex_triangle;
  const double u = share(random), w = (1 - u) * share(random);
  const Vector3 little = 0.1 * random_nodes(random)[0];
  if (which == 1) {
    const Vector3 target = vertex ? (1 - u - w) * x[1] + u * x[2] + w * x[3] : (1 - u) * x[2] + u * x[3];
    const Vector3 shift = target - (vertex ? x[0] : (1 - w) * x[0] + w * x[1]) + little;
    for (std::size_t i = 0; i < (vertex ? 1u : 2u); ++i) x[i] += shift;
  } else if (which == 2) {
    x[0] = (1 - u) * x[1] + u * x[2] + little;
    if (!vertex) {
      x[0] = x[2] + little;
      x[1] = x[0] + (x[3] - x[2]) + 0.1 * little;
    }
  } else if (which == 3) {
    x[0] = x[2] + little;
  } else if (which == 4) {
    for (Vector3& node : x) node[2] = 0;
  } else if (which == 5) {
    x[0] = x[2] + little;
    x[3] = u < 0.5 ? x[2] : x[2] + w * (x[2] - x[1]);
  } else if (which == 6) {
    x[0] = x[2];
  }
  for (std::size_t i = 4; i-- > 0;) x[i] -= x[0];
  PairNodes v = random_nodes(random);
  for (std::size_t i = 4; i-- > 0;) v[i] -= v[0];
  return {{kind, 2.5, vertex ? 0 : 0.02}, x, v};
}
constexpr int families = 7;

PairNodes moved(const LinePair& pair, double s) {
  PairNodes x = pair.start;
  for (std::size_t i = 1; i < 4; ++i) x[i] += s * pair.velocity[i];
  return x;
}

/// Packets of all pairs, none left out.
PairPackets packets_of(const std::vector<LinePair>& all, double activation) {
  NodeRows nodes;
  std::vector<PairOnLine> pairs;
  for (const LinePair& pair : all) {
    const auto first = static_cast<std::int32_t>(nodes.start.size());
    pairs.push_back({{first, first + 1, first + 2, first + 3}, pair.pair, -1});
    for (std::size_t i = 0; i < 4; ++i) {
      const Vector3 &x = pair.start[i], &v = pair.velocity[i];
      nodes.start.push_back({{x[0], x[1], x[2], 0}});
      nodes.velocity.push_back({{v[0], v[1], v[2], 0}});
    }
  }
  PairPackets packets(activation);
  packets.add(pairs, nodes, 0, 0);
  return packets;
}

struct Case {
  PairKind kind;
  ContactProfile::Kind profile;
};

class Packets : public ::testing::TestWithParam<Case> {
 protected:
  static constexpr std::size_t number = 2001;  // the last packet is not full
  ContactProfile profile{GetParam().profile, 0.3};
  std::vector<LinePair> pairs(Random& random, int which) const {
    std::vector<LinePair> all(number);
    for (LinePair& pair : all) pair = random_pair(random, GetParam().kind, which);
    return all;
  }
  [[nodiscard]] PairPackets packed(const std::vector<LinePair>& all, double s) const {
    PairPackets packets = packets_of(all, profile.activation());
    for (PairPacket& packet : packets.packets()) sample_packet(packet, profile, s);
    return packets;
  }
};

PairSample sample_of(const PairPackets& packets, std::size_t i) {
  const auto width = static_cast<std::size_t>(simd::width);
  return packets.packets()[i / width].sample(static_cast<int>(i % width));
}

TEST_P(Packets, SampleAsSinglePairs) {
  Random random(seed);
  std::size_t felt = 0, other_features = 0;
  for (int which = 0; which < families; ++which) {
    const std::vector<LinePair> all = pairs(random, which);
    for (const double s : {0.0, 0.01}) {
      const PairPackets packets = packed(all, s);
      for (std::size_t i = 0; i < number; ++i) {
        const PairSample one = sample_pair(all[i].pair, profile, moved(all[i], s), all[i].velocity);
        const PairSample lane = sample_of(packets, i);
        SCOPED_TRACE("family " + std::to_string(which) + " pair " + std::to_string(i));
        ASSERT_EQ(lane.touching, one.touching);
        ASSERT_NEAR(lane.distance, one.distance, 1e-12);
        ASSERT_NEAR(lane.rate, one.rate, one.distance > 1e-7 ? 1e-11 / one.distance : 10.0);
        if (one.touching || one.is_zero()) {
          ASSERT_NEAR(lane.value, one.value, 1e-20);
          continue;
        }
        ++felt;
        // Rounding is relative to the size of the pair, about 1, while V depends on the small differences d
        // and d̂ − d.
        const double d = one.distance, rough = 1e-11 / std::min(d, profile.activation() - d);
        if (rough > 1e-4) continue;
        ASSERT_NEAR(lane.value, one.value, rough * one.value);
        ASSERT_NEAR(lane.slope, one.slope, rough * (std::abs(one.slope) + one.value / d));
        const double scale = std::abs(one.curvature) + one.value / (d * d);
        if (std::abs(lane.curvature - one.curvature) > 1e3 * rough * scale) ++other_features;
      }
    }
  }
  EXPECT_GT(felt, 3000u);
  // V″ jumps where the closest features change: rounding decides in which of them a pair is.
  EXPECT_LT(other_features, felt / 500) << "of " << felt;
}

TEST_P(Packets, BoundAsSinglePairs) {
  Random random(seed);
  std::uniform_real_distribution<double> exponent(-4, -0.5);
  std::size_t bounded = 0;
  for (int which = 0; which < families; ++which) {
    const std::vector<LinePair> all = pairs(random, which);
    const PairPackets packets = packed(all, 0.01);
    const auto width = static_cast<std::size_t>(simd::width);
    for (std::size_t i = 0; i < number; i += width) {
      const double duration = std::pow(10.0, exponent(random));
      const PairPacket& packet = packets.packets()[i / width];
      const PacketBound bound = bound_packet(packet, profile, 0.01, duration);
      bool invalid = false;
      for (std::size_t k = i; k < std::min(i + width, number); ++k) {
        const std::size_t lane = k - i;
        const PairSample now = sample_of(packets, k);
        const PairBound one = bound_pair(all[k].pair, profile, moved(all[k], 0.01), all[k].velocity, now,
                                         packet.speed[lane], duration);
        ASSERT_NEAR(packet.speed[lane], closing_speed(all[k].pair.kind, all[k].velocity), 1e-14);
        invalid = invalid || one.invalid;
        if (one.invalid) continue;
        SCOPED_TRACE("family " + std::to_string(which) + " pair " + std::to_string(k));
        const double rough = 1e-9 * (one.above + one.below + std::abs(now.curvature));
        ASSERT_NEAR(bound.above[lane], one.above, rough);
        ASSERT_NEAR(bound.below[lane], one.below, rough);
        ASSERT_NEAR(bound.rise[lane], one.rise, 1e-12 * one.rise);
        ASSERT_NEAR(bound.fall[lane], one.fall, 1e-12 * one.fall);
        if (one.above > 0) ++bounded;
      }
      ASSERT_EQ(bound.invalid, invalid);
    }
  }
  EXPECT_GT(bounded, 1500u);
}

TEST_P(Packets, LanesDoNotDependOnTheirNeighbours) {
  Random random(seed);
  for (int which = 0; which < families; ++which) {
    std::vector<LinePair> all = pairs(random, which);
    const PairPackets packets = packed(all, 0.01);
    all.insert(all.begin(), random_pair(random, GetParam().kind, 1));
    const PairPackets shifted = packed(all, 0.01);
    for (std::size_t i = 0; i < number; ++i) {
      const PairSample one = sample_of(packets, i), other = sample_of(shifted, i + 1);
      ASSERT_EQ(one.value, other.value);
      ASSERT_EQ(one.slope, other.slope);
      ASSERT_EQ(one.curvature, other.curvature);
      ASSERT_EQ(one.distance, other.distance);
      ASSERT_EQ(one.rate, other.rate);
    }
  }
}

TEST_P(Packets, PaddingContributesNothing) {
  Random random(seed);
  PairPackets packets = packets_of({random_pair(random, GetParam().kind, 1)}, profile.activation());
  PairPacket& packet = packets.packets()[0];
  sample_packet(packet, profile, 3);
  const PacketBound bound = bound_packet(packet, profile, 3, 0.1);
  EXPECT_EQ(packet.touching, 0u);
  for (int lane = 1; lane < simd::width; ++lane) {
    EXPECT_TRUE(packet.sample(lane).is_zero());
    EXPECT_EQ(bound.above[lane], 0);
    EXPECT_EQ(bound.below[lane], 0);
    EXPECT_EQ(bound.rise[lane], 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Packets,
                         ::testing::Values(Case{PairKind::vertex_triangle, ContactProfile::Kind::barrier},
                                           Case{PairKind::edge_edge, ContactProfile::Kind::barrier},
                                           Case{PairKind::vertex_triangle, ContactProfile::Kind::gap},
                                           Case{PairKind::edge_edge, ContactProfile::Kind::gap}));

}  // namespace
}  // namespace terrace::contact_packets_test
