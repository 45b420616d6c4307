// LineSearcher: grids of a line follow the terms seen, numbers that are not finite end the run, work is
// counted, and searches that fail are errors only where their results are needed.
#include "dynamics/terraces/line_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "support/scripted_potential.hpp"

namespace terrace::line_search_test {
namespace {

const std::array<const char*, ScriptedPotential::quantities> names = {"V",     "V'",    "V''",  "third",
                                                                      "below", "above", "rise", "fall"};

struct Searched : ScriptedSystem {
  explicit Searched(bool contact = true)
      : ScriptedSystem(contact),
        states(system.lagrangian.subdomains.size()),
        searcher(system.lagrangian, states, lines) {
    for (std::size_t q = 0; q < ScriptedPotential::quantities; ++q) potential.sizes[q] = usual(q);
  }
  /// The usual size of a quantity, different for each.
  static double usual(std::size_t quantity) { return std::pow(4.0, static_cast<double>(quantity)) / 3; }
  /// A new line with this size of one quantity, sampled once.
  void line(std::size_t quantity, double size) {
    potential.sizes[quantity] = size;
    searcher.begin(0);
    searcher.value(0);
  }
  SubdomainStates states;
  Lines lines;
  LineSearcher searcher;
};

constexpr double peak = 1e12;

TEST(LineSearcher, GridsOfContactFollowEachQuantityDownAgain) {
  for (std::size_t q = 0; q < ScriptedPotential::quantities; ++q) {
    Searched searched;
    searched.line(q, Searched::usual(q));
    const auto before = searched.potential.grids();
    searched.line(q, peak);
    EXPECT_GE(searched.potential.grids()[q].bound, peak) << names[q];
    searched.line(q, Searched::usual(q));  // the first to be seen small
    searched.line(q, Searched::usual(q));
    const auto after = searched.potential.grids();
    for (std::size_t other = 0; other < after.size(); ++other) {
      EXPECT_LE(after[other].quantum, 1e-8 * Searched::usual(other))
          << names[other] << " after a peak of " << names[q];
      EXPECT_GE(after[other].bound, 4 * Searched::usual(other)) << names[other] << ": room for a little more";
      if (other != q) {
        EXPECT_EQ(after[other].bound, before[other].bound) << names[other] << " had no peak";
      }
    }
    EXPECT_NEAR(searched.searcher.value(0), Searched::usual(0), 1e-15);
  }
}

TEST(LineSearcher, GridsStayWhereSizesVaryByLess) {
  Searched searched;
  searched.potential.sizes.fill(1);
  searched.line(0, 1);
  const auto before = searched.potential.grids();
  for (const double size : {0.1, 0.01, 0.3}) {
    searched.potential.sizes.fill(size);
    searched.line(0, size);
    for (std::size_t q = 0; q < before.size(); ++q)
      EXPECT_EQ(searched.potential.grids()[q].bound, before[q].bound) << names[q];
  }
}

// A double holds 2^53 quanta. All partial sums of `terms` terms as large as the bound of the grid must be
// within that.
TEST(LineSearcher, GridsHoldTheSumOfAsManyContactTermsAsThereAre) {
  for (const double terms : {1e6, 1e8}) {
    Searched searched;
    searched.potential.contact_terms = terms;
    searched.line(1, Searched::usual(1));
    const auto grids = searched.potential.grids();
    for (std::size_t q = 1; q < grids.size(); ++q)
      EXPECT_LE(terms * grids[q].bound, std::exp2(53) * grids[q].quantum)
          << names[q] << ", " << terms << " terms";
  }
}

TEST(LineSearcher, APeakOnOneLineCountsForTheNext) {
  // The peak counts at whichever sample of the line it was seen, not only at the last.
  constexpr double high = 0x1p16;
  Searched searched;
  searched.line(1, high);
  searched.line(1, high);
  searched.potential.sizes[1] = 1;
  searched.searcher.value(0);
  searched.line(1, 1);
  EXPECT_GE(searched.potential.grids()[1].bound, high);
}

TEST(LineSearcher, GridsOfElementsAndOfSharedTerracesStay) {
  constexpr double high = 0x1p17;
  for (const bool shared : {false, true}) {
    Searched searched(shared);
    searched.system.lagrangian.touching_bodies_share = shared;
    searched.system.lagrangian.subdomains[0].elements = 4;  // as those that touch have
    for (const double size : {high, 1.0, 1.0, 1.0}) searched.line(1, size);
    EXPECT_GE(searched.potential.grids()[1].bound, high);
    searched.states[0].line_sums = {};
    searched.line(1, 1);
    EXPECT_LE(searched.potential.grids()[1].bound, 8) << "other potentials now";
  }
}

// Whether the search of a waiting pair took samples depends on how far ahead somebody looked. So its grids
// must begin anew with each search.
TEST(LineSearcher, NoSearchOfAPairThatWaitsKnowsOfThoseBefore) {
  Searched searched;
  searched.system.lagrangian.touching_bodies_share = true;
  searched.line(1, 1);
  const auto grids = searched.potential.grids();
  searched.line(1, 0x1p17);
  searched.line(1, 1);
  for (std::size_t q = 0; q < grids.size(); ++q)
    EXPECT_EQ(searched.potential.grids()[q].bound, grids[q].bound) << names[q];
}

// An element that is close to inversion may leave grids behind on which the terms of all others round to 0.
// They are made anew even where grids stay otherwise, except that of V (q = 0), which has a second, finer
// grid.
TEST(LineSearcher, GridsOfAMillionTimesTooMuchAreMadeAnewWhateverTheyHold) {
  for (const int only_rank : {0, -1})
    for (const bool shared : {false, true})
      for (std::size_t q = 0; q < ScriptedPotential::quantities; ++q) {
        Searched searched(shared);
        searched.subdomain().only_rank = only_rank;
        searched.system.lagrangian.touching_bodies_share = shared;
        searched.line(q, peak);
        searched.potential.sizes[q] = 1;
        searched.searcher.value(0);
        if (q == 0)
          EXPECT_GE(searched.potential.grids()[q].bound, peak);
        else
          EXPECT_LE(searched.potential.grids()[q].bound, 8) << names[q];
        searched.potential.sizes[q] = 0;  // terms of 0 are no reason for another grid
        searched.searcher.value(0);
        EXPECT_GE(searched.potential.grids()[q].bound, 4) << names[q];
      }
}

TEST(LineSearcher, NumbersThatAreNotFiniteEndTheRun) {
  for (const int only_rank : {0, -1})  // searched by one rank, or by all ranks together
    for (std::size_t q = 0; q < ScriptedPotential::quantities; ++q)
      for (const double bad : {std::nan(""), infinity}) {
        Searched searched;
        searched.subdomain().only_rank = only_rank;
        searched.searcher.value(0);
        searched.potential.sizes[q] = bad;
        EXPECT_THAT([&] { searched.searcher.value(0); },
                    testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("subdomain cube"),
                                                                 testing::HasSubstr("finite energies"))))
            << names[q] << " = " << bad << ", rank " << only_rank;
      }
}

