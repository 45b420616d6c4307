// An interval of a line in which something is known.
#pragma once

namespace terrace {

/// Interval of s in which something is known; empty at first.
struct KnownStretch {
  double from = 1, to = 0;
  [[nodiscard]] bool contains(double s) const { return from <= s && s <= to; }
};

}  // namespace terrace
