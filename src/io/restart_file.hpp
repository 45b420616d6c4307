// restart.h5: all that a run needs to go on, on any number of ranks.
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

/// What a restart file has besides the rows of nodes; the same for every rank.
struct RestartContent {
  std::string deck;              ///< text, --set applied
  std::string mesh_hash;         ///< 16 hexadecimal digits
  std::string model_hash;        ///< likewise
  double time = 0;               ///< [s]
  std::vector<std::byte> state;  ///< archive of the run and its integrator
};

/// Gathers the rows on rank 0, writes DIRECTORY/restart.h5 aside, brings it to the disk, and puts it in its
/// place; the file that was there becomes restart-before.h5. `nodes`: the model's numbers of the nodes in
/// `rows`, each on one rank; `node_count`: of all nodes; `content`: rank 0's counts. Collective. Throws
/// Error(run) on all ranks, with the file's name; where the new file could not be put in place, those before
/// are untouched.
void write_restart(const std::filesystem::path& directory, MPI_Comm communicator, RestartContent content,
                   std::int64_t node_count, const std::vector<std::int32_t>& nodes,
                   std::vector<NodeRow> rows);

/// A restart file of this version, found to be as it was written, to the last bit. Reads on this rank alone.
class RestartReader {
 public:
  /// Throws Error(run) with the file's name where it is no restart file of this version, cut off, or damaged.
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

/// The paths of the last restart file and of the one before, in the order in which they are to be tried.
[[nodiscard]] std::array<std::filesystem::path, 2> restart_files(const std::filesystem::path& directory);

}  // namespace terrace
