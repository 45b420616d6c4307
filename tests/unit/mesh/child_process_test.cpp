// Work in a process of its own, and the meshes of several shapes, which are made in one.
#include "mesh/child_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
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

// In a fresh process, as other tests load Gmsh here.
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

TEST(ChildProcess, ThatCrashesIsAnError) {
  const auto crash = [](int signal) {
    return rejection_of([&] {
      static_cast<void>(in_child_process("deck.toml:3", "a shape", {}, [&]() -> std::vector<std::byte> {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return {};
      }));
    });
  };
  EXPECT_THAT(crash(SIGKILL), AllOf(HasSubstr("deck.toml:3: expected a shape"), HasSubstr("signal 9")));
  EXPECT_THAT(crash(SIGABRT), HasSubstr("signal 6"));
}

}  // namespace
}  // namespace terrace::child_process_test
