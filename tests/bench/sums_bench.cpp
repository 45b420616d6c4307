// What it takes to add up a few numbers over all ranks: mpirun -n 2 benchmarks --benchmark_filter=sums
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <vector>

#include "parallel/communicator.hpp"

namespace {

using namespace terrace;

void add_up(benchmark::State& state, bool through_memory) {
  Communicator world(MPI_COMM_WORLD);
  if (through_memory) world.share_memory();
  std::vector<double> numbers(static_cast<std::size_t>(state.range(0)), 1.0);
  for (auto _ : state) {
    world.sum(numbers);
    numbers.assign(numbers.size(), 1.0);
  }
}

void sums_by_messages(benchmark::State& state) { add_up(state, false); }
void sums_through_memory(benchmark::State& state) { add_up(state, true); }

// As many on all ranks; a sample of one line, and of eight.
constexpr int times = 200000;
BENCHMARK(sums_by_messages)->Arg(23)->Arg(184)->Iterations(times)->UseRealTime();
BENCHMARK(sums_through_memory)->Arg(23)->Arg(184)->Iterations(times)->UseRealTime();

}  // namespace
