// Concurrent energy-stepping: the order of events (EventPlace), and the same bits as one event after the
// other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "dynamics/concurrent/concurrent_energy_stepping.hpp"
#include "dynamics/concurrent/validating_executor.hpp"
#include "support/small_system.hpp"

namespace terrace::events_at_once_test {
namespace {

EventKey key(double time, std::int32_t subdomain) { return {time, {-1, subdomain}}; }

TEST(EventPlaces, FollowTheScheduleWhoseNextIsTheLeastOfWhatIsLeft) {
  // A model of the schedule: each of six subdomains has one next crossing, and the event with the least key
  // is done. It gives new crossings to its own subdomain and some others, in one of eight cases half a unit
  // of time before itself. The places of the events must ascend in the order in which they are done.
  struct Crossing {
    EventKey key;
    EventPlace place;
  };
  std::mt19937 random(5);
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int run = 0; run < 200; ++run) {
    std::vector<Crossing> next;
    for (std::int32_t j = 0; j < 6; ++j) {
      const EventKey first = key(draw(3), j);
      next.push_back({first, EventPlace{}.followed_by(first)});
    }
    EventPlace last;
    for (int event = 0; event < 60; ++event) {
      const auto least = std::min_element(next.begin(), next.end(),
                                          [](const Crossing& a, const Crossing& b) { return a.key < b.key; });
      const Crossing done = *least;
      ASSERT_LT(last, done.place) << "run " << run << ", event " << event;
      last = done.place;
      for (Crossing& other : next)
        if (&other == &*least || draw(2) == 0) {
          other.key.time = done.key.time + draw(4) - (draw(8) == 0 ? 0.5 : 0);
          other.place = done.place.followed_by(other.key);
        }
    }
  }
}

TEST(EventPlaces, BoundsOfALaterTimeAreNotEarlier) {
  const EventPlace cause = EventPlace{}.followed_by(key(2, 5)).followed_by(key(2, 3)).followed_by(key(2, 1));
  EventPlace before;
  for (const double time : {1.0, 1.5, 2.0, 2.5})
    for (const std::int32_t j : {0, 1, 2, 3, 4, 5, 6}) {
      const EventPlace place = cause.followed_by(key(time, j));
      EXPECT_LT(cause, place);
      EXPECT_LT(before, place) << time << ", " << j;
      before = place;
    }
}

TEST(EventChainsTest, AreAsLongAsEventsThatWaitForEachOther) {
  const std::vector<std::int32_t> of_1 = {0, 2}, of_0 = {1}, of_2 = {1};
  EventChains chains(3);
  for (int i = 0; i < 5; ++i) {
    chains.add(0, of_0);  // 0 and 2 share no nodes
    chains.add(2, of_2);
  }
  EXPECT_EQ(chains.longest(), 5);
  chains.add(1, of_1);
  chains.add(0, of_0);
  EXPECT_EQ(chains.longest(), 7);
}

LocalizationEntry parts(int count) { return {LocalizationKind::metis, count}; }

struct Outcome {
  std::vector<double> energies;
  std::uint64_t hash;
  std::int64_t events, reflections;
  bool operator==(const Outcome&) const = default;
};

template <class Executor>
Outcome run(SmallSystem& system, Executor& executor, std::int64_t most) {
  Outcome outcome{};
  executor.stop_after(most);
  const auto enough = [&] { return most > 0 && executor.events() >= most; };
  for (const double time : {0.4, 1.1, 1.2}) {
    while (!enough() && executor.advance(system.state, time)) {
    }
    const SystemRecord record = system.record(executor);
    for (const double x : {record.time, record.kinetic, record.potential, record.terraced, record.momentum[0],
                           record.angular_momentum[2]})
      outcome.energies.push_back(x);
  }
  outcome.hash = system.diagnostics.state_hash(system.state, executor);
  outcome.events = executor.events();
  outcome.reflections = executor.reflections();
  return outcome;
}

class EventsAtOnce : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Parts, EventsAtOnce, testing::Values(1, 2, 8, 32));

