// What a window that is gone through again begins with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/state/state.hpp"

namespace terrace {

/// The rows of bodies that were pushed in a window, as they were before, and the ledger. Of many bodies,
/// which are at rest or in flight, nothing is kept.
class RowsAtBegin {
 public:
  /// Of a window that begins at `time`, with so many bodies; what was kept of the last one is forgotten.
  void begin(const State& state, double time, std::size_t bodies);
  /// Before a push of this body, which has these nodes; nothing happens after the first in the window.
  void keep(const State& state, std::int32_t body, std::span<const std::int32_t> nodes);
  /// The lines, momenta, ledger and time of the begin.
  void put_back(State& state) const;

 private:
  struct Row {
    NodeLine line;
    IntegerMomentum momentum;
    std::int32_t node;
  };
  std::vector<std::vector<Row>> rows_;  // of each body that was pushed
  std::vector<std::uint8_t> is_kept_;   // by body
  std::vector<WideMomentum> ledger_;
  double time_ = 0;
};

}  // namespace terrace
