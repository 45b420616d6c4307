// WindowedEnergyStepping: ranks that work alone in windows come to the bits of one rank without windows.
#include "dynamics/windows/windowed_energy_stepping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/state/node_row.hpp"
#include "parallel/archive.hpp"
#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::windowed_energy_stepping_test {
namespace {

const LocalizationEntry touching{LocalizationKind::bodies, 1, ContactLocalization::touching};

/// Six cubes in two rows that run into each other, above a wall that some of them hit: groups come together
/// and part again.
Deck six_cubes() {
  Deck deck = soft_deck({});
  for (int i = 0; i < 6; ++i) {
    BodyEntry body = cube_entry(std::string(1, static_cast<char>('a' + i)), 1,
                                {1.5 * (i % 3), i < 3 ? 0.0 : 2.4, 0.02 * i});
    body.velocity = {0.1 * (1 - i % 3), i < 3 ? 0.05 : -0.05, -0.2 * (i % 2)};
    body.rotation_axis = {0.3, 0.2, 1};
    body.rotation_angle = 8.0 * i;
    deck.bodies.push_back(body);
  }
  deck.walls = {{"floor", {0, 0, -1.6}, {0, 0, 1}, 1}};
  deck.walls[0].model = WallModel::barrier;
  deck.contact.model = ContactModel::barrier;
  return deck;
}

/// The system divided over all ranks, `share`, and all of it on each rank, `whole`, whose elements are made
/// where they are needed.
struct Windowed {
  explicit Windowed(const Deck& deck, const LocalizationEntry& choice = touching)
      : model(build_model(deck)),
        share(model, deck.contact, choice, 1, LayoutKind::windows, MPI_COMM_WORLD),
        whole(model, deck.contact, choice, 1, LayoutKind::windows, MPI_COMM_SELF, Elements::on_demand),
        state(whole.lagrangian, bound_of_momenta(model), State::InParts{}),
        integrator(share.lagrangian, share.state, whole.lagrangian, state, {}) {}
  Model model;
  SmallSystem share, whole;
  State state;  // of the whole
  WindowedEnergyStepping integrator;
};

/// Asks for equal counts, however often ranks have told each other theirs. Means are sums of steps in another
/// order.
void expect_same_records(const std::vector<SubdomainRecord>& ours,
                         const std::vector<SubdomainRecord>& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(ours[i].name, theirs[i].name);
    EXPECT_EQ(ours[i].events, theirs[i].events) << ours[i].name;
    EXPECT_EQ(ours[i].histogram, theirs[i].histogram) << ours[i].name;
    EXPECT_EQ(ours[i].step_min, theirs[i].step_min) << ours[i].name;
    EXPECT_EQ(ours[i].step_max, theirs[i].step_max) << ours[i].name;
    EXPECT_DOUBLE_EQ(ours[i].step_mean, theirs[i].step_mean) << ours[i].name;
  }
}

