#include "app/small_system_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>

#include "app/attempt.hpp"
#include "app/interruptions.hpp"
#include "app/output_clock.hpp"
#include "app/preparation.hpp"
#include "app/run_directory.hpp"
#include "app/stopwatch.hpp"
#include "app/version.hpp"
#include "io/small_system.hpp"
#include "io/small_system_summary.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"
#include "parallel/petsc_options.hpp"
#include "parallel/profile.hpp"
#include "parallel/tell_user.hpp"
#include "parallel/together.hpp"
#include "parallel/words_of.hpp"

namespace terrace {

namespace {

class SmallSystemRun {
 public:
  explicit SmallSystemRun(const Deck& deck)
      : deck_(deck),
        system_(deck.system->make()),
        state_(system_->initial),
        whole_(state_),
        method_(deck.system->method->make(*system_, deck.system->settings)),
        directory_(take_output_directory(deck.output, false)) {
    history_.emplace(deck.output.directory, *system_);
    summary_.version = version;
    summary_.title = deck.title;
    summary_.deck = deck.text;
    summary_.petsc_options = petsc_options();
    summary_.system = system_->kind;
    summary_.method = deck.system->method->name;
    summary_.end_time = deck.end_time;
    summary_.energy = system_->energy(state_);
    note_energies_of_start();
    summary_.shortest_step = infinity;
    for (const Invariant& invariant : system_->invariants) {
      const ForceTerm* breaker = find_force(*system_, invariant.broken_by);
      if (breaker != nullptr && breaker->on) continue;
      kept_.push_back({&invariant, invariant.value(state_)});
      summary_.invariants[invariant.name] = 0;
    }
    watch_.lap("set-up");
  }

  // Returns whether a signal stopped it.
  bool perform(Interruptions& interruptions) {
    try {
      integrate(interruptions);
      write_last_row();
      write_figures();
    } catch (const std::exception& error) {
      std::swap(state_, whole_);  // the method gives no meaning to a state in the middle of a step
      summary_.status = "failed";
      const auto attempt = [&](auto work) { terrace::attempt(work, words_of(error)); };
      attempt([&] { summary_.status = std::string("failed: ") + words_of(error); });
      attempt([&] { write_last_row(); });
      attempt([&] { write_figures(); });
      throw;
    }
    tell();
    return stopped_;
  }

 private:
  void integrate(Interruptions& interruptions) {
    const StageScope stage(Stage::stepping);
    // An interval below the step gives a row for each step. The bound keeps the clock's counts in range.
    const double interval = deck_.output.history_interval > 0
                                ? std::max(deck_.output.history_interval, 1e-15 * deck_.end_time)
                                : deck_.end_time / 1000;
    OutputClock rows(interval);
    history_->add(state_, 0);
    history_->flush();
    const double equal = method_->equal_step();
    // Equal steps end with the first at or after the end; a rounded sum must not add another.
    const auto last = equal > 0 ? static_cast<std::int64_t>(std::ceil(deck_.end_time / equal - 1e-6))
                                : std::numeric_limits<std::int64_t>::max();
    while (equal > 0 ? summary_.steps < last : state_.time < deck_.end_time) {
      if (deck_.maximum_events > 0 && summary_.steps >= deck_.maximum_events) {
        summary_.status = "stopped after time.events events";
        break;
      }
      if (const Wish wish = interruptions.poll(); wish == Wish::stop) {
        summary_.status = "stopped";
        stopped_ = true;
        break;
      } else if (wish == Wish::save) {
        history_->flush();
      }
      const double before = state_.time;
      take_step();
      if (equal > 0) state_.time = static_cast<double>(summary_.steps + 1) * equal;
      system_->step_done(state_);
      ++summary_.steps;
      whole_ = state_;
      measure(state_.time - before);
      if (rows.next() <= state_.time * (1 + 1e-14)) {
        watch_.lap("stepping");
        history_->add(state_, summary_.steps);
        rows.pass(std::min(state_.time, 2 * deck_.end_time) * (1 + 1e-14));  // a step may be far longer
        watch_.lap("output");
      }
    }
    watch_.lap("stepping");
  }

  void take_step() {
    try {
      method_->step(state_);
    } catch (const Error& error) {
      if (!error.where().empty()) throw;
      throw Error(error.kind(), at_time(state_.time), error.expected(), error.found());
    }
  }

