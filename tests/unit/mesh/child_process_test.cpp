// Work in a child process: how it ends is told to the parent. The meshes of several shapes are made in one.
#include "mesh/child_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "mesh/shapes.hpp"
#include "parallel/error.hpp"

namespace terrace::child_process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

template <class Work>
std::string rejection_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "";
}

bool has_gmsh() {
  std::ifstream maps("/proc/self/maps");
  const std::string all{std::istreambuf_iterator<char>(maps), {}};
  return all.find("libgmsh") != std::string::npos;
}

const Shape ball = BallShape{.radius = 0.01, .size = 0.006, .refinements = {}};
const Shape block = BlockShape{.extent = {2, 1, 1}, .size = 0.7, .refinements = {}};
const Shape lattice = LatticeShape{.extent = {1, 1, 1}, .cells = {2, 1, 1}};

// Runs in a fresh process, because other tests load Gmsh into this one.
TEST(SeveralShapes, LeaveNoGmshInThisProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto mesh_and_end = [] {
    const std::vector<NamedShape> shapes{{&ball, "ball"}};
    const bool had = has_gmsh(), made = !make_meshes(shapes).front().tetrahedra.empty();
    ::_exit(!had && made && !has_gmsh() ? 7 : 1);
  };
  EXPECT_EXIT(mesh_and_end(), testing::ExitedWithCode(7), "");
}

TEST(SeveralShapes, AreMeshedAsOneByOneInTheirOrder) {
  const std::vector<NamedShape> shapes{{&block, "block"}, {&lattice, "lattice"}, {&ball, "ball"}};
  const std::vector<TetrahedralMesh> meshes = make_meshes(shapes);
  ASSERT_EQ(meshes.size(), shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const TetrahedralMesh expected = make_mesh(*shapes[i].shape, "");
    EXPECT_EQ(meshes[i].nodes, expected.nodes) << shapes[i].where;
    EXPECT_EQ(meshes[i].tetrahedra, expected.tetrahedra) << shapes[i].where;
  }
  EXPECT_TRUE(has_gmsh()) << "the test before would notice it";
}

TEST(SeveralShapes, OfWhichOneIsWrongNameIt) {
  const Shape coarse = BallShape{.radius = 1, .size = 5, .refinements = {}};
  const std::vector<NamedShape> shapes{{&ball, "first"}, {&coarse, "second"}};
  EXPECT_THAT(rejection_of([&] { make_meshes(shapes); }),
              AllOf(HasSubstr("second: expected an element size"), HasSubstr("found 5")));
}

TEST(ChildProcess, LeavesSignalsThatStopARunToItsParent) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    const auto work = [&] {
      std::raise(signal);
      return std::vector<std::byte>{std::byte{7}};
    };
    EXPECT_EQ(in_child_process("here", "no end", {}, work), std::vector<std::byte>{std::byte{7}}) << signal;
  }
}

std::string end_of(const ChildLimits& limits, Error::Kind kind, void (*work)()) {
  try {
    static_cast<void>(in_child_process("deck.toml:3", "a shape", limits, [&]() -> std::vector<std::byte> {
      work();
      return {};
    }));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "";
}

TEST(ChildProcess, ThatEndsIsAnErrorOfWhatItReadOrOfTheRun) {
  constexpr ChildLimits none, some{.memory = std::uint64_t{1} << 30, .seconds = 0};
  const auto killed = [] { std::raise(SIGKILL); };
  EXPECT_THAT(end_of(none, Error::Kind::run, killed),
              AllOf(HasSubstr("deck.toml:3: expected a shape"), HasSubstr("signal 9")));
  EXPECT_THAT(end_of(some, Error::Kind::input, killed), HasSubstr("signal 9"));
  EXPECT_THAT(end_of(none, Error::Kind::input, [] { std::abort(); }), HasSubstr("signal 6"));
  const auto out_of_memory = [] { throw std::bad_alloc(); };
  EXPECT_THAT(end_of(none, Error::Kind::run, out_of_memory), HasSubstr("memory"));
  EXPECT_THAT(end_of(some, Error::Kind::input, out_of_memory), HasSubstr("memory"));
}

// The terminate handler of the program ends all ranks, so a child must not inherit it.
TEST(ChildProcess, HasNoTerminateHandlerOfItsParent) {
  const std::terminate_handler before = std::set_terminate([] { ::_exit(5); });
  EXPECT_THAT(end_of({}, Error::Kind::input, [] { throw 1; }), HasSubstr("signal 6"));
  std::set_terminate(before);
}

}  // namespace
}  // namespace terrace::child_process_test
