#include "dynamics/piecewise/discontinuous_potential.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hamiltonian/compositions.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"
#include "parallel/together.hpp"

namespace terrace {

static constexpr int most_impacts = 10000;  // in a step

static void require_valid(const Lagrangian& system, const StepMethodChoice& choice) {
  if (!system.held_by.empty())
    throw Error(Error::Kind::input, "integrator.method = \"discontinuous-potential\"",
                "particles that are free to move", "supports");
  if (choice.method != StepMethod::penalty) return;
  if (!(choice.steepness > 0))
    throw Error(Error::Kind::input, "integrator.steepness",
                "a number > 0 with integrator.variant = \"penalty\"", fmt::format("{:g}", choice.steepness));
  for (const PotentialStep& of : system.potential_steps) {
    if (std::isinf(of.height))
      throw Error(Error::Kind::input, "integrator.variant = \"penalty\"", "steps of a finite height",
                  of.name + ", which is a wall");
    // The gradient of f / |∇f| is not the unit normal: forces along the normal are not those of the smoothed
    // W.
    for (const std::vector<RegionPart>& piece : of.region.pieces)
      for (const RegionPart& part : piece)
        if (part.kind == RegionPart::Kind::formula)
          throw Error(Error::Kind::input, "integrator.variant = \"penalty\"",
                      "regions of half-spaces and balls", of.name + ", which has a part with a formula");
  }
}

DiscontinuousPotential::DiscontinuousPotential(const Lagrangian& system, State& state,
                                               const StepMethodChoice& choice, double step)
    : system_(system),
      choice_(choice),
      forces_(system, choice.method == StepMethod::penalty ? choice.steepness : 0),
      interfaces_(system.potential_steps, system.masses),
      step_(positive_step(step)),
      start_(state.time) {
  require_valid(system, choice);
  for (std::size_t a = 0; a < state.lines.size(); ++a) {
    phase_.positions.push_back(system.reference[a] + state.lines[a].displacement_at(state.time));
    phase_.velocities.push_back(state.lines[a].velocity);
  }
  phase_.received.resize(system.reaction_names.size(), Vector3{});
  together(system.communicator->handle(), [&] {
    if (system_.communicator->rank() != 0) return;
    interfaces_.locate(phase_.positions);
    if (choice.method == StepMethod::quadratic || choice.method == StepMethod::quadratic_strang)
      arcs_.emplace(forces_);
  });
  DiscontinuousPotential::bring_up_to_date(state);
}

void DiscontinuousPotential::count(const StepInterfaces::Crossing& crossing, Phase& phase) {
  interfaces_.require_normal(crossing, phase.positions, start_ + static_cast<double>(steps_) * step_);
  if (interfaces_.impact(crossing, phase)) ++reflections_;
}

[[noreturn]] static void refuse_more_impacts(double time) {
  throw Error(
      Error::Kind::run, at_time(time), fmt::format("fewer than {} impacts in a step", most_impacts),
      "more, as in a corner or along a curved wall: lower integrator.time_step, or let particles meet "
      "it less obliquely");
}

// Follows the exact flow of K + W.
void DiscontinuousPotential::drift_with_impacts(Phase& phase, double duration) {
  for (int impacts = 0; impacts < most_impacts; ++impacts) {
    const auto motion = [&](double t) {
      Phase moved = phase;
      drift(moved, t);
      return moved.positions;
    };
    const auto crossing = interfaces_.first_crossing(
        motion, duration, {phase.velocities, 0x1p-40 * largest_norm(phase.velocities)});
    drift(phase, crossing ? crossing->instant : duration);
    if (!crossing) return;
    count(*crossing, phase);
    duration -= crossing->instant;
  }
  refuse_more_impacts(start_ + static_cast<double>(steps_) * step_);
}

Phase DiscontinuousPotential::smooth_step(const Phase& phase, double step) const {
  return choice_.method == StepMethod::runge_kutta ? runge_kutta_step(forces_, phase, step)
                                                   : symmetric_step(forces_, phase, step, choice_.order);
}

// A bound of the curve that the ends of all steps of lengths up to `step` make. Where forces have no bound,
// near a singularity, an estimate from the forces at its two ends, times two.
MotionBound DiscontinuousPotential::bound_of(const Phase& start, const Phase& end, double step) {
  const bool is_composition = choice_.method != StepMethod::runge_kutta;
  if (auto bound = bound_of_steps(forces_, start, step, is_composition ? choice_.order : 0))
    return *std::move(bound);
  ++uncertain_;
  const double acceleration = 2 * std::max(largest_norm(forces_.accelerations(start.positions)),
                                           largest_norm(forces_.accelerations(end.positions)));
  return {start.velocities, 2 * step * acceleration};
}

void DiscontinuousPotential::describe_trouble(std::vector<Warning>& warnings) const {
  if (uncertain_ > 0)
    warnings.push_back(
        {"steps", fmt::format("the first impact of {} steps is not certain: a step is as long as the "
                              "way to where forces have no bound; lower integrator.time_step",
                              uncertain_)});
}

// After an impact the rest of the step is taken as a new step (DP4). DP3 as published allows one impact in a
// step; here it is as DP4, since a second one would be a wall that is passed, and the sides after one at the
// step's end must not be found anew from places.
void DiscontinuousPotential::step_with_impacts() {
  if (system_.potential_steps.empty()) {
    phase_ = smooth_step(phase_, step_);
    return;
  }
  double left = step_;
  for (int impacts = 0; impacts < most_impacts; ++impacts) {
    const Phase end = smooth_step(phase_, left);
    const auto crossing = interfaces_.first_crossing(
        [&](double t) { return smooth_step(phase_, t).positions; }, left, bound_of(phase_, end, left));
    if (!crossing) {
      phase_ = end;
      return;
    }
    phase_ = smooth_step(phase_, crossing->instant);
    count(*crossing, phase_);
    left -= crossing->instant;
  }
  refuse_more_impacts(start_ + static_cast<double>(steps_) * step_);
}

void DiscontinuousPotential::take_step() {
  switch (choice_.method) {
    case StepMethod::kick_drift_kick:
      kick(forces_, phase_, 0.5 * step_);
      drift_with_impacts(phase_, step_);
      return kick(forces_, phase_, 0.5 * step_);
    case StepMethod::kick_drift:
      kick(forces_, phase_, step_);
      return drift_with_impacts(phase_, step_);
    case StepMethod::forward_euler: {
      const SmoothForces::Rates before = forces_.rates(phase_.positions);
      drift_with_impacts(phase_, step_);
      return kick(before, phase_, step_);
    }
    case StepMethod::quadratic:
    case StepMethod::quadratic_strang:
      for (const double part : symmetric_composition(choice_.method == StepMethod::quadratic ? 4 : 2)) {
        arcs_->kick_by_rest(phase_, 0.5 * part * step_);
        // The part that goes back in time takes back the reflections that it meets.
        reflections_ += (part > 0 ? std::int64_t{1} : -1) * arcs_->flow(phase_, part * step_, interfaces_);
        arcs_->kick_by_rest(phase_, 0.5 * part * step_);
      }
      return;
    case StepMethod::reversible:
    case StepMethod::runge_kutta:
    case StepMethod::adaptive:
      return step_with_impacts();
    case StepMethod::penalty:
      phase_ = symmetric_step(forces_, std::move(phase_), step_, 4);
  }
}

bool DiscontinuousPotential::advance(State& state, double until) {
  state.time = start_ + static_cast<double>(steps_) * step_;
  if (state.time >= until - 1e-9 * step_) {
    bring_up_to_date(state);
    return false;
  }
  together(system_.communicator->handle(), [&] {
    if (system_.communicator->rank() != 0) return;
    take_step();
    interfaces_.require_sides(phase_.positions, start_ + static_cast<double>(steps_ + 1) * step_);
  });
  state.time = start_ + static_cast<double>(++steps_) * step_;
  return true;
}

void DiscontinuousPotential::bring_up_to_date(State& state) {
  if (system_.communicator->rank() == 0) {
    for (std::size_t a = 0; a < phase_.positions.size(); ++a) {
      state.lines[a].displacement = phase_.positions[a] - system_.reference[a];
      state.lines[a].time = state.time;
    }
    state.set_velocities(phase_.velocities);
    for (std::size_t r = 0; r < phase_.received.size(); ++r)
      state.ledger[r] = nearest_momentum(phase_.received[r], state.quantum);
    const bool smoothed = choice_.method == StepMethod::penalty;
    potential_ = forces_.energy(phase_.positions) + (smoothed ? 0 : interfaces_.energy());
  }
  system_.communicator->broadcast(std::as_writable_bytes(std::span(&potential_, 1)), 0);
}

void DiscontinuousPotential::share() {
  std::vector<std::uint8_t> sides = interfaces_.sides();
  std::array<std::uint64_t, 4> sizes = {phase_.positions.size(), sides.size(),
                                        static_cast<std::uint64_t>(reflections_),
                                        static_cast<std::uint64_t>(uncertain_)};
  system_.communicator->broadcast(std::as_writable_bytes(std::span(sizes)), 0);
  phase_.positions.resize(sizes[0]);
  phase_.velocities.resize(sizes[0]);
  sides.resize(sizes[1]);
  reflections_ = static_cast<std::int64_t>(sizes[2]);
  uncertain_ = static_cast<std::int64_t>(sizes[3]);
  system_.communicator->broadcast(std::as_writable_bytes(std::span(phase_.positions)), 0);
  system_.communicator->broadcast(std::as_writable_bytes(std::span(phase_.velocities)), 0);
  system_.communicator->broadcast(std::as_writable_bytes(std::span(phase_.received)), 0);
  system_.communicator->broadcast(std::as_writable_bytes(std::span(sides)), 0);
  interfaces_.set_sides(std::move(sides));
}

void DiscontinuousPotential::save(ByteWriter& writer) const {
  writer(phase_, interfaces_.sides(), steps_, reflections_, uncertain_, start_, potential_);
}

void DiscontinuousPotential::restore(const State& /*state*/, ByteReader& reader) {
  std::vector<std::uint8_t> sides;
  reader(phase_, sides, steps_, reflections_, uncertain_, start_, potential_);
  interfaces_.set_sides(std::move(sides));
}

std::uint64_t DiscontinuousPotential::hash() const { return mix(static_cast<std::uint64_t>(steps_)); }

}  // namespace terrace
