// The text of an error, and whether all ranks know of it.
#include "parallel/error.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace terrace::error_test {
namespace {

TEST(Error, SaysWhereAndWhatWasExpectedAndFound) {
  using enum Error::Kind;
  EXPECT_EQ(std::string(Error(input, "deck.toml:3", "a number", "a word").what()),
            "deck.toml:3: expected a number, found a word");
  EXPECT_EQ(std::string(Error(run, "", "room on the disk", "").what()), "expected room on the disk");
  EXPECT_EQ(Error(input, "", "", "").exit_status(), 2);
  EXPECT_EQ(Error(run, "", "", "").exit_status(), 1);
  EXPECT_EQ(at_time(1.25e-9), "time 1.25e-09");
}

// All ranks check the same input, so all throw its errors. An error of the run may be met by one rank alone.
TEST(Error, OfTheInputIsKnownToAllOfARunToOneUnlessItIsSaid) {
  using enum Error::Kind;
  EXPECT_TRUE(is_known_to_all(Error(input, "a", "b", "c")));
  EXPECT_FALSE(is_known_to_all(Error(run, "a", "b", "c")));
  EXPECT_TRUE(is_known_to_all(Error(run, "a", "b", "c", Error::Reach::all_ranks)));
  EXPECT_FALSE(is_known_to_all(std::runtime_error("of a library")));
}

}  // namespace
}  // namespace terrace::error_test