void come_to_the_bits_of_one_rank_at_every_row(HelperUse helpers) {
  const Deck deck = six_cubes();
  SmallSystem plain(deck, touching);
  ClockedEnergyStepping reference(plain.lagrangian, plain.state, {});
  Windowed windowed(deck);
  windowed.integrator.use_helpers(helpers);
  double not_told = 0;
  for (int row = 1; row <= 6; ++row) {
    const double time = 2.5 * row;
    while (reference.advance(plain.state, time)) {
    }
    while (windowed.integrator.advance(windowed.share.state, time)) {
    }
    ASSERT_EQ(windowed.share.state.time, time);
    ASSERT_EQ(windowed.integrator.hash(), reference.hash()) << "time " << time;
    ASSERT_EQ(windowed.integrator.events(), reference.events());
    EXPECT_EQ(windowed.integrator.conserved_potential(), reference.conserved_potential());
    windowed.integrator.share();
    expect_same_records(windowed.integrator.subdomain_records(), reference.subdomain_records());
    const Lagrangian& share = windowed.share.lagrangian;
    for (std::size_t a = 0; a < share.global_nodes.size(); ++a)
      ASSERT_EQ(windowed.share.state.row(a), plain.state.row(static_cast<std::size_t>(share.global_nodes[a])))
          << "node " << share.global_nodes[a] << ", time " << time;
    const ContactPairs& surfaces = *windowed.whole.lagrangian.contact_pairs;
    for (std::int32_t body = 0; body < surfaces.bodies(); ++body)
      for (const std::int32_t node : surfaces.surface_nodes(body))
        not_told += windowed.state.row(index(node)) == plain.state.row(index(node)) ? 0 : 1;
    const SystemRecord ours = windowed.share.record(windowed.integrator), theirs = plain.record(reference);
    EXPECT_EQ(ours.potential, theirs.potential) << "contact between ranks included";
    EXPECT_EQ(ours.momentum, theirs.momentum);
  }
  EXPECT_GT(reference.events(), 1000);
  Communicator& ranks = *windowed.share.lagrangian.communicator;
  auto nodes = static_cast<double>(windowed.share.lagrangian.global_nodes.size());
  ranks.sum({&nodes, 1});
  ranks.sum({&not_told, 1});
  EXPECT_EQ(not_told > 0, ranks.size() > 1) << "rows are no reason to tell of surfaces that nothing touches";
  EXPECT_EQ(nodes, static_cast<double>(plain.lagrangian.node_count)) << "nodes that two ranks have";
  const WindowRecord record = windowed.integrator.window_record().value();
  EXPECT_GT(record.clusters, 1);
  EXPECT_LT(record.clusters, 6) << "some met";
  const BalanceRecord balance = windowed.integrator.balance().value(), expected = reference.balance().value();
  EXPECT_EQ(balance.largest_debt, expected.largest_debt);
  EXPECT_EQ(balance.clipped_kicks, expected.clipped_kicks);
  EXPECT_EQ(balance.shortened_steps, expected.shortened_steps);
  if (ranks.size() == 1 || helpers == HelperUse::never) {
    EXPECT_EQ(record.helped_clusters, 0);
  }
}

TEST(OnRanksWindows, ComeToTheBitsOfOneRankAtEveryRow) {
  come_to_the_bits_of_one_rank_at_every_row(HelperUse::never);
}

// A rank that is done asks others for clusters that they have not begun. Which these are depends on the speed
// of ranks; the bits must not.
TEST(OnRanksWindows, ComeToTheSameBitsWhereClustersGoToWhoIsDone) {
  come_to_the_bits_of_one_rank_at_every_row(HelperUse::always);
}

/// Bodies whose elements a rank has, and of all ranks together.
struct Held {
  explicit Held(const Windowed& windowed) {
    for (const ElasticBlock& block : windowed.whole.lagrangian.elastic_blocks)
      if (block.elastic != nullptr) bodies.push_back(block.body);
    auto count = static_cast<double>(bodies.size());
    windowed.share.lagrangian.communicator->sum({&count, 1});
    on_all_ranks = static_cast<int>(count);
  }
  std::vector<std::int32_t> bodies;
  int on_all_ranks = 0;
};

