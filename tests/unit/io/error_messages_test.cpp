// What the modules below the deck say of input that cannot be, and of a run that cannot go on: each message
// once, with what was expected and found. (Decks: deck_broken_test.cpp; meshes: mesh_*.cpp.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <stdexcept>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/checking_executor.hpp"
#include "dynamics/terraces/event_monitor.hpp"
#include "io/histories.hpp"
#include "io/output_directory.hpp"
#include "io/restart_file.hpp"
#include "io/vtk_fields.hpp"
#include "io/whole_file.hpp"
#include "mesh/partition.hpp"
#include "mesh/shapes.hpp"
#include "numerics/infinity.hpp"
#include "parallel/archive.hpp"
#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "potentials/contact/face_intersection.hpp"
#include "potentials/contact/plane_contact.hpp"
#include "potentials/elastic/stable_step.hpp"
#include "potentials/elastic/tetrahedral_block.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_system.hpp"

namespace terrace::error_messages_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The message of the Error that `action` must throw, after its exit status: "2 where: expected …, found …".
std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::to_string(error.exit_status()) + " " + error.what();
  }
  return "no error";
}

const Material soft{"soft", 0.1, 0.01, 0.0066};
const std::vector<Vector3> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TEST(ErrorMessages, OfElementsAndMaterials) {
  const auto block = [](const Tetrahedron& nodes, const Material& material) {
    return message([&] { NeoHookeanBlock(corner, {nodes}, material, {{70}, "ball", 60}); });
  };
  EXPECT_EQ(block({0, 2, 1, 3}, soft),
            "2 body ball, element 10: expected a positive volume, found -0.166667");
  EXPECT_EQ(block({0, 1, 2, 4}, soft), "2 elements: expected node numbers below 4, found 4");
  EXPECT_THAT(block({0, 1, 2, 3}, {"m", 1, 1, -1}),
              AllOf(HasSubstr("2 material m: expected finite λ and μ with μ > 0 and 3 λ + 2 μ > 0"),
                    HasSubstr("found λ = 1.000000, μ = -1.000000")));
  EXPECT_EQ(message([] {
              static_cast<void>(
                  element_stable_step(corner, std::vector<Tetrahedron>{{0, 1, 2, 3}}, {"air", 0, 1, 1}));
            }),
            "2 material air: expected a positive density, found 0.000000");
}

TEST(ErrorMessages, OfSurfacesInContact) {
  const std::vector<Vector3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const auto contact = [&](const std::vector<Triangle>& first, double stiffness) {
    return message([&] { FaceIntersection(x, first, {{3, 4, 5}}, stiffness); });
  };
  EXPECT_THAT(contact({}, 1),
              HasSubstr("2 face-intersection contact: expected a boundary with triangles, found none"));
  EXPECT_THAT(contact({{0, 1, 6}}, 1), HasSubstr("expected node numbers from 0 to 5, found node 6"));
  EXPECT_THAT(
      contact({{0, 1, 1}}, 1),
      HasSubstr("expected boundary triangles with edges of positive length, found an edge of length 0"));
  EXPECT_THAT(contact({{0, 1, 2}}, 0), HasSubstr("expected a positive stiffness, found 0"));
}

TEST(ErrorMessages, OfWalls) {
  const auto wall = [](const Vector3& normal, double stiffness, const std::vector<std::int32_t>& nodes,
                       std::size_t weights) {
    return message([&] {
      PlaneContact(corner, nodes, std::vector<double>(weights, 1), {{}, normal},
                   ContactProfile(ContactProfile::Kind::penalty, 0), stiffness, "wall floor");
    });
  };
  EXPECT_EQ(wall({0, 0, 0}, 1, {0, 1}, 2),
            "2 wall floor: expected a normal that is finite and not zero, found (0, 0, 0)");
  EXPECT_EQ(wall({0, 0, 1}, -1, {0, 1}, 2), "2 wall floor: expected a positive stiffness, found -1");
  EXPECT_EQ(wall({0, 0, 1}, 1, {1, 0}, 2),
            "2 wall floor: expected boundary nodes in ascending order below 4, found node 0 at place 1");
  EXPECT_EQ(wall({0, 0, 1}, 1, {0, 1}, 1), "2 wall floor: expected 2 weights of nodes, found 1");
}

TEST(ErrorMessages, OfBodiesThatIntersectUnderExactReflections) {
  Deck deck = soft_deck({cube_entry("a", 1), cube_entry("b", 1, {0.9999999, 0.1, 0.2})});
  deck.contact.model = ContactModel::rigid;
  EXPECT_THAT(message([&] { SmallSystem{deck}; }),
              AllOf(HasSubstr("2 bodies a and b: expected bodies that do not intersect at the start, as "
                              "contact.model = \"rigid\" keeps every triangle on its side"),
                    HasSubstr("found an edge through a triangle near (0.5, ")));
}

