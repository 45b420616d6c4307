// Many events at once: the order they stand in, the processes that go back, and the bits of one after the
// other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <random>

#include "dynamics/concurrent_energy_stepping.hpp"
#include "dynamics/validating_executor.hpp"
#include "support/small_system.hpp"

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

EventKey key(double time, std::int32_t subdomain) { return {time, {-1, subdomain}}; }

TEST(EventPlaces, FollowTheScheduleWhoseNextIsTheLeastOfWhatIsLeft) {
  // Events of a few subdomains make crossings, some of them before themselves; the schedule takes the least
  // there is.
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

/// Seven cubes in a loose heap that fly into each other: pairs of them wake up and fall asleep.
Deck seven_cubes() {
  Deck deck = soft_deck({});
  for (int i = 0; i < 7; ++i) {
    const int x = i % 3 - 1, y = (i / 3) % 3 - 1, z = i == 6 ? 1 : 0;
    BodyEntry body =
        cube_entry(std::string(1, static_cast<char>('a' + i)), 1, {1.7 * x, 1.8 * y, 0.03 * i + 1.9 * z});
    body.velocity = {-0.25 * x, -0.3 * y, -0.2 * z};
    body.rotation_axis = {0.3, 0.2, 1};
    body.rotation_angle = 8.0 * i;
    deck.bodies.push_back(body);
  }
  deck.contact.model = ContactModel::barrier;
  return deck;
}

const LocalizationEntry own_contact{LocalizationKind::bodies, 1, ContactLocalization::own};

/// A system that has gone for a while, and its subdomains as processes.
struct Processes : EnergyStepping {
  using EnergyStepping::graph;
  using EnergyStepping::lines;
  using EnergyStepping::own_states;
  using EnergyStepping::schedule;

  explicit Processes(SmallSystem& small) : EnergyStepping(small.lagrangian, small.state), system(small) {
    while (advance(small.state, 1.0)) {
    }
    work = std::make_unique<ProcessWorkspace>(small.lagrangian, small.state, own_states(), lines());
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(small.lagrangian.subdomains.size()); ++j) {
      // More than those they share: others' nodes are left out.
      ProcessPlace place{at(small.lagrangian.subdomains, j).nodes};
      if (graph().near_pairs().any()) {
        if (graph().near_pairs().bodies_of(j) == nullptr) place.body = j;
      }
      processes.emplace_back(*work, graph().near_pairs(), j, std::move(place));
      processes.back().begin(small.state, schedule().known_event(j), schedule().none_before(j));
      processes.back().go_on(infinity);
    }
  }
  /// By their next event.
  std::vector<SubdomainProcess*> in_order() {
    std::vector<SubdomainProcess*> order;
    for (SubdomainProcess& process : processes) order.push_back(&process);
    std::sort(order.begin(), order.end(),
              [](const auto* a, const auto* b) { return *a->next_event() < *b->next_event(); });
    return order;
  }
  SmallSystem& system;
  std::unique_ptr<ProcessWorkspace> work;
  std::deque<SubdomainProcess> processes;
};

std::vector<std::byte> bytes_of(const SubdomainProcess& process) {
  const ProcessState now = process.now();
  ByteWriter writer;
  writer(now);
  return writer.take();
}

// Two halves of a cube share nodes.
TEST(SubdomainProcesses, GoBackToTheLastByte) {
  SmallSystem system(spinning_cube(3), parts(2), 5e-6);
  Processes all(system);
  SubdomainProcess &first = *all.in_order()[0], &second = *all.in_order()[1];
  const auto before = bytes_of(second);
  const auto early = first.do_event();
  const auto late = second.do_event();  // too early: the other's comes before it
  second.go_on(infinity);
  ASSERT_TRUE(early && late);
  ASSERT_LT(early->place, late->place);
  EXPECT_NE(bytes_of(second), before);
  second.receive(early);
  EXPECT_EQ(bytes_of(second), before);
  const std::vector<EventWithdrawal> undone = second.undone();
  ASSERT_EQ(undone.size(), 1U);
  EXPECT_EQ(undone[0].name, late->name);
  EXPECT_EQ(undone[0].place, late->place);
  EXPECT_TRUE(second.undone().empty());
}

