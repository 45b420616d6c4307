// What it takes to begin a window again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/state/state.hpp"

namespace terrace {

/// The rows of the bodies that were pushed in a window, as they were at its begin, and the ledger. Nothing is
/// kept of bodies that were not pushed, which are at rest or in free flight: often these are many.
class RowsAtBegin {
 public:
  /// Begins a window at `time` [s] in a system of so many bodies; forgets what was kept of the last window.
  void begin(const State& state, double time, std::size_t bodies);
  /// Keeps the rows of a body, which has these nodes. To be called before each push of the body; does
  /// something only before the first push in the window.
  void keep(const State& state, std::int32_t body, std::span<const std::int32_t> nodes);
  /// Puts lines, momenta, ledger and time back to those of the begin.
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
