// SubdomainProcess: subdomains that go ahead of others, and go back.
#include "dynamics/concurrent/subdomain_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <stdexcept>

#include "dynamics/terraces/energy_stepping.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "support/seven_cubes.hpp"

namespace terrace::subdomain_process_test {
namespace {

LocalizationEntry parts(int count) { return {LocalizationKind::metis, count}; }

/// A system at time 1, with a process for each of its subdomains that has searched for its next event.
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
      // All nodes count as shared here, which does no harm: a receiver ignores nodes that it does not have.
      ProcessPlace place{at(small.lagrangian.subdomains, j).nodes};
      if (graph().near_pairs().any()) {
        if (graph().near_pairs().bodies_of(j) == nullptr) place.body = j;
      }
      processes.emplace_back(*work, graph().near_pairs(), j, std::move(place));
      processes.back().begin(small.state, schedule().known_event(j), schedule().none_before(j));
      processes.back().go_on(infinity);
    }
  }
  /// The processes by the place of their next event, the earliest first. All must have one.
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

// The two halves of the cube share nodes, so that the event of one takes the other back.
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

TEST(SubdomainProcesses, DoNothingOfTheirOwnBeforeTheyTookWhatComesFirst) {
  SmallSystem system(spinning_cube(3), parts(2), 5e-6);
  Processes all(system);
  SubdomainProcess &first = *all.in_order()[0], &second = *all.in_order()[1];
  ASSERT_TRUE(second.next_event());
  second.receive(first.do_event());
  EXPECT_FALSE(second.next_event());
  second.go_on(infinity, all.work->work_done());
  EXPECT_FALSE(second.next_event()) << "no work was allowed";
  second.go_on(infinity);
  EXPECT_TRUE(second.next_event());
}

TEST(SubdomainProcesses, SearchSampleBySampleAsLongAsTheyMay) {
  SmallSystem system(spinning_cube(3), parts(2), 5e-6), other(spinning_cube(3), parts(2), 5e-6);
  Processes halting(system), swift(other);
  int halts = 0;
  for (Processes* all : {&halting, &swift}) {
    SubdomainProcess &first = *all->in_order()[0], &second = *all->in_order()[1];
    second.receive(first.do_event());
    const double elements = at(system.lagrangian.subdomains, second.subdomain()).elements;
    for (; all == &halting && !second.next_event(); ++halts) {
      const std::int64_t before = all->work->work_done();
      const EventPlace bound = second.bound();
      second.go_on(infinity, before + 1);
      EXPECT_EQ(static_cast<double>(all->work->work_done() - before), elements);
      EXPECT_LT(bound, second.bound());
    }
    second.go_on(infinity);
  }
  EXPECT_GT(halts, 1);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(bytes_of(halting.processes[j]), bytes_of(swift.processes[j]));
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
  // An event that is withdrawn while it still waits leaves no trace.
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

// Events fail here as their impulses, 2^200 times too large, overflow the integer momenta. A message or a
// withdrawal by a neighbour clears the failure, as it may change what comes next.
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

// Each cube in turn does an event of its own, which changes when it leaves its box, and undoes it.
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

}  // namespace
}  // namespace terrace::subdomain_process_test