TEST(SubdomainProcesses, TakeALateEventAsOneThatWasInTime) {
  SmallSystem system(spinning_cube(3), parts(2), 5e-6), other(spinning_cube(3), parts(2), 5e-6);
  Processes late(system), in_time(other);
  const auto number = [](Processes& all, std::size_t place) { return all.in_order()[place]->subdomain(); };
  const std::int32_t i = number(late, 0), j = number(late, 1);
  ASSERT_EQ(i, number(in_time, 0));
  (void)at(late.processes, j).do_event();
  at(late.processes, j).go_on(infinity);
  for (Processes* all : {&late, &in_time}) {
    at(all->processes, j).receive(at(all->processes, i).do_event());
    at(all->processes, j).go_on(infinity);
  }
  EXPECT_EQ(bytes_of(at(late.processes, j)), bytes_of(at(in_time.processes, j)));
  const auto again = at(late.processes, j).do_event(), plain = at(in_time.processes, j).do_event();
  at(late.processes, j).go_on(infinity);
  at(in_time.processes, j).go_on(infinity);
  EXPECT_EQ(bytes_of(at(late.processes, j)), bytes_of(at(in_time.processes, j)));
  EXPECT_EQ(again->gradient, plain->gradient);
  EXPECT_EQ(again->instant, plain->instant);
  EXPECT_NE(again->name, plain->name) << "what was told once is never told again by the same name";
}

TEST(SubdomainProcesses, ForgetAnEventThatIsWithdrawn) {
  SmallSystem system(spinning_cube(3), parts(2), 5e-6);
  Processes all(system);
  SubdomainProcess &first = *all.in_order()[0], &second = *all.in_order()[1];
  const auto before = bytes_of(second);
  const EventPlace next = *second.next_event();
  const auto event = first.do_event();
  second.receive(event);
  EXPECT_EQ(second.bound(), event->place) << "what waits may bring an event from there on";
  second.go_on(infinity);
  EXPECT_NE(bytes_of(second), before);
  EXPECT_NE(*second.next_event(), next);
  (void)second.do_event();
  second.withdraw({event->name, event->place});
  EXPECT_EQ(bytes_of(second), before);
  EXPECT_EQ(second.undone().size(), 1U);
  EXPECT_EQ(*second.next_event(), next);
  EXPECT_EQ(second.bound(), next);
  // One that still waits leaves no trace at all.
  second.receive(event);
  second.withdraw({event->name, event->place});
  EXPECT_EQ(bytes_of(second), before);
  EXPECT_THROW(second.withdraw({event->name, event->place}), BrokenContract) << "of what was never told";
}

TEST(SubdomainProcesses, DoNotGoBackBehindWhatIsForGood) {
  SmallSystem system(spinning_cube(3), parts(2), 5e-6);
  Processes all(system);
  SubdomainProcess &first = *all.in_order()[0], &second = *all.in_order()[1];
  const auto event = first.do_event();
  second.receive(event);
  second.go_on(infinity);
  const auto taken = bytes_of(second);
  const auto own = second.do_event();
  second.forget_before(own->place);
  EXPECT_THROW(second.receive(event), BrokenContract);
  second.keep_up_to(event->place);
  EXPECT_EQ(bytes_of(second), taken);
  EXPECT_TRUE(second.undone().empty()) << "nobody goes on from there";
}

void expect_failure(const SubdomainProcess& process) {
  ASSERT_TRUE(process.failure());
  EXPECT_THAT(process.failure()->what(), testing::HasSubstr("momenta"));
  EXPECT_FALSE(process.next_event());
}

// By impulses beyond what momenta can count. What a neighbour tells or withdraws may spare them that.
TEST(SubdomainProcesses, AreAsBeforeAnEventThatFails) {
  SmallSystem system(spinning_cube(3), parts(2), 5e-6);
  Processes all(system);
  SubdomainProcess &first = *all.in_order()[0], &second = *all.in_order()[1];
  const auto before = bytes_of(first), before_second = bytes_of(second);
  const double quantum = all.work->state.quantum;
  all.work->state.quantum = std::ldexp(quantum, -200);
  EXPECT_EQ(first.do_event(), nullptr);
  all.work->state.quantum = quantum;
  EXPECT_EQ(bytes_of(first), before);
  expect_failure(first);
  const auto late = second.do_event();
  second.keep_up_to({});
  EXPECT_EQ(bytes_of(second), before_second);
  first.receive(late);
  EXPECT_FALSE(first.failure());
  first.withdraw({late->name, late->place});
  ASSERT_TRUE(first.next_event());

  const auto heavy = std::make_shared<EventMessage>(*first.do_event());
  heavy->factor.exponent += 200;
  second.receive(heavy);
  second.go_on(infinity);
  EXPECT_EQ(bytes_of(second), before_second);
  expect_failure(second);
  second.withdraw({heavy->name, heavy->place});
  EXPECT_FALSE(second.failure());
  EXPECT_TRUE(second.next_event());
}

