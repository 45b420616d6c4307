// A subdomain's bits depend on its own events alone: not on bodies it never meets, not on where a run ends or
// looks at the state.
#include <gtest/gtest.h>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/terraces/checking_executor.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "support/small_system.hpp"

namespace terrace::own_events_test {
namespace {

/// Two cubes that collide by the barrier; with `with_stranger` a third, far away.
Deck two_that_collide(bool with_stranger) {
  Deck deck = soft_deck({cube_entry("left", 2), cube_entry("right", 2, {1.2, 0.1, 0.05})});
  deck.bodies[0].velocity = {0.4, 0, 0.02};
  deck.bodies[0].spin = {0.1, 0.3, 0.2};
  deck.contact.model = ContactModel::barrier;
  if (with_stranger) {
    // With a finer mesh and a spin, the stranger takes shorter steps than the two.
    BodyEntry stranger = cube_entry("stranger", 3, {0, 50, 0});
    stranger.spin = {0, 0, 0.3};
    deck.bodies.insert(deck.bodies.begin(), stranger);
  }
  return deck;
}

struct NodeBits {
  Vector3 position, momentum;
  double time;
  bool operator==(const NodeBits&) const = default;
};

/// Of all nodes of bodies with one of these names, in their order.
std::vector<NodeBits> bits_of(SmallSystem& system, const std::vector<std::string>& names) {
  std::vector<NodeBits> bits;
  for (std::size_t a = 0; a < system.state.lines.size(); ++a) {
    const std::string& body =
        system.lagrangian.body_names[static_cast<std::size_t>(system.lagrangian.body_of_node[a])];
    if (std::find(names.begin(), names.end(), body) == names.end()) continue;
    bits.push_back({system.position(a), system.state.momentum(a), system.state.lines[a].time});
  }
  return bits;
}

class OwnEvents : public testing::TestWithParam<LocalizationEntry> {};
INSTANTIATE_TEST_SUITE_P(
    Localizations, OwnEvents,
    testing::Values(LocalizationEntry{LocalizationKind::bodies, 1, ContactLocalization::own},
                    LocalizationEntry{LocalizationKind::bodies, 1, ContactLocalization::touching},
                    LocalizationEntry{LocalizationKind::metis, 3, ContactLocalization::own}),
    [](const auto& choice) {
      return choice.param.parts > 1                                  ? "PartsOwn"
             : choice.param.contact == ContactLocalization::touching ? "Touching"
                                                                     : "Own";
    });

TEST_P(OwnEvents, ABodyFarAwayChangesNoBit) {
  const std::vector<std::string> names = {"left", "right"};
  SmallSystem alone(two_that_collide(false), GetParam(), 2e-6),
      company(two_that_collide(true), GetParam(), 2e-6);
  ASSERT_EQ(alone.state.quantum, company.state.quantum) << "momenta on other grids cannot have the same bits";
  EnergyStepping one(alone.lagrangian, alone.state), other(company.lagrangian, company.state);
  for (const double time : {0.2, 0.9, 1.7}) {
    while (one.advance(alone.state, time)) {
    }
    while (other.advance(company.state, time)) {
    }
    EXPECT_EQ(bits_of(alone, names), bits_of(company, names)) << "t = " << time;
  }
  EXPECT_GT(one.events(), 300);
  EXPECT_GT(other.events(), one.events() + 30) << "the stranger must have events of its own";
  double met = 0;
  for (const BodyRecord& body : alone.diagnostics.measure(alone.state, one).bodies)
    if (body.name == "right") met = norm(body.momentum);
  EXPECT_GT(met, 0) << "the two must have met";
}

// With clocks, a body's steps follow from its own elements and contact. Its debts are measured by an energy
// of the whole system, rounded down to a power of two, which the stranger here does not change.
class OwnEventsOfClocks : public testing::TestWithParam<double> {};
// 0: the step follows from time_step_factor. 0.05: a step longer than contact allows.
INSTANTIATE_TEST_SUITE_P(TimeSteps, OwnEventsOfClocks, testing::Values(0, 0.05));

TEST_P(OwnEventsOfClocks, ABodyFarAwayChangesNoBit) {
  const std::vector<std::string> names = {"left", "right"};
  const LocalizationEntry touching{LocalizationKind::bodies, 1, ContactLocalization::touching};
  Deck with_stranger = two_that_collide(true);
  // Contact parameters follow from the range of the velocities of all bodies, which the stranger must not
  // widen.
  with_stranger.bodies[0].velocity = {0.2, 0, 0.01};
  with_stranger.bodies[0].spin = {0, 0, 0.05};
  SmallSystem alone(two_that_collide(false), touching), company(with_stranger, touching);
  ASSERT_EQ(alone.state.quantum, company.state.quantum) << "momenta on other grids cannot have the same bits";
  EXPECT_LT(company.lagrangian.stable_contact_step, 0.9 * alone.lagrangian.stable_contact_step);
  const ClockSettings settings{.time_step = GetParam(), .debt_tolerance = 1};
  EXPECT_LT(alone.lagrangian.stable_contact_step, 0.05);
  ClockedEnergyStepping one(alone.lagrangian, alone.state, settings),
      other(company.lagrangian, company.state, settings);
  ASSERT_EQ(one.energy_quantum(), other.energy_quantum());
  for (const double time : {0.2, 0.9, 1.7, 4.0}) {
    while (one.advance(alone.state, time)) {
    }
    while (other.advance(company.state, time)) {
    }
    EXPECT_TRUE(bits_of(alone, names) == bits_of(company, names)) << "t = " << time;
  }
  EXPECT_GT(one.events(), 100);
  EXPECT_GT(one.balance()->shortened_steps, 0) << "the energy's scale must have decided something";
  EXPECT_GT(other.events(), one.events() + 30) << "the stranger must have events of its own";
  const auto measured = alone.diagnostics.measure(alone.state, one);
  const auto right = std::ranges::find(measured.bodies, "right", &BodyRecord::name);
  ASSERT_NE(right, measured.bodies.end());
  EXPECT_GT(norm(right->momentum), 0) << "the two must have met";
}

TEST_P(OwnEvents, StopsOnTheWayChangeNoBit) {
  SmallSystem plain(two_that_collide(true), GetParam(), 2e-6),
      stopped(two_that_collide(true), GetParam(), 2e-6);
  EnergyStepping one(plain.lagrangian, plain.state), other(stopped.lagrangian, stopped.state);
  const double end = 1.3;
  while (one.advance(plain.state, end)) {
  }
  // The stops are uneven, now and then far less than a step apart.
  double time = 0;
  for (int i = 1; time < end; ++i) {
    time = std::min(end, time + (i % 7 == 0 ? 1e-9 : 1e-3 * (i % 5)));
    while (other.advance(stopped.state, time)) {
    }
  }
  EXPECT_EQ(one.events(), other.events());
  EXPECT_EQ(plain.diagnostics.state_hash(plain.state, one),
            stopped.diagnostics.state_hash(stopped.state, other));
}

TEST_P(OwnEvents, EveryEventUndoneAndDoneAgainIsTheSame) {
  SmallSystem plain(two_that_collide(true), GetParam(), 2e-6),
      twice(two_that_collide(true), GetParam(), 2e-6);
  EnergyStepping one(plain.lagrangian, plain.state);
  CheckingExecutor other(std::make_unique<EnergyStepping>(twice.lagrangian, twice.state));
  for (const double time : {0.4, 0.8}) {
    while (one.advance(plain.state, time)) {
    }
    while (other.advance(twice.state, time)) {
    }
  }
  EXPECT_GT(one.events(), 300);
  EXPECT_EQ(plain.diagnostics.state_hash(plain.state, one), twice.diagnostics.state_hash(twice.state, other));
}

// A run in a system made anew goes on from the state that another run saved.
TEST_P(OwnEvents, AFreshSystemGoesOnFromWhatWasSaved) {
  SmallSystem first(two_that_collide(true), GetParam(), 2e-6),
      second(two_that_collide(true), GetParam(), 2e-6);
  EnergyStepping one(first.lagrangian, first.state);
  while (one.advance(first.state, 0.9)) {
  }
  ByteWriter writer;
  writer(first.state);
  one.save(writer);
  const std::vector<std::byte> bytes = writer.take();
  EnergyStepping other(second.lagrangian, second.state);
  ByteReader reader(bytes);
  reader(second.state);
  other.restore(second.state, reader);
  EXPECT_TRUE(reader.at_end());
  for (const double time : {1.0, 1.6}) {
    while (one.advance(first.state, time)) {
    }
    while (other.advance(second.state, time)) {
    }
    EXPECT_EQ(first.diagnostics.state_hash(first.state, one),
              second.diagnostics.state_hash(second.state, other))
        << "t = " << time;
  }
}

/// Changes the last bit of a coordinate as it is restored.
class Forgetful : public EnergyStepping {
 public:
  using EnergyStepping::EnergyStepping;
  void restore(const State& state, ByteReader& reader) override {
    EnergyStepping::restore(state, reader);
    double& place = const_cast<State&>(state).lines[0].displacement[0];
    place = std::nextafter(place, 1);
  }
};

TEST(CheckingExecutor, NoticesABitThatIsNotRestored) {
  SmallSystem cube(spinning_cube(2));
  CheckingExecutor executor(std::make_unique<Forgetful>(cube.lagrangian, cube.state));
  EXPECT_THROW(executor.advance(cube.state, 10), Error);
}

}  // namespace
}  // namespace terrace::own_events_test
