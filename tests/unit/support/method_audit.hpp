// Measures properties of integrators of small systems, for the claims of the registry and the table of
// tests/README.md.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamiltonian/first_order_form.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/methods.hpp"
#include "hamiltonian/systems.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace::testing_of_methods {

/// The system on which a method is measured, its initial state, and the method's settings.
struct Problem {
  std::string system;
  SystemParameters parameters;
  Values coordinates, momenta;  ///< empty: those of the system
  MethodSettings settings;
  double end = 3;         ///< of the run whose error is measured
  double long_end = 400;  ///< of the run that shows drifts
};

inline std::unique_ptr<HamiltonianSystem> make(const Problem& problem) {
  auto system = make_system(*find_system(problem.system), problem.parameters);
  if (!problem.coordinates.empty()) system->initial.q = problem.coordinates;
  if (!problem.momenta.empty()) system->initial.p = problem.momenta;
  return system;
}

/// A nonlinear problem for a method at its default settings: Kepler's, with angular momentum; a pendulum in
/// space for constraints, a rigid body, a pendulum on a spring for forces in two parts.
inline Problem problem_of(const MethodEntry& entry) {
  Problem problem;
  problem.settings.variant = entry.variants.empty() ? "" : entry.variants.front();
  problem.settings.time_step = 0.02;
  problem.settings.scaling_exponent = -1.5;
  if (!has_key(entry, "time_step")) problem.settings.step_parameter = 0.02;
  problem.system = "kepler";
  problem.parameters = {{"eccentricity", 0.3}};
  if (entry.needs.rigid_body) {
    problem.system = "rigid-body";
    problem.parameters = {};
  } else if (entry.needs.constraint) {
    problem.system = "cartesian-pendulum";
    problem.parameters = {{"dimension", 3}};
    problem.coordinates = {0.6, 0, -0.8};
    problem.momenta = {0.4, 0.5, 0.3};
  } else if (entry.name == "doubled-phase-space") {
    problem.system = "perturbed-oscillator";
    problem.parameters = {};
    problem.settings.scaling = ScalingKind::system;
    problem.long_end = 8000;  // its two copies swing about each other slowly
  } else if (entry.name == "semi-explicit") {
    problem.system = "stiff-pendulum";
    problem.parameters = {{"stiffness", 10}};
  }
  return problem;
}

/// Steps until the time is reached or passed.
inline DenseState advance(HamiltonianSystem& system, Method& method, DenseState state, double end) {
  while (state.time < end - 1e-9) {
    method.step(state);
    system.step_done(state);
  }
  return state;
}

/// The exact state at a time, by a method of high order with small steps.
inline DenseState reference(const Problem& problem, double end) {
  auto system = make(problem);
  MethodSettings settings;
  const int steps = system->inertia ? 500 : 4000;
  settings.time_step = end / steps;
  settings.order = system->constraint != nullptr ? 6 : 8;
  const MadeMethod method = system->constraint != nullptr ? make_rattle(*system, settings)
                            : system->inertia             ? make_implicit_midpoint(*system, settings)
                                                          : make_verlet(*system, settings);
  DenseState state = system->initial;
  for (int i = 0; i < steps; ++i) method->step(state);
  return state;
}

inline double distance(const DenseState& a, const DenseState& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) sum += (a.q[i] - b.q[i]) * (a.q[i] - b.q[i]);
  for (std::size_t i = 0; i < a.p.size(); ++i) sum += (a.p[i] - b.p[i]) * (a.p[i] - b.p[i]);
  return std::sqrt(sum);
}

inline MethodSettings finer(MethodSettings settings, double factor) {
  settings.time_step /= factor;
  settings.step_parameter /= factor;
  return settings;
}

/// log2 of the ratio of the errors with a step and with half of it.
inline double measured_order(const MethodEntry& entry, const Problem& problem) {
  std::vector<double> errors;
  for (const double factor : {2.0, 4.0}) {
    auto system = make(problem);
    const MadeMethod method = entry.make(*system, finer(problem.settings, factor));
    const DenseState end = advance(*system, *method, system->initial, problem.end);
    errors.push_back(distance(end, reference(problem, end.time)));
  }
  return std::log2(errors[0] / errors[1]);
}

