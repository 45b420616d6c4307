// Each warning of a run appears beyond its limit and not below it. Its subject stays the same when its
// numbers change.
#include "dynamics/measuring/advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/still_integrator.hpp"
#include "support/warning_texts.hpp"

namespace terrace::advice_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A run that began with a kinetic energy of 100, which is also the total energy.
struct Monitored {
  Monitored() {
    system.subdomains.resize(2);
    system.subdomains[0].name = "left";
    system.subdomains[1].name = "right";
    SystemRecord first;
    first.kinetic = first.energy = 100;
    drifts.start(first, {}, 1);
  }
  [[nodiscard]] std::vector<Warning> warnings() const {
    return advice(system, integrator, terraces, drifts, vibration, extremes);
  }
  void drift_to(double energy) {
    SystemRecord row;
    row.energy = energy;
    drifts.add(row, {});
  }
  Lagrangian system;
  StillIntegrator integrator;
  bool terraces = true;
  Drifts drifts;
  Vibration vibration;
  ContactExtremes extremes;
};

TEST(Advice, IsNotNeededWhereNothingIsWrong) { EXPECT_THAT(Monitored().warnings(), IsEmpty()); }

TEST(Advice, OfEnergyStepsAboveATenthOfTheKineticEnergy) {
  Monitored run;
  run.system.subdomains[0].energy_step = 10;
  run.system.subdomains[1].energy_step = 10.1;
  EXPECT_THAT(texts_of(run.warnings()), ElementsAre(HasSubstr("subdomain right has the energy step 10.1")));
  run.system.subdomains[0].energy_step = 11;
  EXPECT_THAT(texts_of(run.warnings()),
              ElementsAre(AllOf(HasSubstr("has the energy step 11"), HasSubstr("(and 1 more subdomain)"))));
  run.system.subdomains[1].asleep = true;
  EXPECT_THAT(texts_of(run.warnings()), ElementsAre(Not(HasSubstr("more subdomain"))));
  run.system.subdomains[0].impenetrable = true;
  EXPECT_THAT(run.warnings(), IsEmpty());
  run.system.subdomains[1].asleep = false;
  run.terraces = false;
  EXPECT_THAT(run.warnings(), IsEmpty()) << "no terraces, no steps";
}

TEST(Advice, OfVibrationsThatNoMeshResolves) {
  Monitored run;
  run.vibration = {2, 1};
  EXPECT_THAT(run.warnings(), IsEmpty()) << "2 % with the potential energy";
  run.vibration = {2, 1.5};
  EXPECT_THAT(
      texts_of(run.warnings()),
      ElementsAre(testing::AllOf(HasSubstr("75 % of the vibrational kinetic energy"),
                                 HasSubstr("potential energy 3.0 %"), HasSubstr("or of the energy step"))));
  run.terraces = false;
  EXPECT_THAT(texts_of(run.warnings()), ElementsAre(testing::EndsWith("an artefact of the mesh")));
  run.vibration = {5.1, 1.5};
  EXPECT_THAT(run.warnings(), IsEmpty()) << "less than three tenths of the vibration";
}

TEST(Advice, OfALedgerThatIsNotTheEnergy) {
  Monitored run;
  run.integrator.balanced = BalanceRecord{.follows_potential = false};
  SystemRecord row;
  row.energy = 100;
  row.potential = 51.9;
  row.terraced = 50;
  run.drifts.add(row, {});
  EXPECT_THAT(run.warnings(), IsEmpty()) << "1.9 %";
  row.potential = 47;
  run.drifts.add(row, {});
  EXPECT_THAT(texts_of(run.warnings()), ElementsAre(HasSubstr("K + V, is off by up to 0.03 of it")));
  run.integrator.balanced->follows_potential = true;
  EXPECT_THAT(run.warnings(), IsEmpty()) << "it is made good at the next kicks";
  row.potential = 39;
  row.time = 1;
  run.integrator.step = 0.02;
  run.drifts.add(row, {});
  EXPECT_THAT(run.warnings(), IsEmpty()) << "so it may be in the first steps from rest";
  run.integrator.step = 0.009;
  EXPECT_THAT(texts_of(run.warnings()),
              ElementsAre(HasSubstr("K + Σ U, is off from the energy, K + V, by up to 0.11 of it")));
  run.integrator.balanced.reset();
  EXPECT_THAT(run.warnings(), IsEmpty());
}