// The elements of each of six bodies are on one rank. On two ranks, or on none, they would make the sum 7
// or 5.
void hold_elements_of_the_bodies_they_work_on_alone(HelperUse helpers) {
  Windowed windowed(six_cubes());
  windowed.integrator.use_helpers(helpers);
  EXPECT_EQ(Held(windowed).on_all_ranks, 6) << "at the start";
  double with_rows = 0;  // of all nodes, not of the surface alone
  for (std::int32_t body = 0; body < 6; ++body)
    with_rows += std::ranges::all_of(at(windowed.whole.lagrangian.subdomains, body).nodes, [&](auto node) {
      return at(windowed.state.lines, node).inverse_mass > 0;
    });
  windowed.share.lagrangian.communicator->sum({&with_rows, 1});
  EXPECT_EQ(with_rows, 6) << "rows of other bodies";
  bool any_moved = false;
  const std::vector<std::int32_t> first = Held(windowed).bodies;
  for (int row = 1; row <= 6; ++row) {
    while (windowed.integrator.advance(windowed.share.state, 2.5 * row)) {
      const Held held(windowed);
      ASSERT_EQ(held.on_all_ranks, 6) << "time " << windowed.share.state.time;
      any_moved = any_moved || held.bodies != first;
    }
    windowed.integrator.share();
    ASSERT_EQ(Held(windowed).on_all_ranks, 6) << "a save is no reason to let go of them";
  }
  if (helpers == HelperUse::never) {  // else where they are depends on how fast ranks are
    EXPECT_EQ(any_moved, windowed.share.lagrangian.communicator->size() > 1);
  }
  // Walls, gravity and pairs are no elements.
  for (const Subdomain& subdomain : windowed.whole.lagrangian.subdomains)
    EXPECT_EQ(subdomain.potentials.size(), subdomain.reaction_of_potential.size()) << subdomain.name;
}

TEST(OnRanksWindows, HoldElementsOfTheBodiesTheyWorkOnAlone) {
  for (const HelperUse helpers : {HelperUse::never, HelperUse::always})
    hold_elements_of_the_bodies_they_work_on_alone(helpers);
}

/// What a rank has of a body.
struct Part {
  explicit Part(const Lagrangian& system, std::int32_t body) {
    const Subdomain& subdomain = system.subdomains[static_cast<std::size_t>(body)];
    nodes = subdomain.nodes;
    counted = subdomain.owned_nodes;
    potentials = subdomain.potentials;
    only_rank = subdomain.only_rank;
    everywhere = subdomain.everywhere;
    for (const std::int32_t node : nodes) owned.push_back(at(system.owned, node));
  }
  bool operator==(const Part&) const = default;
  std::vector<std::int32_t> nodes, counted;
  std::vector<const Potential*> potentials;
  std::vector<std::uint8_t> owned;
  int only_rank;
  bool everywhere;
};

// As rank 0 of a team of two sees it.
TEST(LivingSubdomains, ABodyIsSharedOutAndTakenBack) {
  SmallSystem system(six_cubes(), touching);
  Lagrangian& lagrangian = system.lagrangian;
  LivingSubdomains subdomains(lagrangian);
  const Part whole(lagrangian, 2);
  const auto surface = lagrangian.contact_pairs->surface_nodes(2);
  subdomains.share_out(2, 1, surface);  // the other rank has it
  const Part others(lagrangian, 2);
  EXPECT_TRUE(std::ranges::equal(others.nodes, surface));
  EXPECT_TRUE(others.counted.empty());
  EXPECT_TRUE(others.potentials.empty());
  EXPECT_EQ(others.only_rank, 1);
  EXPECT_TRUE(std::ranges::all_of(whole.nodes, [&](auto node) { return at(lagrangian.owned, node) == 0; }));
  EXPECT_TRUE(std::ranges::equal(subdomains.whole_nodes(2), whole.nodes));
  const SharedNodes& told = lagrangian.subdomains[2].shared_nodes;
  EXPECT_TRUE(std::ranges::equal(told.on_all_ranks().receive.at(1), surface));
  subdomains.take_back(2);
  EXPECT_EQ(Part(lagrangian, 2), whole);
  EXPECT_FALSE(lagrangian.subdomains[2].shared_nodes.among_all());

  subdomains.share_out(2, 0, surface);  // this rank has it
  Part mine(lagrangian, 2);
  EXPECT_EQ(mine, whole) << "and tells of its surface";
  EXPECT_TRUE(std::ranges::equal(lagrangian.subdomains[2].shared_nodes.on_all_ranks().send, surface));
  subdomains.take_back(2);
  subdomains.hold_everywhere(2, 1);
  mine = Part(lagrangian, 2);
  EXPECT_TRUE(std::exchange(mine.everywhere, false));
  EXPECT_EQ(mine, whole);
  EXPECT_EQ(at(lagrangian.rank_of_body, 2), 1);
  subdomains.take_back(2);
  EXPECT_EQ(Part(lagrangian, 2), whole);
  EXPECT_EQ(at(lagrangian.rank_of_body, 2), 0);
}

