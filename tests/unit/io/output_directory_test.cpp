// Output directories: which of them a run may use, what it removes in them, and the lock while it writes.
#include "io/output_directory.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>

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
  fs::create_directories(scratch.path() / "fields");
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
  for (const char* ours :
       {"summary.json", "history.csv", "probes.csv", "bodies.csv.part", "bodies.h5", "subdomains.csv",
        "steps.csv", "trace.csv", "trace_ranks.csv", "trace_operations.csv", "trajectories.vtu", "fields.pvd",
        "restart.h5", "restart-before.h5", "fields/000000.pvtu", "fields/000012_3.vtu", "fields/000013.vtu"})
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

TEST(OutputDirectory, KnowsWhetherThereAreFrames) {
  const ScratchDirectory scratch;
  const fs::path fields = scratch.path() / "fields";
  EXPECT_FALSE(has_frames(scratch.path()));
  fs::create_directory(fields);
  for (const char* name : {"000001_0.vtu.part", "picture.png"}) std::ofstream(fields / name) << "x";
  EXPECT_FALSE(has_frames(scratch.path()));
  std::ofstream(fields / "000001.vtu") << "x";
  EXPECT_TRUE(has_frames(scratch.path()));
  fs::remove_all(fields);
  fs::create_symlink("fields", fields);
  try {
    static_cast<void>(has_frames(scratch.path()));
    FAIL() << "nobody knows";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("fields: expected a directory that can be read, found Too many"));
  }
}

TEST(OutputDirectory, IsOneRunsAloneWhileItsLockLives) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / DirectoryLock::file_name;
  const auto refusal = [&](const auto& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::input);
      return error.what();
    }
    return "";
  };
  {
    const DirectoryLock lock = create_output_directory(scratch.path(), false);
    EXPECT_EQ(lock.trouble(), "");
    touch(scratch.path() / "history.csv");
    for (const std::string& said : {refusal([&] { create_output_directory(scratch.path(), true); }),
                                    refusal([&] { DirectoryLock again(scratch.path()); })})
      EXPECT_THAT(said, testing::StartsWith("output directory " + scratch.path().string() +
                                            ": expected one that no other run writes to, found one in use by "
                                            "process " +
                                            std::to_string(::getpid()) + " on "));
    EXPECT_TRUE(fs::exists(scratch.path() / "history.csv")) << "removed beside a run that writes it";
    EXPECT_TRUE(fs::exists(file));
    fs::resize_file(file, 0);
    EXPECT_THAT(refusal([&] { DirectoryLock::require_none(scratch.path()); }),
                testing::EndsWith("found one in use by another run"));
  }
  EXPECT_FALSE(fs::exists(file));
  EXPECT_EQ(refusal([&] { DirectoryLock again(scratch.path()); }), "");
}

TEST(OutputDirectory, TheLockOfARunThatWasKilledMeansNothing) {
  const ScratchDirectory scratch;
  std::ofstream(scratch.path() / DirectoryLock::file_name) << "process 7 on another since long ago\n";
  const DirectoryLock lock = create_output_directory(scratch.path(), false);
  EXPECT_EQ(lock.trouble(), "");
}

TEST(OutputDirectory, FilesOfTheLocksNameThatAreNotItsOwnStayAsTheyAre) {
  const ScratchDirectory scratch;
  const fs::path own = scratch.path() / "own", linked = scratch.path() / "linked",
                 victim = scratch.path() / "victim";
  for (const fs::path& directory : {own, linked}) fs::create_directory(directory);
  for (const fs::path& file : {own / DirectoryLock::file_name, victim}) std::ofstream(file) << "precious";
  fs::create_symlink(victim, linked / DirectoryLock::file_name);
  for (const fs::path& directory : {own, linked}) {
    EXPECT_THROW(create_output_directory(directory, false), Error) << "not empty";
    EXPECT_NE(create_output_directory(directory, true).trouble(), "");
    std::string word;
    std::ifstream(directory / DirectoryLock::file_name) >> word;
    EXPECT_EQ(word, "precious");
  }
}

TEST(OutputDirectory, OfWhichTheFileOfTheLockMayNotBeWrittenIsInUseAllTheSame) {
  const ScratchDirectory scratch;
  const DirectoryLock lock = create_output_directory(scratch.path(), false);
  fs::permissions(scratch.path() / DirectoryLock::file_name, fs::perms::owner_read);
  EXPECT_THROW(DirectoryLock::require_none(scratch.path()), Error);
  EXPECT_NO_THROW(DirectoryLock::require_none(scratch.path() / "another"));
}

TEST(OutputDirectory, TheLockMovesWithItsOwner) {
  const ScratchDirectory scratch;
  DirectoryLock owner, first(scratch.path());
  owner = std::move(first);
  EXPECT_THROW(DirectoryLock second(scratch.path()), Error);
  owner = {};
  EXPECT_NO_THROW(DirectoryLock second(scratch.path()));
}

TEST(OutputDirectory, WhereNoFileCanBeMadeTheLockSaysWhy) {
  const ScratchDirectory scratch;
  EXPECT_EQ(DirectoryLock(scratch.path() / "nowhere").trouble(), "No such file or directory");
}

TEST(OutputDirectory, LookingWhetherItIsFreeChangesNothing) {
  const ScratchDirectory scratch;
  require_free_directory(scratch.path() / "new", false);
  EXPECT_FALSE(fs::exists(scratch.path() / "new"));
  touch(scratch.path() / "summary.json");
  EXPECT_THROW(require_free_directory(scratch.path(), false), Error);
  require_free_directory(scratch.path(), true);
  EXPECT_TRUE(fs::exists(scratch.path() / "summary.json"));
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
