// The claims of the registry about every integrator of small systems, against measurements; and the table of
// tests/README.md, which is made of these measurements. TERRACE_REWRITE_TABLES=1 writes it anew.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>

#include "support/method_audit.hpp"
#include "support/table_in_text.hpp"

namespace terrace {

static void PrintTo(const MethodEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using namespace testing_of_methods;  // NOLINT

struct Audit {
  double order = 0, symplectic = 0, reversal = 0;
  LongRun run;
};

const Audit& audit_of(const MethodEntry& entry) {
  static std::map<std::string_view, Audit> known;
  const auto found = known.find(entry.name);
  if (found != known.end()) return found->second;
  const Problem problem = problem_of(entry);
  Audit audit;
  audit.order = measured_order(entry, problem);
  audit.symplectic = symplectic_defect(entry, problem);
  audit.reversal = reversal_defect(entry, problem);
  audit.run = long_run(entry, problem);
  return known[entry.name] = audit;
}

bool is_symplectic(const Audit& audit) { return audit.symplectic < 1e-7; }
bool is_reversible(const Audit& audit) { return audit.reversal < 1e-9; }

class ClaimsOf : public testing::TestWithParam<MethodEntry> {};

TEST_P(ClaimsOf, AMethodAreWhatItDoes) {
  const MethodEntry& entry = GetParam();
  const Audit& audit = audit_of(entry);
  const std::string name(entry.name);
  EXPECT_NEAR(audit.order, entry.claims.order, 0.15) << name;
  EXPECT_EQ(is_symplectic(audit), entry.claims.symplectic) << name << ": " << audit.symplectic;
  EXPECT_EQ(is_reversible(audit), entry.claims.reversible) << name << ": " << audit.reversal;
  EXPECT_EQ(audit.run.energy.kept(), entry.claims.energy) << name << ": " << audit.run.energy.text();
  if (audit.run.has_invariant) {
    EXPECT_EQ(audit.run.momentum.kept(), entry.claims.angular_momentum)
        << name << ": " << audit.run.momentum.text();
  }
  EXPECT_EQ(audit.run.iterations == 0, entry.claims.is_explicit) << name;
}

INSTANTIATE_TEST_SUITE_P(Registry, ClaimsOf, testing::ValuesIn(methods()), [](const auto& tested) {
  std::string name(tested.param.name);
  std::erase(name, '-');
  return name;
});

std::string words(bool holds) { return holds ? "yes" : "no"; }
std::string words(Keeps keeps) {
  return keeps == Keeps::exactly ? "exact" : keeps == Keeps::bounded ? "bounded" : "no";
}

std::string valid_for(const MethodEntry& entry) {
  const MethodNeeds& needs = entry.needs;
  if (needs.rigid_body) return "free rigid body";
  std::string text = needs.quadratic ? "T = ½ pᵀM⁻¹p" : needs.separable ? "T(p) + V(q)" : "any energy";
  if (!needs.canonical) text += ", rigid body";
  text += needs.autonomous ? ", no loads in time" : ", loads in time";
  if (!needs.conservative) text += ", damping";
  if (needs.constraint) text += ", on a constraint";
  if (needs.constraints_too) text += ", constraints";
  return text;
}

std::string table() {
  std::string text =
      "| method | measured on | order | symplectic | reversible | energy | angular momentum | explicit | "
      "gradients, Newton "
      "iterations a step | valid for |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const MethodEntry& entry : methods()) {
    const Audit& audit = audit_of(entry);
    text += fmt::format(
        "| `{}` | {} | {:.0f} | {} | {} | {} | {} | {} | {:.0f}, {:.0f} | {} |\n", entry.name,
        problem_of(entry).system, audit.order, words(is_symplectic(audit)), words(is_reversible(audit)),
        words(audit.run.energy.kept()), audit.run.has_invariant ? words(audit.run.momentum.kept()) : "–",
        words(audit.run.iterations == 0), audit.run.evaluations, audit.run.iterations, valid_for(entry));
  }
  return text;
}

TEST(MethodAudit, TheTableOfTestsReadmeIsMadeOfTheMeasurements) {
  testing_of_tables::expect_table("tests/README.md", "<!-- table of integrators: made by MethodAudit -->\n",
                                  "<!-- end of the table -->", table());
}

}  // namespace
}  // namespace terrace
