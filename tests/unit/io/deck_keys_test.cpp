// The reference of keys (inputs/README.md), the keys that the deck reader accepts, and the tests of their
// effects: each key of one is in the other two.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "io/whole_file.hpp"
#include "support/deck_fixture.hpp"

namespace terrace::deck_keys_test {
namespace {

using Keys = std::set<std::string>;

/// The test that a key has its effect: a GoogleTest of this program ("Suite.Name"), or a method of a script
/// under tests/ ("cli/keys.py:test_name"). It must fail when the key is read and then ignored.
const std::map<std::string, std::vector<std::string>>& tests_of_keys() {
  static const std::map<std::string, std::vector<std::string>> tests = {
      {"title", {"cli/keys.py:test_title_is_in_the_summary"}},
      {"time.end", {"cli/keys.py:test_time_ends_the_run"}},
      {"time.events", {"cli/keys.py:test_time_ends_the_run"}},
      {"materials.density", {"KeyEffect.DensityTimesVolumeIsTheMassOfTheMaterialThatTheBodyNames"}},
      {"materials.lame_lambda", {"KeyEffect.ElasticConstantsGiveTheEnergyOfAStretch"}},
      {"materials.lame_mu", {"KeyEffect.ElasticConstantsGiveTheEnergyOfAStretch"}},
      {"materials.youngs_modulus", {"KeyEffect.ElasticConstantsGiveTheEnergyOfAStretch"}},
      {"materials.poissons_ratio", {"KeyEffect.ElasticConstantsGiveTheEnergyOfAStretch"}},
      {"materials.law", {"KeyEffect.TheLawAndItsRatioDecideTheEnergyOfAStretch"}},
      {"materials.mooney_ratio", {"KeyEffect.TheLawAndItsRatioDecideTheEnergyOfAStretch"}},
      {"bodies.name", {"KeyEffect.DensityTimesVolumeIsTheMassOfTheMaterialThatTheBodyNames"}},
      {"bodies.material", {"KeyEffect.DensityTimesVolumeIsTheMassOfTheMaterialThatTheBodyNames"}},
      {"bodies.shape",
       {"KeyEffect.ABallHasItsRadiusAndNearlyItsVolume",
        "KeyEffect.ABlockAndALatticeHaveTheirExtentAboutTheOrigin",
        "KeyEffect.AFileIsMeshedWithItsGroupScaleAndSize"}},
      {"bodies.radius", {"KeyEffect.ABallHasItsRadiusAndNearlyItsVolume"}},
      {"bodies.extent", {"KeyEffect.ABlockAndALatticeHaveTheirExtentAboutTheOrigin"}},
      {"bodies.cells", {"KeyEffect.CellsOfALatticeHave24TetrahedraEach"}},
      {"bodies.size",
       {"KeyEffect.SizeIsTheLengthOfTheEdges", "KeyEffect.AFileIsMeshedWithItsGroupScaleAndSize"}},
      {"bodies.refine", {"KeyEffect.RefinementHasItsSizeAtItsPointAndReachesToItsRadius"}},
      {"bodies.refine.point", {"KeyEffect.RefinementHasItsSizeAtItsPointAndReachesToItsRadius"}},
      {"bodies.refine.size", {"KeyEffect.RefinementHasItsSizeAtItsPointAndReachesToItsRadius"}},
      {"bodies.refine.radius", {"KeyEffect.RefinementHasItsSizeAtItsPointAndReachesToItsRadius"}},
      {"bodies.refine.slope", {"HertzKeys.RefinementGrowsFromItsCoreBySlope"}},
      {"bodies.refine.core", {"HertzKeys.RefinementGrowsFromItsCoreBySlope"}},
      {"bodies.contacts", {"HertzKeys.ContactsChooseElementsByTheForces"}},
      {"bodies.mass", {"HertzKeys.MassOfTheSphereMakesUpForFacets"}},
      {"bodies.file", {"KeyEffect.AFileIsMeshedWithItsGroupScaleAndSize"}},
      {"bodies.group", {"KeyEffect.AFileIsMeshedWithItsGroupScaleAndSize"}},
      {"bodies.scale", {"KeyEffect.AFileIsMeshedWithItsGroupScaleAndSize"}},
      {"bodies.position", {"KeyEffect.RotationComesBeforePositionAndItsAngleIsInDegreesAboutItsAxis"}},
      {"bodies.rotation", {"KeyEffect.RotationComesBeforePositionAndItsAngleIsInDegreesAboutItsAxis"}},
      {"bodies.rotation.axis", {"KeyEffect.RotationComesBeforePositionAndItsAngleIsInDegreesAboutItsAxis"}},
      {"bodies.rotation.angle", {"KeyEffect.RotationComesBeforePositionAndItsAngleIsInDegreesAboutItsAxis"}},
      {"bodies.velocity", {"KeyEffect.VelocityIsOfTheCentreAndSpinTurnsAboutIt"}},
      {"bodies.spin", {"KeyEffect.VelocityIsOfTheCentreAndSpinTurnsAboutIt"}},
      {"bodies.repeat", {"KeyEffect.RepeatedBodiesStandInARowOrInAGrid"}},
      {"bodies.repeat.count", {"KeyEffect.RepeatedBodiesStandInARowOrInAGrid"}},
      {"bodies.repeat.offset", {"KeyEffect.RepeatedBodiesStandInARowOrInAGrid"}},
      {"bodies.repeat.counts", {"KeyEffect.RepeatedBodiesStandInARowOrInAGrid"}},
      {"bodies.repeat.spacing", {"KeyEffect.RepeatedBodiesStandInARowOrInAGrid"}},
      {"bodies.repeat.random_speed",
       {"KeyEffect.RandomSpeedsFillABallUniformlyAboutTheVelocity",
        "KeyEffect.RandomSpeedsAreTheSameForTheSameSeedOnly"}},
      {"bodies.repeat.seed", {"KeyEffect.RandomSpeedsAreTheSameForTheSameSeedOnly"}},
      {"particles.name", {"ParticleKeys.ListsGiveNamesMassesPositionsAndVelocities"}},
      {"particles.mass", {"ParticleKeys.ListsGiveNamesMassesPositionsAndVelocities"}},
      {"particles.positions", {"ParticleKeys.ListsGiveNamesMassesPositionsAndVelocities"}},
      {"particles.velocities", {"ParticleKeys.ListsGiveNamesMassesPositionsAndVelocities"}},
      {"particles.file", {"ParticleKeys.AFileGivesTheSameAsLists"}},
      {"potentials.name", {"ParticleKeys.PotentialsThatAreWrongAreToldByTheirLine"}},
      {"potentials.kind",
       {"ParticleKeys.EnergiesOfPairsAreThoseOfTheReference",
        "ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.active", {"ParticleKeys.PotentialsAreSwitchedOff"}},
      {"potentials.between", {"ParticleKeys.PairsAreBetweenBodiesOrListed"}},
      {"potentials.pairs", {"ParticleKeys.PairsAreBetweenBodiesOrListed"}},
      {"potentials.depth", {"ParticleKeys.EnergiesOfPairsAreThoseOfTheReference"}},
      {"potentials.diameter", {"ParticleKeys.EnergiesOfPairsAreThoseOfTheReference"}},
      {"potentials.cutoff", {"ParticleKeys.EnergiesOfPairsAreThoseOfTheReference"}},
      {"potentials.constant", {"ParticleKeys.EnergiesOfPairsAreThoseOfTheReference"}},
      {"potentials.length", {"ParticleKeys.EnergiesOfPairsAreThoseOfTheReference"}},
      {"potentials.stiffness",
       {"ParticleKeys.EnergiesOfPairsAreThoseOfTheReference",
        "ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.energy",
       {"ParticleKeys.EnergiesOfPairsAreThoseOfTheReference",
        "ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.on", {"ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.strength", {"ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.centre", {"ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.coefficients", {"ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.direction", {"ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.radius", {"ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"potentials.height", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.wall", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.parts", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.parts.shape", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.parts.point", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.parts.normal", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.parts.radius", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.parts.side", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.parts.function", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.parts.piece", {"cli/stepping_keys.py:test_a_step_is_a_region"}},
      {"potentials.side", {"ParticleKeys.EnergiesOfFieldsAreThoseOfTheReference"}},
      {"contact.model",
       {"KeyEffect.ContactModelDecidesTheEnergyOfADistance",
        "HertzKeys.BallsPushByHertzsLawFromWhereTheirSpheresTouch"}},
      {"contact.patch", {"HertzKeys.PatchesHaveTheirRadiusOrTwiceTheContactsUnderTheForces"}},
      {"contact.forces",
       {"HertzKeys.PatchesHaveTheirRadiusOrTwiceTheContactsUnderTheForces",
        "HertzKeys.ContactsChooseElementsByTheForces"}},
      {"contact.stiffness", {"KeyEffect.ContactStiffnessMultipliesTheEnergy"}},
      {"contact.distance", {"KeyEffect.ContactDistanceIsWhereTheEnergyBegins"}},
      {"contact.energy_step", {"KeyEffect.ContactEnergyStepIsThatOfPairsAndWallsOnTerracesOfTheirOwn"}},
      {"contact.pairs", {"KeyEffect.ContactPairsNameWhichBodiesMayTouch"}},
      {"contact.self", {"KeyEffect.SelfContactIsOfEveryBodyOrOfThoseNamedTwice"}},
      {"contact.close_start",
       {"KeyEffect.CloseStartRefusesOrHalvesTheDistance", "KeyEffect.CloseStartIsForBarrierWallsToo"}},
      {"walls.name", {"KeyEffect.AWallHasItsNameAndOneSideUnlessToldOtherwise"}},
      {"walls.point", {"KeyEffect.AWallPushesByItsPenaltyTheNodesBehindItsPlane"}},
      {"walls.normal", {"KeyEffect.AWallPushesByItsPenaltyTheNodesBehindItsPlane"}},
      {"walls.model",
       {"KeyEffect.AWallPushesByItsPenaltyTheNodesBehindItsPlane",
        "KeyEffect.ABarrierWallPushesBeforeItsPlaneFromItsDistanceOn",
        "HertzKeys.AWallPushesABallAsAPlaneDoes"}},
      {"walls.stiffness",
       {"KeyEffect.AWallPushesByItsPenaltyTheNodesBehindItsPlane",
        "KeyEffect.ABarrierWallPushesBeforeItsPlaneFromItsDistanceOn"}},
      {"walls.distance", {"KeyEffect.ABarrierWallPushesBeforeItsPlaneFromItsDistanceOn"}},
      {"walls.two_sided", {"KeyEffect.AWallHasItsNameAndOneSideUnlessToldOtherwise"}},
      {"walls.active", {"KeyEffect.AWallIsSwitchedOff"}},
      {"supports.name", {"SupportKeys.ASupportHasItsNameInTheLedger"}},
      {"supports.body",
       {"SupportKeys.ABoxHoldsTheNodesOfItsBodyInItAndItsCornersCount",
        "SupportKeys.ARepeatedEntryIsHeldInAllItsBodiesOrInOne"}},
      {"supports.group", {"SupportKeys.AGroupIsAPhysicalSurfaceOrVolumeOfTheFile"}},
      {"supports.box", {"SupportKeys.ABoxHoldsTheNodesOfItsBodyInItAndItsCornersCount"}},
      {"supports.surface", {"SupportKeys.TheSurfaceIsAllButTheInnerNodes"}},
      {"supports.components", {"SupportKeys.VelocityIsThatOfTheHeldComponentsAtTheStartAndLater"}},
      {"supports.velocity", {"SupportKeys.VelocityIsThatOfTheHeldComponentsAtTheStartAndLater"}},
      {"probes.name", {"ProbeKeys.AProbeHasItsNameAndFollowsTheNodeOfItsBodyNearestToItsPoint"}},
      {"probes.body", {"ProbeKeys.AProbeHasItsNameAndFollowsTheNodeOfItsBodyNearestToItsPoint"}},
      {"probes.point", {"ProbeKeys.AProbeHasItsNameAndFollowsTheNodeOfItsBodyNearestToItsPoint"}},
      {"gravity.acceleration", {"SupportKeys.GravityPullsEveryBodyByItsMass"}},
      {"gravity.active", {"SupportKeys.GravityIsSwitchedOff"}},
      {"system.kind", {"cli/small_systems.py:test_kind_and_parameters_make_the_system"}},
      {"system.parameters", {"cli/small_systems.py:test_kind_and_parameters_make_the_system"}},
      {"system.coordinates", {"cli/small_systems.py:test_coordinates_and_momenta_are_the_start"}},
      {"system.momenta", {"cli/small_systems.py:test_coordinates_and_momenta_are_the_start"}},
      {"system.forces", {"cli/small_systems.py:test_forces_are_on_or_off_and_explicit_or_implicit"}},
      {"localization.kind",
       {"KeyEffect.LocalizationDividesTheBodies", "ParticleKeys.LocalizationDividesParticles"}},
      {"localization.parts",
       {"KeyEffect.LocalizationDividesTheBodies", "ParticleKeys.LocalizationDividesParticles"}},
      {"localization.contact", {"KeyEffect.LocalizationOfContactIsOwnTouchingOrWithBodies"}},
      {"integrator.method", {"cli/keys.py:test_method_decides_how_the_system_is_advanced"}},
      {"integrator.energy_step", {"KeyEffect.EnergyStepIsAbsoluteAFractionOrADefault"}},
      {"integrator.energy_step_fraction", {"KeyEffect.EnergyStepIsAbsoluteAFractionOrADefault"}},
      {"integrator.time_step", {"cli/keys.py:test_time_step_is_absolute_or_a_multiple_of_the_stable_one"}},
      {"integrator.time_step_factor",
       {"cli/keys.py:test_time_step_is_absolute_or_a_multiple_of_the_stable_one"}},
      {"integrator.largest_correction",
       {"cli/keys.py:test_clocked_kicks_are_bounded_and_their_debts_watched"}},
      {"integrator.debt_tolerance", {"cli/keys.py:test_clocked_kicks_are_bounded_and_their_debts_watched"}},
      {"integrator.grid_spacing", {"cli/stepping_keys.py:test_the_grid_decides_the_steps"}},
      {"integrator.grid_spacings", {"cli/stepping_keys.py:test_the_grid_decides_the_steps"}},
      {"integrator.grid_offset", {"cli/stepping_keys.py:test_the_grid_decides_the_steps"}},
      {"integrator.parity", {"cli/stepping_keys.py:test_the_grid_decides_the_steps"}},
      {"integrator.coordinates", {"cli/stepping_keys.py:test_reductions_keep_momenta"}},
      {"integrator.variant", {"cli/stepping_keys.py:test_a_step_is_passed_by_each_variant"}},
      {"integrator.order", {"cli/stepping_keys.py:test_a_step_is_passed_by_each_variant"}},
      {"integrator.solver_tolerance", {"cli/stepping_keys.py:test_implicit_steps_heed_their_keys"}},
      {"integrator.explicit_weight", {"cli/stepping_keys.py:test_implicit_steps_heed_their_keys"}},
      {"integrator.implicit_weight", {"cli/stepping_keys.py:test_implicit_steps_heed_their_keys"}},
      {"integrator.scaling_exponent", {"cli/stepping_keys.py:test_steps_follow_the_energy"}},
      {"integrator.scaling_shift", {"cli/stepping_keys.py:test_steps_follow_the_energy"}},
      {"integrator.steepness", {"cli/stepping_keys.py:test_a_step_is_passed_by_each_variant"}},
      {"integrator.executor",
       {"cli/keys.py:test_checking_executor_does_every_event_twice",
        "cli/executors.py:test_many_events_at_once_have_the_bits_of_one_after_the_other"}},
      {"layout.kind",
       {"KeyEffect.LayoutPutsWholeSubdomainsOrSlicesOnRanks", "cli/keys.py:test_layout_is_in_the_summary"}},
      {"layout.teams", {"cli/windows.py:test_teams_are_where_the_deck_says"}},
      {"layout.helpers", {"cli/windows.py:test_clusters_go_to_ranks_that_are_done"}},
      {"output.directory", {"cli/keys.py:test_directory_is_relative_to_where_the_program_starts"}},
      {"output.overwrite", {"cli/keys.py:test_overwrite_replaces_an_earlier_run"}},
      {"output.field_interval", {"cli/keys.py:test_field_interval_is_the_time_between_frames"}},
      {"output.history_interval", {"cli/keys.py:test_history_interval_is_the_time_between_rows"}},
      {"output.bodies_interval", {"cli/keys.py:test_bodies_have_an_interval_and_a_file_of_their_own"}},
      {"output.bodies", {"cli/keys.py:test_bodies_have_an_interval_and_a_file_of_their_own"}},
      {"output.frames", {"cli/keys.py:test_a_frame_is_pieces_or_one_file"}},
      {"output.compression", {"cli/keys.py:test_frames_are_compressed_as_asked"}},
      {"output.surface_only", {"cli/keys.py:test_frames_of_the_surface_in_single_precision"}},
      {"output.single_precision", {"cli/keys.py:test_frames_of_the_surface_in_single_precision"}},
      {"output.restart_interval",
       {"cli/restart.py:test_by_the_clock_on_the_wall", "cli/restart.py:test_none_where_none_is_asked_for"}},
      {"output.restart_time", {"cli/restart.py:test_the_file_before_is_taken_where_the_last_is_damaged"}},
  };
  return tests;
}

std::filesystem::path source(const std::string& path) {
  return std::filesystem::path(TERRACE_SOURCE_DIR) / path;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

/// The keys of the table in inputs/README.md, "section.key" or "section.key.key of a table in it".
Keys documented_keys() {
  Keys keys;
  std::istringstream lines(read_whole_file(source("inputs/README.md")));
  std::string section, last;
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| key |", 0) == 0) in_table = true;
    if (in_table && line.empty()) break;
    std::smatch cells;
    if (!in_table || !std::regex_match(line, cells, std::regex(R"(\|([^|]*)\|([^|]*)\|.*)"))) continue;
    const std::string first = cells[1], second = cells[2];
    const std::vector<std::string> headings = matches(first, R"(\*\*`\[+([a-z]+)[^`]*`\*\*)");
    if (!headings.empty()) {
      section = headings.front() + ".";
      continue;
    }
    for (const std::string& key : matches(first, "`([a-z_]+)`")) keys.insert(last = section + key);
    // Keys of a table that is the value: `{ point, size, radius }`, `{ axis = vector, … }`, `seed = integer`.
    for (const std::string& code : matches(second, "`([^`]*)`")) {
      const bool plain_list = std::regex_match(code, std::regex(R"(\{[a-z_, ]*\})"));
      for (const std::string& key : matches(code, plain_list ? "([a-z_]+)" : "([a-z_]+) = "))
        keys.insert(last + "." + key);
    }
  }
  return keys;
}

/// The keys that the deck reader accepts, from the list in its message of an unknown key.
class AcceptedKeys : public DeckTest {
 protected:
  /// `place`: a setting with an unknown key "zzz".
  void collect(const std::string& section, const std::string& place, const char* deck = valid_deck) {
    const std::string text = message(deck, {place});
    const std::size_t list = text.find("a key of "), end = text.find(", found the unknown key \"zzz\"");
    ASSERT_TRUE(list != std::string::npos && end != std::string::npos) << text;
    for (const std::string& key : matches(text.substr(list, end - list), "\"([a-z_]+)\""))
      keys_.insert(section + key);
  }
  Keys keys_;
};

TEST_F(AcceptedKeys, AreThoseOfTheReference) {
  collect("", "zzz=1");
  Keys sections;  // other top-level keys are tables of keys
  for (const std::string& key : keys_)
    if (key != "title") sections.insert(key);
  EXPECT_EQ(sections,
            (Keys{"time", "materials", "bodies", "particles", "potentials", "system", "contact", "walls",
                  "supports", "probes", "gravity", "localization", "integrator", "layout", "output"}))
      << "a new section needs a line here";
  for (const std::string& section : sections) keys_.erase(section);
  for (const std::string section :
       {"time", "contact", "gravity", "localization", "integrator", "layout", "output"})
    collect(section + ".", section + ".zzz=1");
  collect("materials.", "materials.gel.zzz=1");
  collect("walls.", "walls.0.zzz=1");
  collect("supports.", "supports=[{zzz=1}]");
  collect("probes.", "probes=[{zzz=1}]");
  for (const std::string shape : {"ball", "block", "lattice", "file"})
    collect("bodies.", "bodies.0={shape='" + shape + "',zzz=1}");
  collect("bodies.refine.", "bodies.0.refine=[{zzz=1}]");
  constexpr const char* particle_deck =
      "[time]\nend = 1\n[[particles]]\nname = \"a\"\nmass = 1\npositions = [[0]]\n";
  collect("particles.", "particles.0.zzz=1", particle_deck);
  collect(
      "system.", "system.zzz=1",
      "[time]\nend = 1\n[system]\nkind = \"kepler\"\n[integrator]\nmethod = \"verlet\"\ntime_step = 0.1\n");
  for (const std::string kind : {"lennard-jones", "gravity", "spring", "hertz", "pair-expression", "central",
                                 "harmonic", "polynomial", "circle", "expression", "step"})
    collect("potentials.", "potentials=[{name='p',kind='" + kind + "',zzz=1}]", particle_deck);
  collect("potentials.parts.", "potentials=[{name='p',kind='step',height=1,parts=[{zzz=1}]}]", particle_deck);
  collect("bodies.rotation.", "bodies.0.rotation={zzz=1}");
  collect("bodies.repeat.", "bodies.0.repeat={zzz=1}");
  EXPECT_THAT(keys_, testing::ContainerEq(documented_keys()));
}

TEST(Keys, OfTheReferenceHaveATestOfTheirEffect) {
  Keys tested;
  for (const auto& [key, tests] : tests_of_keys()) tested.insert(key);
  EXPECT_THAT(tested, testing::ContainerEq(documented_keys()));
}

bool is_a_test(const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon != std::string::npos)
    return read_whole_file(source("tests/" + name.substr(0, colon)))
               .find("    def " + name.substr(colon + 1) + "(self)") != std::string::npos;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s)
    for (int t = 0; t < all.GetTestSuite(s)->total_test_count(); ++t)
      if (name ==
          std::string(all.GetTestSuite(s)->name()) + "." + all.GetTestSuite(s)->GetTestInfo(t)->name())
        return true;
  return false;
}

TEST(Keys, HaveTestsThatExist) {
  for (const auto& [key, tests] : tests_of_keys()) {
    EXPECT_FALSE(tests.empty()) << key;
    for (const std::string& test : tests) EXPECT_TRUE(is_a_test(test)) << key << ": " << test;
  }
}

}  // namespace
}  // namespace terrace::deck_keys_test