std::vector<std::vector<std::int32_t>> surfaces_of(const Lagrangian& system) {
  std::vector<std::vector<std::int32_t>> surfaces;
  for (std::int32_t body = 0; body < system.contact_pairs->bodies(); ++body) {
    const auto nodes = system.contact_pairs->surface_nodes(body);
    surfaces.emplace_back(nodes.begin(), nodes.end());
  }
  return surfaces;
}

// All that may be due is suspended and goes on: events of groups that touch, pairs that wait for a touch, and
// exits of bodies from boxes and tubes.
TEST(Windows, NothingIsDueOfBodiesThatAreSuspended) {
  const Deck deck = six_cubes();
  SmallSystem plain(deck, touching), halted(deck, touching);
  ClockedEnergyStepping reference(plain.lagrangian, plain.state, {}),
      stepping(halted.lagrangian, halted.state, {});
  const std::array<std::int32_t, 6> all = {0, 1, 2, 3, 4, 5};
  bool any_touched = false;
  for (int row = 1; row <= 6; ++row) {
    const double time = 2.5 * row;
    while (reference.advance(plain.state, time)) {
    }
    while (stepping.advance(halted.state, time)) {
    }
    for (const std::int32_t body : all)
      any_touched = any_touched || !stepping.terrace_of(body).touches.empty();
    EXPECT_FALSE(stepping.is_idle());
    NearPairs& pairs = stepping.graph().near_pairs();
    FlightTubes tubes(surfaces_of(halted.lagrangian));
    tubes.begin(time);
    for (const std::int32_t body : all) tubes.enclose(body, {{0.01, 0, 0}, 0.5}, halted.state.lines);
    pairs.watch(&tubes);
    const double from_box = pairs.next_exit(), from_tube = tubes.exit();
    EXPECT_LT(std::max(from_box, from_tube), 1e9);
    const Agenda agenda = stepping.suspend(all);
    EXPECT_TRUE(stepping.is_idle()) << "time " << time;
    EXPECT_GT(tubes.exit(), 1e9);
    EXPECT_FALSE(stepping.advance(halted.state, time + 1)) << "no event";
    EXPECT_TRUE(stepping.suspend(all).dues.empty());
    halted.state.time = time;
    stepping.go_on(agenda, time);
    EXPECT_EQ(pairs.next_exit(), from_box);
    EXPECT_EQ(tubes.exit(), from_tube);
    pairs.watch(nullptr);
    EXPECT_EQ(stepping.hash(), reference.hash());
    EXPECT_EQ(stepping.events(), reference.events());
  }
  EXPECT_TRUE(any_touched);
}

TEST(OnRanksWindows, StopAfterTheEventThatWasAskedFor) {
  const Deck deck = six_cubes();
  std::vector<std::int64_t> stops = {1, 57};
  for (std::int64_t events = 100; events <= 1500; events += 100) stops.push_back(events);
  for (const std::int64_t events : stops) {
    SmallSystem plain(deck, touching);
    ClockedEnergyStepping reference(plain.lagrangian, plain.state, {});
    while (reference.events() < events) ASSERT_TRUE(reference.advance(plain.state, 1e9));
    Windowed windowed(deck);
    windowed.integrator.stop_after(events);
    windowed.integrator.use_helpers(events % 200 == 0 ? HelperUse::always : HelperUse::never);
    while (windowed.integrator.events() < events)
      ASSERT_TRUE(windowed.integrator.advance(windowed.share.state, 1e9));
    EXPECT_EQ(windowed.integrator.events(), events);
    EXPECT_EQ(windowed.share.state.time, plain.state.time);
    EXPECT_EQ(windowed.integrator.hash(), reference.hash()) << events << " events";
    // The stop is in the middle of a window, while the outlines that ranks know of surfaces are those of its
    // end.
    windowed.integrator.bring_up_to_date(windowed.share.state);
    reference.bring_up_to_date(plain.state);
    EXPECT_EQ(windowed.share.record(windowed.integrator).potential, plain.record(reference).potential)
        << events << " events";
  }
}

