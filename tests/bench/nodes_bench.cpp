// What an event takes for each node beside its elements: the impulse, and boxes about surfaces.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "dynamics/state/state.hpp"
#include "potentials/kernels/point_boxes.hpp"

namespace {

using namespace terrace;

constexpr int seed = 1;

std::vector<Vector3> random_vectors(std::size_t count) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> number;
  std::vector<Vector3> vectors(count);
  for (Vector3& vector : vectors)
    for (double& component : vector) component = number(random);
  return vectors;
}

void impulse(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  Lagrangian system;
  system.masses.assign(count, 1.0);
  constexpr double largest_momentum = 64, grid = 0x1p-40;
  State nodes(system, largest_momentum);
  nodes.set_velocities(random_vectors(count));
  std::vector<Vector3> gradient = random_vectors(count);
  for (Vector3& force : gradient)
    for (double& component : force) component = std::nearbyint(component / grid) * grid;
  std::vector<std::int32_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::uint8_t> changed(count);
  IntegerMultiplier factor = IntegerMultiplier::nearest(1.2345e-5 * grid / nodes.quantum);
  double time = 0;
  for (auto _ : state) {
    factor.mantissa = -factor.mantissa;  // to and fro: nothing grows
    nodes.apply_impulse(time += 1e-6, factor, grid, gradient, all, changed, {});
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(impulse)->Arg(600)->Arg(6000);

void box_of_points(benchmark::State& state) {
  const std::vector<Vector3> points = random_vectors(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(box_about(points));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(box_of_points)->Arg(30)->Arg(600);

void box_of_points_one_by_one(benchmark::State& state) {
  const std::vector<Vector3> points = random_vectors(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    Box box;
    for (const Vector3& point : points) box.include(point);
    benchmark::DoNotOptimize(box);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(box_of_points_one_by_one)->Arg(30)->Arg(600);

}  // namespace