  // Where kinetic and potential energy cancel, H does not show how large energies are. Systems with one
  // general Hamiltonian have no such parts.
  void note_energies_of_start() {
    energy_scale_ = std::abs(summary_.energy);
    if (system_->general != nullptr) return;
    energy_scale_ = std::max({energy_scale_, std::abs(system_->kinetic(state_.p)),
                              std::abs(system_->potential(state_.q, state_.time))});
  }

  // The kinetic energy of a run that blows up stems from its energy error; as the scale it would hide that
  // error. So it counts while the error is at most half of it, and in the first step if the start had no
  // energy.
  void note_kinetic_energy() {
    if (system_->general != nullptr) return;
    constexpr double rounding = 1e-12;
    const double kinetic = std::abs(system_->kinetic(state_.p));
    if (2 * energy_change_ <= kinetic || (summary_.steps == 1 && energy_scale_ <= rounding * kinetic))
      energy_scale_ = std::max(energy_scale_, kinetic);
  }

  // Whether the exact motion keeps the energy: with losses or loads it does not.
  [[nodiscard]] bool keeps_energy() const { return !system_->dissipative() && !system_->time_dependent(); }

  void measure(double step) {
    summary_.shortest_step = std::min(summary_.shortest_step, step);
    summary_.longest_step = std::max(summary_.longest_step, step);
    const double energy = system_->energy(state_);
    if (!std::isfinite(energy) || !(step > 0))
      throw Error(Error::Kind::run, at_time(state_.time),
                  "a finite energy and a step ahead; take a smaller step",
                  fmt::format("energy {}, step {}", energy, step));
    energy_change_ = std::max(energy_change_, std::abs(energy - summary_.energy));
    note_kinetic_energy();
    for (const Kept& kept : kept_) {
      double& largest = summary_.invariants[kept.invariant->name];
      largest = std::max(largest, std::abs(kept.invariant->value(state_) - kept.first));
    }
  }

  void write_last_row() {
    const StageScope stage(Stage::output);
    history_->add(state_, summary_.steps);
    history_->flush();
  }

  void write_figures() {
    const StageScope stage(Stage::output);
    summary_.warnings.clear();  // of a first attempt to write, which may have failed
    summary_.final_time = state_.time;
    if (summary_.steps > 0) summary_.average_step = state_.time / static_cast<double>(summary_.steps);
    if (keeps_energy()) {
      summary_.energy_error = energy_change_;
      summary_.energy_drift = energy_scale_ > 0 ? energy_change_ / energy_scale_ : energy_change_;
    } else {
      summary_.energy_change = energy_change_;
    }
    summary_.force_evaluations = system_->evaluations;
    summary_.hessian_evaluations = system_->hessians;
    summary_.record = method_->record();
    if (summary_.record.unsolved > 0)
      summary_.warnings.push_back(
          fmt::format("for {} of {} steps no length conserves the energy; they were "
                      "taken with the length of the step before",
                      summary_.record.unsolved, summary_.steps));
    warn_of_energy();
    const std::vector<std::string> unused = warnings_of_unused_petsc_options();
    summary_.warnings.insert(summary_.warnings.end(), unused.begin(), unused.end());
    std::uint64_t hash = mix(0);
    for (const Values* values : {&state_.q, &state_.p})
      for (const double value : *values) hash = chain(hash, value);
    summary_.state_hash = fmt::format("{:016x}", hash);
    watch_.lap("output");
    summary_.wall_seconds = watch_.total();
    summary_.wall_seconds_by_phase = watch_.seconds();
    write_summary(deck_.output.directory, summary_);
  }

  void warn_of_energy() {
    if (energy_scale_ == 0 || !(summary_.energy_drift > 0.02)) return;  // small, or no number
    const MethodSettings& settings = deck_.system->settings;
    summary_.warnings.push_back(fmt::format(
        "the energy is off by up to {:.2g} of what it was: the results mean little. Lower integrator.{}",
        summary_.energy_drift,
        settings.tolerance > 0        ? "tolerance"
        : settings.step_parameter > 0 ? "step_parameter"
                                      : "time_step"));
  }

  void tell() const {
    for (const std::string& warning : summary_.warnings) tell_user("warning: {}\n", warning);
    fmt::print(
        "{} at t = {:.6g}: {} steps, energy {} {:.3g}, {} evaluations of forces, {:.1f} s\nresults in "
        "{}\n",
        summary_.status, summary_.final_time, summary_.steps, keeps_energy() ? "error" : "changed by",
        energy_change_, summary_.force_evaluations, summary_.wall_seconds, deck_.output.directory);
    std::fflush(stdout);
  }

