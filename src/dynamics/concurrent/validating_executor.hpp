// Many events at once, and the same again one after the other, to compare every event and every state.
#pragma once

#include <vector>

#include "dynamics/concurrent/concurrent_energy_stepping.hpp"

namespace terrace {

/// ConcurrentEnergyStepping that goes back after every advance, and has EnergyStepping do the same events.
class ValidatingExecutor : public ConcurrentEnergyStepping {
 public:
  using ConcurrentEnergyStepping::ConcurrentEnergyStepping;

  /// As ConcurrentEnergyStepping::advance. Throws Error(run) on all ranks when an event differs (in
  /// subdomain, instant, level, or whether it was a reflection), or when a bit of the state differs
  /// afterwards on any rank.
  bool advance(State& state, double until) override;

 private:
  [[nodiscard]] DoneEvent next_of_one_by_one(State& state, double until);
  void count_events();
  void require_same_events(State& state, double until, bool stopped);
  [[nodiscard]] std::vector<std::byte> bytes(const State& state) const;

  std::vector<std::int64_t> counted_, reflections_;  // by subdomain, in one after the other
};

}  // namespace terrace