// One cube after the other has an event of its own.
TEST(SubdomainProcesses, KnowWhenTheirBodyLeavesItsBox) {
  SmallSystem system(seven_cubes(), own_contact, 2e-6);
  Processes all(system);
  NearPairs& boxes = all.graph().near_pairs();
  int moved = 0;
  for (std::int32_t body = 0; body < 7; ++body) {
    SubdomainProcess& process = at(all.processes, body);
    const double exit = boxes.exit(body);
    ASSERT_LT(exit, infinity);
    const auto next = process.next_event();
    if (!next) {
      EXPECT_TRUE(process.leaves()) << "or has no event at all, body " << body;
      continue;
    }
    EXPECT_FALSE(process.leaves());
    ASSERT_TRUE(process.do_event());
    if (boxes.exit(body) == exit) continue;
    ++moved;
    process.keep_up_to({});
    process.end(system.state);
    EXPECT_EQ(boxes.exit(body), exit) << "what was undone changed it, body " << body;
  }
  EXPECT_GT(moved, 0);
}

SubdomainProcess& first_body_with_an_event(Processes& all) {
  for (std::int32_t body = 0; body < 6; ++body)
    if (at(all.processes, body).next_event()) return at(all.processes, body);
  throw std::logic_error("no body has an event");
}

TEST(SubdomainProcesses, TakeNothingBehindTheExitOfTheirBody) {
  SmallSystem system(seven_cubes(), own_contact, 2e-6);
  Processes all(system);
  SubdomainProcess &first = first_body_with_an_event(all), &last = at(all.processes, 6);
  const auto event = first.do_event();
  ASSERT_TRUE(event);
  all.graph().near_pairs().set_exit(6, event->instant / 2 + system.state.time / 2);
  last.begin(system.state, all.schedule().known_event(6), all.schedule().none_before(6));
  const auto before = bytes_of(last);
  last.receive(event);
  last.go_on(infinity);
  EXPECT_TRUE(last.leaves());
  EXPECT_FALSE(last.next_event());
  EXPECT_LT(last.bound(), event->place);
  last.withdraw({event->name, event->place});
  EXPECT_EQ(bytes_of(last), before) << "it was still waiting";
}

TEST(SubdomainProcesses, GoNoFartherAheadThanAHundredEvents) {
  SmallSystem system(spinning_cube(2), parts(2), 1e-6);
  Processes all(system);
  SubdomainProcess& alone = *all.in_order()[0];
  std::vector<EventPlace> places;
  while (!alone.is_far_ahead()) {
    places.push_back(alone.do_event()->place);
    alone.go_on(infinity);
    ASSERT_LE(places.size(), 101U);
  }
  EXPECT_EQ(places.size(), 101U);
  alone.forget_before(places[1]);
  EXPECT_FALSE(alone.is_far_ahead()) << "once the others have caught up";
}

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
  // The levels at the start are found before the first round.
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
    // Before the first is for good all whose neighbours come later have had theirs.
    if (most == 1 && GetParam() == 32) {
      EXPECT_GT(at_once.concurrency_record()->undone_events, 0);
      EXPECT_LE(at_once.concurrency_record()->rounds, 3);
    }
    // And go on from there, one after the other.
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

// What is told between ranks is told between processes of one rank: nothing depends on which it is.
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

ContactExtremes extremes_of(const SmallSystem& system, const Integrator& integrator) {
  ContactExtremes extremes;
  integrator.report(extremes);
  double least = -extremes.least_distance;  // of all ranks
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MAX, system.lagrangian.communicator->handle());
  extremes.least_distance = -least;
  return extremes;
}

