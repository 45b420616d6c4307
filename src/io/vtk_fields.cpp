#include "io/vtk_fields.hpp"

#include <fmt/core.h>
#include <vtkCellData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string>
#include <utility>

#include "io/output_directory.hpp"
#include "io/vtk_grid.hpp"
#include "io/vtu_file.hpp"
#include "io/whole_file.hpp"
#include "numerics/at.hpp"
#include "parallel/archive.hpp"
#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/gathered.hpp"
#include "parallel/tell_user.hpp"
#include "parallel/together.hpp"

namespace terrace {

namespace {

std::string frame_name(std::size_t frame) { return fmt::format("{:06d}.pvtu", frame); }
std::string one_file_name(std::size_t frame) { return fmt::format("{:06d}.vtu", frame); }
std::string piece_name(std::size_t frame, int rank) { return fmt::format("{:06d}_{}.vtu", frame, rank); }

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

// The arrays are read off an empty grid, as rank 0 itself may have no cells.
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

std::string collection_contents(const std::vector<ListedFrame>& frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const ListedFrame& frame : frames) {
    const std::string entry =
        fmt::format("DataSet timestep=\"{:.17g}\" part=\"0\" file=\"fields/{}\"", frame.time, frame.file);
    text += frame.is_gone ? "    <!-- " + entry + " -->\n" : "    <" + entry + "/>\n";
  }
  return text + "  </Collection>\n</VTKFile>\n";
}

// Also those that are gone: the place of a frame in the list is its number.
std::vector<ListedFrame> frames_of(const std::string& collection) {
  const std::regex entry("timestep=\"([^\"]*)\"[^\n]*file=\"fields/([^\"]*)\"");
  std::vector<ListedFrame> frames;
  for (std::sregex_iterator match(collection.begin(), collection.end(), entry), end; match != end; ++match)
    frames.push_back({std::strtod((*match)[1].str().c_str(), nullptr), (*match)[2].str(), false});
  return frames;
}

/// Appends the cells of `more`, those of rank `rank`, to `piece`.
void append(FieldPiece& piece, FieldPiece& more, int rank) {
  const auto points = static_cast<std::int32_t>(piece.reference_positions.size()),
             cells = static_cast<std::int32_t>(piece.cells.size());
  for (Tetrahedron& cell : more.cells)
    for (std::int32_t& point : cell) point += points;
  for (Triangle& triangle : more.surface)
    for (std::int32_t& point : triangle) point += points;
  for (std::int32_t& cell : more.surface_cell) cell += cells;
  more.rank.assign(more.body.size(), rank);
  const auto join = [](auto& all, const auto& part) { all.insert(all.end(), part.begin(), part.end()); };
  join(piece.reference_positions, more.reference_positions);
  join(piece.displacements, more.displacements);
  join(piece.velocities, more.velocities);
  join(piece.cells, more.cells);
  join(piece.body, more.body);
  join(piece.subdomain, more.subdomain);
  join(piece.energy_density, more.energy_density);
  join(piece.jacobian, more.jacobian);
  join(piece.stress, more.stress);
  join(piece.surface, more.surface);
  join(piece.surface_cell, more.surface_cell);
  join(piece.rank, more.rank);
  join(piece.particle, more.particle);
  join(piece.mass, more.mass);
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

// Returns none where there is neither a list nor a frame. Frames without a list are an error, as new frames
// would take their numbers.
std::vector<ListedFrame> FieldWriter::frames_up_to(double time) const {
  const std::filesystem::path list = directory_ / "fields.pvd";
  std::error_code reason;
  if (!std::filesystem::exists(list, reason) && !reason) {
    if (has_frames(directory_))
      throw Error(Error::Kind::run, list.string(),
                  "a list of the frames in " + (directory_ / "fields").string() +
                      "; a new list begins where these frames are removed, too",
                  "no such file");
    return {};
  }
  auto frames = frames_of(read_whole_file(list));
  std::erase_if(frames, [&](const ListedFrame& frame) { return frame.time > time; });
  if (frames.empty() || frames.back().time != time)
    throw Error(Error::Kind::run, list.string(), fmt::format("a frame at time {}", time), "none");
  return frames;
}

void FieldWriter::require_frame(double time) const { static_cast<void>(frames_up_to(time)); }

void FieldWriter::resume(double time) {
  std::vector<std::byte> kept;
  together(communicator_, [&] {
    if (rank_ != 0) return;
    auto frames = frames_up_to(time);
    if (frames.empty())
      tell_user("\nwarning: {} is not there: it will list the frames from now on\n",
                (directory_ / "fields.pvd").string());
    for (ListedFrame& frame : frames) {
      std::error_code reason;  // where the disk does not tell, the frame counts as there
      frame.is_gone = !std::filesystem::exists(directory_ / "fields" / frame.file, reason) && !reason;
    }
    remove_unfinished(directory_, frames.size());
    ByteWriter writer;
    writer(frames);
    kept = writer.take();
  });
  kept = Communicator(communicator_).bytes_of_all(kept);
  ByteReader reader(kept);
  reader(frames_);
}

void FieldWriter::write(double time, const FieldPiece& piece) {
  const bool again = !frames_.empty() && frames_.back().time == time;
  const std::size_t frame = again ? frames_.size() - 1 : frames_.size();
  together(communicator_, [&] {
    if (!frames_.empty() && time < frames_.back().time)
      throw Error(Error::Kind::run, "field output", fmt::format("a time from {} on", frames_.back().time),
                  fmt::format("{}", time));
    verify_piece(piece, options_);
  });
  try {
    if (options_.one_file)
      write_one_file(frame, piece);
    else
      write_pieces(frame, piece);
  } catch (...) {
    if (!again && !options_.one_file) remove_piece(frame);
    throw;
  }
  frames_.resize(frame);
  frames_.push_back({time, options_.one_file ? one_file_name(frame) : frame_name(frame), false});
  together(communicator_, [&] {
    if (rank_ != 0) return;
    constexpr std::size_t few = 1000;
    all_listed_ = false;
    if (frames() <= few || Clock::now() >= due_) list_frames();
  });
}

void FieldWriter::flush() {
  together(communicator_, [&] {
    if (!all_listed_) list_frames();
  });
}

// The list grows with every frame: a long one is not written at each of them.
void FieldWriter::list_frames() {
  write_whole_file(directory_ / "fields.pvd", collection_contents(frames_));
  all_listed_ = true;
  due_ = Clock::now() + std::chrono::seconds(2);
}

void FieldWriter::write_pieces(std::size_t frame, const FieldPiece& piece) const {
  int cells = 0;
  together(communicator_, [&] {
    const auto grid = make_grid(piece, rank_, options_);
    cells = static_cast<int>(grid->GetNumberOfCells());
    if (cells > 0) write_vtu(directory_ / "fields" / piece_name(frame, rank_), grid, options_.compression);
  });
  std::vector<int> cells_of_rank(static_cast<std::size_t>(size_));
  check_mpi(MPI_Gather(&cells, 1, MPI_INT, cells_of_rank.data(), 1, MPI_INT, 0, communicator_), "MPI_Gather");
  together(communicator_, [&] {
    if (rank_ != 0) return;
    std::vector<std::string> pieces;
    for (int rank = 0; rank < size_; ++rank)
      if (at(cells_of_rank, rank) > 0) pieces.push_back(piece_name(frame, rank));
    write_whole_file(directory_ / "fields" / frame_name(frame), frame_contents(options_, pieces));
  });
}

// Removes a piece of a frame that other ranks could not write: no list would name it.
void FieldWriter::remove_piece(std::size_t frame) const noexcept {
  try {
    std::error_code none;
    std::filesystem::remove(directory_ / "fields" / piece_name(frame, rank_), none);
  } catch (const std::exception&) {
    return;  // it stays, as after a run that was killed
  }
}

// Points that several ranks hold are there several times, as in the pieces.
void FieldWriter::write_one_file(std::size_t frame, const FieldPiece& piece) const {
  std::vector<std::byte> mine;
  if (rank_ != 0) {
    ByteWriter writer;
    writer(piece);
    mine = writer.take();
  }
  const std::vector<std::vector<std::byte>> others = gathered_at_root(communicator_, mine);
  together(communicator_, [&] {
    if (rank_ != 0) return;
    FieldPiece all;
    if (size_ > 1) {
      all = piece;
      all.rank.assign(all.body.size(), 0);
    }
    for (int rank = 1; rank < size_; ++rank) {
      FieldPiece more;
      ByteReader reader(at(others, rank));
      reader(more);
      append(all, more, rank);
    }
    const auto grid = make_grid(size_ > 1 ? all : piece, 0, options_);
    write_vtu(directory_ / "fields" / one_file_name(frame), grid, options_.compression);
  });
}

}  // namespace terrace
