// Cost of face-intersection contact: far apart, and two flat faces in contact; and of smooth contact.
#include <benchmark/benchmark.h>

#include "potentials/contact/face_intersection.hpp"
#include "potentials/contact/surface_contact.hpp"
#include "support/followed.hpp"

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
  [[nodiscard]] Followed<FaceIntersection> contact() const { return {positions, first, second, 1}; }
};

LineGrids grids() {
  return {DoubleGrid::holding(1, 1e5), Grid::holding(1e3, 1e5), Grid::holding(1e9, 1e5), {}, {}, {}};
}

void far_apart(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), 1);
  Followed<FaceIntersection> contact = plates.contact();
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
  Followed<FaceIntersection> contact = plates.contact();
  contact.set_line(plates.lines, 0);
  LineSample sum;
  for (auto _ : state) contact.sample(1e-5, grids(), sum);
  state.counters["candidates"] = static_cast<double>(contact.broad_phase().candidates().size());
}
BENCHMARK(in_contact)->Arg(16)->Arg(32);

void trial_in_contact(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), -0.002);
  Followed<FaceIntersection> contact = plates.contact();
  contact.set_line(plates.lines, 0);
  for (auto _ : state) benchmark::DoNotOptimize(contact.longest_trial(1e-5));
}
BENCHMARK(trial_in_contact)->Arg(16)->Arg(32);

void gradient_in_contact(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), -0.002);
  Followed<FaceIntersection> contact = plates.contact();
  std::vector<Vector3> gradient(plates.positions.size());
  const Grid grid = Grid::holding(1, 1e5);
  for (auto _ : state) benchmark::DoNotOptimize(contact.add_gradient(plates.lines, 0, grid, gradient));
}
BENCHMARK(gradient_in_contact)->Arg(16)->Arg(32);

void build_candidates(benchmark::State& state) {
  const Plates plates(static_cast<int>(state.range(0)), -0.002);
  const ContactSurfaces surfaces(plates.positions, plates.first, plates.second, "plates");
  BroadPhase broad_phase = surfaces.broad_phase(0.5 / static_cast<double>(state.range(0)));
  for (auto _ : state) broad_phase.build(plates.positions);
}
BENCHMARK(build_candidates)->Arg(16)->Arg(32);

LineGrids smooth_grids() {
  const Grid grid = Grid::holding(1e9, 1e5);
  return {DoubleGrid::holding(1, 1e5), grid, grid, grid, grid, grid, grid, grid};
}

/// Plates whose smooth contact reaches 0.3 edges, the nearest places at 0.9 of that.
struct SmoothPlates : Plates {
  ContactProfile profile;
  explicit SmoothPlates(int n, double activation)
      : Plates(n, 0.9 * activation), profile(ContactProfile::Kind::barrier, activation) {}
  explicit SmoothPlates(int n) : SmoothPlates(n, 0.3 / n) {}

  /// On its line, with a certificate of the first step, as a search has it.
  [[nodiscard]] std::unique_ptr<Followed<SurfaceContact>> smooth_contact() const {
    auto contact = std::make_unique<Followed<SurfaceContact>>(positions, first, second, profile, 1, "plates");
    contact->set_line(lines, 0);
    LineBound bound;
    contact->bound(0, step(), smooth_grids(), bound);
    return contact;
  }
  /// Another instant of the first step at every turn.
  [[nodiscard]] double instant(int turn) const { return 0.1 * (1 + turn % 8) * step(); }
  /// Number of pairs nearer than the activation distance.
  [[nodiscard]] double pairs_in_contact() const {
    const ContactSurfaces surfaces(positions, first, second, "plates");
    const std::vector<Vector3> reference = surfaces.reference();
    int count = 0;
    for (std::size_t s = 0; s < first.size(); ++s)
      for (std::size_t t = 0; t < second.size(); ++t)
        surfaces.visit_pairs(static_cast<std::int32_t>(s), static_cast<std::int32_t>(t),
                             [&](const SurfacePair& pair) {
                               PairNodes x;
                               for (std::size_t i = 0; i < 4; ++i)
                                 x[i] = reference[static_cast<std::size_t>(pair.nodes[i])];
                               if (norm(closest_points(pair.kind, x).difference) < profile.activation())
                                 ++count;
                             });
    return count;
  }
  void count(benchmark::State& state) const {
    using benchmark::Counter;
    const double pairs = pairs_in_contact();
    state.counters["pairs"] = pairs;
    state.counters["per_pair"] = Counter(pairs, Counter::kIsIterationInvariantRate | Counter::kInvert);
  }
  /// A step in which the plates approach by a hundredth of the activation distance.
  [[nodiscard]] double step() const { return 0.01 * profile.activation(); }
};

