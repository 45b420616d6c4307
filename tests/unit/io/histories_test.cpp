// Tables of a run: every number under its name and to the last bit, whole rows only, and rows that go on
// after a restart.
#include "io/histories.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "io/whole_file.hpp"
#include "parallel/error.hpp"
#include "support/scratch_directory.hpp"

namespace terrace::histories_test {
namespace {

std::vector<std::vector<std::string>> read_table(const std::filesystem::path& path) {
  std::istringstream lines(read_whole_file(path));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

SystemRecord record_at(double time) {
  SystemRecord record;
  record.time = time;
  record.kinetic = 0.1;
  record.momentum = {1.0 / 3, -1e-300, std::nextafter(1.0, 2.0)};
  record.events = 9007199254740993;  // not a double
  return record;
}

TEST(Histories, EveryNumberComesBackToTheLastBit) {
  const ScratchDirectory scratch;
  Histories histories(scratch.path());
  histories.add(record_at(M_PI));
  histories.flush();

  const auto rows = read_table(scratch.path() / "history.csv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[0],
              testing::ElementsAre("time", "kinetic", "potential", "terraced", "energy", "momentum_x",
                                   "momentum_y", "momentum_z", "angular_momentum_x", "angular_momentum_y",
                                   "angular_momentum_z", "support_work", "events"));
  const auto number = [&](std::size_t column) { return std::strtod(rows[1].at(column).c_str(), nullptr); };
  EXPECT_EQ(number(0), M_PI);
  EXPECT_EQ(number(1), 0.1);
  EXPECT_EQ(number(5), 1.0 / 3);
  EXPECT_EQ(number(6), -1e-300);
  EXPECT_EQ(number(7), std::nextafter(1.0, 2.0));
  EXPECT_EQ(rows[1].back(), "9007199254740993");
}

TEST(Histories, ProbesHaveARowEachWithEveryRowOfTheSystem) {
  const ScratchDirectory scratch;
  const std::vector<ProbeRecord> probes = {{"tip", 7, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
                                           {"foot", 12, {-1, 0, 1}, {0, 0, 0}, {0, 0, 0}}};
  {
    Histories histories(scratch.path(), {.probes = true});
    for (const double time : {0.0, 0.5, 1.0}) {
      histories.add(record_at(time), probes);
      histories.add(time, {BodyRecord{}});
    }
    histories.flush();
  }
  const auto rows = read_table(scratch.path() / "probes.csv");
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_THAT(rows[0], testing::ElementsAre("time", "probe", "node", "position_x", "position_y", "position_z",
                                            "displacement_x", "displacement_y", "displacement_z",
                                            "velocity_x", "velocity_y", "velocity_z"));
  EXPECT_THAT(rows[3], testing::ElementsAre("0.5", "tip", "7", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
  EXPECT_THAT(rows[6], testing::ElementsAre("1", "foot", "12", "-1", "0", "1", "0", "0", "0", "0", "0", "0"));

  Histories goes_on(scratch.path(), {.probes = true});
  goes_on.resume(0.5, 0.5);
  goes_on.add(record_at(0.75), probes);
  goes_on.flush();
  const auto later = read_table(scratch.path() / "probes.csv");
  ASSERT_EQ(later.size(), 7U);
  EXPECT_EQ(later[4][0], "0.5");
  EXPECT_EQ(later[5][0], "0.75");
}

/// A table of a header and one row as (column, text) pairs.
using Row = std::vector<std::pair<std::string, std::string>>;
Row row_of(const std::filesystem::path& path) {
  const auto rows = read_table(path);
  EXPECT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(0).size(), rows.at(1).size());
  Row row;
  for (std::size_t k = 0; k < rows[0].size(); ++k) row.emplace_back(rows[0][k], rows[1].at(k));
  return row;
}

TEST(Histories, EveryNumberOfTheSystemStandsUnderItsName) {
  const ScratchDirectory scratch;
  Histories histories(scratch.path());
  histories.add(SystemRecord{1, 2, 3, 4, 5, 13, {6, 7, 8}, {9, 10, 11}, 12});
  histories.flush();
  EXPECT_EQ(row_of(scratch.path() / "history.csv"), (Row{{"time", "1"},
                                                         {"kinetic", "2"},
                                                         {"potential", "3"},
                                                         {"terraced", "4"},
                                                         {"energy", "5"},
                                                         {"momentum_x", "6"},
                                                         {"momentum_y", "7"},
                                                         {"momentum_z", "8"},
                                                         {"angular_momentum_x", "9"},
                                                         {"angular_momentum_y", "10"},
                                                         {"angular_momentum_z", "11"},
                                                         {"support_work", "13"},
                                                         {"events", "12"}}));
}

TEST(Histories, EveryNumberOfABodyStandsUnderItsName) {
  const ScratchDirectory scratch;
  Histories histories(scratch.path());
  BodyRecord body;
  body.name = "ball";
  body.momentum = {1, 2, 3};
  body.velocity = {4, 5, 6};
  body.position = {7, 8, 9};
  body.spin = {10, 11, 12};
  body.kinetic = 13;
  body.vibrational_kinetic = 14;
  body.potential = 15;
  body.element_scale_kinetic = 16;
  body.contact_force = {17, 18, 19};
  histories.add(0.5, {body});
  histories.flush();
  Row row = row_of(scratch.path() / "bodies.csv");
  std::sort(row.begin(), row.end());
  Row expected = {{"time", "0.5"},           {"body", "ball"},
                  {"momentum_x", "1"},       {"momentum_y", "2"},
                  {"momentum_z", "3"},       {"velocity_x", "4"},
                  {"velocity_y", "5"},       {"velocity_z", "6"},
                  {"position_x", "7"},       {"position_y", "8"},
                  {"position_z", "9"},       {"spin_x", "10"},
                  {"spin_y", "11"},          {"spin_z", "12"},
                  {"kinetic", "13"},         {"vibrational_kinetic", "14"},
                  {"potential", "15"},       {"element_scale_kinetic", "16"},
                  {"contact_force_x", "17"}, {"contact_force_y", "18"},
                  {"contact_force_z", "19"}};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(row, expected);
}

TEST(Histories, EveryBodyHasARowAndEveryRowEveryColumn) {
  const ScratchDirectory scratch;
  Histories histories(scratch.path());
  BodyRecord body;
  body.name = "ball-1";
  body.contact_force = {0, 0, -7};
  BodyRecord wall;
  wall.name = "floor \"north\"";
  for (const double time : {0.0, 1.0}) histories.add(time, {body, wall});
  histories.flush();

  const auto rows = read_table(scratch.path() / "bodies.csv");
  ASSERT_EQ(rows.size(), 5U);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(rows[0].back(), "contact_force_z");
  EXPECT_EQ(rows[3][1], "ball-1");
  EXPECT_EQ(rows[3].back(), "-7");
  EXPECT_EQ(rows[2][1], "\"floor \"\"north\"\"\"") << "quoted as spreadsheets expect";
}

TEST(Histories, CanBeWatchedWhileTheRunGoesOn) {
  const ScratchDirectory scratch;
  Histories histories(scratch.path());
  histories.add(record_at(0));
  histories.flush_if_due();
  EXPECT_EQ(read_table(scratch.path() / "history.csv").size(), 2U) << "the first row shows at once";
  histories.add(record_at(1));
  histories.flush_if_due();
  EXPECT_EQ(read_table(scratch.path() / "history.csv").size(), 2U) << "but not every row costs a file";
  histories.flush();
  EXPECT_EQ(read_table(scratch.path() / "history.csv").size(), 3U);
  EXPECT_EQ(leftovers(scratch.path()), 0);
}

TEST(Histories, ResumingKeepsTheRowsUpToTheRestart) {
  const ScratchDirectory scratch;
  Histories first(scratch.path());
  for (const double time : {0.0, 0.1, 0.2, 0.3}) {
    first.add(record_at(time));
    first.add(time, {BodyRecord{}});
  }
  first.flush();

  Histories second(scratch.path());
  second.resume(0.2, 0.1);
  second.add(record_at(0.25));
  second.flush();
  const auto rows = read_table(scratch.path() / "history.csv");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[3][0], "0.2");
  EXPECT_EQ(rows[4][0], "0.25");
  EXPECT_EQ(read_table(scratch.path() / "bodies.csv").size(), 3U) << "with an interval of their own";
  try {
    second.resume(0.15, 0.1);
    FAIL() << "a row is lost";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("history.csv: expected a row at time 0.15, found none"));
  }
}

TEST(Histories, ManyRowsDoNotWaitInMemory) {
  const ScratchDirectory scratch;
  Histories histories(scratch.path());
  const std::vector<BodyRecord> bodies(10000);
  for (int row = 0; row < 20; ++row) histories.add(row, bodies);
  EXPECT_GT(std::filesystem::file_size(scratch.path() / "bodies.csv"), 4U << 20);
  histories.flush();
  EXPECT_EQ(read_table(scratch.path() / "bodies.csv").size(), 200001U);
}

TEST(GrowingTable, GoesOnAfterTheLastWholeRow) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "table.csv";
  write_whole_file(path, "time,x\n0,1\n0.5,2\n0.5,3\n1,4\n1.5");
  GrowingTable table(path, "time,x\n");
  table.require_row(0.5);
  EXPECT_THROW(table.require_row(0.75), Error);
  EXPECT_EQ(read_whole_file(path), "time,x\n0,1\n0.5,2\n0.5,3\n1,4\n1.5") << "as it was";
  table.resume(0.5);
  EXPECT_EQ(read_whole_file(path), "time,x\n0,1\n0.5,2\n0.5,3\n");
  table.add([](std::string& text) { text += "0.75,5\n"; });
  table.flush();
  EXPECT_EQ(read_whole_file(path), "time,x\n0,1\n0.5,2\n0.5,3\n0.75,5\n");
  write_whole_file(path, "time,x\n0,1\n0.5,2");
  try {
    GrowingTable(path, "time,x\n").resume(0.5);
    FAIL() << "that row is cut off";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("table.csv: expected a row at time 0.5, found none"));
  }
}

TEST(GrowingTable, NothingStaysOfARowThatFails) {
  const ScratchDirectory scratch;
  GrowingTable table(scratch.path() / "table.csv", "time,x\n");
  table.add([](std::string& text) { text += "0,1\n"; });
  const auto fails = [](std::string& text) {
    text += "0.5,";
    throw std::bad_alloc();
  };
  EXPECT_THROW(table.add(fails), std::bad_alloc);
  table.add([](std::string& text) { text += "1,2\n"; });
  table.flush();
  EXPECT_EQ(read_whole_file(scratch.path() / "table.csv"), "time,x\n0,1\n1,2\n");
}

TEST(GrowingTable, WhatCannotBeReadHasNoRowsThatMayBeMissed) {
  const ScratchDirectory scratch;  // opening a directory succeeds
  try {
    GrowingTable(scratch.path(), "time,x\n").resume(0.5);
    FAIL() << "nothing has been read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(": expected a readable file, found Is a directory"));
  }
}

TEST(GrowingTable, NoticesThatItsFileWasShortened) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "table.csv";
  GrowingTable table(path, "time,x\n");
  table.add([](std::string& text) { text += "0,1\n"; });
  table.flush();
  write_whole_file(path, "time\n");
  table.add([](std::string& text) { text += "1,2\n"; });
  try {
    table.flush();
    FAIL() << "rows would follow what nobody wrote";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("table.csv: expected the 11 bytes written so far, found 5"));
  }
  std::filesystem::remove(path);
  EXPECT_THROW(table.flush(), Error);
  EXPECT_FALSE(std::filesystem::exists(path)) << "half a table";
}

