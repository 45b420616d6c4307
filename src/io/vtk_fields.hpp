// Fields over the bodies as ParaView reads them: fields.pvd, fields/NNNNNN.pvtu and a piece per rank.
#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/output_formats.hpp"
#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// One rank's part of the bodies at one time. Point arrays have an entry per point, cell arrays one per
/// tetrahedron. With FieldOptions::particles there are no tetrahedra: every point is a cell, and `body` is
/// the only cell array. A rank without cells passes an empty piece.
struct FieldPiece {
  std::vector<Vector3> reference_positions, displacements, velocities;
  std::vector<Tetrahedron> cells;  ///< indices into the piece's points
  std::vector<std::int32_t> body, subdomain;
  std::vector<double> energy_density;         ///< W, per reference volume
  std::vector<double> jacobian;               ///< J = det F; array "J"
  std::vector<std::array<double, 6>> stress;  ///< Cauchy: xx, yy, zz, xy, yz, xz

  /// The triangles of the bodies' outer surface that are faces of this piece's cells, and the cell behind
  /// each; used with FieldOptions::surface_only alone. `attach_surface` fills both.
  std::vector<Triangle> surface;
  std::vector<std::int32_t> surface_cell;

  /// The rank of each cell; empty: that of the rank which writes the piece.
  std::vector<std::int32_t> rank;

  /// Of particles, per point: their numbers in the model, and masses.
  std::vector<std::int32_t> particle;
  std::vector<double> mass;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [reference_positions, displacements, velocities, cells, body, subdomain, energy_density, jacobian,
           stress, surface, surface_cell, rank, particle, mass] = self;
    archive(reference_positions, displacements, velocities, cells, body, subdomain, energy_density, jacobian,
            stress, surface, surface_cell, rank, particle, mass);
  }
};

/// Fills in `surface` and `surface_cell` with those triangles of the bodies' outer surface that are a face of
/// one of the piece's cells. `outer_surface` is given in indices of the piece's points; the caller leaves out
/// triangles with a node that the piece does not have. As an outer triangle is a face of one cell alone,
/// exactly one rank keeps it, though several may have its nodes.
void attach_surface(FieldPiece& piece, const std::vector<Triangle>& outer_surface);

struct FieldOptions {
  /// Write the outer surface, each triangle with the values of the cell behind it.
  bool surface_only = false;
  bool single_precision = false;  ///< 32-bit instead of 64-bit numbers
  FieldCompression compression = FieldCompression::lz4;
  /// A frame is NNNNNN.vtu, which rank 0 writes, instead of NNNNNN.pvtu and a piece per rank.
  bool one_file = false;
  bool particles = false;  ///< pieces are of particles
};

/// A frame as fields.pvd lists it.
struct ListedFrame {
  double time = 0;
  std::string file;      ///< in fields/
  bool is_gone = false;  ///< somebody has removed its file: it is listed in a comment

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [time, file, is_gone] = self;
    archive(time, file, is_gone);
  }
};

/// Writes frames 0, 1, 2, …, of which the first should be the initial state. Every file is written aside and
/// renamed, in an order that lets ParaView open fields.pvd at any moment of a run.
class FieldWriter {
 public:
  /// Collective. Makes `directory`/fields. Throws Error(run) on all ranks when some rank cannot.
  FieldWriter(std::filesystem::path directory, MPI_Comm communicator, FieldOptions options);

  /// Call on rank 0. Throws Error(run) when fields.pvd cannot be read or has no frame at `time`, and when it
  /// is missing although there are frames that it should list. Changes nothing.
  void require_frame(double time) const;
  /// Collective. Continues the frames that an earlier run, on any number of ranks, left in the directory.
  /// Those up to and including `time` are kept, and listed as far as nobody has removed them; new ones get
  /// the numbers that follow. Where all are gone, with fields.pvd, a new list begins, with a warning. Throws
  /// as require_frame, on all ranks.
  void resume(double time);

  /// Collective: every rank calls it, with or without cells. Points are written at their current positions,
  /// reference position + displacement. A second frame at the time of the last replaces it. Throws Error(run)
  /// on all ranks when a file could not be written, when arrays do not fit together, or when `time` lies
  /// before the last frame. Beyond the first thousand frames fields.pvd, which lists all of them, is written
  /// every other second at most.
  void write(double time, const FieldPiece& piece);
  /// Collective. Makes fields.pvd list all frames. Throws Error(run) on all ranks when it could not be
  /// written.
  void flush();

  /// Number of frames so far.
  [[nodiscard]] std::size_t frames() const { return frames_.size(); }

 private:
  using Clock = std::chrono::steady_clock;
  void list_frames();
  [[nodiscard]] std::vector<ListedFrame> frames_up_to(double time) const;
  void write_pieces(std::size_t frame, const FieldPiece& piece) const;
  void remove_piece(std::size_t frame) const noexcept;
  void write_one_file(std::size_t frame, const FieldPiece& piece) const;

  std::filesystem::path directory_;
  MPI_Comm communicator_;
  FieldOptions options_;
  int rank_ = 0, size_ = 1;
  std::vector<ListedFrame> frames_;  ///< the same on all ranks
  bool all_listed_ = true;           ///< on rank 0: whether fields.pvd lists all frames
  Clock::time_point due_{};          ///< when a list of many frames may be written again
};

}  // namespace terrace
