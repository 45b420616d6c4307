// An interval of a line on which something is known to hold.
#pragma once

namespace terrace {

/// The interval [from, to] of s on which something is known to hold; empty by default.
struct KnownStretch {
  double from = 1, to = 0;
  [[nodiscard]] bool contains(double s) const { return from <= s && s <= to; }
};

}  // namespace terrace
