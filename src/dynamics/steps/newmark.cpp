#include "dynamics/steps/newmark.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numeric>

#include "dynamics/steps/step_kick.hpp"
#include "dynamics/terraces/pairs_on_the_way.hpp"
#include "numerics/infinity.hpp"
#include "parallel/hash.hpp"
#include "parallel/profile.hpp"
#include "potentials/elastic/elastic_potential.hpp"
#include "potentials/elastic/stable_step.hpp"

namespace terrace {

double stable_newmark_step(const Lagrangian& lagrangian) {
  return stable_together(lagrangian.stable_step, lagrangian.stable_contact_step);
}

Newmark::Newmark(Lagrangian& lagrangian, State& state, double step)
    : lagrangian_(lagrangian),
      gradient_(lagrangian, lines_),
      graph_(lagrangian),
      near_pairs_(graph_.near_pairs()),
      step_(positive_step(step)),
      start_(state.time),
      least_stable_step_(infinity),
      nodes_(lagrangian.masses.size()),
      changed_(lagrangian.masses.size()),
      positions_(lagrangian.masses.size()) {
  std::iota(nodes_.begin(), nodes_.end(), 0);
  near_pairs_.start(state.lines, state.time);
  grid_ = gradient_.evaluate_all(state, state.time);
}

void Newmark::kick(State& state, double duration) {
  terrace::kick(state, state.time, duration, {gradient_, grid_, nodes_, lagrangian_.owned}, changed_);
}

bool Newmark::advance(State& state, double until) {
  // Inside a step positions and velocities are of different times, so it is always done as a whole.
  state.time = start_ + static_cast<double>(steps_) * step_;
  const double round_off = 1e-9 * step_;
  if (state.time >= until - round_off) return false;
  kick(state, 0.5 * step_);
  const double from = state.time;
  state.time = start_ + static_cast<double>(steps_ + 1) * step_;
  wake_pairs_on_the_way(near_pairs_, state.lines, from, state.time);
  grid_ = gradient_.evaluate_all(state, state.time);
  kick(state, 0.5 * step_);
  ++steps_;
  // Often enough to see most vibrations near their extremes, at a small share of the cost.
  constexpr std::int64_t watch_interval = 10;
  if (steps_ % watch_interval == 0) watch_stable_step(state);
  return true;
}

void Newmark::watch_stable_step(const State& state) {
  const OperationScope operation(Operation::certificate);
  for (std::size_t a = 0; a < positions_.size(); ++a)
    positions_[a] = lagrangian_.reference[a] + state.lines[a].displacement_at(state.time);
  double largest_rate = 0;
  for (const ElasticBlock& block : lagrangian_.elastic_blocks) {
    largest_rate =
        std::max(largest_rate, 1 / deformed_stable_step(lagrangian_.reference, positions_, block.tetrahedra,
                                                        block.elastic->material()));
  }
  lagrangian_.communicator->maximum({&largest_rate, 1});
  if (!(1 / largest_rate < least_stable_step_)) return;
  least_stable_step_ = 1 / largest_rate;
  least_stable_time_ = state.time;
}

void Newmark::describe_trouble(std::vector<Warning>& warnings) const {
  if (step_ <= least_stable_step_) return;
  warnings.push_back(
      {"time step",
       fmt::format(
           "the time step exceeds what is safe for the deformed elements: {:.4g}, and {:.4g} would be "
           "safe at t = {:.4g}; elements may invert. Lower integrator.time_step or "
           "integrator.time_step_factor",
           step_, least_stable_step_, least_stable_time_)});
}

void Newmark::save(ByteWriter& writer) const {
  graph_.save(writer);
  writer(gradient_, steps_, start_, least_stable_step_, least_stable_time_);
}

void Newmark::restore(const State& state, ByteReader& reader) {
  graph_.restore(reader);
  lines_.keep_those_of(lagrangian_);
  reader(gradient_, steps_, start_, least_stable_step_, least_stable_time_);
  grid_ = gradient_.evaluate_all(state, state.time);
}

std::uint64_t Newmark::hash() const { return mix(static_cast<std::uint64_t>(steps_)); }

}  // namespace terrace
