// PETSc's TS on ż = f(z, t), as a user of general software would take it. It heeds the options after -- on
// the command line.
#include <petscts.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "hamiltonian/first_order_form.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/newton.hpp"
#include "hamiltonian/petsc_dense.hpp"
#include "parallel/error.hpp"
#include "parallel/petsc_options.hpp"

namespace terrace {

namespace {

/// PETSc's objects for a run, which it owns.
struct TimeStepper {
  explicit TimeStepper(HamiltonianSystem& of) : system(of), size(joined(of.initial).size()) {
    check_petsc(TSCreate(PETSC_COMM_SELF, &ts), "TSCreate");
  }
  TimeStepper(const TimeStepper&) = delete;
  TimeStepper& operator=(const TimeStepper&) = delete;
  ~TimeStepper() {
    tell_petsc(TSDestroy(&ts), "TSDestroy");
    tell_petsc(VecDestroy(&solution), "VecDestroy");
    tell_petsc(MatDestroy(&matrix), "MatDestroy");
  }

  HamiltonianSystem& system;
  std::size_t size;
  PetscCallbacks callbacks;
  TS ts = nullptr;
  Vec solution = nullptr;
  Mat matrix = nullptr;
  std::int64_t solves = 0;  ///< of nonlinear equations
};

PetscErrorCode first_order_rate(TS /*ts*/, PetscReal time, Vec z, Vec result, void* context) {
  auto& of = *static_cast<TimeStepper*>(context);
  return of.callbacks.guarded([&] { set_values(result, rate(of.system, values_of(z), time)); });
}

PetscErrorCode first_order_derivative(TS /*ts*/, PetscReal time, Vec z, Mat /*matrix*/, Mat used,
                                      void* context) {
  auto& of = *static_cast<TimeStepper*>(context);
  return of.callbacks.guarded([&] {
    Matrix derivative(of.size);
    set_rate_derivative(of.system, values_of(z), time, derivative);
    set_values(used, derivative);
  });
}

PetscErrorCode count_solve(SNES /*snes*/, PetscInt iteration, PetscReal /*residual*/, void* context) {
  if (iteration == 0) ++static_cast<TimeStepper*>(context)->solves;
  return 0;
}

/// A method of PETSc's TS.
class PetscMethod final : public Method {
 public:
  /// `choose(ts)` sets the type of the TS and its parameters.
  template <class Choose>
  PetscMethod(HamiltonianSystem& system, const MethodSettings& settings, Choose choose)
      : of_(system), step_(settings.time_step), adaptive_(settings.tolerance > 0) {
    set_up();
    choose(of_.ts);
    const double step = adaptive_ ? std::min(1e-4, step_) : step_;
    check_petsc(TSSetTimeStep(of_.ts, step), "TSSetTimeStep");
    check_petsc(TSSetMaxSteps(of_.ts, most_steps), "TSSetMaxSteps");
    check_petsc(TSSetMaxTime(of_.ts, latest), "TSSetMaxTime");
    check_petsc(TSSetExactFinalTime(of_.ts, TS_EXACTFINALTIME_STEPOVER), "TSSetExactFinalTime");
    control(settings);
    SNES snes = nullptr;
    check_petsc(TSGetSNES(of_.ts, &snes), "TSGetSNES");
    use_dense_factors(snes);
    SNESLineSearch search = nullptr;
    check_petsc(SNESGetLineSearch(snes, &search), "SNESGetLineSearch");
    check_petsc(SNESLineSearchSetType(search, SNESLINESEARCHBASIC), "SNESLineSearchSetType");
    // As in NewtonSolver, the last step decides on convergence: the size of a residual depends on its units.
    check_petsc(SNESSetTolerances(snes, 1e-300, 1e-300, 1e-10, 30, -1), "SNESSetTolerances");
    check_petsc(TSSetErrorIfStepFails(of_.ts, PETSC_FALSE), "TSSetErrorIfStepFails");
    take_petsc_options([&] { return TSSetFromOptions(of_.ts); });
    require_steps_of_deck(step);
    check_petsc(SNESMonitorSet(snes, count_solve, &of_, nullptr), "SNESMonitorSet");
    check_petsc(TSSetUp(of_.ts), "TSSetUp");
  }

