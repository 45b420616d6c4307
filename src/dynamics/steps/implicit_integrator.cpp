#include "dynamics/steps/implicit_integrator.hpp"

#include <fmt/core.h>

#include <utility>

#include "dynamics/terraces/pairs_on_the_way.hpp"
#include "parallel/hash.hpp"

namespace terrace {

ImplicitIntegrator::ImplicitIntegrator(Lagrangian& lagrangian, State& state, const ImplicitSettings& settings,
                                       std::unique_ptr<Lines> lines, std::unique_ptr<StepForce> force)
    : lagrangian_(lagrangian),
      lines_(std::move(lines)),
      force_(std::move(force)),
      gradient_(lagrangian, *lines_),
      graph_(lagrangian),
      step_(positive_step(settings.step)),
      start_(state.time),
      implicit_(lagrangian, *force_, gradient_, settings.tolerance) {
  graph_.near_pairs().start(state.lines, state.time);
}

bool ImplicitIntegrator::advance(State& state, double until) {
  const auto time_of = [this](std::int64_t steps) { return start_ + static_cast<double>(steps) * step_; };
  state.time = time_of(steps_);
  const double round_off = 1e-9 * step_;
  if (state.time >= until - round_off) return false;
  wake_pairs_on_the_way(graph_.near_pairs(), state.lines, state.time, time_of(steps_ + 1));
  implicit_.advance(state, time_of(steps_ + 1), record_);
  ++steps_;
  return true;
}

std::int64_t ImplicitIntegrator::element_evaluations() const {
  return gradient_.element_evaluations() + implicit_.equations().tangent_evaluations();
}

std::map<std::string, double> ImplicitIntegrator::seconds_by_part() const {
  return {{"forces", implicit_.equations().seconds_of_forces()},
          {"tangents", implicit_.equations().seconds_of_tangents()}};
}

void ImplicitIntegrator::describe_trouble(std::vector<Warning>& warnings) const {
  if (record_.halved_steps == 0) return;
  warnings.push_back({"time step", fmt::format("{} of {} steps could not be taken and were halved, the last "
                                               "time as {}; lower "
                                               "integrator.time_step or integrator.time_step_factor",
                                               record_.halved_steps, steps_, implicit_.reason())});
}

void ImplicitIntegrator::save(ByteWriter& writer) const {
  graph_.save(writer);
  writer(gradient_, steps_, start_, record_, implicit_);
}

void ImplicitIntegrator::restore(const State& /*state*/, ByteReader& reader) {
  graph_.restore(reader);
  lines_->keep_those_of(lagrangian_);
  reader(gradient_, steps_, start_, record_, implicit_);
}

std::uint64_t ImplicitIntegrator::hash() const { return mix(static_cast<std::uint64_t>(steps_)); }

}  // namespace terrace
