#include "dynamics/steps/implicit_step.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/steps/step_kick.hpp"
#include "parallel/error.hpp"

namespace terrace {

ImplicitStep::ImplicitStep(const Lagrangian& lagrangian, StepForce& force, SubdomainGradient& gradient,
                           double tolerance)
    : lagrangian_(lagrangian),
      force_(force),
      gradient_(gradient),
      equations_(lagrangian, force, gradient, tolerance),
      nodes_(lagrangian.masses.size()),
      changed_(lagrangian.masses.size()) {
  std::iota(nodes_.begin(), nodes_.end(), 0);
}

bool ImplicitStep::solve(const State& state, double end, StepRecord& record) {
  // Forces at Newton's trial steps, which may be huge, must not coarsen the grid of forces.
  const SubdomainGradient::GridsOfAll before = gradient_.grids_of_all();
  const StepEquations::Outcome outcome = equations_.solve(state, end - state.time);
  gradient_.set_grids_of_all(before);
  record.newton_iterations += outcome.newton_iterations;
  record.linear_iterations += outcome.linear_iterations;
  record.most_newton_iterations =
      std::max<std::int64_t>(record.most_newton_iterations, outcome.newton_iterations);
  if (!outcome.solved) reason_ = outcome.reason;
  if (!outcome.solved || ends_with_energy(state)) return outcome.solved;
  reason_ = "elements invert, or nodes pass a barrier, at the end of the step";
  return false;
}

// Whether V has a value where the step ends, which methods do not know that evaluate V between the ends
// alone. Potentials without a Hessian (contact of bodies) are left out: the equations are not solved for
// them, and their energy would take as long as their force.
bool ImplicitStep::ends_with_energy(const State& state) {
  end_.resize(state.lines.size());
  for (std::size_t a = 0; a < end_.size(); ++a)
    end_[a] = state.lines[a].displacement_at(state.time) + equations_.change()[a];
  std::int64_t without = 0;
  for (const Subdomain& subdomain : lagrangian_.subdomains)
    for (const Potential* potential : subdomain.potentials)
      if (!subdomain.asleep && potential->has_hessian() &&
          !std::isfinite(potential->value(Displacements(end_))))
        ++without;
  lagrangian_.communicator->sum({&without, 1});
  return without == 0;
}

void ImplicitStep::apply(State& state, double end) {
  const double step = end - state.time, grid = force_.evaluate(equations_.change(), gradient_);
  const KickForces forces{gradient_, grid, nodes_, lagrangian_.owned};
  kick(state, state.time, 0.5 * step, forces, changed_);
  state.time = end;
  kick(state, state.time, 0.5 * step, forces, changed_);
}

void ImplicitStep::advance(State& state, double end, StepRecord& record, int halvings) {
  const double step = end - state.time;
  if (solve(state, end, record)) {
    apply(state, end);
    record.note_step(step);
    return;
  }
  constexpr int most = 10;
  if (halvings == most)
    throw Error(Error::Kind::run, at_time(state.time),
                fmt::format("steps, halved {} times, that can be taken", most),
                fmt::format("one of {:g}: {}", step, reason_), Error::Reach::all_ranks);
  if (halvings == 0) ++record.halved_steps;
  advance(state, state.time + 0.5 * step, record, halvings + 1);
  advance(state, end, record, halvings + 1);
}

}  // namespace terrace
