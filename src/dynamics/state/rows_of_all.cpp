#include "dynamics/state/rows_of_all.hpp"

#include "dynamics/state/node_row.hpp"
#include "parallel/archive.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

void bring_rows_of_all(const Lagrangian& share, const State& state, State& whole) {
  ByteWriter writer;
  for (std::size_t a = 0; a < share.global_nodes.size(); ++a) {
    if (share.owned[a] == 0) continue;
    const NodeRow row = state.row(a);
    writer(share.global_nodes[a], row.line, row.momentum);
  }
  const std::vector<std::byte> rows = share.communicator->bytes_of_all(writer.take());
  ByteReader reader(rows);
  while (!reader.at_end()) {
    std::int32_t node = 0;
    NodeRow row;
    reader(node, row.line, row.momentum);
    whole.set_row(static_cast<std::size_t>(node), row);
  }
}

}  // namespace terrace
