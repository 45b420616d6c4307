// A broken contract says what was broken, where, and with which values; a kept one does nothing.
#include "numerics/contract.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace terrace::contract_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void require_ascending(const std::vector<int>& list, double limit) {
  TERRACE_VERIFY(list[0] < list[1] && list[1] < limit, list[0], std::vector<int>{list[1], 0}.size(), limit);
}

TEST(Contract, TellsExpressionFunctionFileAndValues) {
  EXPECT_NO_THROW(require_ascending({1, 2}, 3));
  try {
    require_ascending({5, 4}, 0.1);
    FAIL() << "nothing was thrown";
  } catch (const BrokenContract& broken) {
    EXPECT_THAT(broken.what(), StartsWith("broken contract, a mistake in terrace: list[0] < list[1] && "
                                          "list[1] < limit in require_ascending (contract_test.cpp:"));
    EXPECT_THAT(broken.what(),
                HasSubstr(" with list[0] = 5, std::vector<int>{list[1], 0}.size() = 2, limit = "
                          "0.10000000000000001"));
  }
}

TEST(Contract, NeedsNoValues) {
  const bool kept = false;
  EXPECT_THAT([&] { TERRACE_VERIFY(kept); }, testing::ThrowsMessage<BrokenContract>(testing::EndsWith(")")));
}

enum class Colour : int { red, green };

TEST(Contract, ShowsTextsTruthsAndEnumerations) {
  const std::string name = "cube";
  const bool known = false;
  EXPECT_THAT([&] { TERRACE_VERIFY(known, name, known, Colour::green, "literal"); },
              testing::ThrowsMessage<BrokenContract>(
                  HasSubstr("with name = cube, known = false, Colour::green = 1, \"literal\" = literal")));
}

// In a release build the expression must not even be evaluated: it may cost much.
TEST(Contract, AssertionsAreForDebugBuilds) {
  int evaluated = 0;
  const auto fails = [&] {
    ++evaluated;
    return false;
  };
#ifdef TERRACE_ASSERTIONS
  EXPECT_THROW(TERRACE_ASSERT(fails(), evaluated), BrokenContract);
  EXPECT_EQ(evaluated, 1);
#else
  EXPECT_NO_THROW(TERRACE_ASSERT(fails(), evaluated));
  EXPECT_EQ(evaluated, 0);
#endif
}

}  // namespace
}  // namespace terrace::contract_test