TEST(Advice, OfEnergyThatIsOffUnderOneSubject) {
  Monitored run;
  run.drift_to(101.9);
  EXPECT_THAT(run.warnings(), IsEmpty());
  run.drift_to(97);
  const std::vector<Warning> before = run.warnings();
  EXPECT_THAT(texts_of(before), ElementsAre(HasSubstr("off by up to 0.03")));
  run.drift_to(104);
  const std::vector<Warning> after = run.warnings();
  EXPECT_THAT(texts_of(after), ElementsAre(HasSubstr("off by up to 0.04")));
  EXPECT_EQ(before[0].subject, after[0].subject);
}

// From rest under gravity the first rows have next to no energy to divide the drift by. While this scale
// grows by more than 1 % from row to row, the warning waits for the end of the run.
TEST(Advice, OfEnergyIsForTheEndWhileThatGrowsByWhichItIsMeasured) {
  Monitored run;
  run.drifts = Drifts();
  run.drifts.start(SystemRecord{}, {}, 1);
  const auto tell = [&](double kinetic, double change) {
    SystemRecord row;
    row.kinetic = kinetic;
    row.energy = change;
    run.drifts.add(row, {});
    const std::vector<Warning> warnings = run.warnings();
    EXPECT_EQ(warnings.size(), 1U);
    return warnings.at(0).tell;
  };
  EXPECT_EQ(tell(1, -0.03), Tell::at_end);
  EXPECT_EQ(tell(4, -0.2), Tell::at_end);
  EXPECT_EQ(tell(4.01, -0.2), Tell::while_so);
  EXPECT_EQ(tell(3, -0.2), Tell::while_so);
  SystemRecord row;
  row.kinetic = 12;
  run.drifts.add(row, {});
  EXPECT_THAT(run.warnings(), IsEmpty());
}

TEST(Advice, OfPenetration) {
  Monitored run;
  run.extremes.deepest_penetration = 0.125;
  EXPECT_THAT(texts_of(run.warnings()),
              ElementsAre(HasSubstr("a point of a surface is 0.125 behind a face; raise")));
  run.extremes.unfelt_penetration = 0.25;
  EXPECT_THAT(texts_of(run.warnings()),
              ElementsAre(HasSubstr("a point of a surface is 0.25 behind a face, where")));
}

TEST(Advice, OfContactsThatOutgrowOrLeaveTheirPatches) {
  Monitored run;
  run.extremes.widest_contact = 1;
  run.extremes.largest_shift = 0.1;
  EXPECT_THAT(texts_of(run.warnings()), testing::IsEmpty());
  run.extremes.widest_contact = 1.25;
  EXPECT_THAT(texts_of(run.warnings()),
              ElementsAre(HasSubstr("1.25 times as wide as its patch is meant for")));
  run.extremes.largest_shift = 0.5;
  EXPECT_THAT(
      texts_of(run.warnings()),
      ElementsAre(testing::_, HasSubstr("off the middle of its patch by 0.50 of the patch's radius")));
}

TEST(Vibration, OfElementsIsAtMostTheWhole) {
  BodyRecord whole, noise;
  whole.vibrational_kinetic = 4;
  whole.element_scale_kinetic = 1;
  noise.vibrational_kinetic = 2;
  noise.element_scale_kinetic = 3;
  const Vibration all = Vibration::of(std::array{whole, noise});
  EXPECT_EQ(all.kinetic, 6);
  EXPECT_EQ(all.element_scale, 3);
}

}  // namespace
}  // namespace terrace::advice_test