  void step(DenseState& state) override {
    check_petsc(of_.callbacks.call([&] { return TSStep(of_.ts); }), "TSStep");
    TSConvergedReason reason = TS_CONVERGED_ITERATING;
    check_petsc(TSGetConvergedReason(of_.ts, &reason), "TSGetConvergedReason");
    if (reason < 0)
      throw Error(Error::Kind::run, at_time(state.time), "PETSc's TS to go on; take a smaller step",
                  TSConvergedReasons[reason], Error::Reach::all_ranks);
    PetscReal time = 0;
    check_petsc(TSGetTime(of_.ts, &time), "TSGetTime");
    state.time = time;
    split(values_of(of_.solution), state);
  }

  [[nodiscard]] double equal_step() const override { return adaptive_ ? 0 : step_; }

  [[nodiscard]] MethodRecord record() const override {
    MethodRecord record;
    PetscInt rejected = 0, iterations = 0;
    check_petsc(TSGetStepRejections(of_.ts, &rejected), "TSGetStepRejections");
    check_petsc(TSGetSNESIterations(of_.ts, &iterations), "TSGetSNESIterations");
    record.rejected = rejected;
    record.newton_solves = of_.solves;
    record.newton_iterations = iterations;
    if (iterations > 0) {
      SNES snes = nullptr;
      SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
      check_petsc(TSGetSNES(of_.ts, &snes), "TSGetSNES");
      check_petsc(SNESGetConvergedReason(snes, &reason), "SNESGetConvergedReason");
      record.last_reason = in_words(reason);
    }
    return record;
  }

 private:
  void set_up() {
    of_.solution = dense_vector(of_.size);
    of_.matrix = dense_matrix(of_.size);
    set_values(of_.solution, joined(of_.system.initial));
    check_petsc(TSSetRHSFunction(of_.ts, nullptr, first_order_rate, &of_), "TSSetRHSFunction");
    check_petsc(TSSetRHSJacobian(of_.ts, of_.matrix, of_.matrix, first_order_derivative, &of_),
                "TSSetRHSJacobian");
    check_petsc(TSSetSolution(of_.ts, of_.solution), "TSSetSolution");
  }

  void control(const MethodSettings& settings) {
    TSAdapt adapt = nullptr;
    check_petsc(TSGetAdapt(of_.ts, &adapt), "TSGetAdapt");
    check_petsc(TSAdaptSetType(adapt, control_of_steps()), "TSAdaptSetType");
    if (!adaptive_) return;
    check_petsc(TSAdaptSetStepLimits(adapt, 1e-300, settings.time_step), "TSAdaptSetStepLimits");
    check_petsc(TSSetTolerances(of_.ts, settings.tolerance, nullptr, settings.tolerance, nullptr),
                "TSSetTolerances");
    check_petsc(TSSetMaxStepRejections(of_.ts, 100), "TSSetMaxStepRejections");
  }

  [[nodiscard]] TSAdaptType control_of_steps() const { return adaptive_ ? TSADAPTBASIC : TSADAPTNONE; }

  // Throws Error(input) if options of PETSc have changed the steps. A run counts equal steps (equal_step())
  // and ends where the deck says; other steps would be reported as if they were the deck's.
  void require_steps_of_deck(double step) const {
    TSAdapt adapt = nullptr;
    TSAdaptType control = nullptr;
    PetscReal first = 0, last = 0;
    PetscInt most = 0;
    TSExactFinalTimeOption end = TS_EXACTFINALTIME_UNSPECIFIED;
    check_petsc(TSGetAdapt(of_.ts, &adapt), "TSGetAdapt");
    check_petsc(TSAdaptGetType(adapt, &control), "TSAdaptGetType");
    check_petsc(TSGetTimeStep(of_.ts, &first), "TSGetTimeStep");
    check_petsc(TSGetMaxTime(of_.ts, &last), "TSGetMaxTime");
    check_petsc(TSGetMaxSteps(of_.ts, &most), "TSGetMaxSteps");
    check_petsc(TSGetExactFinalTime(of_.ts, &end), "TSGetExactFinalTime");
    const auto require = [](bool holds, const char* option, const char* of_deck) {
      if (!holds)
        throw Error(Error::Kind::input, "PETSc options",
                    std::string("steps as the deck has them: ") + of_deck, option, Error::Reach::all_ranks);
    };
    require(first == step, "-ts_dt", "integrator.time_step");
    require(std::string_view(control) == control_of_steps(), "-ts_adapt_type", "integrator.tolerance");
    require(last == latest && end == TS_EXACTFINALTIME_STEPOVER, "-ts_max_time or -ts_exact_final_time",
            "time.end");
    require(most == most_steps, "-ts_max_steps", "time.events");
  }

