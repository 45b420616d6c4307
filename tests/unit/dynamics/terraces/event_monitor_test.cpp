// EventMonitor: steps, reflections, runs of reflections and guards, from scripted lists of events.
#include "dynamics/terraces/event_monitor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "support/warning_texts.hpp"

namespace terrace::event_monitor_test {
namespace {

using Surface = FirstCrossing::Surface;
constexpr Surface top = Surface::top, bottom = Surface::bottom;

/// The bin of the histogram that a step of this length is counted in.
int bin_of(double step) {
  EventMonitor monitor("s", 1);
  monitor.resume(0);
  monitor.remember(step, false, top);
  const std::map<std::int32_t, std::int64_t> histogram = monitor.record().histogram;
  EXPECT_EQ(histogram.size(), 1u);
  EXPECT_EQ(histogram.begin()->second, 1);
  return histogram.begin()->first;
}

TEST(EventMonitor, BinsOfTheHistogramAreTenthsOfADecadeFrom1e20On) {
  // Bin b holds [10^(b/10 − 20), 10^((b+1)/10 − 20)).
  EXPECT_EQ(bin_of(1e-6), 140);
  EXPECT_EQ(bin_of(std::nextafter(1e-6, 0) * (1 - 1e-12)), 139);
  EXPECT_EQ(bin_of(1), 200);
  EXPECT_EQ(bin_of(1 - 1e-12), 199);
  EXPECT_EQ(bin_of(1000), 230);
  EXPECT_EQ(bin_of(2), 203) << "10^0.301";
  EXPECT_EQ(bin_of(1.25), 200) << "below 10^0.1 = 1.2589";
  EXPECT_EQ(bin_of(1.26), 201);
  EXPECT_EQ(bin_of(1e-20), 0);
  EXPECT_EQ(bin_of(1e-30), 0) << "what is shorter goes to the first";
  EXPECT_EQ(bin_of(0), 0);
  EXPECT_EQ(bin_of(7.9e19), 398);
  EXPECT_EQ(bin_of(8e19), 399);
  EXPECT_EQ(bin_of(1e30), 399) << "what is longer to the last";
}

TEST(EventMonitor, CountsAndStepsOfAScriptedList) {
  EventMonitor monitor("s", 0.25);
  EXPECT_EQ(monitor.record().step_mean, 0);
  EXPECT_EQ(monitor.record().step_min, 0) << "no infinity where nothing happened";
  monitor.resume(10);
  monitor.remember(10.5, false, top);    // step 0.5
  monitor.remember(12.5, true, bottom);  // 2
  monitor.remember(12.75, true, top);    // 0.25
  monitor.resume(100);                   // asleep meanwhile: no step
  monitor.remember(101, false, bottom);  // 1
  const SubdomainRecord record = monitor.record();
  EXPECT_EQ(record.name, "s");
  EXPECT_EQ(record.energy_step, 0.25);
  EXPECT_EQ(monitor.energy_step(), 0.25);
  EXPECT_EQ(record.events, 4);
  EXPECT_EQ(monitor.events(), 4);
  EXPECT_EQ(record.reflections, 2);
  EXPECT_EQ(monitor.reflections(), 2);
  EXPECT_EQ(monitor.step_sum(), 3.75);
  EXPECT_EQ(record.step_mean, 3.75 / 4);
  EXPECT_EQ(record.step_min, 0.25);
  EXPECT_EQ(record.step_max, 2);
  EXPECT_EQ(record.histogram, (std::map<int, std::int64_t>{{193, 1}, {196, 1}, {200, 1}, {203, 1}}));
}

TEST(EventMonitor, ARunIsOfReflectionsAtOneSurfaceOneAfterTheOther) {
  EventMonitor monitor("s", 1);
  monitor.resume(0);
  double time = 0;
  const auto event = [&](bool reflected, Surface surface) {
    monitor.remember(++time, reflected, surface);
    return monitor.record().longest_run;
  };
  EXPECT_EQ(event(false, top), 0);
  EXPECT_EQ(event(true, top), 1);
  EXPECT_EQ(event(true, top), 2);
  EXPECT_EQ(event(true, bottom), 2) << "another surface: a new run";
  EXPECT_EQ(event(true, top), 2) << "and another";
  EXPECT_EQ(event(true, top), 2);
  EXPECT_EQ(event(false, top), 2) << "a crossing ends it";
  EXPECT_EQ(event(true, top), 2);
  EXPECT_EQ(event(true, top), 2);
  EXPECT_EQ(monitor.record().longest_run_start, 2) << "the first of equals";
  EXPECT_EQ(event(true, top), 3);
  EXPECT_EQ(monitor.record().longest_run_start, 8) << "the time of its first reflection";
  monitor.resume(time);
  EXPECT_EQ(event(true, top), 3) << "what came before it slept belongs to no run of it";
  EXPECT_EQ(event(true, top), 3);
  EXPECT_EQ(event(true, top), 3);
  EXPECT_EQ(event(true, top), 4);
}

TEST(EventMonitor, ASetConstraintReflectsWithoutRunsOrWarnings) {
  EventMonitor monitor("s", infinity);
  monitor.resume(0);
  for (int i = 1; i <= 200; ++i) monitor.remember(i, true, top);
  EXPECT_EQ(monitor.record().reflections, 200);
  EXPECT_EQ(monitor.record().longest_run, 0);
  std::vector<Warning> warnings;
  monitor.describe_trouble(0, warnings);
  EXPECT_THAT(warnings, testing::IsEmpty());
}

/// So many events at one instant.
void stand_still(EventMonitor& monitor, double time, int events) {
  for (int i = 0; i < events; ++i) monitor.remember(time, false, top);
}

TEST(EventMonitor, EndsARunThatStandsStill) {
  EventMonitor monitor("ball", 1);
  monitor.resume(0);
  EXPECT_NO_THROW(stand_still(monitor, 2, 10000)) << "the first of them took a step";
  try {
    stand_still(monitor, 2, 1);
    ADD_FAILURE() << "10,000 events at one instant";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("ball"), testing::HasSubstr("10000 events")));
    EXPECT_TRUE(error.on_all_ranks());
  }
}