TEST_P(EventsAtOnce, HaveTheBitsOfOneAfterTheOther) {
  const double energy_step = 2e-5 / GetParam();
  SmallSystem plain(spinning_cube(4), parts(GetParam()), energy_step);
  EnergyStepping one_by_one(plain.lagrangian, plain.state);
  const Outcome expected = run(plain, one_by_one, 0);
  EXPECT_GT(expected.events, 50);
  SmallSystem system(spinning_cube(4), parts(GetParam()), energy_step);
  ConcurrentEnergyStepping at_once(system.lagrangian, system.state);
  EXPECT_EQ(run(system, at_once, 0), expected);
  EXPECT_GE(at_once.searches(), one_by_one.searches());
  const ConcurrencyRecord record = at_once.concurrency_record().value();
  EXPECT_EQ(record.events, expected.events);
  EXPECT_LE(record.longest_chain, record.rounds);
  // The elements evaluated before the first round, for the levels at the start, are no part of record.work.
  EXPECT_LT(record.work, static_cast<double>(at_once.element_evaluations()));
  EXPECT_GT(record.work, 0.98 * static_cast<double>(at_once.element_evaluations()));
  EXPECT_LE(record.work_of_slowest, record.work);
  if (GetParam() == 32) {
    EXPECT_LT(record.rounds, 3 * record.longest_chain) << "events at once";
    EXPECT_LT(2 * record.work_of_slowest, record.work);
    EXPECT_GT(record.undone_events, 0) << "or nothing of that was tried";
  }
}

TEST_P(EventsAtOnce, StopAtTheEventOfOneAfterTheOther) {
  const double energy_step = 2e-5 / GetParam();
  for (const std::int64_t most : {1, 20, 37}) {
    SmallSystem plain(spinning_cube(4), parts(GetParam()), energy_step),
        system(spinning_cube(4), parts(GetParam()), energy_step);
    EnergyStepping one_by_one(plain.lagrangian, plain.state);
    ConcurrentEnergyStepping at_once(system.lagrangian, system.state);
    const Outcome expected = run(plain, one_by_one, most);
    EXPECT_EQ(expected.events, most);
    EXPECT_EQ(run(system, at_once, most), expected);
    // Until the first event is for good, subdomains whose neighbours' events come later have done events of
    // their own, which are undone as the run stops.
    if (most == 1 && GetParam() == 32) {
      EXPECT_GT(at_once.concurrency_record()->undone_events, 0);
      EXPECT_LE(at_once.concurrency_record()->rounds, 3);
    }
    // Both executors go on from what the concurrent one saved there, and end alike.
    ByteWriter writer;
    at_once.save(writer);
    const std::vector<std::byte> saved = writer.take();
    ByteReader reader(saved);
    one_by_one.restore(system.state, reader);
    EnergyStepping& goes_on = one_by_one;
    ConcurrentEnergyStepping& goes_on_too = at_once;
    plain.state = system.state;
    EXPECT_EQ(run(plain, goes_on, 0), run(system, goes_on_too, 0));
  }
}

TEST(EventsAtOnceOnTheWay, LookUpNowAndThenAndGoOn) {
  const auto finish = [](SmallSystem& system, EnergyStepping& executor) {
    int looks = 0;
    while (executor.advance(system.state, 6)) ++looks;
    return std::pair(looks, system.diagnostics.state_hash(system.state, executor));
  };
  SmallSystem plain(spinning_cube(2), parts(4), 1e-6), system(spinning_cube(2), parts(4), 1e-6);
  EnergyStepping one_by_one(plain.lagrangian, plain.state);
  ValidatingExecutor at_once(system.lagrangian, system.state);
  const auto [events, expected] = finish(plain, one_by_one);
  const auto [looks, hash] = finish(system, at_once);
  EXPECT_EQ(hash, expected);
  const ConcurrencyRecord record = at_once.concurrency_record().value();
  EXPECT_EQ(record.events, events);
  EXPECT_GT(record.rounds, 3 * 512);
  EXPECT_GE(looks, record.rounds / 512 - 1) << "whoever runs it can stop it, or say how far it is";
}

