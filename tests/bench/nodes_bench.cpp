// What an event takes for each node beside its elements: the impulse, and boxes about surfaces.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "dynamics/state/state.hpp"
#include "potentials/kernels/nodes_on_lines.hpp"
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

/// A surface among as many other nodes, on lines that began at the same time.
struct Surface {
  std::vector<NodeLine> lines;
  std::vector<Vector3> reference;
  std::vector<std::int32_t> nodes;
  Box room{{-20, -20, -20}, {20, 20, 20}};

  explicit Surface(std::size_t count) : reference(random_vectors(2 * count)) {
    const std::vector<Vector3> velocities = random_vectors(2 * count);
    for (std::size_t i = 0; i < velocities.size(); ++i) lines.push_back({{}, velocities[i], 0.25, 1});
    for (std::size_t i = 0; i < count; ++i) nodes.push_back(static_cast<std::int32_t>(2 * i));
  }
};

void exit_of_surface(benchmark::State& state) {
  const Surface surface(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(
        exit_of_nodes(surface.lines, surface.nodes, surface.reference, 0.5, surface.room));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(exit_of_surface)->Arg(30)->Arg(600);

// As NearPairs::follow did it until November 2026.
void exit_of_surface_one_by_one(benchmark::State& state) {
  const Surface surface(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    Box velocities;
    double earliest = infinity, perhaps = infinity;
    for (const std::int32_t node : surface.nodes) {
      const NodeLine& line = surface.lines[static_cast<std::size_t>(node)];
      const Vector3 x = surface.reference[static_cast<std::size_t>(node)] + line.displacement_at(0.5);
      for (std::size_t k = 0; k < 3; ++k) {
        const double v = line.velocity[k], farthest = perhaps * v;
        const bool up = surface.room.high[k] - x[k] < farthest, down = x[k] - surface.room.low[k] < -farthest;
        if (static_cast<int>(up) + static_cast<int>(down) > 0) [[unlikely]] {
          const double way = v > 0 ? surface.room.high[k] - x[k] : x[k] - surface.room.low[k];
          if (v != 0) earliest = std::min(earliest, std::max(way / std::abs(v), 0.0));
          perhaps = earliest * (1 + 1e-14);
        }
      }
      velocities.include(line.velocity);
    }
    benchmark::DoNotOptimize(velocities);
    benchmark::DoNotOptimize(earliest);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(exit_of_surface_one_by_one)->Arg(30)->Arg(600);

void ways_of_surface(benchmark::State& state) {
  const Surface surface(static_cast<std::size_t>(state.range(0)));
  const std::vector<Vector3> starts = random_vectors(surface.nodes.size());
  for (auto _ : state)
    benchmark::DoNotOptimize(ways_of_nodes(surface.lines, surface.nodes, surface.reference, starts, 0.5));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(ways_of_surface)->Arg(30)->Arg(600);

}  // namespace