TEST(ErrorMessages, OfPartitions) {
  EXPECT_EQ(message([] {
              partition_tetrahedra({{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}, 5, 2);
            }),
            "1 partition of tetrahedra: expected node indices below 5, found 5");
  EXPECT_EQ(message([] {
              partition_tetrahedra({{0, 1, 2, 3}}, 4, 0);
            }),
            "1 partition of tetrahedra: expected at least one part, found 0");
}

TEST(ErrorMessages, OfATimeStep) {
  SmallSystem cube(spinning_cube(1));
  EXPECT_EQ(message([&] { Newmark(cube.lagrangian, cube.state, -1); }),
            "2 integrator.time_step: expected a positive, finite step, found -1");
  EXPECT_EQ(
      message([] { static_cast<void>(positive_step(infinity)); }),  // of particles that are free
      "2 integrator.time_step: expected a positive, finite step, found none in the deck, and nothing with "
      "a stiffness to choose one by");
}

TEST(ErrorMessages, OfEventsWithoutEnd) {
  const auto standing_still = [](bool certified) {
    EventMonitor stuck("cube", 1e-300);
    for (int k = 0; k < 10001; ++k) stuck.remember(0.25, false, FirstCrossing::Surface::top, certified);
  };
  const std::string of_cube =
      "1 subdomain cube, time 0.25: expected time to advance between its events, found 10000 events at one "
      "instant";
  EXPECT_EQ(message([&] { standing_still(false); }),
            of_cube +
                ", as where faces, or a face and an edge, meet that are parallel to the last digit: use the "
                "barrier for those");
  EXPECT_EQ(message([&] { standing_still(true); }),
            of_cube +
                ": it moves along a level, on which it may have started, or its energy step 1e-300 is "
                "below what rounding leaves of its potential energy: choose another energy step, such "
                "as 1.1 times this one or a far larger one");
  EventMonitor pressed("a/b", infinity);
  const std::string told = message([&] {
    for (int k = 0; k < 10000 + 10 * 7; ++k) pressed.guard_against_cascade(1 + 1e-9 * k, 0.01, 7);
  });
  EXPECT_THAT(told, AllOf(HasSubstr("1 subdomain a/b, time 1.0000"),
                          HasSubstr("expected fewer than 10070 collisions within the stable step of an "
                                    "element, 0.01, found more: too many simultaneous contacts"),
                          HasSubstr("use \"barrier\"")));
}

/// Comes back from a restore to another place.
struct GoesBackWrongly : Newmark {
  using Newmark::Newmark;
  void restore(const State& state, ByteReader& reader) override {
    Newmark::restore(state, reader);
    const_cast<State&>(state).lines[0].displacement[0] += 1e-3;
  }
};

/// Remembers, through a restore, that it has been here before.
struct RemembersTooMuch : Newmark {
  using Newmark::Newmark;
  bool advance(State& state, double until) override {
    const bool result = Newmark::advance(state, until);
    if (++calls == 2) state.lines[0].displacement[0] += 1e-3;
    return result;
  }
  int calls = 0;
};

TEST(ErrorMessages, OfStepsThatCannotBeUndone) {
  const std::string place =
      "1 event 1, time 0.01: expected the same bits when it is undone and done again, found ";
  SmallSystem first(spinning_cube(1)), second(spinning_cube(1)), sound(spinning_cube(1));
  CheckingExecutor wrong(std::make_unique<GoesBackWrongly>(first.lagrangian, first.state, 0.01));
  EXPECT_EQ(message([&] { wrong.advance(first.state, 1); }), place + "another state after going back");
  CheckingExecutor other(std::make_unique<RemembersTooMuch>(second.lagrangian, second.state, 0.01));
  EXPECT_EQ(message([&] { other.advance(second.state, 1); }), place + "another state after it");
  CheckingExecutor good(std::make_unique<Newmark>(sound.lagrangian, sound.state, 0.01));
  EXPECT_EQ(message([&] { good.advance(sound.state, 1); }), "no error");
}

TEST(ErrorMessages, OfASavedStateThatEndsTooEarly) {
  const std::vector<std::byte> bytes(3);
  ByteReader reader(bytes);
  double number = 0;
  EXPECT_EQ(message([&] { reader.plain(number); }), "1 saved state: expected 8 more bytes, found 3");
}

TEST(ErrorMessages, OfMpi) {
  EXPECT_NO_THROW(check_mpi(MPI_SUCCESS, "MPI_Bcast"));
  EXPECT_THAT(message([] { check_mpi(MPI_ERR_COUNT, "MPI_Bcast"); }),
              AllOf(HasSubstr("1 MPI_Bcast: expected MPI_SUCCESS, found "), HasSubstr("MPI_ERR_COUNT")));
}

TEST(ErrorMessages, OfFilesAndDirectories) {
  const ScratchDirectory scratch;
  const std::string place = scratch.path().string();
  touch(scratch.path() / "f");
  EXPECT_EQ(message([&] { create_output_directory(scratch.path() / "f", true); }),
            "2 output directory " + place + "/f: expected a directory or nothing, found a file");
  EXPECT_EQ(message([&] { create_output_directory(scratch.path() / "f" / "below", true); }),
            "2 output directory " + place +
                "/f/below: expected a directory that can be made and written, found Not a directory");
  EXPECT_EQ(message([&] { create_output_directory(scratch.path(), false); }),
            "2 output directory " + place +
                ": expected a new or empty directory (or output.overwrite = true), found files in it");
  std::filesystem::create_directory(scratch.path() / "run");
  touch(scratch.path() / "run" / "restart.h5");
  EXPECT_EQ(message([&] { create_output_directory(scratch.path() / "run", false); }),
            "2 output directory " + place +
                "/run: expected a new or empty directory (or output.overwrite = true), found a run in it: "
                "--resume goes on, --set output.overwrite=true replaces it");
  EXPECT_EQ(message([&] { write_whole_file(scratch.path() / "nowhere" / "g", "xy"); }),
            "1 " + place + "/nowhere/g: expected to write it, found No such file or directory");
  EXPECT_EQ(message([&] { read_whole_file(scratch.path() / "g"); }),
            "1 " + place + "/g: expected a readable file, found No such file or directory");
  EXPECT_EQ(message([&] { read_whole_file(scratch.path()); }),
            "1 " + place + ": expected a readable file, found Is a directory");
  touch(scratch.path() / "fields");
  EXPECT_EQ(message([&] { FieldWriter(scratch.path(), MPI_COMM_SELF, {}); }),
            "1 " + place + "/fields: expected to make this directory, found Not a directory");
}

/// While it lives, the process is no superuser, whom no permission stops.
class OrdinaryUser {
 public:
  OrdinaryUser() : superuser_(::getuid() == 0) {
    if (superuser_ && ::setresuid(65534, 65534, 0) != 0) throw std::runtime_error("setresuid");
  }
  ~OrdinaryUser() {
    if (superuser_ && ::setresuid(0, 0, 0) != 0) std::abort();
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  bool superuser_;
};

TEST(ErrorMessages, OfWhatTheUserMayNotReadOrWrite) {
  const ScratchDirectory scratch;
  const std::filesystem::path locked = scratch.path() / "locked", mesh = scratch.path() / "mesh.msh",
                              deck = scratch.path() / "deck.toml";
  using std::filesystem::perms;
  std::filesystem::create_directory(locked);
  touch(mesh);
  touch(deck);
  const perms others_look = perms::group_read | perms::group_exec | perms::others_read | perms::others_exec;
  std::filesystem::permissions(scratch.path(), perms::owner_all | others_look);
  std::filesystem::permissions(locked, perms::owner_read | perms::owner_exec | others_look);
  std::filesystem::permissions(mesh, perms::none);
  std::filesystem::permissions(deck, perms::none);
  const OrdinaryUser ordinary;
  EXPECT_EQ(message([&] { create_output_directory(locked, false); }),
            "2 output directory " + locked.string() +
                ": expected a writable directory, found no permission to write");
  EXPECT_EQ(message([&] { create_output_directory(locked / "new", false); }),
            "2 output directory " + (locked / "new").string() +
                ": expected a directory that can be made and written, found Permission denied");
  EXPECT_EQ(
      message([&] {
        make_mesh(FileShape{mesh.string(), "", 0, 1}, "deck.toml:3");
      }),
      "2 deck.toml:3: expected a readable file, found \"" + mesh.string() + "\", which cannot be opened");
  EXPECT_EQ(message([&] { read_deck(deck.string(), {}); }),
            "2 " + deck.string() +
                ": expected a readable input deck (a TOML file), found a file that cannot be read");
  EXPECT_THAT(
      message([&] { RestartReader reader(mesh); }),
      HasSubstr(mesh.string() + ": expected a restart file that can be read, found Permission denied"));
}

TEST(ErrorMessages, OfADeckWhoseReadingFails) {
  // A file that exists and opens, and whose first byte cannot be read.
  EXPECT_EQ(
      message([] { read_deck("/proc/self/mem", {}); }),
      "2 /proc/self/mem: expected a readable input deck (a TOML file), found a file that cannot be read");
}

TEST(ErrorMessages, OfFrames) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {});
  writer.write(0.5, {});
  EXPECT_EQ(message([&] { writer.write(0.25, {}); }),
            "1 field output: expected a time from 0.5 on, found 0.25");
  FieldPiece point;
  point.reference_positions = {{0, 0, 0}};
  EXPECT_EQ(message([&] { writer.write(1, point); }),
            "1 field output, array displacement: expected 1 entries, found 0");
}

TEST(ErrorMessages, TimesKeepTheirDigitsInEveryUnit) {
  EXPECT_EQ(at_time(0), "time 0");
  EXPECT_EQ(at_time(1.25e-9), "time 1.25e-09");
  EXPECT_EQ(at_time(0.123456789), "time 0.123456789");
}

}  // namespace
}  // namespace terrace::error_messages_test