TEST(EventMonitor, AStepOrASleepStartsCountingAnew) {
  EventMonitor monitor("ball", 1);
  monitor.resume(0);
  stand_still(monitor, 2, 10000);
  EXPECT_NO_THROW(stand_still(monitor, 3, 10000)) << "time went on between";
  monitor.resume(3);
  EXPECT_NO_THROW(stand_still(monitor, 3, 9999)) << "all at the instant of waking up";
  EXPECT_THROW(stand_still(monitor, 3, 1), Error);
}

TEST(EventMonitor, CollisionsAtOneInstantAreNoStandstillOfASetConstraint) {
  EventMonitor monitor("rigid", infinity);
  monitor.resume(0);
  EXPECT_NO_THROW(stand_still(monitor, 2, 20000));
}

/// Tells the monitor of `most` collisions from `time` on, equally spaced over less than `duration`. Returns
/// the number of the collision at which it throws, or −1.
int cascade(EventMonitor& monitor, double time, double duration, double stable_step, std::int64_t nodes,
            int most) {
  for (int i = 1; i <= most; ++i) {
    try {
      monitor.guard_against_cascade(time + duration * (i - 1) / most, stable_step, nodes);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("simultaneous contacts"));
      EXPECT_TRUE(error.on_all_ranks());
      return i;
    }
  }
  return -1;
}

TEST(EventMonitor, ACascadeIsAsManyCollisionsWithinAStableStepAsItsBoundSays) {
  // The bound is 10,000 collisions and ten for each of 7 nodes.
  EventMonitor within("rigid", infinity), below("rigid", infinity), slow("rigid", infinity);
  EXPECT_EQ(cascade(within, 1, 0.5, 0.5, 7, 10070), 10070) << "its last";
  EXPECT_EQ(cascade(below, 1, 0.5, 0.5, 7, 10069), -1) << "one fewer is none";
  // 12,000 collisions over two stable steps: the count begins anew after the first step, so that neither half
  // reaches the bound.
  EXPECT_EQ(cascade(slow, 1, 1.0, 0.5, 7, 12000), -1);
  EXPECT_EQ(cascade(slow, 1.99995, 1e-6, 0.5, 7, 10070), 10070 - 5999)
      << "what is left of the last window counts";
}

TEST(EventMonitor, RemembersTheLargestMismatch) {
  EventMonitor monitor("s", 1);
  EXPECT_EQ(monitor.record().energy_mismatch, 0);
  for (const double share : {-0.25, 1e-14, 0.5, 0.125}) monitor.note_mismatch(share);
  EXPECT_EQ(monitor.record().energy_mismatch, 0.5);
}

/// The warnings after `run` reflections at one surface, then `crossings` crossings, then `single` reflections
/// at alternating surfaces.
std::vector<std::string> trouble(int run, int crossings, int single) {
  EventMonitor monitor("ball", 0.125);
  double time = 0;
  monitor.resume(0);
  for (int i = 0; i < run; ++i) monitor.remember(++time, true, top);
  for (int i = 0; i < crossings; ++i) monitor.remember(++time, false, top);
  for (int i = 0; i < single; ++i) monitor.remember(++time, true, i % 2 == 0 ? top : bottom);
  std::vector<Warning> warnings;
  monitor.describe_trouble(0, warnings);
  return texts_of(warnings);
}

TEST(EventMonitor, WarnsOfARunOfTwentyAndOfThreeTenthsReflections) {
  EXPECT_THAT(trouble(19, 10, 0), testing::IsEmpty());
  EXPECT_THAT(trouble(20, 1000, 0),
              testing::ElementsAre(
                  testing::AllOf(testing::HasSubstr("subdomain ball rode one energy level for 20 events"),
                                 testing::HasSubstr("from t = 1 on"), testing::HasSubstr("(now 0.125)"))));
  EXPECT_THAT(trouble(0, 140, 60), testing::IsEmpty()) << "just 30 %";
  EXPECT_THAT(trouble(0, 139, 61),
              testing::ElementsAre(testing::HasSubstr("subdomain ball reflected at 30 % of its events")));
  EXPECT_THAT(trouble(0, 100, 100), testing::ElementsAre(testing::HasSubstr("at 50 % of its events")));
  EXPECT_THAT(trouble(0, 40, 60), testing::IsEmpty()) << "a hundred events say little";
  EXPECT_THAT(trouble(0, 40, 61), testing::SizeIs(1));
}

