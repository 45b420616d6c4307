#include "io/vtk_fields.hpp"

#include <gmock/gmock.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include <algorithm>
#include <string>

#include "io/whole_file.hpp"
#include "parallel/error.hpp"
#include "support/scratch_directory.hpp"

namespace terrace {
namespace {

/// Two tetrahedra on either side of the triangle 0 1 2, displaced by (0, 0, 0.25).
FieldPiece two_tetrahedra() {
  FieldPiece piece;
  piece.reference_positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
  piece.displacements.assign(5, {0, 0, 0.25});
  piece.velocities.assign(5, {1.0 / 3, 0, 0});
  piece.cells = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  piece.body = {0, 1};
  piece.subdomain = {5, 6};
  piece.energy_density = {0.1, 0.2};
  piece.jacobian = {0.9, 1.1};
  piece.stress = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}};
  return piece;
}

vtkSmartPointer<vtkUnstructuredGrid> read_frame(const std::filesystem::path& path) {
  const auto reader = vtkSmartPointer<vtkXMLPUnstructuredGridReader>::New();
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutput();
}

TEST(FieldWriter, ParaViewsReaderGetsBackWhatWasWritten) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {});
  writer.write(0, two_tetrahedra());

  const auto grid = read_frame(scratch.path() / "fields" / "000000.pvtu");
  ASSERT_EQ(grid->GetNumberOfPoints(), 5);
  ASSERT_EQ(grid->GetNumberOfCells(), 2);
  EXPECT_EQ(grid->GetCellType(0), 10) << "VTK_TETRA";
  EXPECT_EQ(grid->GetPoint(3)[2], 1.25) << "the current position";
  EXPECT_EQ(grid->GetPointData()->GetArray("displacement")->GetComponent(4, 2), 0.25);
  EXPECT_EQ(grid->GetPointData()->GetArray("velocity")->GetComponent(0, 0), 1.0 / 3);
  vtkCellData* cells = grid->GetCellData();
  EXPECT_EQ(cells->GetArray("body")->GetComponent(1, 0), 1);
  EXPECT_EQ(cells->GetArray("subdomain")->GetComponent(1, 0), 6);
  EXPECT_EQ(cells->GetArray("rank")->GetComponent(1, 0), 0);
  EXPECT_EQ(cells->GetArray("energy_density")->GetComponent(0, 0), 0.1);
  EXPECT_EQ(cells->GetArray("J")->GetComponent(1, 0), 1.1);
  EXPECT_EQ(cells->GetArray("stress")->GetComponent(1, 5), 12);
  EXPECT_STREQ(cells->GetArray("stress")->GetComponentName(4), "YZ");
  EXPECT_EQ(leftovers(scratch.path()), 0);
}

TEST(FieldWriter, AFrameIsXmlThatAnyExpatReads) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {});
  writer.write(0, two_tetrahedra());
  const std::string frame = read_whole_file(scratch.path() / "fields" / "000000_0.vtu");
  EXPECT_THAT(frame, testing::Not(testing::HasSubstr("<AppendedData"))) << "which stops ParaView 5.11";
  const auto is_text = [](char letter) { return (letter >= ' ' && letter <= '~') || letter == '\n'; };
  EXPECT_TRUE(std::all_of(frame.begin(), frame.end(), is_text));
}

TEST(FieldWriter, TheCollectionHasEveryFrameAtItsExactTime) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {});
  for (const double time : {0.0, 0.1, 0.1, 1.0 / 3}) writer.write(time, two_tetrahedra());
  EXPECT_EQ(writer.frames(), 3U) << "a frame at the time of the last replaces it";
  const std::string collection = read_whole_file(scratch.path() / "fields.pvd");
  EXPECT_THAT(collection, testing::HasSubstr("timestep=\"0\" part=\"0\" file=\"fields/000000.pvtu\""));
  EXPECT_THAT(collection, testing::HasSubstr("\"0.10000000000000001\""));
  EXPECT_THAT(collection,
              testing::HasSubstr("\"0.33333333333333331\" part=\"0\" file=\"fields/000002.pvtu\""));
  EXPECT_THROW(writer.write(0.2, two_tetrahedra()), Error) << "time does not run backwards";
}

