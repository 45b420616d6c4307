// check_geo_script accepts the commands of Gmsh's language that describe a geometry, and refuses those that
// start programs or read or write files.
#include "mesh/geo_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "parallel/error.hpp"

namespace terrace::geo_script_test {
namespace {

std::string complaint(const std::string& script) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("terrace_script_" + std::to_string(getpid()) + ".geo");
  std::ofstream(path) << script;
  std::string message;
  try {
    check_geo_script(path, "body b");
  } catch (const Error& error) {
    message = error.what();
  }
  std::filesystem::remove(path);
  return message;
}

TEST(GeoScript, RefusesCommandsThatReachBeyondTheGeometryWithTheirLine) {
  for (const std::string command :
       {"SystemCall \"ls\";", "NonBlockingSystemCall \"ls\";", "System \"ls\";", "Exit;", "Abort;",
        "Include \"more.geo\";", "Save \"a.msh\";", "Print \"a.png\";", "CreateDir \"a\";", "Sleep 1000;",
        "OnelabRun(\"a\");", "Plugin(Skin).Run;", "Merge \"more.geo\";", "Merge StrCat(\"a\", \".step\");",
        "MergeFile \"a.msh\";", "Printf(\"a\") > \"file\";", "Printf(\"%g\", 1) >> \"file\";"}) {
    const std::string word = command.substr(0, command.find_first_of(" (;"));
    EXPECT_THAT(complaint("x = 1; /* two\nlines */\n" + command + "\n"),
                testing::AllOf(testing::HasSubstr("body b, "), testing::HasSubstr(".geo:3: "),
                               testing::HasSubstr("found \"" + word + "\"")))
        << command;
    EXPECT_NE(complaint("x = 1;" + command), "") << command;
  }
}

// Some of Gmsh's fields of element sizes start programs or read files.
TEST(GeoScript, KnowsWhichFieldsReadNoFiles) {
  for (const std::string script :
       {"Field[1] = ExternalProcess;", "Field[i + 1] = ExternalProcess;", "Field [ 1 ] = ExternalProcess;",
        "Field[1] = Structured;", "Field[1] = PostView;", "Field(1) = Centerline;",
        "Field[1] /* */ = ExternalProcess;", "Field /* */ [1] = ExternalProcess;",
        "Field[1] = /* */ ExternalProcess;", "Field[1", "Field[StrLen(\"];\")] = ExternalProcess;",
        "Field[1/*];*/] = ExternalProcess;"})
    EXPECT_THAT(complaint("x = 1;\n" + script + "\n"), testing::HasSubstr(".geo:2: ")) << script;
  EXPECT_THAT(complaint("Field[1] = ExternalProcess;\nField[1].CommandLine = \"ls\";"),
              testing::HasSubstr("found \"Field[1] = ExternalProcess;\""));
  EXPECT_EQ(complaint("Field[1] = Box;\nField[1].VIn = 0.1;\nField[2] = Min;\nField[2].FieldsList = {1};\n"
                      "Background Field = 2;\nDelete Field [1];"),
            "");
}

TEST(GeoScript, AcceptsGeometriesAndData) {
  EXPECT_EQ(complaint("SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\n"), "");
  EXPECT_EQ(complaint("Printf(\"a > b; (%g)\", f(1)) ;\nExitWidth = 3 > 2; // to the end\nPrintf['a'];"), "");
  EXPECT_EQ(complaint("Merge \"part.step\";\nMerge\n\"part.stp\";\nMerge \"skin.stl\";"), "");
  EXPECT_EQ(complaint(""), "");
}

// Each of these hides a command in what looks like a quoted text, a comment or the name of a data file. So
// commands are refused in comments and texts, too.
TEST(GeoScript, IsNotDeceivedByTextsCommentsAndEndings) {
  for (const std::string script :
       {"x = 'a\"b';\nSystemCall \"ls\";\ny = \"c\";", "If (0) \" EndIf SystemCall \"ls\";", "/* Exit; */",
        "// Exit;", "If (0) /* EndIf Exit; // */", "Merge \"script.StEp\";", "Merge \"part.step",
        "Merge /* \"part.step\" */ \"a.geo\";", "Printf(\"a;b\") > \"file\";",
        "Printf(\"a\") /* */ > \"file\";", "Printf(\"a\" /* \" */ ) > \"f\"; x = \");",
        "Printf(\"never closed", "StringToName[\"SystemCall\"] \"ls\";"})
    EXPECT_NE(complaint(script), "") << script;
  EXPECT_NE(complaint("Merge \"" + std::string(1000, '/') + "tmp/script.geo.step\";"), "")
      << "cut at 1,023 letters";
}

}  // namespace
}  // namespace terrace::geo_script_test
