// summary.json: every member under its name, numbers to the last bit, valid JSON in any case.
#include "io/summary.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/whole_file.hpp"
#include "support/scratch_directory.hpp"

namespace terrace::summary_test {
namespace {

nlohmann::json written(const Summary& summary) {
  const ScratchDirectory scratch;
  write_summary(scratch.path(), summary);
  EXPECT_EQ(leftovers(scratch.path()), 0);
  return nlohmann::json::parse(read_whole_file(scratch.path() / "summary.json"));
}

TEST(Summary, HasEveryKeyTheContractNames) {
  const nlohmann::json summary = written({});
  for (const char* key : {"version",
                          "title",
                          "deck",
                          "petsc_options",
                          "ranks",
                          "layout",
                          "events",
                          "reflections",
                          "average_step",
                          "energy_drift",
                          "momentum_change",
                          "angular_momentum_drift",
                          "collectives_per_event",
                          "exchanges_per_event",
                          "element_evaluations",
                          "gradient_evaluations",
                          "searches",
                          "contact_lists",
                          "wall_seconds",
                          "wall_seconds_by_phase",
                          "monitors",
                          "windows",
                          "concurrency",
                          "balance",
                          "steps",
                          "wall_seconds_by_part",
                          "state_hash",
                          "mesh_hash",
                          "simd",
                          "warnings",
                          "final_time",
                          "status"})
    EXPECT_TRUE(summary.contains(key)) << key;
}

TEST(Summary, EveryMemberStandsUnderItsName) {
  Summary summary;
  summary.version = "a";
  summary.deck = "b";
  summary.petsc_options = "k";
  summary.status = "c";
  summary.layout = "d";
  summary.state_hash = "e";
  summary.end_time = 1;
  summary.final_time = 2;
  summary.ranks = 3;
  summary.events = 4;
  summary.reflections = 5;
  summary.average_step = 6;
  summary.energy_drift = 7;
  summary.momentum_change = {8, -10, 9};
  summary.angular_momentum_drift = 11;
  summary.collectives_per_event = 12;
  summary.exchanges_per_event = 46;
  summary.element_evaluations = 13;
  summary.gradient_evaluations = 24;
  summary.searches = 25;
  summary.contact_lists = 26;
  summary.title = "h";
  summary.simd = "i";
  summary.mesh_hash = "j";
  summary.wall_seconds = 14;
  summary.wall_seconds_by_phase = {{"mesh", 15}, {"output", 16}};
  summary.monitors = {17, 18, 19, 20, 96, 21, 22, 23, 31, 32};
  summary.windows = WindowRecord{41, 42, 43, 44, 45, 94, 95, 97, 99};
  summary.concurrency = ConcurrencyRecord{46, 92, 47, 23, 96, 48};
  summary.balance = BalanceRecord{false, 27, 28, 98, 29, 30};
  summary.steps = StepRecord{33, 34, 35, 36, 37, 38, 39};
  summary.wall_seconds_by_part = {{"forces", 40}};
  summary.warnings = {"f", "g"};
  const nlohmann::json expected = {{"version", "a"},
                                   {"deck", "b"},
                                   {"petsc_options", "k"},
                                   {"status", "c"},
                                   {"layout", "d"},
                                   {"state_hash", "e"},
                                   {"end_time", 1.0},
                                   {"final_time", 2.0},
                                   {"ranks", 3},
                                   {"events", 4},
                                   {"reflections", 5},
                                   {"average_step", 6.0},
                                   {"energy_drift", 7.0},
                                   {"momentum_change", 10},
                                   {"momentum_change_by_axis", {8, -10, 9}},
                                   {"angular_momentum_drift", 11.0},
                                   {"collectives_per_event", 12.0},
                                   {"exchanges_per_event", 46.0},
                                   {"element_evaluations", 13},
                                   {"gradient_evaluations", 24},
                                   {"searches", 25},
                                   {"contact_lists", 26},
                                   {"title", "h"},
                                   {"simd", "i"},
                                   {"mesh_hash", "j"},
                                   {"wall_seconds", 14.0},
                                   {"wall_seconds_by_phase", {{"mesh", 15.0}, {"output", 16.0}}},
                                   {"monitors",
                                    {{"share_of_reflections", 17.0},
                                     {"longest_run", 18},
                                     {"step_over_stable_step", 19.0},
                                     {"element_scale_energy", 20.0},
                                     {"potential_mismatch", 96.0},
                                     {"largest_energy_mismatch", 21.0},
                                     {"least_distance", 22.0},
                                     {"deepest_penetration", 23.0},
                                     {"widest_contact", 31.0},
                                     {"largest_shift", 32.0}}},
                                   {"windows",
                                    {{"windows", 41},
                                     {"cut_windows", 42},
                                     {"moved_bodies", 43},
                                     {"clusters", 44.0},
                                     {"balance", 45.0},
                                     {"teams", 94.0},
                                     {"team_events", 95},
                                     {"team_collectives", 97},
                                     {"helped_clusters", 99}}},
                                   {"concurrency",
                                    {{"rounds", 46},
                                     {"events", 92},
                                     {"events_per_round", 2.0},
                                     {"undone_events", 47},
                                     {"longest_chain", 23},
                                     {"events_per_round_at_best", 4.0},
                                     {"work_at_once", 2.0}}},
                                   {"balance",
                                    {{"follows_potential", false},
                                     {"largest_debt", 27.0},
                                     {"largest_imbalance", 28.0},
                                     {"largest_unpaid_debt", 98.0},
                                     {"clipped_kicks", 29},
                                     {"shortened_steps", 30}}},
                                   {"steps",
                                    {{"newton_iterations", 33},
                                     {"most_newton_iterations", 34},
                                     {"linear_iterations", 35},
                                     {"halved_steps", 36},
                                     {"unsolved_steps", 37},
                                     {"shortest", 38.0},
                                     {"longest", 39.0}}},
                                   {"wall_seconds_by_part", {{"forces", 40.0}}},
                                   {"warnings", {"f", "g"}}};
  EXPECT_EQ(written(summary), expected);
}

TEST(Summary, WhatHasNoMeaningIsNull) {
  Summary summary;
  EXPECT_TRUE(written(summary)["monitors"]["element_scale_energy"].is_number());
  EXPECT_TRUE(written(summary)["angular_momentum_drift"].is_number());
  summary.monitors.element_scale_energy.reset();
  summary.angular_momentum_drift.reset();
  EXPECT_TRUE(written(summary)["angular_momentum_drift"].is_null());
  EXPECT_TRUE(written(summary)["monitors"]["element_scale_energy"].is_null());
}

TEST(Summary, NumbersComeBackToTheLastBit) {
  Summary summary;
  summary.energy_drift = 1.0 / 3;
  summary.average_step = std::nextafter(1e-7, 1.0);
  summary.element_evaluations = 9007199254740993;
  summary.gradient_evaluations = 9007199254740995;
  summary.searches = 9007199254740997;
  summary.contact_lists = 9007199254740999;
  summary.wall_seconds_by_phase["gradient"] = 0.1;
  const nlohmann::json read = written(summary);
  EXPECT_EQ(read["energy_drift"].get<double>(), 1.0 / 3);
  EXPECT_EQ(read["average_step"].get<double>(), std::nextafter(1e-7, 1.0));
  EXPECT_EQ(read["element_evaluations"].get<std::int64_t>(), 9007199254740993);
  EXPECT_EQ(read["gradient_evaluations"].get<std::int64_t>(), 9007199254740995);
  EXPECT_EQ(read["searches"].get<std::int64_t>(), 9007199254740997);
  EXPECT_EQ(read["contact_lists"].get<std::int64_t>(), 9007199254740999);
  EXPECT_EQ(read["wall_seconds_by_phase"]["gradient"].get<double>(), 0.1);
}

TEST(Summary, TheMomentumChangeIsTheLargestAxisWithoutItsSign) {
  Summary summary;
  EXPECT_EQ(written(summary)["momentum_change"].get<std::uint64_t>(), 0U);
  summary.momentum_change = {3, -5, 0};
  EXPECT_EQ(written(summary)["momentum_change"].get<std::uint64_t>(), 5U);
  constexpr std::int64_t beyond = std::int64_t{1} << 62;
  summary.momentum_change = {1 - beyond, 0, 7};
  EXPECT_EQ(written(summary)["momentum_change"].get<std::int64_t>(), beyond - 1);
  EXPECT_EQ(written(summary)["momentum_change_by_axis"], nlohmann::json({1 - beyond, 0, 7}));
  // ±2^62, where Drifts cuts a change off, is no number of quanta.
  for (const std::int64_t much : {beyond, -beyond, std::numeric_limits<std::int64_t>::min()}) {
    summary.momentum_change = {3, much, 0};
    EXPECT_TRUE(written(summary)["momentum_change"].is_null()) << much;
    EXPECT_EQ(written(summary)["momentum_change_by_axis"], nlohmann::json({3, nullptr, 0})) << much;
  }
}

TEST(Summary, IsValidJsonWhateverTheDeckAndTheNumbersHold) {
  Summary summary;
  summary.deck = "title = \"\xff quote \\\" and\nnewline\"";
  summary.energy_drift = std::nan("");
  const nlohmann::json read = written(summary);
  EXPECT_TRUE(read["energy_drift"].is_null());
  EXPECT_THAT(read["deck"].get<std::string>(), testing::HasSubstr("and\nnewline"));
}

}  // namespace
}  // namespace terrace::summary_test
