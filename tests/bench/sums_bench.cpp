// What it takes to add up a few numbers over all ranks, or what they contribute to nodes that they share:
// mpirun -n 2 benchmarks --benchmark_filter='sums|nodes'
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "parallel/communicator.hpp"
#include "parallel/shared_nodes.hpp"

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

// All ranks contribute to all nodes.
void add_up_nodes(benchmark::State& state, bool through_memory) {
  Communicator world(MPI_COMM_WORLD);
  if (through_memory) world.share_memory();
  std::vector<std::int32_t> nodes(static_cast<std::size_t>(state.range(0)));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::vector<SharedNodes::Peer> peers;
  for (int rank = 0; rank < world.size(); ++rank)
    if (rank != world.rank()) peers.push_back({rank, nodes, nodes});
  const SharedNodes shared(peers);
  std::vector<Vector3> values(nodes.size());
  for (auto _ : state) {
    values.assign(values.size(), Vector3{1, 2, 3});
    shared.add_up(world, values);
  }
}

void sums_by_messages(benchmark::State& state) { add_up(state, false); }
void sums_through_memory(benchmark::State& state) { add_up(state, true); }

// As many on all ranks; a sample of one line, and of eight.
constexpr int times = 200000;
BENCHMARK(sums_by_messages)->Arg(23)->Arg(184)->Iterations(times)->UseRealTime();
BENCHMARK(sums_through_memory)->Arg(23)->Arg(184)->Iterations(times)->UseRealTime();

void nodes_by_messages(benchmark::State& state) { add_up_nodes(state, false); }
void nodes_through_memory(benchmark::State& state) { add_up_nodes(state, true); }

// The cube in 8 parts; A6 with own subdomains, sliced.
BENCHMARK(nodes_by_messages)->Arg(85)->Arg(178)->Arg(720)->Arg(2000)->Iterations(times)->UseRealTime();
BENCHMARK(nodes_through_memory)->Arg(85)->Arg(178)->Arg(720)->Arg(2000)->Iterations(times)->UseRealTime();

}  // namespace
