// Meshes and geometries read from files: what is selected, scaled and meshed, and which files are refused.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "mesh/shapes.hpp"
#include "parallel/error.hpp"

namespace terrace::file_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A directory of its own for each test, removed afterwards.
class MeshFile : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / ("terrace_mesh_file_" + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::string path(const std::string& name) const { return directory_ / name; }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

  /// Two boxes that share a face, the physical volumes "left" (1 × 1 × 1) and "right" (2 × 1 × 1), meshed by
  /// Gmsh.
  [[nodiscard]] std::string write_two_boxes(const std::string& name, double version, bool binary = false,
                                            int order = 1) const {
    write_with_gmsh(
        {"two_boxes", path(name), fmt::format("{}", version), binary ? "1" : "0", fmt::format("{}", order)});
    return path(name);
  }

  /// Has the program write_with_gmsh write a file: the tests themselves are not linked to Gmsh.
  static void write_with_gmsh(const std::vector<std::string>& arguments) {
    std::string command = WRITE_WITH_GMSH;
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }

  static std::string rejection_of(const FileShape& shape) {
    try {
      make_mesh(shape, "deck.toml:7");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::input);
      EXPECT_THAT(error.what(), HasSubstr("deck.toml:7"));
      return error.what();
    }
    return "accepted";
  }

 private:
  std::filesystem::path directory_;
};

/// A .msh file of version 2.2 with the corners of the unit cube and the given lines of elements.
std::string cube_corners_with(const std::vector<std::string>& elements) {
  std::ostringstream text;
  text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n"
          "5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes\n$Elements\n"
       << elements.size() << '\n';
  for (const std::string& element : elements) text << element << '\n';
  text << "$EndElements\n";
  return text.str();
}

TEST_F(MeshFile, VersionsTwoAndFourAsciiAndBinaryGiveTheSameMesh) {
  const TetrahedralMesh reference = make_mesh(FileShape{write_two_boxes("v2.msh", 2.2), "", 0, 1}, "test");
  EXPECT_NEAR(measure_quality(reference).volume, 3, 1e-12);
  for (const auto& [version, binary] : {std::pair{2.2, true}, std::pair{4.1, false}, std::pair{4.1, true}}) {
    const std::string file = write_two_boxes("other.msh", version, binary);
    const TetrahedralMesh mesh = make_mesh(FileShape{file, "", 0, 1}, "test");
    EXPECT_EQ(mesh.tetrahedra, reference.tetrahedra) << version << binary;
    EXPECT_EQ(mesh.nodes.size(), reference.nodes.size());
  }
}

TEST_F(MeshFile, PhysicalVolumeSelectsItsTetrahedraAndTheirNodesOnly) {
  for (const double version : {2.2, 4.1}) {
    const std::string file = write_two_boxes("boxes.msh", version);
    const TetrahedralMesh all = make_mesh(FileShape{file, "", 0, 1}, "test");
    const TetrahedralMesh left = make_mesh(FileShape{file, "left", 0, 1}, "test");
    const TetrahedralMesh right = make_mesh(FileShape{file, "right", 0, 1}, "test");
    EXPECT_NEAR(measure_quality(left).volume, 1, 1e-12);
    EXPECT_NEAR(measure_quality(right).volume, 2, 1e-12);
    EXPECT_EQ(left.tetrahedra.size() + right.tetrahedra.size(), all.tetrahedra.size());
    EXPECT_LT(left.nodes.size(), all.nodes.size());
  }
}

