// What every rank did in each operation while it stepped: trace_operations.csv.
#pragma once

#include <filesystem>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "parallel/profile.hpp"

namespace terrace {

/// One operation of one rank in the stage `stepping`, and how much of the model that rank holds.
struct OperationRow {
  int rank = 0;
  Operation operation = Operation::rest;
  OperationRecord record;
  std::int64_t elements = 0, nodes = 0;  ///< on the rank, copies of nodes included
  std::int64_t surface_nodes = 0;        ///< of all bodies, which every rank holds to see who is near whom

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [rank, operation, record, elements, nodes, surface_nodes] = self;
    archive(rank, operation, record, elements, nodes, surface_nodes);
  }
};

/// The rows of all ranks on rank 0, in the order of ranks; none on the others. A rank has a row for every
/// operation that it called, and always one for `rest`. Collective.
[[nodiscard]] std::vector<OperationRow> operations_of_all(const OperationTrace& trace,
                                                          const Lagrangian& system);

/// Writes trace_operations.csv into the directory. Throws Error(run) where that fails.
void write_operation_table(const std::filesystem::path& directory, const std::vector<OperationRow>& rows);

}  // namespace terrace
