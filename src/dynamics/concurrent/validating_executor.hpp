// Many events at once, and the same again one after the other: every event and every state is compared.
#pragma once

#include <vector>

#include "dynamics/concurrent/concurrent_energy_stepping.hpp"

namespace terrace {

/// ConcurrentEnergyStepping that goes back after every advance and has EnergyStepping do the same.
class ValidatingExecutor : public ConcurrentEnergyStepping {
 public:
  using ConcurrentEnergyStepping::ConcurrentEnergyStepping;

  /// Throws Error(run) on all ranks where an event is another (its subdomain, instant, level, or whether it
  /// was a reflection), or where afterwards a bit of the state differs on any rank.
  bool advance(State& state, double until) override;

 private:
  [[nodiscard]] DoneEvent next_of_one_by_one(State& state, double until);
  void count_events();
  void require_same_events(State& state, double until, bool stopped);
  [[nodiscard]] std::vector<std::byte> bytes(const State& state) const;

  std::vector<std::int64_t> counted_, reflections_;  // by subdomain, one by one
};

}  // namespace terrace