/// A binary file of version 2.2 with two tetrahedra that share a face. They are in the physical groups 1 and
/// 2 and in the given entities. `last_node`, `second_element`: the numbers of the fifth node and of the
/// second tetrahedron.
std::string binary_pair(std::int32_t first_entity, std::int32_t second_entity, std::int32_t last_node = 5,
                        std::int32_t second_element = 2) {
  std::string text = "$MeshFormat\n2.2 1 8\n";
  const auto put = [&](auto... numbers) {
    (text.append(reinterpret_cast<const char*>(&numbers), sizeof(numbers)), ...);
  };
  put(1);
  text += "\n$EndMeshFormat\n$Nodes\n5\n";
  put(1, 0.0, 0.0, 0.0), put(2, 1.0, 0.0, 0.0), put(3, 0.0, 1.0, 0.0), put(4, 0.0, 0.0, 1.0),
      put(last_node, 1.0, 1.0, 1.0);
  text += "\n$EndNodes\n$Elements\n2\n";
  put(4, 2, 2);  // type, elements, tags
  put(1, 1, first_entity, 1, 2, 3, 4), put(second_element, 2, second_entity, 2, 3, 4, 5);
  return text + "\n$EndElements\n";
}

// Gmsh cuts numbers of nodes and elements to 32 bits: it crashes, or takes one node for another.
TEST_F(MeshFile, NumbersBeyondThoseOfGmshAreRefused) {
  std::string text = cube_corners_with({"1 4 2 0 1 1 2 4 5"});
  text.replace(text.find("8 0 1 1"), 1, "4294967297");
  EXPECT_THAT(
      rejection_of({write("large.msh", text), "", 0, 1}),
      HasSubstr("large.msh: expected numbers of nodes and elements up to 2147483647, found 4294967297"));
  const std::string blocks =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 3000000000 3000000000\n2 1 0 1\n3000000000\n0 0 0\n"
      "$EndNodes\n$Elements\n0 0 0 0\n$EndElements\n";
  EXPECT_THAT(rejection_of({write("blocks.msh", blocks), "", 0, 1}),
              HasSubstr("2147483647, found 3000000000"));
}

// Gmsh finds the elements of a physical group through its entities. An entity may be in several groups, but
// only as a whole.
TEST_F(MeshFile, AnEntityOfWhichAPhysicalGroupHasOnlySomeElementsIsRejectedWhereOneIsAskedFor) {
  const auto found = [&](const std::string& text, const std::string& group) {
    return rejection_of({write("groups.msh", text), group, 0, 1});
  };
  const auto pair = [](const std::string& first_tags, const std::string& second_tags) {
    return cube_corners_with({"1 4 " + first_tags + " 1 2 4 5", "2 4 " + second_tags + " 2 3 4 7"});
  };
  const auto torn = HasSubstr(
      "groups.msh: expected all elements of an entity (their second tag) in the same physical groups (their "
      "first), found elements of the physical groups 1 and 2 in the entity ");
  EXPECT_EQ(found(pair("2 1 1", "2 2 2"), "1"), "accepted");
  EXPECT_THAT(found(pair("2 1 1", "2 2 1"), "1"), AllOf(torn, HasSubstr("in the entity 1 of dimension 3")));
  EXPECT_THAT(found(pair("2 1 0", "2 2 0"), "2"), AllOf(torn, HasSubstr("in the entity 0 of dimension 3")));
  EXPECT_THAT(found(pair("1 1", "1 2"), "2"), torn);
  EXPECT_THAT(found(pair("2 1 0", "2 2 0"), ""), testing::Not(torn)) << "all is asked for";
  EXPECT_EQ(found(cube_corners_with({"1 4 2 1 1 1 2 4 5", "2 2 2 11 0 1 2 4", "3 2 2 12 0 1 2 5"}), "1"),
            "accepted")
      << "surfaces are no matter where a volume is asked for";
  EXPECT_EQ(found(binary_pair(1, 2), "1"), "accepted");
  EXPECT_THAT(found(binary_pair(1, 1), "1"), torn);

  const std::string twice =
      cube_corners_with({"1 4 2 1 1 1 2 4 5", "2 2 2 7 1 1 2 4", "3 2 2 8 1 1 2 4", "4 2 2 8 2 1 2 5"});
  const FileShape with_surface{write("surfaces.msh", twice), "", 0, 1, {"8"}};
  EXPECT_EQ(rejection_of(with_surface), "accepted") << "written once for each of its groups";
}