  static constexpr PetscReal latest = 1e300;
  static constexpr PetscInt most_steps = std::numeric_limits<PetscInt>::max();
  TimeStepper of_;
  double step_;
  bool adaptive_;
};

template <class Choose>
MadeMethod first_order(HamiltonianSystem& system, const MethodSettings& settings, Choose choose) {
  return std::make_unique<PetscMethod>(system, settings, choose);
}

/// 2 Φ_{h/2} ∘ Φ_{h/2} − Φ_h, Φ the implicit Euler method: of order 2, not symmetric.
class ExtrapolatedEuler final : public Method {
 public:
  ExtrapolatedEuler(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system), h_(settings.time_step), newton_(joined(system.initial).size()) {}

  void step(DenseState& state) override {
    const Values start = joined(state);
    const Values whole = euler(start, state.time, h_);
    const Values half = euler(euler(start, state.time, 0.5 * h_), state.time + 0.5 * h_, 0.5 * h_);
    split(plus(half, 1, plus(half, -1, whole)), state);
    state.time += h_;
  }
  [[nodiscard]] double equal_step() const override { return h_; }
  [[nodiscard]] MethodRecord record() const override { return record_of(newton_); }

 private:
  Values euler(const Values& start, double time, double h) {
    Values change = plus(Values(start.size(), 0.0), h, rate(system_, start, time));
    const auto residual = [&](const Values& x, Values& defect) {
      defect = plus(x, -h, rate(system_, plus(start, 1, x), time + h));
    };
    const auto tangent = [&](const Values& x, Matrix& matrix) {
      set_rate_derivative(system_, plus(start, 1, x), time + h, matrix);
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) matrix(i, j) = (i == j ? 1 : 0) - h * matrix(i, j);
    };
    newton_.solve(change, {residual, tangent}, time);
    return plus(start, 1, change);
  }

  HamiltonianSystem& system_;
  double h_;
  NewtonSolver newton_;
};

}  // namespace

MadeMethod make_implicit_euler(HamiltonianSystem& system, const MethodSettings& settings) {
  return first_order(system, settings, [](TS ts) { check_petsc(TSSetType(ts, TSBEULER), "TSSetType"); });
}

MadeMethod make_extrapolated_euler(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<ExtrapolatedEuler>(system, settings);
}

MadeMethod make_theta(HamiltonianSystem& system, const MethodSettings& settings) {
  return first_order(system, settings, [&](TS ts) {
    check_petsc(TSSetType(ts, TSTHETA), "TSSetType");
    check_petsc(TSThetaSetTheta(ts, settings.weight), "TSThetaSetTheta");
  });
}

MadeMethod make_bdf(HamiltonianSystem& system, const MethodSettings& settings) {
  return first_order(system, settings, [&](TS ts) {
    check_petsc(TSSetType(ts, TSBDF), "TSSetType");
    check_petsc(TSBDFSetOrder(ts, settings.order), "TSBDFSetOrder");
  });
}

/// Registers the explicit midpoint rule, which PETSc does not have, once; returns its name.
static const char* midpoint_tableau() {
  static constexpr const char* name = "terrace-midpoint";
  static const bool registered = [] {
    constexpr std::array<PetscReal, 4> stages = {0, 0, 0.5, 0};
    constexpr std::array<PetscReal, 2> sum = {0, 1};
    check_petsc(TSRKRegister(name, 2, 2, stages.data(), sum.data(), nullptr, nullptr, 0, nullptr),
                "TSRKRegister");
    return true;
  }();
  static_cast<void>(registered);
  return name;
}

MadeMethod make_runge_kutta(HamiltonianSystem& system, const MethodSettings& settings) {
  return first_order(system, settings, [&](TS ts) {
    check_petsc(TSSetType(ts, TSRK), "TSSetType");
    const char* type = settings.variant == "heun"               ? TSRK2A
                       : settings.variant == "midpoint"         ? midpoint_tableau()
                       : settings.variant == "bogacki-shampine" ? TSRK3BS
                       : settings.variant == "dormand-prince"   ? TSRK5DP
                                                                : TSRK4;
    check_petsc(TSRKSetType(ts, type), "TSRKSetType");
  });
}

}  // namespace terrace