// Bodies and pairs of them; a body that leaves its box is waited for.
TEST(OnRanksEventsAtOnce, OfBodiesThatTouchHaveTheBitsOfOneAfterTheOther) {
  const Deck deck = seven_cubes();
  const Model model = build_model(deck);
  SmallSystem plain(model, deck.contact, own_contact, 2e-6),
      system(model, deck.contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD);
  EnergyStepping one_by_one(plain.lagrangian, plain.state);
  ConcurrentEnergyStepping at_once(system.lagrangian, system.state);
  const std::size_t pairs_at_first = plain.lagrangian.subdomains.size();
  for (int row = 1; row <= 8; ++row) {
    const double time = 0.5 * row;
    while (one_by_one.advance(plain.state, time)) {
    }
    while (at_once.advance(system.state, time)) {
    }
    ASSERT_EQ(system.state.time, time);
    ASSERT_EQ(at_once.events(), one_by_one.events()) << "time " << time;
    ASSERT_EQ(at_once.hash(), one_by_one.hash()) << "time " << time;
    const Lagrangian& share = system.lagrangian;
    ASSERT_EQ(share.subdomains.size(), plain.lagrangian.subdomains.size());
    for (std::size_t a = 0; a < share.global_nodes.size(); ++a)
      ASSERT_EQ(system.state.row(a), plain.state.row(static_cast<std::size_t>(share.global_nodes[a])))
          << "node " << share.global_nodes[a] << ", time " << time;
    EXPECT_EQ(extremes_of(system, at_once).least_distance, extremes_of(plain, one_by_one).least_distance)
        << "nothing that was undone, time " << time;
  }
  EXPECT_GT(one_by_one.events(), 1000);
  EXPECT_LT(extremes_of(plain, one_by_one).least_distance,
            plain.lagrangian.contact_pairs->largest_activation())
      << "some touched";
  EXPECT_GT(plain.lagrangian.subdomains.size(), pairs_at_first) << "pairs woke up on the way";
  const ConcurrencyRecord record = at_once.concurrency_record().value();
  EXPECT_EQ(record.events, one_by_one.events());
  EXPECT_GT(record.undone_events, 0);
  EXPECT_GT(record.events, record.longest_chain);
}

using HashAndEvents = std::pair<std::uint64_t, std::int64_t>;

template <class Executor>
HashAndEvents finish(SmallSystem& system, Executor& executor) {
  while (executor.advance(system.state, 2.0)) {
  }
  executor.share();
  return {system.diagnostics.state_hash(system.state, executor), executor.events()};
}

/// After so many events another executor goes on from what was saved.
template <class First, class Then>
HashAndEvents finish_by_another(const Model& model, const ContactEntry& contact, std::int64_t most) {
  SmallSystem system(model, contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD),
      other(model, contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD);
  First first(system.lagrangian, system.state);
  first.stop_after(most);
  while (first.events() < most && first.advance(system.state, 2.0)) {
  }
  EXPECT_EQ(first.events(), most);
  ByteWriter writer;
  first.share();
  first.save(writer);
  const std::vector<std::byte> saved = writer.take();
  Then then(other.lagrangian, other.state);
  other.state = system.state;
  ByteReader reader(saved);
  then.restore(other.state, reader);
  return finish(other, then);
}

TEST(OnRanksEventsAtOnce, OfBodiesThatTouchStopAnywhereAndAnotherGoesOn) {
  const Deck deck = seven_cubes();
  const Model model = build_model(deck);
  SmallSystem plain(model, deck.contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD);
  EnergyStepping one_by_one(plain.lagrangian, plain.state);
  const HashAndEvents expected = finish(plain, one_by_one);
  EXPECT_GT(expected.second, 400);
  for (const std::int64_t most : {1, 150, 311}) {
    EXPECT_EQ((finish_by_another<ConcurrentEnergyStepping, EnergyStepping>(model, deck.contact, most)),
              expected);
    EXPECT_EQ(
        (finish_by_another<ConcurrentEnergyStepping, ConcurrentEnergyStepping>(model, deck.contact, most)),
        expected);
    EXPECT_EQ((finish_by_another<EnergyStepping, ValidatingExecutor>(model, deck.contact, most)), expected);
  }
}

TEST(ValidatingExecutors, SeeTheSameEvents) {
  SmallSystem system(spinning_cube(3), parts(6), 2e-6);
  ValidatingExecutor validating(system.lagrangian, system.state);
  while (validating.advance(system.state, 0.8)) {
  }
  EXPECT_GT(validating.events(), 40);
  // Back to what was saved, and on.
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

/// Says every time that it is in another state.
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
}  // namespace terrace