TEST_F(MeshFile, TwoPhysicalGroupsOfOneNameAreRejectedWhereOneIsAskedFor) {
  const auto named = [&](const std::string& names) {
    std::string text = cube_corners_with({"1 4 2 1 1 1 2 4 5"});
    text.insert(text.find("$Nodes"), "$PhysicalNames\n2\n" + names + "$EndPhysicalNames\n");
    return rejection_of({write("names.msh", text), "a", 0, 1});
  };
  EXPECT_EQ(named("3 1 \"a\"\n2 2 \"a\"\n"), "accepted");
  EXPECT_THAT(named("3 1 \"a\"\n3 2 \"a\"\n"),
              HasSubstr("names.msh: expected physical groups of different names, of which one is asked for, "
                        "found two of dimension 3 of the name \"a\""));
}

TEST_F(MeshFile, TheNumberOfAVolumeThatIsTheNameOfAnotherIsRejectedWhereItIsAskedFor) {
  std::string text = cube_corners_with({"1 4 2 1 1 1 2 4 5", "2 4 2 2 2 3 4 2 7"});
  text.insert(text.find("$Nodes"), "$PhysicalNames\n1\n3 2 \"1\"\n$EndPhysicalNames\n");
  EXPECT_THAT(rejection_of({write("number.msh", text), "1", 0, 1}),
              HasSubstr("number.msh: expected the name, or number without a name, of one physical volume, "
                        "found \"1\" of 2"));
}

TEST_F(MeshFile, UnknownPhysicalVolumeListsThoseFound) {
  EXPECT_THAT(rejection_of({write_two_boxes("boxes.msh", 4.1), "middle", 0, 1}),
              HasSubstr("expected one of the physical volumes \"left\", \"right\", found \"middle\""));
  const std::string no_groups = write("none.msh", cube_corners_with({"1 4 2 0 1 1 2 4 5"}));
  EXPECT_THAT(rejection_of({no_groups, "ball", 0, 1}),
              HasSubstr("expected a file with physical volumes, found \"ball\" asked for, and no physical "
                        "volume in the file"));
}

TEST_F(MeshFile, ScaleMultipliesCoordinates) {
  const std::string file = write("one.msh", cube_corners_with({"1 4 2 0 1 1 2 4 5"}));
  const TetrahedralMesh mesh = make_mesh(FileShape{file, "", 0, 0.001}, "test");
  ASSERT_EQ(mesh.nodes.size(), 4U) << "nodes that no tetrahedron uses are dropped";
  EXPECT_EQ(mesh.nodes[1], (Vector3{0.001, 0, 0}));
  EXPECT_THAT(rejection_of({file, "", 0, 0}),
              HasSubstr("expected a scale that is finite and positive, found 0"));
}

TEST_F(MeshFile, InvertedElementIsNamedByItsNumberInTheFile) {
  const std::string file =
      write("inverted.msh", cube_corners_with({"31 4 2 0 1 1 2 4 5", "57 4 2 0 1 3 2 4 7"}));
  EXPECT_THAT(rejection_of({file, "", 0, 1}),
              HasSubstr("element 57: expected a tetrahedron of positive volume, found an inverted element"));
}

TEST_F(MeshFile, CoordinatesThatAreNoNumbersAreRejectedByTheirNode) {
  std::string text = cube_corners_with({"31 4 2 0 1 1 2 4 5"});
  text.replace(text.find("4 0 1 0"), 7, "4 0 nan 0");
  EXPECT_THAT(rejection_of({write("nan.msh", text), "", 0, 1}),
              HasSubstr("nan.msh, node 4: expected finite coordinates, found (0, nan, 0)"));
}

TEST_F(MeshFile, FlatElementIsRejected) {
  const std::string file = write("flat.msh", cube_corners_with({"31 4 2 0 1 1 2 3 4"}));
  EXPECT_THAT(rejection_of({file, "", 0, 1}),
              AllOf(HasSubstr("element 31"), HasSubstr("found a flat element")));
}