/// The state `base` changed by `by`, one number for each degree of freedom: in canonical coordinates, or on
/// the sphere of the constraint in angles and their rates.
inline DenseState on_chart(const DenseState& base, const HamiltonianSystem& system, const Values& by) {
  DenseState state = base;
  if (system.constraint == nullptr) {
    for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] += by[i];
    for (std::size_t i = 0; i < state.p.size(); ++i) state.p[i] += by[state.q.size() + i];
    return state;
  }
  const double a = std::atan2(std::hypot(base.q[0], base.q[1]), -base.q[2]) + by[0], b = by[1];
  const double a1 = 0.5 + by[2], b1 = 0.7 + by[3];
  const double s = std::sin(a), c = std::cos(a), sb = std::sin(b), cb = std::cos(b);
  state.q = {s * cb, s * sb, -c};
  state.p = {c * cb * a1 - s * sb * b1, c * sb * a1 + s * cb * b1, s * a1};
  return state;
}

/// The symplectic form Σ_i ∂_a q_i ∂_b p_i − ∂_b q_i ∂_a p_i for all pairs a > b of degrees of freedom, by
/// central differences: moved[a] holds the states with freedom a changed by ±delta.
inline Values form_of(const std::vector<std::array<DenseState, 2>>& moved, double delta) {
  Values form;
  const auto slope = [&](std::size_t a, bool of_p, std::size_t i) {
    const auto& [above, below] = moved[a];
    return ((of_p ? above.p[i] : above.q[i]) - (of_p ? below.p[i] : below.q[i])) / (2 * delta);
  };
  for (std::size_t a = 0; a < moved.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < moved[a][0].q.size(); ++i)
        sum += slope(a, false, i) * slope(b, true, i) - slope(b, false, i) * slope(a, true, i);
      form.push_back(sum);
    }
  return form;
}

/// For a rigid body, in place of the form: the largest entry of J B(x) Jᵀ − B(x′), with J the derivative of
/// the map from x to x′ = `end`, and B(x) the matrix of x ×.
inline double poisson_defect(const std::vector<std::array<DenseState, 2>>& moved, double delta,
                             const Values& x, const Values& end) {
  const auto cross = [](const Values& of) {
    Matrix matrix(3);
    for (std::size_t i = 0; i < 3; ++i) {
      matrix(i, (i + 1) % 3) = -of[(i + 2) % 3];
      matrix((i + 1) % 3, i) = of[(i + 2) % 3];
    }
    return matrix;
  };
  const Matrix before = cross(x), after = cross(end);
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = -after(i, j);
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l)
          sum += (moved[k][0].q[i] - moved[k][1].q[i]) * before(k, l) *
                 (moved[l][0].q[j] - moved[l][1].q[j]) / (4 * delta * delta);
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

/// By how much twenty steps change the symplectic form. A method with a step parameter depends on the energy
/// of its initial state: that stays the energy of the unchanged state when the state is changed.
inline double symplectic_defect(const MethodEntry& entry, const Problem& problem) {
  constexpr double delta = 1e-5;
  constexpr int steps = 20;
  MethodSettings settings = problem.settings;
  settings.time_step *= 2;
  settings.step_parameter *= 2;
  const bool of_energy = settings.step_parameter > 0;
  const auto map = [&](const Values& by) {
    auto system = make(problem);
    const DenseState start = on_chart(system->initial, *system, by);
    if (!of_energy) system->initial = start;
    const MadeMethod method = entry.make(*system, settings);
    DenseState state = start;
    for (int i = 0; i < steps; ++i) method->step(state);
    return std::array<DenseState, 2>{start, state};
  };
  const auto system = make(problem);
  const std::size_t freedoms = system->constraint != nullptr ? 4 : system->inertia ? 3 : 2 * system->size();
  std::vector<std::array<DenseState, 2>> before, after;
  for (std::size_t a = 0; a < freedoms; ++a) {
    Values by(freedoms, 0.0);
    by[a] = delta;
    const auto above = map(by);
    by[a] = -delta;
    const auto below = map(by);
    before.push_back({above[0], below[0]});
    after.push_back({above[1], below[1]});
  }
  if (system->inertia) {
    const auto base = map(Values(freedoms, 0.0));
    return poisson_defect(after, delta, base[0].q, base[1].q);
  }
  const Values first = form_of(before, delta), last = form_of(after, delta);
  double largest = 0;
  for (std::size_t i = 0; i < first.size(); ++i) largest = std::max(largest, std::abs(last[i] - first[i]));
  return largest;
}

