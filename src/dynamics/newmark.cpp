#include "dynamics/newmark.hpp"

#include <numeric>

#include "parallel/error.hpp"
#include "parallel/hash.hpp"

namespace terrace {

Newmark::Newmark(Lagrangian& lagrangian, State& state, double step)
    : lagrangian_(lagrangian),
      gradient_(lagrangian),
      step_(step),
      start_(state.time),
      nodes_(lagrangian.masses.size()),
      changed_(lagrangian.masses.size()) {
  if (!(step > 0))
    throw Error(Error::Kind::input, "integrator.time_step", "a positive step", std::to_string(step));
  std::iota(nodes_.begin(), nodes_.end(), 0);
  grid_ = gradient_.evaluate_all(state, state.time);
}

// p −= duration · ∇V, exactly on the momentum grid; every node's line starts anew at the current time.
void Newmark::kick(State& state, double duration) {
  if (grid_ == 0) return;  // no force anywhere yet
  const IntegerMultiplier factor = IntegerMultiplier::nearest(-duration * grid_ / state.quantum);
  state.apply_impulse(state.time, factor, grid_, gradient_.values(), nodes_, changed_);
  gradient_.book_walls(state, factor);
}

bool Newmark::advance(State& state, double until) {
  const double next = start_ + static_cast<double>(steps_ + 1) * step_;
  if (next > until) {
    state.time = until;
    return false;
  }
  state.time = start_ + static_cast<double>(steps_) * step_;
  kick(state, 0.5 * step_);
  state.time = next;
  grid_ = gradient_.evaluate_all(state, state.time);
  kick(state, 0.5 * step_);
  ++steps_;
  return true;
}

std::uint64_t Newmark::hash() const { return mix(static_cast<std::uint64_t>(steps_)); }

}  // namespace terrace
