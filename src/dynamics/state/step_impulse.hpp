// The impulse of an explicit step whose length was chosen beforehand.
#pragma once

#include <cstdint>
#include <span>

#include "dynamics/state/state.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// As State::apply_impulse, with an error message that also names the time step: if that is too long, nodes
/// may move far into contact within one step, where forces are beyond all bounds.
inline void apply_step_impulse(State& state, double instant, const IntegerMultiplier& factor, double grid,
                               std::span<const Vector3> gradient, std::span<const std::int32_t> nodes,
                               std::span<std::uint8_t> changed, std::span<const std::uint8_t> books) {
  try {
    state.apply_impulse(instant, factor, grid, gradient, nodes, changed, books);
  } catch (const Error& error) {
    throw Error(error.kind(), error.where(), error.expected(),
                error.found() + "; the time step may be too long: terrace check shows the stable one");
  }
}

}  // namespace terrace
