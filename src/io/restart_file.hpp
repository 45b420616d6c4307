// restart.h5: all of a run that goes on from here, on any number of ranks.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "dynamics/state/node_row.hpp"

namespace terrace {

/// What every rank knows the same of.
struct RestartContent {
  std::string deck;              ///< text, --set applied
  std::string mesh_hash;         ///< 16 hexadecimal digits
  std::string model_hash;        ///< likewise
  double time = 0;               ///< [s]
  std::vector<std::byte> state;  ///< archive of the run and its integrator
};

/// Writes DIRECTORY/restart.h5 aside, gathered on rank 0, brings it to the disk, and puts it in its place;
/// the file that was there is now restart-before.h5. `nodes`: numbers in the model of the rows, each on one
/// rank; `node_count`: in all; of `content` rank 0's counts. Collective. Throws Error(run) on all ranks, with
/// the file's name; what was there before is then untouched.
void write_restart(const std::filesystem::path& directory, MPI_Comm communicator, RestartContent content,
                   std::int64_t node_count, const std::vector<std::int32_t>& nodes,
                   std::vector<NodeRow> rows);

/// A restart file of this version that is as it was written, to the last bit. Reads on this rank alone.
class RestartReader {
 public:
  /// Throws Error(run) with the file's name: no restart file of this version, cut off, or damaged.
  explicit RestartReader(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const RestartContent& content() const { return content_; }
  [[nodiscard]] std::int64_t node_count() const { return static_cast<std::int64_t>(rows_.size()); }
  [[nodiscard]] const NodeRow& row(std::int32_t node) const {
    return rows_.at(static_cast<std::size_t>(node));
  }

 private:
  std::filesystem::path path_;
  RestartContent content_;
  std::vector<NodeRow> rows_;
};

/// The names of the last file and the one before, in the order in which they are to be tried.
[[nodiscard]] std::array<std::filesystem::path, 2> restart_files(const std::filesystem::path& directory);

}  // namespace terrace