TEST(LineSearcher, KeepsTheDigitsOfEachQuantityAloneAndTogether) {
  for (const int only_rank : {0, -1}) {
    Searched searched;
    searched.subdomain().only_rank = only_rank;
    searched.potential.sizes[0] = 0.1;
    EXPECT_NEAR(searched.searcher.value(0), 0.1, 1e-16);
  }
}

TEST(LineSearcher, CountsTheWorkOfEverySample) {
  for (const int only_rank : {0, -1}) {
    Searched searched;
    searched.subdomain().only_rank = only_rank;
    EXPECT_EQ(searched.searcher.element_evaluations(), 0);
    searched.searcher.value(0);
    searched.searcher.value(0);
    EXPECT_GE(searched.potential.samples, 2);
    EXPECT_LE(searched.potential.samples, 4) << "one each, and another until the grids fit";
    EXPECT_EQ(searched.searcher.element_evaluations(), 7 * searched.potential.samples);
  }
}

TEST(LineSearcher, CountsTheWorkOfEverySearchForCollisions) {
  Searched searched;
  const ScriptedConstraint constraint;
  searched.subdomain().impenetrable = true;
  searched.subdomain().constraint = &constraint;
  searched.states[0].search = FirstCrossing({}, true, 0, 0, 1, 1);
  const PendingSearch pending{0, infinity};
  searched.searcher.find({&pending, 1});
  const CrossingFound found = searched.states[0].next;
  EXPECT_TRUE(found.known);
  EXPECT_EQ(found.surface, FirstCrossing::Surface::none);
  EXPECT_EQ(constraint.looks, 4) << "a quarter of the line each";
  EXPECT_EQ(searched.searcher.element_evaluations(), 7 * 4);
}