  const Deck& deck_;
  Stopwatch watch_;
  std::unique_ptr<HamiltonianSystem> system_;
  DenseState state_;
  DenseState whole_;  // the state after the last complete step
  MadeMethod method_;
  DirectoryLock directory_;
  std::optional<SmallSystemHistory> history_;
  SmallSystemSummary summary_;
  struct Kept {
    const Invariant* invariant;
    double first;  // its value at the start
  };
  std::vector<Kept> kept_;
  double energy_change_ = 0, energy_scale_ = 0;  // largest |H − H(0)|; the scale by which it is judged
  bool stopped_ = false;
};

/// Throws Error(input) for what no run can do.
void require_feasible(const Deck& deck) {
  const auto reject = [&](const std::string& key, const std::string& expected, double found) {
    throw Error(Error::Kind::input, deck.place(key), expected, fmt::format("{:g}", found));
  };
  const double step = deck.system->settings.time_step;
  require_end(deck, step);
  if (step > deck.end_time)
    reject("integrator.time_step", fmt::format("at most time.end = {:g}", deck.end_time), step);
  const auto system = deck.system->make();
  const double energy = system->energy(system->initial);
  if (!std::isfinite(energy)) reject(deck.system->where, "a finite energy at the start", energy);
}

const char* words(bool holds) { return holds ? "yes" : "no"; }
const char* words(Keeps keeps) {
  return keeps == Keeps::exactly ? "exact" : keeps == Keeps::bounded ? "bounded" : "not kept";
}

/// Whether the order is not integrator.order: equal steps of bdf are of order 2 whatever that is.
bool begins_with_low_order(const SmallSystem& small) {
  return small.method->name == "bdf" && !(small.settings.tolerance > 0);
}

void print_check(const SmallSystem& small) {
  const auto system = small.make();
  fmt::print("system {}: {}\n{} coordinates, {} momenta; energy {:.8g} at the start\n", small.kind->name,
             small.kind->description, system->initial.q.size(), system->initial.p.size(),
             system->energy(system->initial));
  for (const auto& force : system->forces) {
    const ForceTraits traits = force->traits();
    fmt::print("force {}: {}{}{}{}\n", force->name(), force->on ? "on" : "off",
               traits.conservative ? "" : ", damped", traits.time_dependent ? ", time-dependent" : "",
               force->implicit ? ", implicit where a method tells forces apart" : "");
  }
  if (system->constraint != nullptr) fmt::print("constraints: {}\n", system->constraint->count());
  const MethodClaims& claims = small.method->claims;
  const bool any_order = !small.method->orders.empty() && !begins_with_low_order(small);
  fmt::print(
      "method {}: {}\norder {}, symplectic {}, reversible {}, energy {}, angular momentum {}, explicit {}: "
      "at its default settings{}\n",
      small.method->name, small.method->description, any_order ? small.settings.order : claims.order,
      words(claims.symplectic), words(claims.reversible), words(claims.energy),
      words(claims.angular_momentum), words(claims.is_explicit), any_order ? ", but for the order" : "");
}

}  // namespace

int run_small_system(const Deck& deck, bool resumes, Communicator& communicator) {
  Communicator alone(MPI_COMM_SELF);
  constexpr double often = 2;                 // rows so far are flushed [s]
  Interruptions interruptions(alone, often);  // all ranks heed signals so; others wait for rank 0
  int status = 0;
  together(communicator.handle(), [&] {
    if (resumes)
      throw Error(Error::Kind::input, deck.system->where, "a new run of a small system, which takes seconds",
                  "--resume; it writes no restart files");
    require_feasible(deck);
  });
  together(communicator.handle(), [&] {
    if (communicator.rank() == 0) status = SmallSystemRun(deck).perform(interruptions) ? 1 : 0;
  });
  communicator.broadcast(std::as_writable_bytes(std::span(&status, 1)), 0);
  return status;
}

void check_small_system(const Deck& deck, Communicator& communicator) {
  together(communicator.handle(), [&] {
    require_feasible(deck);
    if (communicator.rank() == 0) print_check(*deck.system);
  });
  std::fflush(stdout);
}

}  // namespace terrace
