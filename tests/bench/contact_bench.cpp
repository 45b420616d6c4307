// Cost of face-intersection contact: far apart, and two flat faces in contact.
#include <benchmark/benchmark.h>

#include "potentials/face_intersection.hpp"

namespace {

using namespace terrace;

/// Two square plates of n × n cells, the second turned a little, its middle bulging towards the first.
struct Plates {
  std::vector<Vector3> positions;
  std::vector<Triangle> first, second;
  std::vector<NodeLine> lines;

  Plates(int n, double distance) {
    for (int plate = 0; plate < 2; ++plate) {
      const auto base = static_cast<std::int32_t>(positions.size());
      for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
          const double x = static_cast<double>(i) / n - 0.5, y = static_cast<double>(j) / n - 0.5;
          const double bulge = distance + 0.3 * (x * x + y * y);
          positions.push_back(plate == 0 ? Vector3{x, y, 0}
                                         : Vector3{0.96 * x - 0.28 * y, 0.28 * x + 0.96 * y, bulge});
          lines.push_back({{}, {0, 0, plate == 0 ? 0.0 : -1.0}, 0, 1});
        }
      }
      for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = 0; j < n; ++j) {
          const std::int32_t a = base + i * (n + 1) + j, b = a + n + 1;
          (plate == 0 ? first : second).push_back({a, b, a + 1});
          (plate == 0 ? first : second).push_back({b, b + 1, a + 1});
        }
      }
    }
  }
  [[nodiscard]] FaceIntersection contact() const { return {positions, first, second, 1}; }
};

LineGrids grids() {
  return {DoubleGrid::holding(1, 1e5), Grid::holding(1e3, 1e5), Grid::holding(1e9, 1e5), {}, {}, {}};
}

void far_apart(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), 1);
  FaceIntersection contact = plates.contact();
  for (auto _ : state) {
    contact.set_line(plates.lines, 0);
    benchmark::DoNotOptimize(contact.longest_trial(0));
    LineSample sum;
    contact.sample(0.1, grids(), sum);
    benchmark::DoNotOptimize(sum);
  }
  state.counters["nodes"] = static_cast<double>(plates.positions.size());
}
BENCHMARK(far_apart)->Arg(16)->Arg(32);

void in_contact(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), -0.002);
  FaceIntersection contact = plates.contact();
  contact.set_line(plates.lines, 0);
  LineSample sum;
  for (auto _ : state) contact.sample(1e-5, grids(), sum);
  state.counters["candidates"] = static_cast<double>(contact.broad_phase().candidates().size());
}
BENCHMARK(in_contact)->Arg(16)->Arg(32);

void trial_in_contact(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), -0.002);
  FaceIntersection contact = plates.contact();
  contact.set_line(plates.lines, 0);
  for (auto _ : state) benchmark::DoNotOptimize(contact.longest_trial(1e-5));
}
BENCHMARK(trial_in_contact)->Arg(16)->Arg(32);

void gradient_in_contact(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), -0.002);
  FaceIntersection contact = plates.contact();
  std::vector<Vector3> gradient(plates.positions.size());
  const Grid grid = Grid::holding(1, 1e5);
  for (auto _ : state) benchmark::DoNotOptimize(contact.add_gradient(plates.lines, 0, grid, gradient));
}
BENCHMARK(gradient_in_contact)->Arg(16)->Arg(32);

void build_candidates(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), -0.002);
  std::vector<Triangle> second = plates.second;
  BroadPhase broad_phase(plates.first, second, plates.positions.size() / 2,
                         0.5 / static_cast<double>(state.range(0)));
  for (auto _ : state) broad_phase.build(plates.positions);
}
BENCHMARK(build_candidates)->Arg(16)->Arg(32);

}  // namespace