/// Two pairs whose bodies meet, on lines that begin at 1; each on a rank of its own where there are several.
struct TwoCollisions : SmallSystem {
  explicit TwoCollisions(MPI_Comm handle = MPI_COMM_SELF)
      : SmallSystem(build_model(spinning_cube(1)), {}, {LocalizationKind::metis, 2, ContactLocalization::own},
                    1e-5, LayoutKind::own, handle),
        states(2),
        searcher(lagrangian, states, lines) {
    for (std::size_t j = 0; j < 2; ++j) {
      lagrangian.subdomains[j].impenetrable = true;
      lagrangian.subdomains[j].constraint = &constraints[j];
      lagrangian.subdomains[j].only_rank = static_cast<std::int32_t>(j) % communicator.size();
    }
  }
  void begin(std::array<double, 2> starts) {
    for (std::size_t j = 0; j < 2; ++j) states[j].search = FirstCrossing({}, true, 1, starts[j], infinity, 1);
  }
  void go_on() {
    const std::array<PendingSearch, 2> pending = {{{0, infinity}, {1, infinity}}};
    searcher.find(pending);
  }
  void find(std::array<double, 2> starts) {
    begin(starts);
    go_on();
  }
  std::array<ScriptedConstraint, 2> constraints;
  SubdomainStates states;
  Lines lines;
  LineSearcher searcher;
};

// Both crossings are at 0.4 on lines that begin at 1. In doubles 1.4 − 1 < 0.4, so that a search that
// compared times by differences would stop short of the second crossing. Ranks that search one each find
// both.
TEST(LineSearcher, OfTwoCrossingsAtOneInstantBothAreKnown) {
  for (const std::size_t late : {0u, 1u}) {
    TwoCollisions two;
    two.constraints[0].meets_at = two.constraints[1].meets_at = 0.4;
    std::array<double, 2> starts = {0.2, 0.2};
    starts[late] = 0.15;  // and looks until 0.4
    two.find(starts);
    for (const SubdomainState& state : two.states) EXPECT_TRUE(state.next.known) << late;
  }
}

TEST(LineSearcher, OfTwoCrossingsTheLaterIsNotLookedForOnceTheFirstIsKnown) {
  for (const std::size_t first : {0u, 1u}) {
    TwoCollisions two;
    two.constraints[first].meets_at = 0.6;
    two.constraints[1 - first].meets_at = 2;
    two.find({0, 0});
    EXPECT_TRUE(two.states[first].next.known);
    EXPECT_FALSE(two.states[1 - first].next.known);
    EXPECT_EQ(two.states[1 - first].next.certain_until, 0.75) << "as far as the first had to look";
  }
}

// A rank that searches by itself does not know the crossings that others find. It may go on to where its
// search fails; that is an error only once the search has to come so far.
TEST(OnRanksLineSearcher, ASearchThatFailsBeyondTheFirstCrossingIsNoErrorBeforeItIsWanted) {
  for (const std::size_t first : {0u, 1u}) {
    TwoCollisions two(MPI_COMM_WORLD);
    two.constraints[first].meets_at = 0.6;
    two.constraints[1 - first].too_far_from = 1.25;
    two.begin({0, 0});
    ASSERT_NO_THROW(two.go_on());
    EXPECT_TRUE(two.states[first].next.known);
    EXPECT_FALSE(two.states[1 - first].next.known);
    EXPECT_GT(two.states[1 - first].next.certain_until, 0.6);
    two.states[first].search = FirstCrossing({}, true, 1, 0.7, infinity, 1);  // as after its event
    two.constraints[first].meets_at = 1.5;
    try {
      two.go_on();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.on_all_ranks(), two.communicator.size() > 1);
      EXPECT_THAT(error.found(), testing::HasSubstr("too far from the origin"));
      EXPECT_THAT(error.where(), testing::HasSubstr("time 2.25"));
    }
  }
}

TEST(OnRanksLineSearcher, OfSearchesThatFailTheFirstIsToldOnAllRanks) {
  for (const std::size_t first : {0u, 1u}) {
    TwoCollisions two(MPI_COMM_WORLD);
    two.constraints[first].too_far_from = 0.5;
    two.constraints[1 - first].too_far_from = 0.75;
    try {
      two.find({0, 0});
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.on_all_ranks(), two.communicator.size() > 1);
      EXPECT_THAT(error.where(), testing::HasSubstr("time 1.5"));
    }
  }
}