void smooth_sample(benchmark::State& state) {
  const SmoothPlates plates(static_cast<int>(state.range(0)));
  const auto owner = plates.smooth_contact();
  SurfaceContactOnLine& contact = *owner;
  LineSample sum;
  int turn = 0;
  for (auto _ : state) contact.sample(plates.instant(++turn), smooth_grids(), sum);
  benchmark::DoNotOptimize(sum);
  plates.count(state);
}
BENCHMARK(smooth_sample)->Arg(32);

void smooth_certificate_and_sample(benchmark::State& state) {
  const SmoothPlates plates(static_cast<int>(state.range(0)));
  const auto owner = plates.smooth_contact();
  SurfaceContactOnLine& contact = *owner;
  LineBound bound;
  LineSample sum;
  int turn = 0;
  for (auto _ : state) {
    const double s = plates.instant(++turn);
    contact.bound(s, plates.step(), smooth_grids(), bound);
    contact.sample(s, smooth_grids(), sum);
  }
  benchmark::DoNotOptimize(sum);
  plates.count(state);
}
BENCHMARK(smooth_certificate_and_sample)->Arg(32);

/// What a rank needs that takes a contact over: candidates and near pairs of surfaces that it did not have.
void smooth_listing(benchmark::State& state) {
  const SmoothPlates plates(static_cast<int>(state.range(0)));
  const SmoothContact contact{
      ContactSurfaces(plates.positions, plates.first, plates.second, "plates"), {}, plates.profile, 1};
  const std::vector<Vector3> positions = contact.surfaces.reference();
  std::size_t candidates = 0, near = 0;
  for (auto _ : state) {
    NearContacts contacts(contact);
    benchmark::DoNotOptimize(contacts.listed_within(positions, {}, 0));
    candidates = contacts.candidates().size();
    near = contacts.size();
  }
  state.counters["candidates"] = static_cast<double>(candidates);
  state.counters["near"] = static_cast<double>(near);
}
BENCHMARK(smooth_listing)->Arg(32);

/// A certificate of a step too long for the near pairs, as where a search finds a first touch.
void smooth_certificate_of_a_long_step(benchmark::State& state) {
  const SmoothPlates plates(static_cast<int>(state.range(0)));
  const auto owner = plates.smooth_contact();
  SurfaceContactOnLine& contact = *owner;
  LineBound bound;
  int turn = 0;
  for (auto _ : state)
    contact.bound(plates.instant(++turn), 0.9 * plates.profile.activation(), smooth_grids(), bound);
  benchmark::DoNotOptimize(bound);
  plates.count(state);
}
BENCHMARK(smooth_certificate_of_a_long_step)->Arg(32);

/// What the first sample on a new line costs.
void smooth_new_line(benchmark::State& state) {
  const SmoothPlates plates(static_cast<int>(state.range(0)));
  const auto owner = plates.smooth_contact();
  SurfaceContactOnLine& contact = *owner;
  LineBound bound;
  LineSample sum;
  for (auto _ : state) {
    contact.set_line(plates.lines, 0);
    contact.bound(0, plates.step(), smooth_grids(), bound);
    contact.sample(0, smooth_grids(), sum);
  }
  benchmark::DoNotOptimize(sum);
  plates.count(state);
}
BENCHMARK(smooth_new_line)->Arg(32);

void smooth_gradient(benchmark::State& state) {
  const SmoothPlates plates(static_cast<int>(state.range(0)));
  const auto owner = plates.smooth_contact();
  SurfaceContactOnLine& contact = *owner;
  std::vector<Vector3> gradient(plates.positions.size());
  const Grid grid = Grid::holding(1, 1e5);
  for (auto _ : state) benchmark::DoNotOptimize(contact.add_gradient(plates.lines, 0, grid, gradient));
  plates.count(state);
}
BENCHMARK(smooth_gradient)->Arg(32);

}  // namespace
