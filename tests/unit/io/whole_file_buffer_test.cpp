// A stream that writes a whole file: what the file holds after writing back and forth, and a disk that is
// full.
#include "io/whole_file_buffer.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

#include "parallel/error.hpp"
#include "support/file_size_limit.hpp"
#include "support/scratch_directory.hpp"

namespace terrace::whole_file_buffer_test {
namespace {

constexpr unsigned seed = 31;

// Writers go on, back over what they wrote, to the end again, and from within beyond the end.
TEST(WholeFileBuffer, HoldsWhatAStreamInMemoryDoes) {
  const ScratchDirectory scratch;
  std::mt19937 random(seed);
  const auto below = [&](std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most - 1)(random);
  };
  for (const std::size_t longest : {std::size_t{9}, std::size_t{3000}, std::size_t{400'000}}) {
    std::ostringstream expected;
    const auto path = scratch.path() / "f";
    {
      WholeFile file(path);
      WholeFileBuffer buffer(file);
      std::ostream stream(&buffer);
      for (int piece = 0; piece < 200; ++piece) {
        const std::string text(below(longest), static_cast<char>('a' + piece % 26));
        if (piece % 7 == 3) {
          const auto there = static_cast<std::streamoff>(below(expected.str().size() + 1));
          expected.seekp(there);
          stream.seekp(there);
        } else if (piece % 7 == 5) {
          expected.seekp(0, std::ios_base::end);
          stream.seekp(0, std::ios_base::end);
        } else if (piece % 7 == 6) {
          const auto back =
              -static_cast<std::streamoff>(below(static_cast<std::size_t>(expected.tellp()) + 1));
          expected.seekp(back, std::ios_base::cur);
          stream.seekp(back, std::ios_base::cur);
        }
        ASSERT_EQ(stream.tellp(), expected.tellp()) << "seed " << seed << ", piece " << piece;
        expected << text;
        stream << text;
      }
      stream.seekp(static_cast<std::streamoff>(expected.str().size()) + 1);
      EXPECT_TRUE(stream.fail()) << "a place beyond the end";
      stream.clear();
      stream.flush();
      EXPECT_TRUE(stream.good());
      EXPECT_NO_THROW(buffer.rethrow_failure());
      file.commit();
    }
    EXPECT_EQ(read_whole_file(path), expected.str()) << "seed " << seed << ", pieces up to " << longest;
  }
  EXPECT_EQ(leftovers(scratch.path()), 0);
}

TEST(WholeFileBuffer, AFullDiskIsAnErrorAndNothingIsWrittenAnyMore) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "000001.vtu";
  write_whole_file(path, "old");
  {
    const FileSizeLimit limit(4 << 20);
    WholeFile file(path);
    WholeFileBuffer buffer(file);
    std::ostream stream(&buffer);
    for (int piece = 0; piece < 100; ++piece) stream << std::string(100'000, 'x');
    stream.seekp(7);
    stream << "x";
    stream.seekp(0, std::ios_base::end);
    EXPECT_EQ(stream.tellp(), 10'000'000) << "as if all were well";
    stream.flush();
    EXPECT_TRUE(stream.good()) << "VTK crashes where it is not";
    try {
      buffer.rethrow_failure();
      FAIL() << "10,000,000 bytes were written to a disk with room for 4 MB";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::run);
      EXPECT_THAT(error.what(), testing::HasSubstr("000001.vtu: expected to write "));
      EXPECT_THAT(error.what(), testing::HasSubstr("File too large"));
    }
  }
  EXPECT_EQ(read_whole_file(path), "old");
  EXPECT_EQ(leftovers(scratch.path()), 0);
}

}  // namespace
}  // namespace terrace::whole_file_buffer_test