inline DenseState turned_round(DenseState state) {
  for (double& p : state.p) p = -p;
  if (state.p.empty())
    for (double& x : state.q) x = -x;
  return state;
}

/// The distance from the initial state after fifty steps, a reversal of the velocities, and fifty more steps.
/// Adaptive methods, whose memory belongs to the state, go on with it; others are made anew at the reversal.
inline double reversal_defect(const MethodEntry& entry, const Problem& problem) {
  constexpr int steps = 50;
  auto system = make(problem);
  MadeMethod method = entry.make(*system, problem.settings);
  DenseState state = system->initial;
  const bool goes_on = problem.settings.step_parameter > 0 || method->equal_step() == 0;
  for (int i = 0; i < steps; ++i) method->step(state);
  state = turned_round(state);
  state.time = 0;
  auto back = make(problem);
  if (!goes_on) {
    back->initial = state;
    method = entry.make(*back, problem.settings);
  }
  for (int i = 0; i < steps; ++i) method->step(state);
  return distance(turned_round(state), make(problem)->initial);
}

/// How far a quantity strays from its first value in a run: its largest change in the first and in the last
/// 40 % of the time, and its mean in the first and in the last fifth.
class Stray {
 public:
  Stray(double first, double end) : first_(first), end_(end) {}
  void see(double time, double value) {
    const double change = std::abs(value - first_);
    if (time < 0.4 * end_) early_ = std::max(early_, change);
    if (time > 0.6 * end_) late_ = std::max(late_, change);
    if (time < 0.2 * end_) mean_early_.add(value);
    if (time > 0.8 * end_) mean_late_.add(value);
  }
  void lose() { late_ = infinity; }
  /// Replaces what was seen by the largest change that the method itself reports.
  void set(double largest) { early_ = late_ = largest; }
  /// How the quantity is kept: exactly, or within a bound that does not grow and about a mean that does not
  /// move, or not at all.
  [[nodiscard]] Keeps kept() const {
    const double scale = std::max(std::abs(first_), 0.1);
    if (late_ < 1e-10 * scale) return Keeps::exactly;
    const bool moves = std::abs(mean_late_.value() - mean_early_.value()) > 0.03 * std::max(early_, late_);
    return late_ < 1.3 * early_ && !moves ? Keeps::bounded : Keeps::not_at_all;
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{:.3g} early, {:.3g} late, means {:.9g} and {:.9g}", early_, late_,
                       mean_early_.value(), mean_late_.value());
  }

 private:
  struct Mean {
    double sum = 0, count = 0;
    void add(double value) {
      sum += value;
      ++count;
    }
    [[nodiscard]] double value() const { return sum / count; }
  };
  double first_, end_, early_ = 0, late_ = 0;
  Mean mean_early_, mean_late_;
};

/// What a long run keeps, and what it costs.
struct LongRun {
  Stray energy{0, 1}, momentum{0, 1};  ///< momentum: the first invariant
  bool has_invariant = false;
  double evaluations = 0, iterations = 0;  ///< of a step
};

inline LongRun long_run(const MethodEntry& entry, const Problem& problem) {
  LongRun run;
  auto system = make(problem);
  const MadeMethod method = entry.make(*system, problem.settings);
  DenseState state = system->initial;
  const double end = problem.long_end;
  run.energy = Stray(system->energy(state), end);
  run.has_invariant = !system->invariants.empty();
  if (run.has_invariant) run.momentum = Stray(system->invariants[0].value(state), end);
  int steps = 0;
  while (state.time < end) {
    try {
      method->step(state);
    } catch (const Error&) {  // fallen into the centre
      run.energy.lose();
      run.momentum.lose();
      break;
    }
    ++steps;
    run.energy.see(state.time, system->energy(state));
    if (run.has_invariant) run.momentum.see(state.time, system->invariants[0].value(state));
  }
  const MethodRecord record = method->record();
  // Of a method that is claimed to keep a discrete energy of its own exactly, that energy's drift counts, as
  // the method itself reports it.
  if (const auto own = record.largest.find("discrete_energy_drift");
      own != record.largest.end() && entry.claims.energy == Keeps::exactly)
    run.energy.set(own->second);
  run.evaluations = static_cast<double>(system->evaluations) / steps;
  run.iterations = static_cast<double>(record.newton_iterations) / steps;
  return run;
}

}  // namespace terrace::testing_of_methods