TEST_F(MeshFile, OtherCellsAreRejectedByName) {
  const std::string hexahedron = write("hexahedron.msh", cube_corners_with({"1 5 2 0 1 1 2 3 4 5 6 7 8"}));
  EXPECT_THAT(
      rejection_of({hexahedron, "", 0, 1}),
      HasSubstr("element 1: expected linear tetrahedra (\"Tetrahedron 4\") as the only 3-D cells, found 1 "
                "cells of type \"Hexahedron 8\""));
  EXPECT_THAT(rejection_of({write_two_boxes("second.msh", 4.1, false, 2), "", 0, 1}),
              HasSubstr("Tetrahedron 10"));
  const std::string triangle = write("triangle.msh", cube_corners_with({"1 2 2 0 1 1 2 3"}));
  EXPECT_THAT(rejection_of({triangle, "", 0, 1}), HasSubstr("expected tetrahedra, found none"));
}

TEST_F(MeshFile, MissingOrUnsuitableFileIsRejected) {
  EXPECT_THAT(rejection_of({path("missing.msh"), "", 0, 1}), HasSubstr("missing.msh"));
  EXPECT_THAT(rejection_of({write("mesh.vtk", "# vtk"), "", 0, 1}), HasSubstr(".msh, .geo, .step"));
  std::filesystem::create_directories(path("directory.msh"));
  EXPECT_THAT(rejection_of({path("directory.msh"), "", 0, 1}), HasSubstr("not a regular file"));
  EXPECT_THAT(rejection_of({write("empty.msh", ""), "", 0, 1}),
              HasSubstr("empty.msh: expected $MeshFormat as the first line, found \"\""));
  EXPECT_THAT(rejection_of({write("text.msh", "hello\n$End\n"), "", 0, 1}),
              HasSubstr("text.msh: expected $MeshFormat as the first line, found \"hello\""));
  EXPECT_THAT(
      rejection_of({write("mark.msh", "\xEF\xBB\xBF" + cube_corners_with({"1 4 2 0 1 1 2 4 5"})), "", 0, 1}),
      HasSubstr(
          "mark.msh: expected $MeshFormat as the first line, found a byte order mark before $MeshFormat"));
  EXPECT_THAT(rejection_of({write("old.msh", "$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n0\n$ENDELM\n"), "", 0, 1}),
              HasSubstr("old.msh: expected a .msh file of version 2, 4 or 4.1, found version 1"));
  EXPECT_THAT(rejection_of({write("cut.msh", "$MeshFormat\n4.1 0 8\n"), "", 0, 1}),
              HasSubstr("a .msh file whose last line closes a section ($End…), found"));
  EXPECT_THAT(rejection_of({write("text.step", "hello\n"), "", 0, 1}),
              HasSubstr("text.step: expected a file that Gmsh can read, found Gmsh's Error"));
  EXPECT_THAT(rejection_of({write("size.msh", cube_corners_with({"1 4 2 0 1 1 2 4 5"})), "", -2, 1}),
              HasSubstr("an element size (or 0: the file's own) that is finite and positive, found -2"));
}

TEST_F(MeshFile, TruncatedFileIsRejectedWhereverItEnds) {
  for (const auto& [version, binary] :
       {std::pair{2.2, false}, std::pair{2.2, true}, std::pair{4.1, false}, std::pair{4.1, true}}) {
    const std::string file = write_two_boxes("whole.msh", version, binary);
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    const std::string whole = text.str();
    for (std::size_t tenths = 1; tenths < 10; ++tenths) {
      const std::string part = write("part.msh", whole.substr(0, tenths * whole.size() / 10));
      EXPECT_THAT(rejection_of({part, "", 0, 1}), HasSubstr("part.msh\" cut off after "))
          << version << binary << tenths;
    }
    const std::string no_end = write("part.msh", whole.substr(0, whole.find("$EndElements")));
    EXPECT_NE(rejection_of({no_end, "", 0, 1}), "accepted") << version << binary;
  }
}