TEST(SubdomainTables, EveryNumberStandsUnderItsName) {
  const ScratchDirectory scratch;
  SubdomainRecord subdomain;
  subdomain.name = "ball";
  subdomain.energy_step = 1;
  subdomain.level = -2;
  subdomain.events = 3;
  subdomain.reflections = 4;
  subdomain.longest_run = 5;
  subdomain.longest_run_start = 6;
  subdomain.step_mean = 7;
  subdomain.step_min = 8;
  subdomain.step_max = 9;
  subdomain.energy_mismatch = 10;
  subdomain.histogram[207] = 11;
  write_subdomain_tables(scratch.path(), {subdomain});
  EXPECT_EQ(row_of(scratch.path() / "subdomains.csv"), (Row{{"subdomain", "0"},
                                                            {"name", "ball"},
                                                            {"energy_step", "1"},
                                                            {"level", "-2"},
                                                            {"events", "3"},
                                                            {"reflections", "4"},
                                                            {"longest_run", "5"},
                                                            {"longest_run_start", "6"},
                                                            {"step_mean", "7"},
                                                            {"step_min", "8"},
                                                            {"step_max", "9"},
                                                            {"energy_mismatch", "10"}}));
  const Row bin = row_of(scratch.path() / "steps.csv");
  EXPECT_NEAR(std::strtod(bin.at(2).second.c_str(), nullptr), std::pow(10.0, 0.7), 1e-13);
  EXPECT_NEAR(std::strtod(bin.at(3).second.c_str(), nullptr), std::pow(10.0, 0.8), 1e-13);
  EXPECT_EQ(bin.at(4), (std::pair<std::string, std::string>{"count", "11"}));
}

TEST(SubdomainTables, TheBinOfAStepHoldsIt) {
  const ScratchDirectory scratch;
  SubdomainRecord subdomain;
  subdomain.name = "ball";
  subdomain.events = 5;
  subdomain.histogram[140] = 3;  // 10^−6 …
  subdomain.histogram[149] = 2;  // … 10^−5.1 to 10^−5
  write_subdomain_tables(scratch.path(), {SubdomainRecord{}, subdomain});

  const auto rows = read_table(scratch.path() / "steps.csv");
  ASSERT_EQ(rows.size(), 3U) << "empty bins have no row";
  EXPECT_THAT(rows[1], testing::ElementsAre("1", "ball", testing::_, testing::_, "3"));
  EXPECT_NEAR(std::strtod(rows[1][2].c_str(), nullptr), 1e-6, 1e-18);
  EXPECT_NEAR(std::strtod(rows[2][3].c_str(), nullptr), 1e-5, 1e-17);
  const auto table = read_table(scratch.path() / "subdomains.csv");
  ASSERT_EQ(table.size(), 3U);
  for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size());
}

}  // namespace
}  // namespace terrace::histories_test
