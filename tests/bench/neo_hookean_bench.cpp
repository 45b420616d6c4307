// Speed of the neo-Hookean passes on 12,288 elements (a lattice of 8 × 8 × 32 cells, six tetrahedra each),
// per element.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <utility>

#include "potentials/elastic/tetrahedral_block.hpp"
#include "support/followed.hpp"

namespace terrace {
namespace {

struct Bar {
  std::vector<Vector3> positions;
  std::vector<Tetrahedron> tetrahedra;
  std::vector<NodeLine> lines;
  Material material{"steel", 7800, 1.2e11, 8.0e10};

  Bar() {
    constexpr int nx = 8, ny = 8, nz = 32;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&] { return Vector3{number(random), number(random), number(random)}; };
    const auto node = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
    for (int k = 0; k <= nz; ++k)
      for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) positions.push_back({double(i), double(j), double(k)});
    const int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
          for (int p = 0; p < 6; ++p) {
            int corner[3] = {i, j, k};
            Tetrahedron t{node(i, j, k), 0, 0, 0};
            for (std::size_t a = 0; a < 3; ++a) {
              ++corner[paths[p][a]];
              t[a + 1] = node(corner[0], corner[1], corner[2]);
            }
            if (p >= 3) std::swap(t[1], t[2]);
            tetrahedra.push_back(t);
          }
    for (std::size_t a = 0; a < positions.size(); ++a) lines.push_back({0.01 * vector(), vector(), 0, 1});
  }
};

const Bar& bar() {
  static const Bar one;
  return one;
}
Followed<NeoHookeanBlock> block() { return {bar().positions, bar().tetrahedra, bar().material}; }

void per_element(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(bar().tetrahedra.size()));
}

/// What one would write first: one element at a time, arrays of structures, std::log; nodal forces summed in
/// doubles.
void plain_gradient(benchmark::State& state) {
  struct Element {
    Tetrahedron nodes;
    double volume;
    std::array<Vector3, 4> shape_gradient;
  };
  std::vector<Element> elements;
  for (const Tetrahedron& t : bar().tetrahedra) {
    const auto at = [&](std::size_t a) { return bar().positions[static_cast<std::size_t>(t[a])]; };
    Element e{t, 0, {}};
    for (std::size_t a = 0; a < 4; ++a) {
      const Vector3 face = at((a + 1) % 4), n = cross(at((a + 2) % 4) - face, at((a + 3) % 4) - face);
      const double height = dot(n, at(a) - face);
      e.volume = std::abs(height) / 6;
      e.shape_gradient[a] = (1 / height) * n;
    }
    elements.push_back(e);
  }
  const double lambda = bar().material.lame_lambda, mu = bar().material.lame_mu;
  std::vector<Vector3> x(bar().positions.size()), gradient(x.size());
  for (auto _ : state) {
    for (std::size_t a = 0; a < x.size(); ++a) {
      x[a] = bar().positions[a] + bar().lines[a].displacement_at(0.001);
      gradient[a] = {};
    }
    for (const Element& e : elements) {
      double f[3][3] = {};
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t k = 0; k < 3; ++k)
            f[i][k] += x[static_cast<std::size_t>(e.nodes[a])][i] * e.shape_gradient[a][k];
      double c[3][3];
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
          c[i][k] = f[(i + 1) % 3][(k + 1) % 3] * f[(i + 2) % 3][(k + 2) % 3] -
                    f[(i + 1) % 3][(k + 2) % 3] * f[(i + 2) % 3][(k + 1) % 3];
      const double j = f[0][0] * c[0][0] + f[0][1] * c[0][1] + f[0][2] * c[0][2];
      const double q = (lambda * std::log(j) - mu) / j;
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t k = 0; k < 3; ++k)
            gradient[static_cast<std::size_t>(e.nodes[a])][i] +=
                e.volume * (mu * f[i][k] + q * c[i][k]) * e.shape_gradient[a][k];
    }
    benchmark::DoNotOptimize(gradient.data());
    benchmark::ClobberMemory();
  }
  per_element(state);
}
BENCHMARK(plain_gradient);

template <Rounding rounding>
void gradient(benchmark::State& state) {
  Followed<NeoHookeanBlock> elements = block();
  const Grid grid = Grid::holding(1e10, 1e5);
  std::vector<Vector3> sum(bar().positions.size());
  const std::vector<NeoHookeanBlock::NodalRow> rows(elements.nodes().size());
  NeoHookeanBlock::Workspace workspace{rows, rows};
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        elements.source.add_gradient_in<rounding>(workspace, {bar().lines, 0.001}, grid, sum));
    benchmark::ClobberMemory();
  }
  per_element(state);
}
BENCHMARK(gradient<Rounding::none>);
BENCHMARK(gradient<Rounding::grid>);

/// The nodes of one end face changed: time of the whole call, not per element.
void update_line_of_one_face(benchmark::State& state) {
  Followed<NeoHookeanBlock> elements = block();
  std::vector<std::uint8_t> changed(bar().positions.size(), 0);
  for (std::size_t a = 0; a < 81; ++a) changed[a] = 1;
  elements.set_line(bar().lines, 0.001);
  for (auto _ : state) {
    elements.update_line(bar().lines, 0.001, changed);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(update_line_of_one_face);

LineGrids grids() {
  return {DoubleGrid::holding(1e10, 1e5),
          Grid::holding(1e12, 1e5),
          Grid::holding(1e14, 1e5),
          Grid::holding(1e16, 1e5),
          {},
          {}};
}

template <Rounding rounding>
void sample(benchmark::State& state) {
  Followed<NeoHookeanBlock> elements = block();
  elements.set_line(bar().lines, 0.001);
  for (auto _ : state) {
    LineSample sum;
    elements.sample_rounded<rounding>(0.0005, grids(), sum);
    benchmark::DoNotOptimize(sum);
  }
  per_element(state);
}
BENCHMARK(sample<Rounding::none>);
BENCHMARK(sample<Rounding::grid>);

/// A line's set-up is left until it is first sampled.
void set_line_and_sample(benchmark::State& state) {
  Followed<NeoHookeanBlock> elements = block();
  for (auto _ : state) {
    LineSample sum;
    elements.set_line(bar().lines, 0.001);
    elements.sample_rounded<Rounding::grid>(0.0005, grids(), sum);
    benchmark::DoNotOptimize(sum);
  }
  per_element(state);
}
BENCHMARK(set_line_and_sample);

void bound(benchmark::State& state) {
  Followed<NeoHookeanBlock> elements = block();
  elements.set_line(bar().lines, 0.001);
  for (auto _ : state) {
    LineBound sum;
    elements.bound(0.0, 0.0005, grids(), sum);
    benchmark::DoNotOptimize(sum);
  }
  per_element(state);
}
BENCHMARK(bound);

}  // namespace
}  // namespace terrace
