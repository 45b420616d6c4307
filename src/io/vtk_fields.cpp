#include "io/vtk_fields.hpp"

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkXMLUnstructuredGridWriter.h>
#include <vtkZLibDataCompressor.h>

#include <algorithm>
#include <regex>
#include <string>
#include <utility>

#include "io/vtk_grid.hpp"
#include "io/whole_file.hpp"
#include "numerics/at.hpp"
#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"

namespace terrace {

namespace {

std::string frame_name(std::size_t frame) { return fmt::format("{:06d}.pvtu", frame); }
std::string piece_name(std::size_t frame, int rank) { return fmt::format("{:06d}_{}.vtu", frame, rank); }

// VTK writes into memory and terrace into the file: VTK would not say which file the disk had no room for.
std::string encode(vtkUnstructuredGrid* grid) {
  auto compressor = vtkSmartPointer<vtkZLibDataCompressor>::New();
  auto writer = vtkSmartPointer<vtkXMLUnstructuredGridWriter>::New();
  writer->SetInputData(grid);
  writer->SetCompressor(compressor);
  // Not appended: expat 2.6, and 2.5 as Debian 12 patches it, stop ParaView 5.11 before such data (VTK
  // issue 19258).
  writer->SetDataModeToBinary();
  writer->WriteToOutputStringOn();
  if (writer->Write() != 1)
    throw Error(Error::Kind::run, "field output", "a grid VTK can encode", "its error above");
  return writer->GetOutputString();
}

std::string describe(vtkDataArray* array) {
  const int components = array->GetNumberOfComponents();
  std::string text = fmt::format("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"",
                                 array->GetDataType() == VTK_INT     ? "Int32"
                                 : array->GetDataType() == VTK_FLOAT ? "Float32"
                                                                     : "Float64",
                                 array->GetName(), components);
  for (int component = 0; component < components; ++component)
    if (const char* name = array->GetComponentName(component))
      text += fmt::format(" ComponentName{}=\"{}\"", component, name);
  return text + "/>\n";
}

std::string describe(vtkDataSetAttributes* arrays) {
  std::string text;
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i) text += describe(arrays->GetArray(i));
  return text;
}

// Which arrays there are is read off an empty grid, as rank 0 itself may have no cells.
std::string frame_contents(const FieldOptions& options, const std::vector<std::string>& pieces) {
  const auto grid = make_grid({}, 0, options);
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n";
  text += "    <PPointData>\n" + describe(grid->GetPointData()) + "    </PPointData>\n";
  text += "    <PCellData>\n" + describe(grid->GetCellData()) + "    </PCellData>\n";
  text += "    <PPoints>\n" + describe(grid->GetPoints()->GetData()) + "    </PPoints>\n";
  for (const std::string& piece : pieces) text += fmt::format("    <Piece Source=\"{}\"/>\n", piece);
  return text + "  </PUnstructuredGrid>\n</VTKFile>\n";
}

std::string collection_contents(const std::vector<double>& times) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (std::size_t frame = 0; frame < times.size(); ++frame)
    text += fmt::format("    <DataSet timestep=\"{:.17g}\" part=\"0\" file=\"fields/{}\"/>\n", times[frame],
                        frame_name(frame));
  return text + "  </Collection>\n</VTKFile>\n";
}

std::vector<double> frame_times(const std::string& collection) {
  const std::regex entry("timestep=\"([^\"]*)\"");
  std::vector<double> times;
  for (std::sregex_iterator match(collection.begin(), collection.end(), entry), end; match != end; ++match)
    times.push_back(std::stod((*match)[1].str()));
  return times;
}

}  // namespace

void attach_surface(FieldPiece& piece, const std::vector<Triangle>& outer_surface) {
  const auto key = [](Triangle triangle) {
    std::sort(triangle.begin(), triangle.end());
    return triangle;
  };
  std::vector<std::pair<Triangle, std::int32_t>> faces;
  faces.reserve(4 * piece.cells.size());
  for (std::size_t e = 0; e < piece.cells.size(); ++e) {
    const auto& [a, b, c, d] = piece.cells[e];
    for (const Triangle& face : {Triangle{b, c, d}, Triangle{a, c, d}, Triangle{a, b, d}, Triangle{a, b, c}})
      faces.emplace_back(key(face), static_cast<std::int32_t>(e));
  }
  std::sort(faces.begin(), faces.end());

  piece.surface.clear();
  piece.surface_cell.clear();
  for (const Triangle& triangle : outer_surface) {
    const Triangle wanted = key(triangle);
    const auto face = std::lower_bound(faces.begin(), faces.end(), std::pair{wanted, std::int32_t{0}});
    if (face == faces.end() || face->first != wanted) continue;
    piece.surface.push_back(triangle);
    piece.surface_cell.push_back(face->second);
  }
}

FieldWriter::FieldWriter(std::filesystem::path directory, MPI_Comm communicator, FieldOptions options)
    : directory_(std::move(directory)), communicator_(communicator), options_(options) {
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
  together(communicator_, [&] {
    std::error_code reason;
    const std::filesystem::path fields = directory_ / "fields";
    std::filesystem::create_directories(fields, reason);
    if (reason) throw Error(Error::Kind::run, fields.string(), "to make this directory", reason.message());
  });
}

void FieldWriter::resume(double time) {
  times_.clear();
  together(communicator_, [&] {
    if (rank_ != 0) return;
    times_ = frame_times(read_whole_file(directory_ / "fields.pvd"));
    std::erase_if(times_, [&](double frame) { return frame > time; });
    if (times_.empty() || times_.back() != time)
      throw Error(Error::Kind::run, (directory_ / "fields.pvd").string(),
                  fmt::format("a frame at time {}", time), "none");
  });
  auto count = static_cast<int>(times_.size());
  check_mpi(MPI_Bcast(&count, 1, MPI_INT, 0, communicator_), "MPI_Bcast");
  times_.resize(static_cast<std::size_t>(count));
  check_mpi(MPI_Bcast(times_.data(), count, MPI_DOUBLE, 0, communicator_), "MPI_Bcast");
}

void FieldWriter::write(double time, const FieldPiece& piece) {
  const bool again = !times_.empty() && times_.back() == time;
  const std::size_t frame = again ? times_.size() - 1 : times_.size();
  int cells = 0;
  together(communicator_, [&] {
    if (!times_.empty() && time < times_.back())
      throw Error(Error::Kind::run, "field output", fmt::format("a time from {} on", times_.back()),
                  fmt::format("{}", time));
    const auto grid = make_grid(piece, rank_, options_);
    cells = static_cast<int>(grid->GetNumberOfCells());
    if (cells > 0) write_whole_file(directory_ / "fields" / piece_name(frame, rank_), encode(grid));
  });

  std::vector<int> cells_of_rank(static_cast<std::size_t>(size_));
  check_mpi(MPI_Gather(&cells, 1, MPI_INT, cells_of_rank.data(), 1, MPI_INT, 0, communicator_), "MPI_Gather");
  if (!again) times_.push_back(time);
  together(communicator_, [&] {
    if (rank_ == 0) write_index(frame, cells_of_rank);
  });
}

void FieldWriter::write_index(std::size_t frame, const std::vector<int>& cells_of_rank) const {
  std::vector<std::string> pieces;
  for (int rank = 0; rank < size_; ++rank)
    if (at(cells_of_rank, rank) > 0) pieces.push_back(piece_name(frame, rank));
  write_whole_file(directory_ / "fields" / frame_name(frame), frame_contents(options_, pieces));
  write_whole_file(directory_ / "fields.pvd", collection_contents(times_));
}

}  // namespace terrace
