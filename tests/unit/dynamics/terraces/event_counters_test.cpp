// The counts that energy-stepping and Newmark report of their events, against counts made from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "potentials/elastic/stable_step.hpp"
#include "support/small_system.hpp"
#include "support/warning_texts.hpp"

namespace terrace::event_counters_test {
namespace {

constexpr double never = 1e6;

/// Energy-stepping of a spinning cube.
struct Cube : SmallSystem {
  Cube(const LocalizationEntry& choice, double h)
      : SmallSystem(spinning_cube(2), choice, h), integrator(lagrangian, state) {}
  /// V of every subdomain now.
  [[nodiscard]] std::vector<double> potentials() const {
    std::vector<double> sums(lagrangian.subdomains.size(), 0.0);
    for (const ElasticBlock& block : lagrangian.elastic_blocks)
      for (const double energy : block.elastic->energies({state.lines, state.time}))
        sums[static_cast<std::size_t>(block.subdomain)] += energy;
    return sums;
  }
  EnergyStepping integrator;
};

/// Counts of one subdomain made from outside, from times, levels and V after each event.
struct Seen {
  std::int64_t events = 0, reflections = 0, run = 0, longest_run = 0;
  double last = 0, sum = 0, shortest = 1e300, longest = 0, run_start = 0, longest_run_start = 0;
  bool at_top = false;
};

struct Case {
  const char* name;
  LocalizationEntry localization;
  double energy_step;
  int events;
};
const Case cases[] = {{"Whole", {LocalizationKind::global}, 1e-5, 2000},
                      {"InQuarters", {LocalizationKind::metis, 4}, 1e-5, 2000},
                      {"RidingALevel", {LocalizationKind::global}, 2e-4, 3000}};

class EventCountersOf : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Cube, EventCountersOf, testing::ValuesIn(cases),
                         [](const auto& choice) { return choice.param.name; });

TEST_P(EventCountersOf, AreWhatAnOnlookerCounts) {
  Cube cube(GetParam().localization, GetParam().energy_step);
  const double h = GetParam().energy_step;
  std::vector<SubdomainRecord> before = cube.integrator.subdomain_records();
  std::vector<Seen> seen(before.size());
  for (int event = 0; event < GetParam().events; ++event) {
    ASSERT_TRUE(cube.integrator.advance(cube.state, never));
    const std::vector<SubdomainRecord> now = cube.integrator.subdomain_records();
    const std::vector<double> potentials = cube.potentials();
    for (std::size_t j = 0; j < now.size(); ++j) {
      if (now[j].events == before[j].events) continue;
      ASSERT_EQ(now[j].events, before[j].events + 1);
      Seen& mine = seen[j];
      const double step = cube.state.time - mine.last;
      mine.last = cube.state.time;
      ++mine.events;
      mine.sum += step;
      mine.shortest = std::min(mine.shortest, step);
      mine.longest = std::max(mine.longest, step);
      const double terrace = potentials[j] / h - static_cast<double>(before[j].level);
      ASSERT_LE(std::min(std::abs(terrace), std::abs(terrace - 1)), 1e-9) << "an event is at a surface";
      const bool at_top = terrace > 0.5;
      if (now[j].level != before[j].level) {
        EXPECT_EQ(now[j].level, before[j].level + (at_top ? 1 : -1));
        mine.run = 0;
        continue;
      }
      ++mine.reflections;
      if (mine.run == 0 || at_top != mine.at_top) {
        mine.run = 0;
        mine.run_start = cube.state.time;
      }
      mine.at_top = at_top;
      if (++mine.run > mine.longest_run) {
        mine.longest_run = mine.run;
        mine.longest_run_start = mine.run_start;
      }
    }
    before = now;
  }
  std::int64_t reflections = 0;
  double sum = 0, terraced = 0;
  for (std::size_t j = 0; j < seen.size(); ++j) {
    EXPECT_GT(seen[j].events, 10);
    EXPECT_EQ(before[j].reflections, seen[j].reflections);
    EXPECT_EQ(before[j].longest_run, seen[j].longest_run);
    EXPECT_EQ(before[j].longest_run_start, seen[j].longest_run_start);
    EXPECT_NEAR(before[j].step_mean, seen[j].sum / static_cast<double>(seen[j].events), 1e-14);
    EXPECT_NEAR(before[j].step_min, seen[j].shortest, 1e-14);
    EXPECT_NEAR(before[j].step_max, seen[j].longest, 1e-14);
    EXPECT_EQ(before[j].energy_step, h);
    EXPECT_LE(before[j].energy_mismatch, 1e-9);
    reflections += seen[j].reflections;
    sum += seen[j].sum;
    terraced += static_cast<double>(before[j].level) * h;
  }
  EXPECT_GT(reflections, 0);
  EXPECT_EQ(cube.integrator.events(), GetParam().events);
  EXPECT_EQ(cube.integrator.reflections(), reflections);
  EXPECT_NEAR(cube.integrator.average_step(), sum / GetParam().events, 1e-14);
  EXPECT_NEAR(*cube.integrator.conserved_potential(), terraced, 1e-15);
  std::printf("%d events, %ld reflections, average step %.4g\n", GetParam().events,
              static_cast<long>(reflections), cube.integrator.average_step());
}

TEST(EventCounters, TheMismatchIsHowFarVIsBeyondItsTerrace) {
  for (const double factor : {1.02, 0.98}) {  // of the displacements: V a few steps too high, or too low
    Cube cube({LocalizationKind::global}, 1e-5);
    for (int event = 0; event < 30; ++event) ASSERT_TRUE(cube.integrator.advance(cube.state, never));
    ASSERT_LE(cube.integrator.subdomain_records()[0].energy_mismatch, 1e-9);
    // The lines are changed so that at the time of the next event, which a twin tells, all positions are
    // `factor` times as far from the origin.
    double next = cube.state.time;
    {
      Cube twin({LocalizationKind::global}, 1e-5);
      for (int event = 0; event < 31; ++event) ASSERT_TRUE(twin.integrator.advance(twin.state, never));
      next = twin.state.time;
    }
    for (std::size_t a = 0; a < cube.state.lines.size(); ++a) {
      NodeLine& line = cube.state.lines[a];
      const Vector3 u = line.displacement_at(next), x = cube.lagrangian.reference[a];
      line.displacement = u + (factor - 1) * (x + u) - (next - line.time) * line.velocity;
    }
    ASSERT_TRUE(cube.integrator.advance(cube.state, never));
    const SubdomainRecord before = cube.integrator.subdomain_records()[0];
    const double terrace = cube.potentials()[0] / before.energy_step - static_cast<double>(before.level);
    cube.integrator.advance(cube.state, cube.state.time);  // looks at the new line
    const SubdomainRecord record = cube.integrator.subdomain_records()[0];
    const double beyond = std::max(terrace - 1, -terrace);
    ASSERT_GT(beyond, 0.05) << "the kick was too small to tell";
    std::printf("kicked by %g: %g energy steps beyond the terrace\n", factor, beyond);
    EXPECT_NEAR(record.energy_mismatch, beyond, 1e-6 * beyond);
  }
}

TEST(EventCounters, EvaluationsAreElementsTimesSamplesAndAFewPerEvent) {
  Cube cube({LocalizationKind::global}, 1e-5);
  constexpr int events = 1000, elements = 192;
  for (int event = 0; event < events; ++event) ASSERT_TRUE(cube.integrator.advance(cube.state, never));
  EXPECT_EQ(cube.integrator.element_evaluations() % elements, 0);
  const double samples = static_cast<double>(cube.integrator.element_evaluations()) / elements / events;
  std::printf("%.2f samples and gradients per event\n", samples);
  EXPECT_GT(samples, 3) << "a line's start, its crossing and the gradient there at least";
  EXPECT_LT(samples, 5.5);
}

TEST(EventCounters, WarnOfStepsFarBeyondTheStableOne) {
  Cube cube({LocalizationKind::global}, 1e-5);
  for (int event = 0; event < 101; ++event) ASSERT_TRUE(cube.integrator.advance(cube.state, never));
  const double average = cube.integrator.average_step();
  const auto told = [&](double stable_step) {
    cube.lagrangian.stable_step = stable_step;
    std::vector<Warning> warnings;
    cube.integrator.describe_trouble(warnings);
    return texts_of(warnings);
  };
  EXPECT_THAT(told(average / 3.99), testing::IsEmpty());
  EXPECT_THAT(told(average / 4.01), testing::ElementsAre(testing::HasSubstr("average step is 4.01 times")));
  EXPECT_THAT(told(0), testing::IsEmpty()) << "none known";
  // Where a single long step makes the average too large, the warning waits for the end of the run.
  const double others = (101 * average - cube.integrator.subdomain_records()[0].step_max) / 100;
  ASSERT_LT(others, average);
  const auto tell = [&](double stable_step) {
    cube.lagrangian.stable_step = stable_step;
    std::vector<Warning> warnings;
    cube.integrator.describe_trouble(warnings);
    return warnings.at(0).tell;
  };
  EXPECT_EQ(tell((0.1 * others + 0.9 * average) / 4), Tell::at_end);
  EXPECT_EQ(tell(0.999 * others / 4), Tell::while_so);
}

TEST(NewmarkStatistics, AreItsSteps) {
  SmallSystem cube(spinning_cube(2));
  Newmark newmark(cube.lagrangian, cube.state, 0.0625);
  EXPECT_EQ(newmark.events(), 0);
  for (int step = 1; step <= 7; ++step) {
    ASSERT_TRUE(newmark.advance(cube.state, never));
    EXPECT_EQ(newmark.events(), step);
    EXPECT_EQ(cube.state.time, 0.0625 * step);
  }
  EXPECT_EQ(newmark.average_step(), 0.0625);
  EXPECT_EQ(newmark.reflections(), 0);
  EXPECT_FALSE(newmark.conserved_potential().has_value());
  EXPECT_THAT(newmark.subdomain_records(), testing::IsEmpty());
}

TEST(NewmarkStatistics, TheWarningNamesTheLeastStableStepSeenEveryTenStepsAndWhen) {
  SmallSystem cube(spinning_cube(2));
  const double step = 0.75 * cube.lagrangian.stable_step;
  Newmark newmark(cube.lagrangian, cube.state, step);
  double least = 1e300, when = 0;
  for (int i = 1; i <= 55; ++i) {
    ASSERT_TRUE(newmark.advance(cube.state, never));
    if (i % 10 != 0) continue;
    std::vector<Vector3> positions;
    for (std::size_t a = 0; a < cube.state.lines.size(); ++a) positions.push_back(cube.position(a));
    const double stable =
        deformed_stable_step(cube.lagrangian.reference, positions,
                             cube.lagrangian.elastic_blocks[0].tetrahedra, cube.model.materials[0]);
    if (stable < least) {
      least = stable;
      when = cube.state.time;
    }
  }
  ASSERT_LT(least, step) << "choose a longer step";
  std::vector<Warning> warnings;
  newmark.describe_trouble(warnings);
  ASSERT_EQ(warnings.size(), 1u);
  double told_step = 0, told_least = 0, told_time = 0;
  ASSERT_EQ(std::sscanf(
                warnings[0].text.c_str(),
                "the time step exceeds what is safe for the deformed elements: %lf, and %lf would be safe at "
                "t = %lf",
                &told_step, &told_least, &told_time),
            3)
      << warnings[0].text;
  EXPECT_NEAR(told_step / step, 1, 1e-3);
  EXPECT_NEAR(told_least / least, 1, 1e-3);
  EXPECT_NEAR(told_time / when, 1, 1e-3);
}

}  // namespace
}  // namespace terrace::event_counters_test
