// What ranks would ask for that do not run.
#include "dynamics/planned_questions.hpp"

#include <gtest/gtest.h>

namespace terrace::planned_questions_test {
namespace {

using enum KnownBodies::Part;

TEST(PlannedQuestions, CountWhatARankDoesNotKnowYet) {
  PlannedQuestions questions(3, {{10, 100}, {20, 200}});
  questions.ask(1, {0, whole});
  EXPECT_EQ(questions.most_that_came(), 0) << "at the start all is known";
  questions.has_moved(0, 2);
  questions.has_moved(1, 2);
  questions.ask(2, {0, whole});
  EXPECT_EQ(questions.most_that_came(), 0) << "who moved it knows it";
  questions.ask(0, {0, surface});
  questions.ask(0, {1, surface});
  questions.ask(0, {0, surface});
  questions.ask(1, {1, surface});
  EXPECT_EQ(questions.most_that_came(), 30) << "of rank 0";
  questions.ask(0, {0, surface});
  questions.ask(0, {0, none});
  EXPECT_EQ(questions.most_that_came(), 0);
  questions.ask(0, {0, whole});
  EXPECT_EQ(questions.most_that_came(), 100) << "of which the surface alone was known";
  questions.ask(0, {0, surface});
  EXPECT_EQ(questions.most_that_came(), 0);
  questions.has_moved(0, 0);
  questions.ask(0, {0, whole});
  questions.ask(2, {0, surface});
  questions.ask(2, {1, whole});
  EXPECT_EQ(questions.most_that_came(), 10) << "who had it has to ask now";
}

}  // namespace
}  // namespace terrace::planned_questions_test
