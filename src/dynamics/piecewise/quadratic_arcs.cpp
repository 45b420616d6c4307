#include "dynamics/piecewise/quadratic_arcs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/system/reactions_of_potentials.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// S and E with S″ = −k S, S(0) = 0, S′(0) = 1, E″ = 1 − k E, E(0) = E′(0) = 0; C = S′ and F = ∫ E. By their
/// series in t, which are the same for arcs that swing (k > 0), fall (k = 0) or run away (k < 0).
struct Arc {
  double c, s, e, f;
};
Arc short_arc(double k, double t) {
  Arc sum{1, t, 0.5 * t * t, t * t * t / 6};
  double term_c = 1, term_s = t, term_e = sum.e, term_f = sum.f;
  constexpr int most = 200;
  for (int n = 1; n < most; ++n) {
    const double m = 2.0 * n, factor = -k * t * t;
    term_c *= factor / ((m - 1) * m);
    term_s *= factor / (m * (m + 1));
    term_e *= factor / ((m + 1) * (m + 2));
    term_f *= factor / ((m + 2) * (m + 3));
    const Arc before = sum;
    sum = {sum.c + term_c, sum.s + term_s, sum.e + term_e, sum.f + term_f};
    if (sum.c == before.c && sum.s == before.s && sum.e == before.e) break;
  }
  return sum;
}
/// The same for any time t, by doubling that of a short one: terms of a series for long times would cancel.
Arc arc(double k, double t) {
  int doublings = 0;
  for (; std::abs(k) * t * t > 1; ++doublings) t *= 0.5;
  Arc sum = short_arc(k, t);
  for (; doublings > 0; --doublings)
    sum = {2 * sum.c * sum.c - 1, 2 * sum.s * sum.c, 2 * sum.s * sum.s, 2 * (sum.f + sum.e * sum.s)};
  return sum;
}

/// A bound of |x″| = |a C − k v S| from 0 to `time`.
double largest_acceleration(double k, double a, double v, double time) {
  if (k > 0) return std::abs(a) + std::sqrt(k) * std::abs(v) * std::min(1.0, std::sqrt(k) * time);
  const Arc largest = arc(k, time);
  return std::abs(a) * largest.c + std::abs(k * v * largest.s);
}

}  // namespace

QuadraticArcs::QuadraticArcs(const SmoothForces& forces) : forces_(forces) {
  const Lagrangian& system = forces.system();
  const bool valid = system.dimension == 1 && system.masses.size() == 1 &&
                     system.potential_steps.size() == 1 &&
                     system.potential_steps[0].region.pieces.size() == 1 &&
                     system.potential_steps[0].region.pieces[0].size() == 1 &&
                     system.potential_steps[0].region.pieces[0][0].kind == RegionPart::Kind::half_space;
  if (!valid)
    throw Error(Error::Kind::input, "integrator.variant = \"dp2\"",
                "one particle on a line and one step at one point of it", "another system");
  interface_ = system.potential_steps[0].region.pieces[0][0].point[0];
  const std::array<Vector3, 1> place = {Vector3{interface_, 0, 0}},
                               displacement = {place[0] - system.reference[0]}, along = {Vector3{1, 0, 0}};
  const SmoothForces::Rates there = forces.rates(place);
  at_interface_ = there.accelerations[0][0];
  for (const Vector3& received : there.received) received_.push_back({received[0], 0});
  std::array<Vector3, 1> product{};
  for (const auto& potential : system.potentials)
    potential->add_hessian_times(Displacements(displacement), along, product);
  stiffness_ = product[0][0] / system.masses[0];
  const std::vector<int> reactions = reactions_of_potentials(system);
  for (std::size_t p = 0; p < reactions.size(); ++p) {
    if (reactions[p] < 0) continue;
    std::array<Vector3, 1> of_one{};
    system.potentials[p]->add_hessian_times(Displacements(displacement), along, of_one);
    at(received_, reactions[p]).stiffness += of_one[0][0];
  }
}

int QuadraticArcs::flow(Phase& phase, double step, StepInterfaces& interfaces) const {
  constexpr int most = 1000;
  int reflections = 0;
  for (int impacts = 0; impacts < most; ++impacts) {
    const double x = phase.positions[0][0], v = phase.velocities[0][0], a = acceleration(x);
    const auto place = [&](double t) {
      const Arc at_t = arc(stiffness_, t);
      return std::vector<Vector3>{{x + v * at_t.s + a * at_t.e, 0, 0}};
    };
    // The middle part of a triple jump goes back in time: along the arcs of reversed time.
    const double direction = step < 0 ? -1 : 1;
    const double spread = std::abs(step) * largest_acceleration(stiffness_, a, v, std::abs(step));
    const MotionBound bound{{{direction * v, 0, 0}}, (1 + 0x1p-40) * spread};
    const auto crossing =
        interfaces.first_crossing([&](double t) { return place(direction * t); }, std::abs(step), bound);
    const double t = crossing ? direction * crossing->instant : step;
    const Arc end = arc(stiffness_, t);
    phase.positions = place(t);
    phase.velocities[0][0] = v * end.c + a * end.s;
    const double way = (x - interface_) * t + v * end.e + a * end.f;  // ∫ (x − q*)
    for (std::size_t r = 0; r < received_.size(); ++r)
      phase.received[r][0] += received_[r].at_interface * t + received_[r].stiffness * way;
    if (!crossing) return reflections;
    reflections += interfaces.impact(*crossing, phase) ? 1 : 0;
    step -= t;
  }
  throw Error(Error::Kind::run, "integrator.variant = \"dp2\"", "fewer than 1000 impacts in a step", "more");
}

void QuadraticArcs::kick_by_rest(Phase& phase, double step) const {
  SmoothForces::Rates rest = forces_.rates(phase.positions);
  const double x = phase.positions[0][0];
  rest.accelerations[0][0] -= acceleration(x);
  for (std::size_t r = 0; r < received_.size(); ++r)
    rest.received[r][0] -= received_[r].at_interface + received_[r].stiffness * (x - interface_);
  kick(rest, phase, step);
}

}  // namespace terrace