// Processes on one rank tell each other the same as processes on different ranks, so that neither the events
// nor the counts of the record depend on the number of ranks.
TEST(OnRanksEventsAtOnce, HaveTheSameRoundsOnAnyNumberOfRanks) {
  const Model model = build_model(spinning_cube(3));
  for (const int count : {2, 7}) {
    const auto outcome_on = [&](MPI_Comm handle, ConcurrencyRecord& record) {
      SmallSystem system(model, {}, parts(count), 2e-5 / count, LayoutKind::own, handle);
      ValidatingExecutor executor(system.lagrangian, system.state);
      const Outcome outcome = run(system, executor, 90);
      record = executor.concurrency_record().value();
      return outcome;
    };
    ConcurrencyRecord alone, together;
    const Outcome on_one = outcome_on(MPI_COMM_SELF, alone);
    EXPECT_EQ(on_one.events, 90);
    EXPECT_EQ(outcome_on(MPI_COMM_WORLD, together), on_one);
    EXPECT_EQ(together.rounds, alone.rounds);
    EXPECT_EQ(together.undone_events, alone.undone_events);
    EXPECT_EQ(together.longest_chain, alone.longest_chain);
    EXPECT_EQ(together.work, alone.work);
    EXPECT_EQ(together.work_of_slowest, alone.work_of_slowest);
  }
}

TEST(ValidatingExecutors, SeeTheSameEvents) {
  SmallSystem system(spinning_cube(3), parts(6), 2e-6);
  ValidatingExecutor validating(system.lagrangian, system.state);
  while (validating.advance(system.state, 0.8)) {
  }
  EXPECT_GT(validating.events(), 40);
  // Go on from here twice, the second time after restore.
  ByteWriter writer;
  validating.save(writer);
  const std::vector<std::byte> saved = writer.take();
  const State state = system.state;
  while (validating.advance(system.state, 1.0)) continue;
  const std::uint64_t hash = validating.hash();
  system.state = state;
  ByteReader reader(saved);
  validating.restore(system.state, reader);
  while (validating.advance(system.state, 1.0)) continue;
  EXPECT_EQ(validating.hash(), hash);
}

TEST(ValidatingExecutors, DieOfAWrongEvent) {
  SmallSystem system(spinning_cube(3), parts(6), 2e-6);
  ValidatingExecutor validating(system.lagrangian, system.state);
  validating.advance(system.state, 0.3);
  system.state.quantum *= 2;  // processes have their own
  try {
    for (const double time : {0.5, 0.8, 1.2}) validating.advance(system.state, time);
    FAIL() << "no difference was seen";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::run);
    EXPECT_THAT(error.what(), testing::AnyOf(testing::HasSubstr("the event of one after the other"),
                                             testing::HasSubstr("the state of one event after the other")));
  }
}

/// Returns another hash at each call, as if each state were different.
struct OfManyStates : ValidatingExecutor {
  using ValidatingExecutor::ValidatingExecutor;
  [[nodiscard]] std::uint64_t hash() const override { return ++hashes; }
  mutable std::uint64_t hashes = 0;
};

TEST(ValidatingExecutors, DieOfAWrongState) {
  SmallSystem system(spinning_cube(2), parts(2), 2e-6);
  OfManyStates validating(system.lagrangian, system.state);
  try {
    validating.advance(system.state, 0.3);
    FAIL() << "no difference was seen";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the state of one event after the other"));
  }
}

}  // namespace
}  // namespace terrace::events_at_once_test
