// Which changes of a deck a run that goes on may make.
#include "io/deck_difference.hpp"

#include <gtest/gtest.h>

#include "parallel/error.hpp"

namespace terrace::deck_difference_test {
namespace {

const std::string deck = R"(title = "first"
[time]
end = 1
[integrator]
method = "newmark"
[[bodies]]
name = "a"
velocity = [1.0, 0, 0]
[[bodies]]
name = "b"
[output]
field_interval = 3
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = deck;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(DeckDifference, NamesTheKey) {
  const auto difference = [](const std::string& from, const std::string& to) {
    EXPECT_EQ(first_difference(deck, with(from, to)), first_difference(with(from, to), deck));
    return first_difference(deck, with(from, to)).value_or("none");
  };
  EXPECT_EQ(difference("[1.0, 0, 0]", "[1.0, 0, 1e-3]"), "bodies.0.velocity.2");
  EXPECT_EQ(difference("name = \"b\"", "name = \"c\""), "bodies.1.name");
  EXPECT_EQ(difference("name = \"b\"", "name = \"b\"\nsize = 1"), "bodies.1.size");
  EXPECT_EQ(difference("\"newmark\"", "\"newmark\"\ntime_step = 1.0"), "integrator.time_step");
  EXPECT_EQ(difference("method = \"newmark\"\n", ""), "integrator.method");
  EXPECT_EQ(difference("[[bodies]]\nname = \"b\"", ""), "bodies.1.name");
}

TEST(DeckDifference, IsNoneWhereARunMayChange) {
  for (const auto& [from, to] : {std::pair{"\"first\"", "\"second\""},
                                 {"end = 1", "end = 2\nevents = 7"},
                                 {"field_interval = 3", "directory = \"x\""},
                                 {"[output]", "[layout]\nkind = \"own\"\n[output]"},
                                 {"\"newmark\"", "\"newmark\"\nexecutor = \"checking\""},
                                 {"[1.0, 0, 0]", "[1, 0.0, -0.0]  # the same numbers"}})
    EXPECT_EQ(first_difference(deck, with(from, to)), std::nullopt) << to;
}

TEST(DeckDifference, OfNoDeckIsAnError) { EXPECT_THROW((void)first_difference(deck, "= 1"), Error); }

}  // namespace
}  // namespace terrace::deck_difference_test
