// The whole system as one rank of several works on it in windows.
#pragma once

#include <memory>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/terraces/flight_tubes.hpp"
#include "dynamics/windows/common_knowledge.hpp"
#include "dynamics/windows/known_bodies.hpp"
#include "dynamics/windows/window_trace.hpp"

namespace terrace {

/// The whole system as if this rank were the only one, and what it knows of what other ranks do.
struct WindowedSystem {
  /// `state_of_whole` has room for the rows of `whole`; `all`: the ranks that work on it. All outlive this.
  /// Throws Error(input) when terraces are not bodies, or groups of bodies that touch.
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
  std::unique_ptr<WindowTrace> trace = nullptr;  ///< null unless it was asked for

  [[nodiscard]] std::int32_t bodies() const { return common.bodies(); }
  [[nodiscard]] TouchingBodies& touching() { return clocks.graph().touching(); }
  [[nodiscard]] NearPairs& near_pairs() { return clocks.graph().near_pairs(); }
};

}  // namespace terrace
