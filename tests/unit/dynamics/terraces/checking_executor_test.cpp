// The checking executor passes on what the integrator within it reports. (own_events_test.cpp asks that it
// notices a state that is not restored.)
#include "dynamics/terraces/checking_executor.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/still_integrator.hpp"

namespace terrace::checking_executor_test {
namespace {

struct Telling : StillIntegrator {
  void report(ContactExtremes& extremes) const override { extremes.least_distance = 0.125; }
  void describe_trouble(std::vector<Warning>& warnings) const override {
    warnings.push_back({"subject", "text"});
  }
};

TEST(CheckingExecutor, PassesOnExtremesAndWarnings) {
  const CheckingExecutor checking(std::make_unique<Telling>());
  ContactExtremes extremes;
  checking.report(extremes);
  EXPECT_EQ(extremes.least_distance, 0.125);
  std::vector<Warning> warnings;
  checking.describe_trouble(warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].subject, "subject");
}

}  // namespace
}  // namespace terrace::checking_executor_test
