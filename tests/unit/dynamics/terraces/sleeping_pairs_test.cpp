// Pairs hold next to nothing while they sleep, and have everything again when they wake up.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "dynamics/terraces/lines.hpp"
#include "support/small_system.hpp"

namespace terrace::sleeping_pairs_test {
namespace {

/// A light cube b that goes to and fro between two heavy ones, a and c: each pair sleeps while b is with the
/// other.
Deck to_and_fro() {
  Deck deck = three_cubes(1, false, 1.0);
  deck.materials.push_back({"heavy", 100, 0.01, 0.0066});
  deck.bodies[0].material = deck.bodies[2].material = 1;
  deck.bodies[1].velocity = {0.1, 0, 0};
  deck.contact.model = ContactModel::barrier;
  return deck;
}

LocalizationEntry bodies(ContactLocalization contact) { return {LocalizationKind::bodies, 1, contact}; }

std::unique_ptr<Integrator> stepping(SmallSystem& system, bool clocked) {
  if (clocked)
    return std::make_unique<ClockedEnergyStepping>(system.lagrangian, system.state, ClockSettings{});
  return std::make_unique<EnergyStepping>(system.lagrangian, system.state);
}

const Subdomain* find(const Lagrangian& system, const std::string& name) {
  for (const Subdomain& subdomain : system.subdomains)
    if (subdomain.name == name) return &subdomain;
  return nullptr;
}

struct Case {
  ContactLocalization contact;
  bool clocked;
};

class SleepingPairs : public testing::TestWithParam<Case> {
 protected:
  struct Run {
    explicit Run(const Case& of)
        : system(to_and_fro(), bodies(of.contact), 1e-6), integrator(stepping(system, of.clocked)) {}
    void go(double until) {
      while (integrator->advance(system.state, until)) {
      }
    }
    /// Goes on in steps of 0.2 until a pair is awake or, if `asleep`, asleep.
    void go_until(const std::string& pair, bool asleep) {
      for (double time = system.state.time;; time += 0.2) {
        ASSERT_LT(time, 500);
        go(time);
        const Subdomain* found = find(system.lagrangian, pair);
        const bool sleeps = found == nullptr || found->asleep;
        if (sleeps == asleep) return;
      }
    }
    [[nodiscard]] std::size_t awake() const {
      return static_cast<std::size_t>(
          std::ranges::count_if(system.lagrangian.subdomains, [](const Subdomain& each) {
            return each.order[0] >= 0 && each.name.find('/') != std::string::npos && !each.asleep;
          }));
    }
    [[nodiscard]] bool has_group() const {
      return std::ranges::any_of(system.lagrangian.subdomains, [](const Subdomain& each) {
        return each.name.starts_with("touching bodies") && !each.potentials.empty();
      });
    }
    [[nodiscard]] std::uint64_t hash() { return system.diagnostics.state_hash(system.state, *integrator); }
    [[nodiscard]] std::vector<std::byte> saved() const {
      ByteWriter writer;
      writer(system.state);
      integrator->save(writer);
      return writer.take();
    }
    void restore(const std::vector<std::byte>& bytes) {
      ByteReader reader(bytes);
      reader(system.state);
      integrator->restore(system.state, reader);
      EXPECT_TRUE(reader.at_end());
    }
    SmallSystem system;
    std::unique_ptr<Integrator> integrator;
  };
};

TEST_P(SleepingPairs, HoldNothingAndHaveEverythingAgain) {
  Run run(GetParam());
  const Lagrangian& system = run.system.lagrangian;
  const SystemRecord first = run.system.record(*run.integrator);
  const IntegerMomentum momentum = run.system.diagnostics.total_momentum(run.system.state);
  for (const std::string name : {"b/c", "a/b", "b/c"}) {
    run.go_until(name, false);
    const Subdomain awake = *find(system, name);
    EXPECT_EQ(awake.potentials.size(), 1u) << name;
    run.go_until(name, true);
    if (GetParam().clocked) {
      EXPECT_EQ(find(system, name), nullptr) << "another pair may have its place";
    } else {
      const Subdomain& asleep = *find(system, name);
      EXPECT_TRUE(asleep.potentials.empty() && asleep.nodes.empty() && asleep.owned_nodes.empty()) << name;
      EXPECT_EQ(asleep.nodes.capacity() + asleep.owned_nodes.capacity() + asleep.potentials.capacity(), 0u);
      EXPECT_EQ(asleep.order, awake.order);
      EXPECT_EQ(asleep.only_rank, awake.only_rank);
      EXPECT_EQ(asleep.stable_step, awake.stable_step);
    }
    EXPECT_EQ(system.potentials.size(), 3u + run.awake()) << name << " at " << run.system.state.time;
    const SystemRecord now = run.system.record(*run.integrator);
    EXPECT_LE(std::abs(now.energy - first.energy), 1e-13 * first.energy);
    EXPECT_EQ(run.system.diagnostics.total_momentum(run.system.state), momentum);
  }
  EXPECT_EQ(
      std::ranges::count_if(system.subdomains, [](const Subdomain& each) { return each.name == "b/c"; }),
      GetParam().clocked ? 0 : 1);
}

// Groups that have come to an end must not keep pointers to potentials that end after them.
TEST_P(SleepingPairs, NoSubdomainKnowsAPotentialThatIsGone) {
  Run run(GetParam());
  const Lagrangian& system = run.system.lagrangian;
  for (const std::string name : {"b/c", "a/b"}) {
    run.go_until(name, false);
    run.go_until(name, true);
    for (const Subdomain& subdomain : system.subdomains)
      for (const Potential* potential : subdomain.potentials)
        EXPECT_TRUE(std::ranges::any_of(system.potentials,
                                        [&](const auto& owned) { return owned.get() == potential; }))
            << subdomain.name << " after " << name;
  }
}

// A run goes back from a state in which a pair is awake to one in which it slept, and the other way round.
TEST_P(SleepingPairs, GoOnFromASavedState) {
  Run run(GetParam()), heir(GetParam());
  run.go_until("b/c", false);
  // The bodies of groups touch by now.
  while (GetParam().contact == ContactLocalization::touching && !run.has_group()) {
    ASSERT_LT(run.system.state.time, 500);
    run.go(run.system.state.time + 0.2);
  }
  const double awake_at = run.system.state.time;
  const std::vector<std::byte> awake = run.saved();
  run.go_until("b/c", true);
  const double asleep_at = run.system.state.time;
  const std::vector<std::byte> asleep = run.saved();
  run.go_until("b/c", false);
  const double end = run.system.state.time + 1;
  run.go(end);
  const std::uint64_t expected = run.hash();
  for (const auto* from : {&asleep, &awake, &awake, &asleep}) {
    run.restore(*from);
    EXPECT_EQ(run.system.state.time, from == &awake ? awake_at : asleep_at);
    const Subdomain* pair = find(run.system.lagrangian, "b/c");
    EXPECT_EQ(pair == nullptr || pair->potentials.empty(), from == &asleep);
    EXPECT_EQ(run.system.lagrangian.potentials.size(), 3u + run.awake());
    run.go(end);
    EXPECT_EQ(run.hash(), expected);
  }
  run.restore(asleep);
  run.restore(awake);  // nothing of its pair is left from before
  run.go(end);
  EXPECT_EQ(run.hash(), expected);
  for (const auto* from : {&awake, &asleep}) {
    heir.restore(*from);
    heir.go(end);
    EXPECT_EQ(heir.hash(), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SleepingPairs,
                         testing::Values(Case{ContactLocalization::own, false},
                                         Case{ContactLocalization::touching, false},
                                         Case{ContactLocalization::touching, true}));

// A potential in the place of a former one is another potential.
TEST(Lines, FollowThePotentialThatIsThereNow) {
  SmallSystem system(to_and_fro(), bodies(ContactLocalization::own));
  const ContactPairs& pairs = *system.lagrangian.contact_pairs;
  Lines lines;
  auto first = pairs.make({0, 1}, system.lagrangian.reference);
  const std::size_t place = first->serial_number().place();
  const PotentialOnLine* const line = &lines.of(*first);
  EXPECT_EQ(&lines.of(*first), line) << "made once";
  first = nullptr;
  std::vector<std::unique_ptr<Potential>> made;
  while (made.empty() || made.back()->serial_number().place() != place) {
    ASSERT_LT(made.size(), 20u);
    made.push_back(pairs.make({1, 2}, system.lagrangian.reference));
  }
  EXPECT_NE(&lines.of(*made.back()), line) << "it takes the place of the former one, which is still there";
}

}  // namespace
}  // namespace terrace::sleeping_pairs_test
