#include "io/output_directory.hpp"

#include <gmock/gmock.h>

#include "parallel/error.hpp"
#include "support/scratch_directory.hpp"

namespace terrace::output_directory_test {
namespace {

namespace fs = std::filesystem;

TEST(OutputDirectory, IsMadeWithTheDirectoriesAboveIt) {
  const ScratchDirectory scratch;
  create_output_directory(scratch.path() / "a" / "b", false);
  EXPECT_TRUE(fs::is_directory(scratch.path() / "a" / "b"));
  EXPECT_NO_THROW(create_output_directory(scratch.path() / "a" / "b", false)) << "empty, hence free";
}

TEST(OutputDirectory, AnEmptyDirectoryOfFieldsIsNothing) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch.path() / "fields");
  EXPECT_NO_THROW(create_output_directory(scratch.path(), false));
  touch(scratch.path() / "fields" / "000000.pvtu");
  EXPECT_THROW(create_output_directory(scratch.path(), false), Error);
}

TEST(OutputDirectory, AnothersIsRefusedAndTheMessageSaysHowToAllowIt) {
  const ScratchDirectory scratch;
  touch(scratch.path() / "summary.json");
  try {
    create_output_directory(scratch.path(), false);
    FAIL() << "an earlier run's directory was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_THAT(error.what(), testing::HasSubstr("overwrite"));
  }
  EXPECT_TRUE(fs::exists(scratch.path() / "summary.json"));
}

TEST(OutputDirectory, OverwritingRemovesWhatTerraceWroteAndNothingElse) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch.path() / "fields");
  fs::create_directory(scratch.path() / "steps.csv.d");
  for (const char* ours : {"summary.json", "history.csv", "bodies.csv.part", "fields.pvd", "restart.h5",
                           "restart-before.h5", "fields/000000.pvtu", "fields/000012_3.vtu"})
    touch(scratch.path() / ours);
  for (const char* theirs :
       {"notes.txt", "my_history.csv", "fields/scene.pvsm", "deck.toml", "restart_previous.h5"})
    touch(scratch.path() / theirs);

  create_output_directory(scratch.path(), true);

  std::vector<std::string> left;
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path()))
    left.push_back(fs::relative(entry.path(), scratch.path()).string());
  EXPECT_THAT(left,
              testing::UnorderedElementsAre("notes.txt", "my_history.csv", "fields", "fields/scene.pvsm",
                                            "deck.toml", "steps.csv.d", "restart_previous.h5"));
}

TEST(OutputDirectory, NothingIsRemovedWhereALinkLeads) {
  const ScratchDirectory scratch, elsewhere;
  touch(elsewhere.path() / "000000.pvtu");
  touch(scratch.path() / "summary.json");
  fs::create_directory_symlink(elsewhere.path(), scratch.path() / "fields");
  try {
    create_output_directory(scratch.path(), true);
    FAIL() << "another directory's frames were removed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_THAT(error.what(), testing::HasSubstr(
                                  "expected a directory \"fields\" of its own in it, found a symbolic link"));
  }
  EXPECT_TRUE(fs::exists(elsewhere.path() / "000000.pvtu"));
  EXPECT_TRUE(fs::exists(scratch.path() / "summary.json"));
}

TEST(OutputDirectory, GoingOnRemovesWhatThePartBeforeWroteAtItsEndAndLaterFrames) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch.path() / "fields");
  for (const char* name :
       {"trace.csv", "trace_ranks.csv", "trace_operations.csv", "history.csv.part", "fields/000002.pvtu",
        "summary.json", "subdomains.csv", "steps.csv", "trajectories.vtu", "history.csv", "restart.h5",
        "tracer.csv", "fields/000001.pvtu"})
    touch(scratch.path() / name);

  remove_unfinished(scratch.path(), 2);

  std::vector<std::string> left;
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path()))
    left.push_back(fs::relative(entry.path(), scratch.path()).string());
  EXPECT_THAT(left, testing::UnorderedElementsAre("trajectories.vtu", "history.csv", "restart.h5",
                                                  "tracer.csv", "fields", "fields/000001.pvtu"));
}

TEST(OutputDirectory, AFileInItsPlaceIsRefusedEvenWhenOverwriting) {
  const ScratchDirectory scratch;
  touch(scratch.path() / "f");
  EXPECT_THROW(create_output_directory(scratch.path() / "f", true), Error);
  EXPECT_THROW(create_output_directory(scratch.path() / "f" / "below", true), Error);
}

TEST(OutputDirectory, ALinkToNothingIsRefused) {
  const ScratchDirectory scratch;
  fs::create_symlink(scratch.path() / "absent", scratch.path() / "link");
  try {
    create_output_directory(scratch.path() / "link", true);
    FAIL() << "a link to nothing was accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("expected a directory or nothing, found a symbolic link to nothing"));
  }
}

}  // namespace
}  // namespace terrace::output_directory_test