TEST_F(MeshFile, FileShorterThanItsCountsSayIsRejected) {
  std::string text = cube_corners_with({"1 4 2 0 1 1 2 4 5", "2 4 2 0 1 3 4 2 7"});
  text.erase(text.find("2 4 2 0 1 3 4 2 7\n"), 18);
  EXPECT_NE(rejection_of({write("short.msh", text), "", 0, 1}), "accepted");
  // 9 follows the last node listed: Gmsh 4.8 by itself crashes on it.
  for (const std::string node : {"9", "10", "1000000", "0", "-1"}) {
    const std::string no_such_node = cube_corners_with({"1 4 2 0 1 1 2 4 " + node});
    EXPECT_THAT(rejection_of({write("node.msh", no_such_node), "", 0, 1}),
                std::stoi(node) > 8
                    ? HasSubstr("element 1: expected nodes listed in the file (up to 8), found node " + node)
                    : HasSubstr("node.msh: expected"));
  }
  EXPECT_THAT(rejection_of({write("node.msh", binary_pair(1, 1, 0)), "", 0, 1}),
              HasSubstr("node.msh, element 2: expected nodes listed in the file (up to 4), found node 5"));
}

/// The text with the first `before` replaced.
std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const std::size_t place = text.find(before);
  EXPECT_NE(place, std::string::npos) << before;
  return text.replace(place, before.size(), after);
}

TEST_F(MeshFile, CountsThatDisagreeWithTheFileAreRejected) {
  const std::string good = cube_corners_with({"1 4 2 0 1 1 2 4 5", "2 4 2 0 1 3 4 2 7"});
  const auto found = [&](const std::string& text) {
    return rejection_of({write("counts.msh", text), "", 0, 1});
  };
  EXPECT_EQ(found(good), "accepted");
  EXPECT_THAT(found(replaced(good, "$Elements\n2\n", "$Elements\n1\n")),
              HasSubstr("counts.msh: expected 1 entries in $Elements, as it says, found 2"));
  EXPECT_THAT(found(replaced(good, "$Nodes\n8\n", "$Nodes\n9\n")),
              HasSubstr("expected 9 entries in $Nodes, as it says, found 8"));
  EXPECT_THAT(found(replaced(good, "$Nodes\n8\n", "$Nodes\n-8\n")),
              HasSubstr("expected counts in the first line of $Nodes, found -8"));
  EXPECT_THAT(
      found(replaced(good, "$EndElements", "$EndElemints")),
      HasSubstr("expected $EndElements after the entries that $Elements announces, found something else"));
  EXPECT_THAT(found(replaced(good, "2.2 0 8", "4.2 0 8")),
              HasSubstr("expected a .msh file of version 2, 4 or 4.1, found \"4.2 0 8\""));
}

TEST_F(MeshFile, CountsOfEveryVersionAndFormAreLookedAt) {
  for (const auto& [version, binary] : {std::pair{2.2, true}, {4.1, false}, {4.1, true}}) {
    const std::string good = [&, version = version, binary = binary] {
      std::ifstream file(write_two_boxes("good.msh", version, binary), std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(file), {});
    }();
    SCOPED_TRACE(fmt::format("version {}, binary {}", version, binary));
    const auto found = [&](const std::string& text) {
      return rejection_of({write("counts.msh", text), "", 0, 1});
    };
    for (const std::string section : {"$Nodes\n", "$Elements\n"}) {
      std::string more = good;
      const std::size_t head = more.find(section) + section.size();
      // One more than there are: in the line, or in the second word of eight bytes.
      if (version > 4 && binary) {
        ++more[head + 8];
      } else {
        const std::size_t at = version > 4 ? more.find(' ', head) + 1 : head;
        const std::size_t end = more.find_first_of(" \n", at);
        more.replace(at, end - at, std::to_string(std::stol(more.substr(at, end - at)) + 1));
      }
      EXPECT_THAT(found(more),
                  testing::AnyOf(HasSubstr("as it says, found"), HasSubstr("after the entries that $"),
                                 HasSubstr("types of elements from 1 to 31, found")));
      std::string longer = good;
      longer.insert(longer.find("$End" + section.substr(1)), binary ? std::string(24, 1) + "\n" : "1 2 3\n");
      EXPECT_THAT(found(longer), testing::AnyOf(HasSubstr("as it says, found"), HasSubstr("something else")));
      if (!binary) continue;
      std::string cut = good.substr(0, good.find("$End" + section.substr(1)) - 40) + "\n$End" + section;
      EXPECT_THAT(found(cut),
                  testing::AnyOf(HasSubstr(fmt::format("expected as many entries in ${} as it says, "
                                                       "found the end of the file",
                                                       section.substr(1, section.size() - 2))),
                                 HasSubstr("something else"), HasSubstr("types of elements")));
    }
  }
}