/// The rows of all nodes, from the ranks that count them.
void bring_rows_of_all(const Lagrangian& share, const State& state, State& whole) {
  ByteWriter writer;
  for (std::size_t a = 0; a < share.global_nodes.size(); ++a) {
    if (share.owned[a] == 0) continue;
    const NodeRow row = state.row(a);
    writer(share.global_nodes[a], row.line, row.momentum);
  }
  const std::vector<std::byte> rows = share.communicator->bytes_of_all(writer.take());
  ByteReader reader(rows);
  while (!reader.at_end()) {
    std::int32_t node = 0;
    NodeRow row;
    reader(node, row.line, row.momentum);
    whole.set_row(static_cast<std::size_t>(node), row);
  }
}

/// A potential without energy. A sample beyond s = 0.5 throws, and no certificate reaches beyond s = 1.
class UnknownLater final : public Potential {
 public:
  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return {}; }
  [[nodiscard]] std::vector<double> energies(const Displacements& /*displacements*/) const override {
    return {};
  }
  double add_gradient(const Displacements& /*displacements*/, const Grid& /*grid*/,
                      std::span<Vector3> /*gradient*/) const override {
    return 0;
  }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override { return std::make_unique<Line>(); }

 private:
  class Line final : public PotentialOnLine {
   public:
    double add_gradient(std::span<const NodeLine> /*lines*/, double /*instant*/, const Grid& /*grid*/,
                        std::span<Vector3> /*gradient*/) override {
      return 0;
    }
    [[nodiscard]] double work() const override { return 0; }
    void sample(double s, const LineGrids& /*grids*/, LineSample& /*sum*/) override {
      if (s > 0.5) throw Error(Error::Kind::run, "a line", "a look no farther than 0.5", std::to_string(s));
    }
    void bound(double /*from*/, double to, const LineGrids& /*grids*/, LineBound& sum) override {
      if (to > 1) sum.invalid += 1;
    }

   protected:
    void begin(std::span<const NodeLine> /*lines*/, double /*origin*/) override {}
    void change(std::span<const NodeLine> /*lines*/, double /*origin*/,
                std::span<const std::uint8_t> /*changed*/) override {}
  };
};

// A body in free flight is searched between the events of others, which may have gone farther by then. A
// search that fails there is not done again when all go back to the failure, which must end the run all the
// same.
TEST(Windows, AFailureBetweenEventsEndsThemThoughOthersHadGoneFarther) {
  Deck deck = spinning_cube(1);
  deck.bodies.push_back(cube_entry("in flight", 1, {9, 0, 0}));
  deck.bodies.back().velocity = {0.1, 0, 0};
  deck.contact.model = ContactModel::barrier;
  Windowed windowed(deck);
  const UnknownLater unknown;
  windowed.whole.lagrangian.subdomains[1].potentials.push_back(&unknown);
  windowed.whole.lagrangian.subdomains[1].reaction_of_potential.push_back(-1);
  const auto some_windows = [&] {
    for (int window = 0; window < 1000; ++window)
      static_cast<void>(windowed.integrator.advance(windowed.share.state, 20));
  };
  EXPECT_THROW(some_windows(), Error);
  EXPECT_LT(windowed.share.state.time, 1);
}