TEST(FieldWriter, ResumingGoesOnAfterTheLastFrameKept) {
  const ScratchDirectory scratch;
  FieldWriter first(scratch.path(), MPI_COMM_SELF, {});
  for (const double time : {0.0, 0.1, 0.2}) first.write(time, two_tetrahedra());
  FieldWriter second(scratch.path(), MPI_COMM_SELF, {});
  second.resume(0.1);
  EXPECT_EQ(second.frames(), 2U);
  second.write(0.15, two_tetrahedra());
  const std::string collection = read_whole_file(scratch.path() / "fields.pvd");
  EXPECT_THAT(collection,
              testing::HasSubstr("\"0.14999999999999999\" part=\"0\" file=\"fields/000002.pvtu\""));
  EXPECT_THAT(collection, testing::Not(testing::HasSubstr("\"0.20000000000000001\"")));
}

TEST(FieldWriter, TheSurfaceLeavesOutFacesBetweenCellsAndPointsInside) {
  const ScratchDirectory scratch;
  FieldPiece piece = two_tetrahedra();
  const std::vector<Triangle> outside = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};
  std::vector<Triangle> asked = outside;
  asked.push_back({1, 3, 4});  // its nodes are here, but it is another rank's cell's face
  attach_surface(piece, asked);
  EXPECT_EQ(piece.surface, outside);
  EXPECT_THAT(piece.surface_cell, testing::ElementsAre(0, 0, 0, 1, 1, 1));

  piece.surface.resize(3);
  piece.surface_cell.resize(3);
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {.surface_only = true, .single_precision = true});
  writer.write(0, piece);
  const auto grid = read_frame(scratch.path() / "fields" / "000000.pvtu");
  EXPECT_EQ(grid->GetNumberOfCells(), 3);
  EXPECT_EQ(grid->GetNumberOfPoints(), 4);
  EXPECT_EQ(grid->GetCellType(0), 5) << "VTK_TRIANGLE";
  EXPECT_EQ(grid->GetCellData()->GetArray("J")->GetComponent(2, 0), static_cast<double>(0.9F));
  EXPECT_EQ(grid->GetPointData()->GetArray("velocity")->GetDataType(), 10) << "VTK_FLOAT";

  attach_surface(piece, outside);
  writer.write(1, piece);
  const auto whole = read_frame(scratch.path() / "fields" / "000001.pvtu");
  ASSERT_EQ(whole->GetNumberOfCells(), 6);
  EXPECT_EQ(whole->GetCellData()->GetArray("J")->GetComponent(5, 0), static_cast<double>(1.1F))
      << "of the second cell";
}

TEST(FieldWriter, NoCellsAtAllIsLegal) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {});
  writer.write(0, {});
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "fields" / "000000.pvtu"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "fields" / "000000_0.vtu"));
}

TEST(FieldWriter, AnArrayOfTheWrongLengthIsNamed) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {});
  FieldPiece piece = two_tetrahedra();
  piece.stress.pop_back();
  try {
    writer.write(0, piece);
    FAIL() << "a cell without stress was written";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("array stress: expected 2 entries, found 1"));
  }
  EXPECT_EQ(writer.frames(), 0U);
}

TEST(FieldWriter, AFileThatCannotBeWrittenIsNamed) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {});
  std::filesystem::remove(scratch.path() / "fields");
  try {
    writer.write(0, two_tetrahedra());
    FAIL() << "a frame was written to a directory that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::run);
    EXPECT_THAT(error.what(), testing::HasSubstr("000000_0.vtu: expected to write"));
  }
}

}  // namespace
}  // namespace terrace