// Of two elements or nodes with the same number Gmsh silently takes one.
TEST_F(MeshFile, NumbersUsedTwiceAreRejected) {
  const auto found = [&](const std::string& text) {
    return rejection_of({write("twice.msh", text), "", 0, 1});
  };
  const auto element = HasSubstr(
      "twice.msh: expected element numbers that are used once, found element 1 twice, with different nodes");
  EXPECT_THAT(found(cube_corners_with({"1 4 2 1 1 1 2 4 5", "1 4 2 1 1 2 3 4 7"})), element);
  EXPECT_THAT(found(cube_corners_with({"1 4 2 1 1 1 2 4 5", "1 2 2 7 1 1 2 4"})), element)
      << "a triangle takes the place of a tetrahedron, too";
  EXPECT_THAT(found(cube_corners_with({"1 4 2 1 1 1 2 4 5", "1 4 2 2 1 1 2 4 5"})),
              testing::Not(HasSubstr("used once")))
      << "written once for each of its groups";
  EXPECT_THAT(found(binary_pair(1, 1, 5, 1)), element);
  const auto node = [](const std::string& number) {
    return HasSubstr("twice.msh: expected node numbers that are used once, found node " + number +
                     " twice, at different places");
  };
  const std::string good = cube_corners_with({"1 4 2 0 1 1 2 4 5"});
  EXPECT_THAT(found(replaced(good, "8 0 1 1\n", "1 0 1 1\n")), node("1"));
  EXPECT_THAT(found(replaced(good, "8 0 1 1\n", "7 0 1 1\n")), node("7"));
  EXPECT_EQ(found(replaced(good, "8 0 1 1\n", "1 -0 0.0 0\n")), "accepted") << "at the same place";
  EXPECT_THAT(found(binary_pair(1, 1, 4)), node("4"));
}

// Gmsh runs in a child process: a crash there is an error, and the next file is read.
TEST_F(MeshFile, WhatGmshCrashesOnIsAnError) {
  std::string text = cube_corners_with({"1 4 2 0 1 1 2 4 5", "2 4 2 0 1 3 4 2"});  // a node too few
  const std::string found = rejection_of({write("crash.msh", text), "", 0, 1});
  EXPECT_THAT(found, HasSubstr("expected a file that Gmsh can read, found"));
  EXPECT_EQ(rejection_of({write("good.msh", cube_corners_with({"1 4 2 0 1 1 2 4 5"})), "", 0, 1}),
            "accepted");
}

// In version 2 Gmsh writes an element once for each of its groups, each time with another number.
TEST_F(MeshFile, AnElementOfSeveralGroupsIsOneElement) {
  const auto found = [&](const std::string& second_group) {
    return rejection_of({write("groups.msh", cube_corners_with({"1 4 2 1 1 1 2 4 5",
                                                                "2 4 2 " + second_group + " 1 1 2 4 5"})),
                         "", 0, 1});
  };
  EXPECT_EQ(found("2"), "accepted");
  EXPECT_THAT(found("1"), HasSubstr("elements listed twice"));
}

TEST_F(MeshFile, AnElementHasAsManyNodesAsItsType) {
  EXPECT_THAT(rejection_of({write("five.msh", cube_corners_with({"1 4 2 0 1 1 2 4 5 6"})), "", 0, 1}),
              HasSubstr("element 1: expected 4 nodes after its tags, found 5"));
}

