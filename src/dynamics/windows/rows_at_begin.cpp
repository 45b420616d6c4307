#include "dynamics/windows/rows_at_begin.hpp"

#include <utility>

#include "numerics/at.hpp"

namespace terrace {

void RowsAtBegin::begin(const State& state, double time, std::size_t bodies) {
  rows_.clear();
  is_kept_.assign(bodies, 0);
  ledger_ = state.ledger;
  time_ = time;
}

void RowsAtBegin::keep(const State& state, std::int32_t body, std::span<const std::int32_t> nodes) {
  if (std::exchange(at(is_kept_, body), std::uint8_t{1}) != 0) return;
  std::vector<Row>& rows = rows_.emplace_back();
  rows.reserve(nodes.size());
  for (const std::int32_t node : nodes)
    rows.push_back({at(state.lines, node), at(state.momenta, node), node});
}

void RowsAtBegin::put_back(State& state) const {
  for (const std::vector<Row>& rows : rows_)
    for (const Row& row : rows) {
      at(state.lines, row.node) = row.line;
      at(state.momenta, row.node) = row.momentum;
    }
  state.ledger = ledger_;
  state.time = time_;
}

}  // namespace terrace
