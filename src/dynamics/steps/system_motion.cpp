#include "dynamics/steps/system_motion.hpp"

#include <numeric>

#include "dynamics/steps/step_kick.hpp"
#include "dynamics/terraces/pairs_on_the_way.hpp"
#include "hamiltonian/motion.hpp"

namespace terrace {

static_assert(QuadraticMotion<SystemMotion>);

SystemMotion::SystemMotion(Lagrangian& lagrangian)
    : lagrangian_(lagrangian),
      gradient_(lagrangian, lines_),
      graph_(lagrangian),
      energies_(lagrangian),
      nodes_(lagrangian.masses.size()),
      changed_(lagrangian.masses.size()) {
  std::iota(nodes_.begin(), nodes_.end(), 0);
}

void SystemMotion::look_at(State& state) {
  if (state_ != &state || time != state.time) leave();
  state_ = &state;
  time = state.time;
}

void SystemMotion::leave() {
  grid_.reset();
  potential_.reset();
}

void SystemMotion::find_gradient() {
  if (!grid_) grid_ = gradient_.evaluate_all(*state_, time);
}

void SystemMotion::kick(double duration) {
  find_gradient();
  terrace::kick(*state_, time, duration, {gradient_, *grid_, nodes_, lagrangian_.owned}, changed_);
}

void SystemMotion::drift(double duration) {
  wake_pairs_on_the_way(graph_.near_pairs(), state_->lines, time, time + duration);
  time += duration;
  state_->time = time;
  leave();
}

double SystemMotion::potential_energy() {
  if (!potential_) potential_ = energies_.potential(state_->lines, time);
  return *potential_;
}

SystemEnergies::Products SystemMotion::products() {
  find_gradient();
  return energies_.products(*state_, gradient_.values());
}

void SystemMotion::save(ByteWriter& writer) const {
  graph_.save(writer);
  writer(gradient_);
}

void SystemMotion::restore(ByteReader& reader) {
  graph_.restore(reader);
  lines_.keep_those_of(lagrangian_);
  reader(gradient_);
  leave();
}

}  // namespace terrace
