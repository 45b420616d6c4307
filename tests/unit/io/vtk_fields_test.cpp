// Frames for ParaView: what its reader gets back, the list of frames, resumed runs, and errors of VTK and
// disks.
#include "io/vtk_fields.hpp"

#include <gmock/gmock.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <string>

#include "io/vtk_grid.hpp"
#include "io/vtu_file.hpp"
#include "io/whole_file.hpp"
#include "parallel/error.hpp"
#include "support/scratch_directory.hpp"

namespace terrace::vtk_fields_test {
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

// VTK's writer itself would say that all went well.
TEST(VtuFile, WhatVtkComplainsOfIsAnErrorAndLeavesNoFile) {
  const ScratchDirectory scratch;
  const auto surface = vtkSmartPointer<vtkPolyData>::New();
  try {
    write_vtu(scratch.path() / "000001.vtu", surface, FieldCompression::none);
    FAIL() << "a surface was written as a grid";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::run);
    EXPECT_THAT(error.what(),
                testing::HasSubstr("000001.vtu: expected a grid that VTK can encode in the memory there "
                                   "is, found "));
    EXPECT_THAT(error.what(), testing::HasSubstr("vtkPolyData"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

// The disk is found to be full within VTK's writer: in the first block, or when much of the grid is written.
TEST(VtuFile, AFullDiskIsAnErrorThatNamesTheFile) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "000001.vtu";
  FieldPiece piece = two_tetrahedra();
  for (const int copies : {0, 100'000}) {
    for (int i = 0; i < copies; ++i) piece.cells.push_back(piece.cells[0]);
    piece.body.resize(piece.cells.size());
    piece.subdomain.resize(piece.cells.size());
    piece.energy_density.resize(piece.cells.size());
    piece.jacobian.resize(piece.cells.size());
    piece.stress.resize(piece.cells.size());
    const auto grid = make_grid(piece, 0, {});
    for (const FieldCompression compression :
         {FieldCompression::none, FieldCompression::lz4, FieldCompression::zlib}) {
      std::filesystem::create_symlink("/dev/full", aside(path));  // the device that is always full
      try {
        write_vtu(path, grid, compression);
        FAIL() << "a frame was written to /dev/full";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::run);
        EXPECT_THAT(error.what(), testing::HasSubstr("000001.vtu: expected to write "));
        EXPECT_THAT(error.what(), testing::HasSubstr("No space left on device"));
      }
      EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
    }
  }
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

/// A directory that rank 0 makes and all ranks know.
class SharedScratchDirectory {
 public:
  SharedScratchDirectory() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char name[512] = {};
    if (rank == 0) own_.path().string().copy(name, sizeof(name) - 1);
    MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
    path_ = name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  ScratchDirectory own_;
  std::filesystem::path path_;
};

// On every rank a piece of its own.
TEST(OnRanksFieldWriter, OneFileHoldsThePiecesOfAllRanks) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const SharedScratchDirectory scratch;
  FieldPiece piece = two_tetrahedra();
  for (Vector3& x : piece.reference_positions) x[0] += 10 * rank;
  piece.jacobian = {rank + 0.25, rank + 0.5};
  for (const bool surface : {false, true}) {
    attach_surface(piece, {{1, 2, 3}, {2, 1, 4}});
    FieldWriter writer(scratch.path(), MPI_COMM_WORLD, {.surface_only = surface, .one_file = true});
    writer.write(0, piece);
    writer.write(0.5, rank == 0 ? FieldPiece{} : piece);
    if (rank == 0) {
      EXPECT_THAT(read_whole_file(scratch.path() / "fields.pvd"),
                  testing::HasSubstr("timestep=\"0.5\" part=\"0\" file=\"fields/000001.vtu\""));
      const auto reader = vtkSmartPointer<vtkXMLUnstructuredGridReader>::New();
      reader->SetFileName((scratch.path() / "fields" / "000000.vtu").c_str());
      reader->Update();
      vtkUnstructuredGrid* grid = reader->GetOutput();
      ASSERT_EQ(grid->GetNumberOfCells(), 2 * size);
      for (int cell = 0; cell < 2 * size; ++cell) {
        EXPECT_EQ(grid->GetCellData()->GetArray("rank")->GetComponent(cell, 0), cell / 2);
        EXPECT_EQ(grid->GetCellData()->GetArray("J")->GetComponent(cell, 0),
                  cell / 2 + (cell % 2 == 0 ? 0.25 : 0.5));
        const double* box = grid->GetCell(cell)->GetBounds();
        EXPECT_EQ(box[1], 10 * (cell / 2) + 1) << "its own points";
      }
      reader->SetFileName((scratch.path() / "fields" / "000001.vtu").c_str());
      reader->Update();
      EXPECT_EQ(reader->GetOutput()->GetNumberOfCells(), 2 * (size - 1));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
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

TEST(FieldWriter, OfThousandsOfFramesTheListIsWrittenNowAndThen) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {.one_file = true});
  const auto listed = [&] {
    const std::string list = read_whole_file(scratch.path() / "fields.pvd");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = list.find("<DataSet", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  for (int frame = 0; frame < 1000; ++frame) writer.write(frame, {});
  EXPECT_EQ(listed(), 1000U);
  for (int frame = 1000; frame < 1010; ++frame) writer.write(frame, {});
  EXPECT_LT(listed(), 1010U) << "or ten frames took two seconds";
  writer.flush();
  EXPECT_EQ(listed(), 1010U);
}

TEST(FieldWriter, ResumingGoesOnAfterTheLastFrameKept) {
  const ScratchDirectory scratch;
  FieldWriter first(scratch.path(), MPI_COMM_SELF, {});
  for (const double time : {0.0, 0.1, 0.2}) first.write(time, two_tetrahedra());
  FieldWriter second(scratch.path(), MPI_COMM_SELF, {});
  write_whole_file(scratch.path() / "fields" / "000003_0.vtu.part", "cut off");
  write_whole_file(scratch.path() / "fields" / "picture.png", "the user's");
  second.resume(0.1);
  EXPECT_EQ(second.frames(), 2U);
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "fields" / "000002.pvtu")) << "later frames are gone";
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "fields" / "000002_0.vtu"));
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "fields" / "000001_0.vtu"));
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "fields" / "picture.png"));
  EXPECT_EQ(leftovers(scratch.path()), 0);
  second.write(0.15, two_tetrahedra());
  const std::string collection = read_whole_file(scratch.path() / "fields.pvd");
  EXPECT_THAT(collection,
              testing::HasSubstr("\"0.14999999999999999\" part=\"0\" file=\"fields/000002.pvtu\""));
  EXPECT_THAT(collection, testing::Not(testing::HasSubstr("\"0.20000000000000001\"")));
}

TEST(FieldWriter, WithoutAListOnlyFramesThatAreNotThereAreForgotten) {
  const ScratchDirectory scratch;
  FieldWriter writer(scratch.path(), MPI_COMM_SELF, {});
  for (const double time : {0.0, 0.1}) writer.write(time, two_tetrahedra());
  writer.require_frame(0.1);
  EXPECT_THROW(writer.require_frame(0.15), Error);
  std::filesystem::remove(scratch.path() / "fields.pvd");
  try {
    FieldWriter(scratch.path(), MPI_COMM_SELF, {}).resume(0.1);
    FAIL() << "their numbers would be given away";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("fields.pvd: expected a list of the frames in "));
  }
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "fields" / "000001.pvtu"));
  std::filesystem::remove_all(scratch.path() / "fields");
  FieldWriter second(scratch.path(), MPI_COMM_SELF, {});
  second.require_frame(0.1);
  second.resume(0.1);
  second.write(0.2, two_tetrahedra());
  EXPECT_EQ(second.frames(), 1U);
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "fields" / "000000.pvtu"));
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
}  // namespace terrace::vtk_fields_test
