// The clock of a terrace, in whole ticks.
#pragma once

#include <cstdint>

#include "dynamics/clocked/modified_energy.hpp"
#include "dynamics/state/wide_integer.hpp"
#include "parallel/hash.hpp"

namespace terrace {

/// When a terrace has its events, and the energy it holds between them. Times and steps are whole ticks,
/// times since the start of the run, so that simultaneous events have exactly the same time.
struct Clock {
  bool running = false;        ///< if false, the terrace rests: no events, as V is next to nothing
  int kicks = 0;               ///< since the clock started; counted up to two
  std::int64_t last = 0;       ///< its last event
  std::int64_t next = 0;       ///< its next event; negative: none
  std::int64_t planned = 0;    ///< the step that its last kick was made for
  std::int64_t step = 1;       ///< the present step
  std::int64_t longest = 1;    ///< upper bound on steps
  std::int64_t next_look = 0;  ///< of a group: when to look next for pairs that touch no more
  bool young = false;          ///< began with short steps and has not reached its usual step yet
  int overdue = 0;             ///< events in a row that left a debt above the tolerance
  int quiet = 0;               ///< events in a row that would have allowed a longer step
  WideInteger stored;          ///< U, in quanta of energy
  /// Scale of errors of this terrace's energy [J]: the largest |U| so far of it and of the terraces that it
  /// came from, or K of one of its bodies at the start in the deck's frame, rounded down to a power of two,
  /// where that is more. (Rounding errors of V in flight are a share of that K.)
  double most_energy = 0;
  double offset = 0;  ///< b [J]: by how much U is below leapfrog's modified energy without K; decays
  double debt = 0;    ///< what the last kick left unbalanced [J]
  DriftStart drift;   ///< of the drift since the last kick

  /// The hash `before`, continued by the time of the last event, if the clock runs, and by U. The next event
  /// of a clock at rest is left out: it is known only where a search has looked so far ahead.
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
