#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/summary.hpp"
#include "io/whole_file.hpp"
#include "io_scratch_directory.hpp"

namespace terrace {
namespace {

nlohmann::json written(const Summary& summary) {
  const ScratchDirectory scratch;
  write_summary(scratch.path(), summary);
  EXPECT_EQ(leftovers(scratch.path()), 0);
  return nlohmann::json::parse(read_whole_file(scratch.path() / "summary.json"));
}

TEST(Summary, HasEveryKeyTheContractNames) {
  const nlohmann::json summary = written({});
  for (const char* key :
       {"version", "title", "deck", "ranks", "layout", "events", "reflections", "average_step", "energy_drift",
        "momentum_change", "angular_momentum_drift", "collectives_per_event", "element_evaluations",
        "wall_seconds", "wall_seconds_by_phase", "monitors", "state_hash", "warnings", "final_time",
        "status"})
    EXPECT_TRUE(summary.contains(key)) << key;
}

TEST(Summary, NumbersComeBackToTheLastBit) {
  Summary summary;
  summary.energy_drift = 1.0 / 3;
  summary.average_step = std::nextafter(1e-7, 1.0);
  summary.element_evaluations = 9007199254740993;
  summary.wall_seconds_by_phase["gradient"] = 0.1;
  const nlohmann::json read = written(summary);
  EXPECT_EQ(read["energy_drift"].get<double>(), 1.0 / 3);
  EXPECT_EQ(read["average_step"].get<double>(), std::nextafter(1e-7, 1.0));
  EXPECT_EQ(read["element_evaluations"].get<std::int64_t>(), 9007199254740993);
  EXPECT_EQ(read["wall_seconds_by_phase"]["gradient"].get<double>(), 0.1);
}

TEST(Summary, TheMomentumChangeIsTheLargestAxisWithoutItsSign) {
  Summary summary;
  EXPECT_EQ(written(summary)["momentum_change"].get<std::uint64_t>(), 0U);
  summary.momentum_change = {3, -5, 0};
  EXPECT_EQ(written(summary)["momentum_change"].get<std::uint64_t>(), 5U);
  summary.momentum_change[2] = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(written(summary)["momentum_change"].get<std::uint64_t>(), std::uint64_t{1} << 63);
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
}  // namespace terrace
