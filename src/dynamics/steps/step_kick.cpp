#include "dynamics/steps/step_kick.hpp"

#include "parallel/error.hpp"

namespace terrace {

void kick(State& state, double instant, double duration, const KickForces& forces,
          std::span<std::uint8_t> changed) {
  if (forces.grid == 0) return;
  const IntegerMultiplier factor = IntegerMultiplier::nearest(-duration * forces.grid / state.quantum);
  try {
    state.apply_impulse(instant, factor, forces.grid, forces.gradient.values(), forces.nodes, changed,
                        forces.booked);
  } catch (const Error& error) {
    throw Error(error.kind(), error.where(), error.expected(),
                error.found() + "; the time step may be too long: terrace check shows the stable one");
  }
  forces.gradient.book_reactions(state, factor);
}

}  // namespace terrace
