// Files that appear whole or not at all, and rows that are appended whole.
#include "io/whole_file.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>

#include "parallel/error.hpp"
#include "support/file_size_limit.hpp"
#include "support/scratch_directory.hpp"

namespace terrace::whole_file_test {
namespace {

TEST(WholeFile, HoldsExactlyWhatWasWritten) {
  const ScratchDirectory scratch;
  const std::string contents("a\0b\n\xff", 5);
  write_whole_file(scratch.path() / "f", contents);
  EXPECT_EQ(read_whole_file(scratch.path() / "f"), contents);
  EXPECT_EQ(leftovers(scratch.path()), 0);
}

TEST(WholeFile, ReplacesALongerFileWholly) {
  const ScratchDirectory scratch;
  write_whole_file(scratch.path() / "f", std::string(1000, 'x'));
  write_whole_file(scratch.path() / "f", "y");
  EXPECT_EQ(read_whole_file(scratch.path() / "f"), "y");
}

TEST(WholeFile, AFullDiskIsAnErrorThatNamesTheFileAndKeepsTheOldOne) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "history.csv";
  write_whole_file(path, "old");
  {
    const FileSizeLimit limit(4096);
    try {
      write_whole_file(path, std::string(10000, 'x'));
      FAIL() << "10000 bytes were written to a disk with room for 4096";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::run);
      EXPECT_THAT(error.what(), testing::HasSubstr("history.csv"));
    }
  }
  EXPECT_EQ(read_whole_file(path), "old");
  EXPECT_EQ(leftovers(scratch.path()), 0);
}

TEST(WholeFile, NoSpaceLeftIsNamedAsTheReason) {
  const ScratchDirectory scratch;
  // The file written aside is the device that is always full.
  std::filesystem::create_symlink("/dev/full", aside(scratch.path() / "f"));
  try {
    write_whole_file(scratch.path() / "f", "x");
    FAIL() << "a byte was written to /dev/full";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("No space left on device"));
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "f"));
}

TEST(WholeFile, AMissingDirectoryIsAnErrorOfTheRun) {
  const ScratchDirectory scratch;
  EXPECT_THROW(write_whole_file(scratch.path() / "nowhere" / "f", "x"), Error);
  EXPECT_THROW(read_whole_file(scratch.path() / "f"), Error);
}

TEST(AppendToFile, LeavesAFileOfAnotherLengthToItsWriter) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "history.csv";
  append_to_file(path, 0, "time\n");
  append_to_file(path, 5, "0\n");
  for (const std::uint64_t length : {0U, 5U, 9U}) {
    try {
      append_to_file(path, length, "1\n");
      FAIL() << "rows of two runs in one table";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::run);
      EXPECT_THAT(error.what(), testing::HasSubstr("history.csv: expected the " + std::to_string(length) +
                                                   " bytes written so far, found 7"));
    }
    EXPECT_EQ(read_whole_file(path), "time\n0\n");
  }
}

TEST(AppendToFile, TakesBackARowThatDoesNotFit) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "history.csv";
  const std::string rows(4000, 'x');
  append_to_file(path, 0, rows);
  {
    const FileSizeLimit limit(4096);
    EXPECT_THROW(append_to_file(path, 4000, std::string(1000, 'y')), Error);
  }
  EXPECT_EQ(read_whole_file(path), rows);
  append_to_file(path, 4000, "z");
  EXPECT_EQ(read_whole_file(path), rows + "z");
}

}  // namespace
}  // namespace terrace::whole_file_test