// A search that ranks share does not stop at a crossing that one of them finds by itself: it too may fail
// beyond the first crossing.
TEST(OnRanksLineSearcher, ASharedSearchThatFailsBeyondTheFirstCrossingIsNoErrorEither) {
  TwoCollisions two(MPI_COMM_WORLD);
  ScriptedPotential potential;
  potential.jumps_at = 1;
  potential.value_beyond = infinity;  // which refuses all grids
  two.lagrangian.subdomains[1].impenetrable = two.lagrangian.subdomains[1].certified = false;
  two.lagrangian.subdomains[1].constraint = nullptr;
  two.lagrangian.subdomains[1].only_rank = -1;
  two.lagrangian.subdomains[1].potentials = {&potential};
  for (const double meets_at : {0.6, 5.0}) {
    two.constraints[0].meets_at = meets_at;
    two.states[0].search = FirstCrossing({}, true, 1, 0, infinity, 1);
    two.states[1].search = FirstCrossing({1e9, 0}, false, 1, 0, infinity, 1);
    if (meets_at < 1) {
      ASSERT_NO_THROW(two.go_on());
      EXPECT_GT(two.states[1].next.certain_until, 0.6);
    } else {
      EXPECT_THAT([&] { two.go_on(); },
                  testing::ThrowsMessage<Error>(testing::HasSubstr("finite energies along its line")));
    }
  }
}

// For traces, searches are done one after the other, each followed by a call of `done`.
TEST(LineSearcher, SearchesThatGoOnOneByOneFailAsTogether) {
  TwoCollisions two;
  two.constraints[0].too_far_from = 0.75;
  two.constraints[1].meets_at = 0.6;
  two.begin({0, 0});
  std::vector<std::int32_t> done;
  const std::array<PendingSearch, 2> pending = {{{0, infinity}, {1, infinity}}};
  ASSERT_NO_THROW(two.searcher.find(pending, [&](std::int32_t j) { done.push_back(j); }));
  EXPECT_THAT(done, testing::ElementsAre(0, 1));
  two.constraints[1].meets_at = 2;
  two.begin({0, 0});
  EXPECT_THROW(two.searcher.find(pending, [](std::int32_t) {}), Error);
}

// Whether each call asks for one sample or for the whole line, the search ends after 200,000 samples.
TEST(LineSearcher, SearchesThatDoNotGetOnEndTheRun) {
  for (const int only_rank : {0, -1})
    for (const bool by_samples : {false, true}) {
      Searched searched;
      searched.subdomain().only_rank = only_rank;
      searched.potential.sizes = {0.5, 0, 0, 0, 0, 0, 1e10, 0};  // steps of some 1e-10
      FirstCrossing& search = searched.states[0].search;
      search = FirstCrossing({1, 0}, true, 0, 1, infinity, 1);
      const auto go_on = [&] {
        for (;;) {
          const PendingSearch pending{0, by_samples ? search.certain_until() : infinity};
          searched.searcher.find({&pending, 1});
        }
      };
      EXPECT_THAT(go_on,
                  testing::ThrowsMessage<Error>(testing::AllOf(
                      testing::HasSubstr("expected the next edge of its terrace, or none, to be found"),
                      testing::HasSubstr("found neither after 200000 samples: lower its energy step"))));
      EXPECT_LE(search.samples(), 200001);
    }
}

// A search that failed counts as unfinished, unless it came as far as it was asked: `find` goes on with it
// then and reports the error.
TEST(OnRanksLineSearcher, ASearchThatFailsWhenAskedHasNotComeAsFarAsItWasAsked) {
  for (const double limit : {1.25, 2.0}) {
    TwoCollisions two(MPI_COMM_WORLD);
    two.constraints[1].too_far_from = 0.5;
    two.begin({0, 0});
    const std::array<PendingSearch, 2> pending = {{{0, limit}, {1, limit}}};
    std::vector<double> sums = two.searcher.ask(pending);
    two.communicator.sum(sums);
    EXPECT_THAT(two.searcher.understand(sums), testing::ElementsAre(1, limit < 1.5 ? 1 : 0)) << limit;
  }
}

