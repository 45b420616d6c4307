#include "app/operation_table.hpp"

#include <fmt/core.h>

#include "dynamics/system/contact_pairs.hpp"
#include "io/whole_file.hpp"
#include "parallel/archive.hpp"
#include "parallel/gathered.hpp"

namespace terrace {

static OperationRow row_of_rank(const Lagrangian& system) {
  OperationRow row;
  row.rank = system.communicator->rank();
  row.nodes = static_cast<std::int64_t>(system.masses.size());
  for (const ElasticBlock& block : system.elastic_blocks)
    row.elements += static_cast<std::int64_t>(block.tetrahedra.size());
  const ContactPairs* pairs = system.contact_pairs.get();
  for (std::int32_t body = 0; pairs != nullptr && body < pairs->bodies(); ++body)
    row.surface_nodes += static_cast<std::int64_t>(pairs->surface_nodes(body).size());
  return row;
}

std::vector<OperationRow> operations_of_all(const OperationTrace& trace, const Lagrangian& system) {
  std::vector<OperationRow> rows;
  OperationRow row = row_of_rank(system);
  for (std::size_t k = 0; k < operation_count; ++k) {
    row.operation = static_cast<Operation>(k);
    row.record = trace.of(Stage::stepping, row.operation);
    if (row.record.calls > 0 || row.operation == Operation::rest) rows.push_back(row);
  }
  ByteWriter writer;
  writer(rows);
  const auto of_ranks = gathered_at_root(system.communicator->handle(), writer.take());
  rows.clear();
  for (const std::vector<std::byte>& bytes : of_ranks) {
    std::vector<OperationRow> of_one;
    ByteReader reader(bytes);
    reader(of_one);
    rows.insert(rows.end(), of_one.begin(), of_one.end());
  }
  return rows;
}

void write_operation_table(const std::filesystem::path& directory, const std::vector<OperationRow>& rows) {
  WholeFile table(directory / "trace_operations.csv");
  table.write(
      "rank,operation,calls,seconds,collectives,messages,bytes,to_all,elements,nodes,surface_nodes\n");
  for (const OperationRow& row : rows)
    table.write(fmt::format("{},{},{},{:.9f},{},{},{},{},{},{},{}\n", row.rank, name_of(row.operation),
                            row.record.calls, row.record.seconds, row.record.collectives, row.record.messages,
                            row.record.bytes, row.record.to_all, row.elements, row.nodes, row.surface_nodes));
  table.commit();
}

}  // namespace terrace
