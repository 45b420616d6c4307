#include "dynamics/steps/symplectic_energy_momentum.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "dynamics/system/supports.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"

namespace terrace {

static constexpr const char* method_name = "symplectic-energy-momentum";

SymplecticEnergyMomentum::SymplecticEnergyMomentum(Lagrangian& lagrangian, State& state,
                                                   const ImplicitSettings& settings)
    : force_(lagrangian, method_name),
      gradient_(lagrangian, lines_),
      energies_(lagrangian),
      tolerance_(settings.tolerance),
      start_(state.time),
      time_(state.time),
      step_(positive_step(settings.step)),
      implicit_(lagrangian, force_, gradient_, settings.tolerance) {
  require_supports_at_rest(lagrangian);
  if (!solve(state, step_))
    throw Error(Error::Kind::run, at_time(time_), "a first step whose equations Newton's method solves",
                fmt::format("one of {:g}: {}", step_, implicit_.reason()), Error::Reach::all_ranks);
  kinetic_ = energies_.kinetic(state);
  find_discrete_energy(state);
  energy_ = discrete_;
}

bool SymplecticEnergyMomentum::solve(const State& state, double step) {
  return implicit_.solve(state, state.time + step, record_);
}

// Sets discrete_ to E_d of the last solution, of a step that begins at state.time.
void SymplecticEnergyMomentum::find_discrete_energy(const State& state) {
  middle_.assign(state.lines.begin(), state.lines.end());
  for (std::size_t a = 0; a < middle_.size(); ++a)
    middle_[a] = {force_.middle()[a], Vector3{}, state.time, middle_[a].inverse_mass};
  const double kinetic = implicit_.equations().kinetic_energy(),
               potential = energies_.potential(middle_, state.time);
  scale_ = std::max({scale_, kinetic, std::abs(potential)});
  discrete_ = kinetic + potential;
}

// Newton's method for the length of the step, from the solution for `step`; solves the equations of motion
// anew in each iteration. True if the last solution, for the new `step`, has the energy; false where no step
// has it or equations are not solved.
bool SymplecticEnergyMomentum::find_step(const State& state, double& step) {
  constexpr int most = 8;
  const double last = step_, tolerance = 4 * std::max(tolerance_, 1e-13) * scale_;
  double before = infinity;
  for (int attempt = 0; attempt < most; ++attempt) {
    find_discrete_energy(state);
    const double defect = discrete_ - energy_;
    if (std::abs(defect) <= tolerance) return true;
    if (!(std::abs(defect) < before)) return false;
    before = std::abs(defect);
    const double slope = implicit_.equations().energy_by_duration(), next = step - defect / slope;
    if (!(next >= 0.5 * last && next <= 2 * last)) return false;
    implicit_.equations().predict(next);
    step = next;
    if (!solve(state, step)) return false;
  }
  return false;
}

bool SymplecticEnergyMomentum::advance(State& state, double until) {
  state.time = time_;
  if (time_ >= until - 1e-9 * step_) return false;
  double step = step_;
  const bool moves = solve(state, step);
  if (moves && find_step(state, step)) {
    implicit_.apply(state, time_ + step);
    record_.note_step(step);
    step_ = step;
  } else {
    ++record_.unsolved_steps;
    if (solve(state, step_)) {
      find_discrete_energy(state);
      implicit_.apply(state, time_ + step_);
      record_.note_step(step_);
    } else {
      // The step was divided, and its parts have no common E_d: takes the energy of the nodes at the end.
      implicit_.advance(state, time_ + step_, record_);
      discrete_ = energies_.kinetic(state) + energies_.potential(state.lines, state.time);
    }
    largest_change_ = std::max(largest_change_, std::abs(discrete_ - energy_));
    energy_ = discrete_;
  }
  ++steps_;
  time_ = state.time;
  kinetic_ = energies_.kinetic(state);
  return true;
}

double SymplecticEnergyMomentum::average_step() const {
  return steps_ > 0 ? (time_ - start_) / static_cast<double>(steps_) : step_;
}

std::int64_t SymplecticEnergyMomentum::element_evaluations() const {
  return gradient_.element_evaluations() + implicit_.equations().tangent_evaluations();
}

std::map<std::string, double> SymplecticEnergyMomentum::seconds_by_part() const {
  return {{"forces", implicit_.equations().seconds_of_forces()},
          {"tangents", implicit_.equations().seconds_of_tangents()}};
}

void SymplecticEnergyMomentum::describe_trouble(std::vector<Warning>& warnings) const {
  if (record_.unsolved_steps == 0) return;
  warnings.push_back(
      {"energy", fmt::format("no step gave the energy in {} of {} steps, which kept the step before them and "
                             "changed the energy by up to {:.3g}; a smaller integrator.time_step may help",
                             record_.unsolved_steps, steps_, largest_change_)});
}

void SymplecticEnergyMomentum::save(ByteWriter& writer) const {
  writer(gradient_, start_, time_, step_, energy_, discrete_, kinetic_, scale_, largest_change_, steps_,
         record_);
}

void SymplecticEnergyMomentum::restore(const State& /*state*/, ByteReader& reader) {
  reader(gradient_, start_, time_, step_, energy_, discrete_, kinetic_, scale_, largest_change_, steps_,
         record_);
}

std::uint64_t SymplecticEnergyMomentum::hash() const { return mix(static_cast<std::uint64_t>(steps_)); }

}  // namespace terrace