// The first sample tells the event monitor how well V fits its terrace.
TEST(LineSearcher, OneSampleIsTakenOfALineThatBeginsBehindTheLimit) {
  for (const int only_rank : {0, -1}) {
    Searched searched;
    searched.subdomain().only_rank = only_rank;
    searched.potential.sizes = {0.5, 0, 0, 0, 0, 0, 0, 0};
    searched.states[0].search = FirstCrossing({1, 0}, true, 0, 1, infinity, 1);
    const PendingSearch pending{0, 0.5};
    searched.searcher.find({&pending, 1});
    EXPECT_EQ(searched.states[0].search.samples(), 1);
    EXPECT_EQ(searched.states[0].next.first_value, 0.5);
  }
}

// Samples beyond the event that ends a line leave no trace in the sums of the line.
TEST(LineSums, AreThoseOfTheSamplesThatHadToBeTaken) {
  LineSumsOnTrial sums;
  sums.about_to_change(0);
  sums.now.contact_terms = 1;
  sums.about_to_change(2);
  sums.now.contact_terms = 2;
  sums.about_to_change(5);
  sums.now.contact_terms = 3;
  for (const auto& [end, kept] : {std::pair{6.0, 3.0}, {5.0, 3.0}, {4.9, 2.0}, {2.0, 2.0}, {1.0, 1.0}}) {
    LineSumsOnTrial copy = sums;
    copy.end_line(10, 10 + end);
    EXPECT_EQ(copy.now.contact_terms, kept) << "line ends at " << end;
    copy.end_line(0, 0);
    EXPECT_EQ(copy.now.contact_terms, kept) << "what is kept is kept";
  }
}

/// A waiting pair whose surfaces are 1 apart and approach each other with a speed of 2.
struct Waiting : Searched {
  Waiting() {
    system.lagrangian.touching_bodies_share = true;
    subdomain().only_rank = 0;
    potential.room = {1, 2};
    states[0].terrace = {1, 0, 0};
  }
  /// Searches a new line that begins at `instant`, for a time of `until`. Returns the number of looks at the
  /// surfaces that it took.
  int looks(double instant, double until) {
    states[0].origin = instant;
    states[0].search = FirstCrossing(states[0].terrace, true, instant, 0, infinity, 1);
    const int before = potential.looks;
    const PendingSearch pending{0, instant + until};
    searcher.find({&pending, 1});
    return potential.looks - before;
  }
};

TEST(LineSearcher, APairThatNobodyFollowsIsLookedAtAtEachSearch) {
  Waiting pair;
  EXPECT_EQ(pair.looks(10, 0.25), 1);
  EXPECT_EQ(pair.states[0].next.apart, 1);
  EXPECT_EQ(pair.states[0].next.certain_until, 0.5);
  EXPECT_EQ(pair.looks(10.1, 0.25), 1) << "its new line may be a faster one";
}

TEST(LineSearcher, APairThatIsFollowedIsLookedAtWhenItsRoomMayBeUsedUp) {
  Waiting pair;
  pair.searcher.follow_approach(0, 10, 7);
  EXPECT_EQ(pair.looks(10, 0.25), 1) << "nothing was known";
  pair.searcher.follow_approach(0, 10.25, 0.125);
  EXPECT_EQ(pair.looks(10.25, 2), 0);
  EXPECT_NEAR(pair.states[0].next.apart, 0.5, 1e-9) << "less what the line before used up";
  EXPECT_NEAR(pair.states[0].next.certain_until, 4, 1e-9);
  EXPECT_EQ(pair.looks(11.25, 2), 0);
  EXPECT_NEAR(pair.states[0].next.apart, 0.375, 1e-9) << "later on the same line";
  pair.searcher.follow_approach(0, 11.25, 1);
  EXPECT_EQ(pair.looks(11.25, 0.45), 1) << "that is longer than there is room";
  EXPECT_EQ(pair.states[0].next.apart, 1);
  pair.searcher.forget_approach(0);
  EXPECT_EQ(pair.looks(11.25, 0.25), 1);
  pair.searcher.follow_approach(0, 11.5, 0.125);
  EXPECT_EQ(pair.looks(11.5, 0.25), 1) << "of new lines nothing is known";
  pair.searcher.forget_approaches();
  EXPECT_EQ(pair.looks(11.5, 0.25), 1);
}

}  // namespace
}  // namespace terrace::line_search_test
