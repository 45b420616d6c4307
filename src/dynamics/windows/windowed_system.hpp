// All of a system as one rank of several works on it in windows.
#pragma once

#include <memory>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/terraces/flight_tubes.hpp"
#include "dynamics/windows/common_knowledge.hpp"
#include "dynamics/windows/known_bodies.hpp"
#include "dynamics/windows/window_trace.hpp"

namespace terrace {

/// The whole system, as if this rank were one of one, and what it knows of what others do of it.
struct WindowedSystem {
  /// `whole`: with room for its rows in `state_of_whole`; `all`: the ranks that work on it. All outlive this.
  /// Throws Error(input) where bodies and terraces are not the same.
  WindowedSystem(Lagrangian& whole, State& state_of_whole, Communicator& all, const ClockSettings& settings);
  WindowedSystem(const WindowedSystem&) = delete;
  WindowedSystem& operator=(const WindowedSystem&) = delete;

  Lagrangian& lagrangian;
  const ContactPairs& pairs;
  State& state;
  Communicator& ranks;
  ClockedEnergyStepping clocks;
  FlightTubes tubes;
  CommonKnowledge common;
  KnownBodies known;
  std::unique_ptr<WindowTrace> trace = nullptr;  ///< where it was asked for

  [[nodiscard]] std::int32_t bodies() const { return common.bodies(); }
  [[nodiscard]] TouchingBodies& touching() { return clocks.graph().touching(); }
  [[nodiscard]] NearPairs& near_pairs() { return clocks.graph().near_pairs(); }
};

}  // namespace terrace
