// What every rank did of each operation while it stepped: trace_operations.csv.
#pragma once

#include <filesystem>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "parallel/profile.hpp"

namespace terrace {

/// A rank's operation in the stage `stepping`, and what the rank holds.
struct OperationRow {
  int rank = 0;
  Operation operation = Operation::rest;
  OperationRecord record;
  std::int64_t elements = 0, nodes = 0;  ///< of the rank, copies of nodes included
  std::int64_t surface_nodes = 0;        ///< that every rank holds, to follow who is near whom

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [rank, operation, record, elements, nodes, surface_nodes] = self;
    archive(rank, operation, record, elements, nodes, surface_nodes);
  }
};

/// The rows of all ranks, by ranks, on rank 0; those of a rank have the operations it had any of, and always
/// `rest`. Collective.
[[nodiscard]] std::vector<OperationRow> operations_of_all(const OperationTrace& trace,
                                                          const Lagrangian& system);

/// Writes trace_operations.csv into the directory. Throws Error(run) where that fails.
void write_operation_table(const std::filesystem::path& directory, const std::vector<OperationRow>& rows);

}  // namespace terrace
