// The clock of a terrace, in whole ticks.
#pragma once

#include <cstdint>

#include "dynamics/clocked/modified_energy.hpp"
#include "dynamics/state/wide_integer.hpp"
#include "parallel/hash.hpp"

namespace terrace {

/// When a terrace has its events, and the energy it holds between them. Times are whole ticks since the start
/// of the run: simultaneous events are so to the bit.
struct Clock {
  bool running = false;        ///< else it has no events, V being next to nothing
  int kicks = 0;               ///< since it runs; no more than two are counted
  std::int64_t last = 0;       ///< its last event
  std::int64_t next = 0;       ///< its next event
  std::int64_t planned = 0;    ///< the step its last kick was made for
  std::int64_t step = 1;       ///< the step it takes now
  std::int64_t longest = 1;    ///< no step is longer
  std::int64_t next_look = 0;  ///< for pairs of the group that touch no more
  bool young = false;          ///< it began with short steps and is still to reach its own
  int overdue = 0;             ///< events in a row that left too much unbalanced
  int quiet = 0;               ///< events in a row that would have allowed a longer step
  WideInteger stored;          ///< U, in quanta of energy
  /// Largest |U| of it and its bodies so far, or hardly less than K of one of them at the start, in the
  /// deck's frame [J]: what errors of its energy are measured by. In flight V rounds off by a share of that.
  double most_energy = 0;
  double offset = 0;  ///< b [J]: what U is less than the tangent of V, and decays
  double debt = 0;    ///< what the last kick left over [J]
  DriftStart drift;   ///< since the last kick

  /// Chains when it had its last event, if it runs, and what it stores to a hash. (That it is to run some day
  /// is known to who has looked so far ahead.)
  [[nodiscard]] std::uint64_t hash(std::uint64_t before) const {
    std::uint64_t hash = chain(before, static_cast<std::uint64_t>(running ? last : 0));
    hash = chain(chain(hash, stored.word(0)), stored.word(1));
    return stored == WideInteger(stored.narrow()) ? hash : chain(hash, stored.word(2));
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [running, kicks, last, next, planned, step, longest, next_look, young, overdue, quiet, stored,
           most_energy, offset, debt, drift] = self;
    archive(running, kicks, last, next, planned, step, longest, next_look, young, overdue, quiet, stored,
            most_energy, offset, debt, drift);
  }
};

}  // namespace terrace
