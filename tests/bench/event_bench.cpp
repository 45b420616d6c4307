// Cost of one event of energy-stepping in explicit Newmark steps of the same system: a spinning cube.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <cstdlib>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "support/small_system.hpp"

namespace {

using namespace terrace;

// Google Benchmark's main knows nothing of MPI.
[[maybe_unused]] const int mpi = [] {
  MPI_Init(nullptr, nullptr);
  return std::atexit([] { MPI_Finalize(); });
}();

constexpr double energy_step = 1e-5;  // of A1
const int cells = 8;                  // 12,288 tetrahedra

LocalizationEntry in_parts(benchmark::State& state) {
  return {LocalizationKind::metis, static_cast<int>(state.range(0)), ContactLocalization::own};
}

void event(benchmark::State& state) {
  const LocalizationEntry choice = in_parts(state);
  // The undivided cube's time step is kept by dividing its energy step.
  SmallSystem cube(spinning_cube(cells), choice, energy_step / choice.parts);
  EnergyStepping stepping(cube.lagrangian, cube.state);
  while (cube.state.time < 0.5) stepping.advance(cube.state, 1e6);
  const std::int64_t events = stepping.events(), evaluations = stepping.element_evaluations();
  for (auto _ : state) stepping.advance(cube.state, 1e6);
  const auto done = static_cast<double>(stepping.events() - events);
  const auto elements = static_cast<double>(cube.model.tetrahedra.size());
  state.counters["samples_per_event"] =
      static_cast<double>(stepping.element_evaluations() - evaluations) / done / elements;
}
BENCHMARK(event)->Arg(1)->Arg(8)->Unit(benchmark::kMicrosecond);

void newmark_step(benchmark::State& state) {
  SmallSystem cube(spinning_cube(cells), in_parts(state));
  Newmark newmark(cube.lagrangian, cube.state, 0.25 * cube.lagrangian.stable_step);
  for (auto _ : state) newmark.advance(cube.state, 1e9);
}
BENCHMARK(newmark_step)->Arg(1)->Unit(benchmark::kMicrosecond);

void measure(benchmark::State& state) {
  SmallSystem cube(spinning_cube(cells), in_parts(state));
  Newmark newmark(cube.lagrangian, cube.state, 0.25 * cube.lagrangian.stable_step);
  for (auto _ : state) benchmark::DoNotOptimize(cube.diagnostics.measure(cube.state, newmark));
}
BENCHMARK(measure)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace
