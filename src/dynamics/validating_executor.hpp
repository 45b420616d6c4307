// Many events at once, beside one after the other: every event and every state is compared.
#pragma once

#include <vector>

#include "dynamics/concurrent_energy_stepping.hpp"

namespace terrace {

/// ConcurrentEnergyStepping that has EnergyStepping do the same on a copy of the state.
class ValidatingExecutor : public ConcurrentEnergyStepping {
 public:
  /// Collective, as EnergyStepping.
  ValidatingExecutor(Lagrangian& lagrangian, State& state);

  /// Throws Error(run) on all ranks where an event is another (its subdomain, instant, level, or whether it
  /// was a reflection), or where afterwards a bit of the state differs on any rank.
  bool advance(State& state, double until) override;
  void restore(const State& state, ByteReader& reader) override;

 private:
  [[nodiscard]] DoneEvent next_of_one_by_one(double until);
  void require_same_events(double until, bool stopped);
  void require_same_state(const State& state) const;

  State copy_;
  EnergyStepping one_by_one_;
  std::vector<std::int64_t> counted_, reflections_;  // by subdomain, of one_by_one_
};

}  // namespace terrace