TEST_F(MeshFile, GeometryIsMeshedWithTheSizeAsked) {
  const std::string file = write("box.geo",
                                 "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 2, 3};\n"
                                 "Physical Volume(\"box\") = {1};\n");
  const TetrahedralMesh coarse = make_mesh(FileShape{file, "box", 0.5e-3, 1e-3}, "test");
  const TetrahedralMesh fine = make_mesh(FileShape{file, "box", 0.25e-3, 1e-3}, "test");
  EXPECT_NEAR(measure_quality(coarse).volume, 6e-9, 1e-18);
  EXPECT_GT(fine.tetrahedra.size(), 4 * coarse.tetrahedra.size());
  EXPECT_LT(fine.tetrahedra.size(), 12 * coarse.tetrahedra.size());
  EXPECT_THAT(rejection_of({file, "", 4, 1}), HasSubstr("an element size no larger than the body (3)"));
  const std::string meshed =
      write("meshed.geo", "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nMesh 3;\n");
  EXPECT_THAT(rejection_of({meshed, "", 0.5, 1}), HasSubstr("no size of a geometry that meshes itself"));
  EXPECT_EQ(rejection_of({meshed, "", 0, 1}), "accepted");
}

TEST_F(MeshFile, StepGeometryIsMeshed) {
  write_with_gmsh({"step_box", path("box.step")});
  EXPECT_NEAR(measure_quality(make_mesh(FileShape{path("box.step"), "", 0.5, 1}, "test")).volume, 6, 1e-9);
}

TEST_F(MeshFile, FaultyGeometryIsRejectedAndTheNextOneStillRead) {
  EXPECT_THAT(rejection_of({write("faulty.geo", "Point(1) = {0, 0,\nnonsense"), "", 0, 1}),
              HasSubstr("faulty.geo: expected a file that Gmsh can read, found Gmsh's Error"));
  const std::string sound =
      write("sound.geo", "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\n");
  EXPECT_EQ(rejection_of({sound, "", 0.5, 1}), "accepted");
  EXPECT_THAT(rejection_of({write("point.geo", "Point(1) = {0, 0, 0};\n"), "", 0, 1}),
              HasSubstr("point.geo: expected tetrahedra, found none"));
  // Three of the four faces of a tetrahedron.
  const std::string open = write(
      "open.geo",
      "Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {0, 1, 0}; Point(4) = {0, 0, 1};\n"
      "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 1}; Line(4) = {1, 4}; Line(5) = {2, 4};\n"
      "Line(6) = {3, 4}; Curve Loop(1) = {1, 2, 3}; Plane Surface(1) = {1}; Curve Loop(2) = {1, 5, -4};\n"
      "Plane Surface(2) = {2}; Curve Loop(3) = {2, 6, -5}; Plane Surface(3) = {3};\n"
      "Surface Loop(1) = {1, 2, 3}; Volume(1) = {1};\n");
  EXPECT_THAT(rejection_of({open, "", 0.4, 1}),
              HasSubstr("open.geo: expected a geometry that Gmsh can mesh, found Gmsh's Error"));
}

// The number of elements is estimated from the volume of a geometry. A thin rod may hold few elements of a
// size with which a block of the same length would hold too many.
TEST_F(MeshFile, GeometryIsRefusedForItsVolumeNotForItsBox) {
  const auto box = [&](const std::string& name, const std::string& corners) {
    return write(name, "SetFactory(\"OpenCASCADE\");\nBox(1) = {" + corners + "};\n");
  };
  EXPECT_THAT(
      rejection_of({box("block.geo", "0, 0, 0, 1, 1, 1"), "", 1e-4, 1}),
      HasSubstr("block.geo: expected an element size that gives at most 5e+08 elements, found about 8e+12"));
  EXPECT_THAT(rejection_of({box("scaled.geo", "0, 0, 0, 1, 1, 1"), "", 0.1, 1000}), HasSubstr("about 8e+12"));
  EXPECT_EQ(rejection_of({box("rod.geo", "0, 0, 0, 1, 0.005, 0.005"), "", 0.0025, 1}), "accepted");
}

}  // namespace
}  // namespace terrace::file_test