TEST(OnRanksWindows, AreSavedAsARunWithoutThemWouldGoOn) {
  const Deck deck = six_cubes();
  Windowed windowed(deck);
  while (windowed.integrator.advance(windowed.share.state, 6)) {
  }
  windowed.integrator.share();
  ByteWriter writer;
  windowed.integrator.save(writer);
  const std::vector<std::byte> saved = writer.take();

  SmallSystem plain(deck, touching);
  ClockedEnergyStepping heir(plain.lagrangian, plain.state, {});
  bring_rows_of_all(windowed.share.lagrangian, windowed.share.state, plain.state);
  plain.state.time = windowed.share.state.time;
  ByteReader reader(saved);
  heir.restore(plain.state, reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(heir.hash(), windowed.integrator.hash());
  EXPECT_EQ(heir.events(), windowed.integrator.events());
  EXPECT_EQ(heir.average_step(), windowed.integrator.average_step());
  while (heir.advance(plain.state, 12)) {
  }
  while (windowed.integrator.advance(windowed.share.state, 12)) {
  }
  EXPECT_EQ(heir.hash(), windowed.integrator.hash());
  EXPECT_EQ(heir.events(), windowed.integrator.events());
  // The save changes no step: average steps are those of a run that was never saved.
  SmallSystem whole(deck, touching);
  ClockedEnergyStepping never_saved(whole.lagrangian, whole.state, {});
  while (never_saved.advance(whole.state, 12)) {
  }
  windowed.integrator.bring_up_to_date(windowed.share.state);
  for (const Integrator* integrator :
       {static_cast<const Integrator*>(&heir), static_cast<const Integrator*>(&windowed.integrator)})
    EXPECT_NEAR(integrator->average_step(), never_saved.average_step(), 1e-12 * never_saved.average_step());
}

// A run that has come to another time, with its bodies on other ranks, goes on from what the first one saved.
TEST(OnRanksWindows, GoOnFromWhatWasSavedWhereverTheyAre) {
  const Deck deck = six_cubes();
  Windowed windowed(deck), heir(deck);
  const auto come = [](Windowed& which, double time) {
    while (which.integrator.advance(which.share.state, time)) {
    }
  };
  come(windowed, 3);
  windowed.integrator.share();
  ByteWriter writer;
  windowed.integrator.save(writer);
  const std::vector<std::byte> saved = writer.take();
  come(heir, 9);
  // The rows as a restart file has them.
  SmallSystem plain(deck, touching);
  bring_rows_of_all(windowed.share.lagrangian, windowed.share.state, plain.state);
  for (std::size_t a = 0; a < heir.share.lagrangian.global_nodes.size(); ++a)
    heir.share.state.set_row(a, plain.state.row(index(heir.share.lagrangian.global_nodes[a])));
  heir.share.state.time = windowed.share.state.time;
  heir.share.state.ledger = windowed.share.state.ledger;
  ByteReader reader(saved);
  heir.integrator.restore(heir.share.state, reader);
  EXPECT_EQ(heir.integrator.hash(), windowed.integrator.hash());
  for (const double time : {6.0, 12.0}) {
    come(windowed, time);
    come(heir, time);
    EXPECT_EQ(heir.integrator.hash(), windowed.integrator.hash()) << time;
    EXPECT_EQ(heir.integrator.events(), windowed.integrator.events()) << time;
    EXPECT_EQ(heir.share.record(heir.integrator).potential,
              windowed.share.record(windowed.integrator).potential)
        << time;
  }
}

TEST(OnRanksWindows, AreForBodiesThatAreOneTerraceEach) {
  const auto refusal = [](const LocalizationEntry& choice) -> std::string {
    Deck deck = six_cubes();
    deck.walls.clear();  // which would join the parts of a body again
    try {
      Windowed windowed(deck, choice);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(refusal({LocalizationKind::metis, 3, ContactLocalization::touching}),
              testing::HasSubstr("expected one subdomain for each body, found another localization"));
  EXPECT_THAT(refusal({LocalizationKind::bodies, 1, ContactLocalization::own}),
              testing::HasSubstr("expected contact of bodies, and localization.kind = \"bodies\" with "
                                 "contact = \"touching\", found another localization"));
}

}  // namespace
}  // namespace terrace::windowed_energy_stepping_test
