// Every integrator of the registry on every small system that it is valid for: what all of them promise.
#include "dynamics/integrators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "dynamics/terraces/checking_executor.hpp"
#include "support/small_system.hpp"

namespace terrace::integrators_test {
namespace {

struct System {
  const char* name;
  Deck (*deck)();
  LocalizationEntry localization;
  bool contact = false, set_constraints = false;
};

Deck spinning() { return spinning_cube(2); }

Deck held() {
  Deck deck = soft_deck({cube_entry("cube", 1)});
  deck.bodies[0].velocity = {0.2, 0, 0.1};
  SupportEntry foot;
  foot.name = "foot";
  foot.body.name = "cube";
  foot.nodes = SupportEntry::Nodes::box;
  foot.box = {Vector3{-9, -9, -0.5}, Vector3{9, 9, -0.499}};
  deck.supports = {foot};
  deck.gravity = {0, 0.01, -0.02};
  return deck;
}

Deck impact_of(ContactModel model) {
  Deck deck = three_cubes(1, true, 0.4);
  deck.contact.model = model;
  deck.bodies[0].velocity = {0.3, 0.01, -0.02};
  return deck;
}
Deck barrier() { return impact_of(ContactModel::barrier); }
Deck gap() { return impact_of(ContactModel::gap); }
Deck rigid() { return impact_of(ContactModel::rigid); }

const System systems[] = {
    {"Spinning", spinning, {LocalizationKind::global}},
    {"SpinningInParts", spinning, {LocalizationKind::metis, 3}},
    {"HeldUnderGravity", held, {LocalizationKind::global}},
    {"BarrierTouching", barrier, {LocalizationKind::bodies, 1, ContactLocalization::touching}, true},
    {"BarrierOwn", barrier, {LocalizationKind::bodies, 1, ContactLocalization::own}, true},
    {"GapTouching", gap, {LocalizationKind::bodies, 1, ContactLocalization::touching}, true},
    {"Rigid", rigid, {LocalizationKind::bodies, 1, ContactLocalization::own}, true, true},
};

struct Case {
  const IntegratorEntry* entry;
  const System* system;
};

std::vector<Case> valid_cases() {
  std::vector<Case> cases;
  for (const IntegratorEntry& entry : integrators())
    for (const System& system : systems)
      if (entry.meshes && (entry.contact || !system.contact) &&
          (entry.set_constraints || !system.set_constraints))
        cases.push_back({&entry, &system});
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char c : info.param.entry->name)
    if (c != '-') name += c;
  return name + info.param.system->name;
}

/// The case's system, divided into terraces as app/preparation does: bodies that touch share a terrace only
/// under integrators that have groups.
std::unique_ptr<SmallSystem> make_system(const Case& of) {
  LocalizationEntry localization = of.system->localization;
  if (!of.entry->groups && localization.contact == ContactLocalization::touching)
    localization.contact = ContactLocalization::own;
  return std::make_unique<SmallSystem>(of.system->deck(), localization, 1e-5);
}

class IntegratorOn : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static std::unique_ptr<Integrator> make(SmallSystem& system) {
    IntegratorSettings settings;
    // Steps in scaled time are half as long as the others: one such method is of first order, and the rest
    // are less accurate where the force of a gap jumps.
    const std::vector<std::string>& keys = GetParam().entry->keys;
    if (std::find(keys.begin(), keys.end(), "scaling_exponent") != keys.end())
      settings.time_step_factor = 0.2;
    settings.grid.spacing.fill(0.02);
    settings.grid.offset = 0.618;
    return GetParam().entry->make(settings, system.lagrangian, system.state);
  }
};
INSTANTIATE_TEST_SUITE_P(All, IntegratorOn, testing::ValuesIn(valid_cases()), name_of);

TEST_P(IntegratorOn, KeepsMomentumToTheQuantumAndEnergyAsItSays) {
  const auto system = make_system(GetParam());
  const auto integrator = make(*system);
  const IntegerMomentum momentum = system->diagnostics.total_momentum(system->state);
  const double energy = system->record(*integrator).energy;
  const double scale = std::abs(system->record(*integrator).kinetic);
  int events = 0;
  for (; events < 400 && integrator->advance(system->state, 12); ++events)
    ASSERT_TRUE(GetParam().entry->name == "force-stepping" ||  // on its grid internal forces do not cancel
                system->diagnostics.total_momentum(system->state) == momentum)
        << "event " << events;
  integrator->bring_up_to_date(system->state);
  EXPECT_GT(events, 30);
  // Calls of `advance` in which bodies begin to touch are not counted as events.
  EXPECT_LE(integrator->events(), events);
  EXPECT_GE(integrator->events(), events - 10);
  const double bound = integrator->conserved_potential() ? 1e-12 : 0.02;
  EXPECT_NEAR((system->record(*integrator).energy - energy) / scale, 0, bound);
  EXPECT_GT(system->smallest_jacobian(), 0);
}

TEST_P(IntegratorOn, ComesToTheSameAfterItWasSavedAndRestored) {
  const auto system = make_system(GetParam());
  auto plain = make(*system);
  const auto twin = make_system(GetParam());
  CheckingExecutor checked(make(*twin));  // throws if an event repeated gives other bits
  for (int events = 0; events < 120; ++events) {
    const bool more = plain->advance(system->state, 4);
    ASSERT_EQ(checked.advance(twin->state, 4), more);
    if (!more) break;
  }
  plain->bring_up_to_date(system->state);  // as CheckingExecutor does after every event
  EXPECT_EQ(system->diagnostics.state_hash(system->state, *plain),
            twin->diagnostics.state_hash(twin->state, checked));
}

TEST_P(IntegratorOn, DoesNotCareWhereOutputFalls) {
  const auto system = make_system(GetParam()), other = make_system(GetParam());
  const auto one = make(*system), with_output = make(*other);
  for (double until = 0.05; until < 0.99; until += 0.05)
    while (with_output->advance(other->state, until)) {
    }
  while (with_output->advance(other->state, 1)) {
  }
  while (one->advance(system->state, 1)) {
  }
  EXPECT_EQ(system->diagnostics.state_hash(system->state, *one),
            other->diagnostics.state_hash(other->state, *with_output));
}

TEST(Integrators, HaveNamesAndKeysOfTheirOwn) {
  std::set<std::string_view> names;
  for (const IntegratorEntry& entry : integrators()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(find_integrator(entry.name), &entry);
    EXPECT_EQ(std::set(entry.keys.begin(), entry.keys.end()).size(), entry.keys.size());
  }
  EXPECT_EQ(find_integrator("sem"), find_integrator("symplectic-energy-momentum"));
  EXPECT_EQ(find_integrator("no such method"), nullptr);
}

}  // namespace
}  // namespace terrace::integrators_test