// Ranks tell each other only of monitors for which has_anything_to_add() is true.
TEST(EventMonitor, HasSomethingToAddOnceItHasCountedAnything) {
  EventMonitor monitor("s", 1), woken("s", 1), off("s", 1);
  EXPECT_FALSE(monitor.has_anything_to_add());
  monitor.resume(0);
  EXPECT_FALSE(monitor.has_anything_to_add());
  monitor.remember(0, false, top);
  EXPECT_TRUE(monitor.has_anything_to_add());
  woken.resume(0.5);
  EXPECT_FALSE(woken.has_anything_to_add()) << "who takes it over knows since when it is awake";
  off.note_mismatch(0.1);
  EXPECT_TRUE(off.has_anything_to_add());
}

// Counts that ranks tell each other in several parts (take) add up to those told all at once.
TEST(EventMonitor, WhatWasTakenAndWhatCameAfterAddUpToAll) {
  EventMonitor all("s", 0.25), in_parts("s", 0.25), sum("s", 0.25);
  for (EventMonitor* monitor : {&all, &in_parts}) monitor->resume(1);
  double time = 1;
  for (int event = 0; event < 60; ++event) {
    time += 0.01 * (1 + event % 7);
    const bool reflected = event % 20 > 3;
    for (EventMonitor* monitor : {&all, &in_parts}) {
      monitor->remember(time, reflected, top);
      monitor->note_mismatch(0.001 * (event % 11));
    }
    if (event % 13 != 12) continue;
    const EventMonitor taken = in_parts.take();
    EXPECT_TRUE(taken.has_anything_to_add());
    EXPECT_FALSE(in_parts.has_anything_to_add()) << "told once";
    sum.add(taken);
  }
  sum.add(in_parts.take());
  const SubdomainRecord expected = all.record(), found = sum.record();
  EXPECT_EQ(found.events, 60);
  EXPECT_EQ(found.reflections, expected.reflections);
  EXPECT_EQ(found.longest_run, expected.longest_run) << "a run that goes on over what was told is one run";
  EXPECT_EQ(found.longest_run_start, expected.longest_run_start);
  EXPECT_EQ(found.step_min, expected.step_min);
  EXPECT_EQ(found.step_max, expected.step_max);
  EXPECT_DOUBLE_EQ(found.step_mean, expected.step_mean);
  EXPECT_EQ(found.histogram, expected.histogram);
  EXPECT_EQ(found.energy_mismatch, expected.energy_mismatch);
  EXPECT_EQ(found.name, "s");
}

TEST(EventMonitor, OfTwoRanksThatTookTurnsAddUpToOneOfAll) {
  EventMonitor all("s", 0.25), first("s", 0.25), second("s", 0.25);
  for (EventMonitor* monitor : {&all, &first, &second}) monitor->resume(0);
  double time = 0;
  for (int event = 0; event < 40; ++event) {
    time += 0.001 * (1 + event % 7);
    EventMonitor& whose = event < 13 ? first : second;
    if (event == 13) second.resume(time - 0.001 * (1 + event % 7));
    all.remember(time, event % 5 == 0, event % 2 == 0 ? top : bottom);
    whose.remember(time, event % 5 == 0, event % 2 == 0 ? top : bottom);
    whose.note_mismatch(event < 13 ? 0.5 : 0.25);
    all.note_mismatch(event < 13 ? 0.5 : 0.25);
  }
  first.add(second);
  const SubdomainRecord sum = first.record(), whole = all.record();
  EXPECT_EQ(sum.events, 40);
  EXPECT_EQ(sum.reflections, whole.reflections);
  EXPECT_EQ(sum.histogram, whole.histogram);
  EXPECT_EQ(sum.step_min, whole.step_min);
  EXPECT_EQ(sum.step_max, whole.step_max);
  EXPECT_EQ(sum.longest_run, whole.longest_run);
  EXPECT_EQ(sum.energy_mismatch, 0.5);
  EXPECT_NEAR(sum.step_mean, whole.step_mean, 1e-15);
}

// The number of a group that ended may be another group's next, whose force is a different one.
TEST(EventMonitor, KnowsNoForceOfWhatItResumes) {
  EventMonitor monitor("group", 0.5);
  monitor.compare_with_fall(0, 1e6);
  std::vector<Warning> warnings;
  monitor.describe_trouble(1, warnings);
  EXPECT_EQ(warnings.size(), 1u) << "a thousand falls";
  monitor.resume(2);
  warnings.clear();
  monitor.describe_trouble(9, warnings);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace terrace::event_monitor_test
