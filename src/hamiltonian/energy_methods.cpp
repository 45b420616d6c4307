// Implicit methods that keep an energy exactly. The symplectic-energy-momentum method does so by the length
// of its steps (Kane, Marsden and Ortiz, Journal of Mathematical Physics 40, 1999), the energy-momentum
// method by a discrete gradient (Gonzalez, Journal of Nonlinear Science 6, 1996).
#include <algorithm>
#include <cmath>
#include <optional>

#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/newton.hpp"

namespace terrace {

namespace {

/// The symplectic-energy-momentum method with γ = ½. A step solves for its change D of q and its length h:
/// from the momentum P, M D/h − h/2 F(q + D/2) = P, and the discrete energy E_d = ½ DᵀM D/h² + V(q + D/2) is
/// that of the step before. If no h near the last one does this, the last h is taken again and the energy
/// that the step then has is kept from there on, as in the paper; such steps are counted.
class SymplecticEnergyMomentum final : public Method {
 public:
  SymplecticEnergyMomentum(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system),
        h_(settings.time_step),
        largest_(settings.largest_step),
        bordered_(system.size() + 1),
        midpoint_(system.size()) {}

  void step(DenseState& state) override {
    if (!started_) return start(state);
    Values change(system_.size());
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = h_ * state.p[i] / system_.masses[i];
    // Newton's method starts from the last velocity, then from the midpoint rule with the last h; then there
    // is a search. In free flight every h keeps the energy and the tangent is singular: the last h is kept.
    const bool solved =
        solve_bordered(state, change) ||
        (try_midpoint(state, h_, change) && (keeps_energy(state, change) || solve_bordered(state, change))) ||
        search(state, change);
    if (!solved) {
      ++unsolved_;
      solve_midpoint(state, h_, change);
      energy_ = discrete_energy(state.q, change, h_);
    }
    advance(state, change);
  }

  [[nodiscard]] MethodRecord record() const override {
    MethodRecord record;
    record.unsolved = unsolved_;
    record.newton_solves = bordered_.solves() + midpoint_.solves();
    record.newton_iterations = bordered_.iterations() + midpoint_.iterations();
    record.last_reason = bordered_.reason();
    record.largest["discrete_energy_drift"] = drift_;
    return record;
  }

 private:
  [[nodiscard]] double discrete_energy(View q, View change, double h) const {
    double sum = system_.potential(plus(q, 0.5, change), 0);
    for (std::size_t i = 0; i < q.size(); ++i)
      sum += 0.5 * system_.masses[i] * change[i] * change[i] / (h * h);
    return sum;
  }

  // The first step. From rest it is q1 = q0, as in the paper's examples, so that all times are half a step
  // late. Otherwise it is one of the midpoint rule.
  void start(DenseState& state) {
    started_ = true;
    Values change(system_.size(), 0.0);
    const bool at_rest = std::all_of(state.p.begin(), state.p.end(), [](double p) { return p == 0; });
    if (!at_rest) solve_midpoint(state, h_, change);
    energy_ = first_energy_ = discrete_energy(state.q, change, h_);
    advance(state, change);
  }

  void advance(DenseState& state, View change) {
    const Values middle = plus(state.q, 0.5, change), gradient = system_.gradient(middle, 0);
    for (std::size_t i = 0; i < change.size(); ++i)
      state.p[i] = system_.masses[i] * change[i] / h_ - 0.5 * h_ * gradient[i];
    drift_ = std::max(drift_, std::abs(discrete_energy(state.q, change, h_) - first_energy_));
    state.q = plus(state.q, 1, change);
    state.time += h_;
  }

  [[nodiscard]] bool allowed(double h) const {
    return h >= 0.5 * h_ && h <= 2 * h_ && (largest_ == 0 || h <= largest_);
  }

  [[nodiscard]] bool keeps_energy(const DenseState& state, View change) const {
    constexpr double rounding = 1e-14;
    return std::abs(discrete_energy(state.q, change, h_) - energy_) <= rounding * std::abs(energy_);
  }

  // Solves for D and h together, by Newton's method with n + 1 unknowns. False if it fails or h is not
  // allowed.
  bool solve_bordered(const DenseState& state, Values& change) {
    const std::size_t n = change.size();
    Values unknowns = change;
    unknowns.push_back(h_);
    const auto residual = [&](const Values& x, Values& defect) {
      const View d = View(x).first(n);
      const Values gradient = system_.gradient(plus(state.q, 0.5, d), 0);
      const double h = x[n];
      for (std::size_t i = 0; i < n; ++i)
        defect[i] = system_.masses[i] * d[i] / h + 0.5 * h * gradient[i] - state.p[i];
      defect[n] = discrete_energy(state.q, d, h) - energy_;
    };
    const auto tangent = [&](const Values& x, Matrix& matrix) {
      matrix.clear();
      const View d = View(x).first(n);
      const Values middle = plus(state.q, 0.5, d), gradient = system_.gradient(middle, 0);
      Matrix hessian(n);
      system_.add_hessian(middle, 0, hessian);
      const double h = x[n];
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) matrix(i, j) = 0.25 * h * hessian(i, j);
        matrix(i, i) += system_.masses[i] / h;
        matrix(i, n) = -system_.masses[i] * d[i] / (h * h) + 0.5 * gradient[i];
        matrix(n, i) = system_.masses[i] * d[i] / (h * h) + 0.5 * gradient[i];
        matrix(n, n) -= system_.masses[i] * d[i] * d[i] / (h * h * h);
      }
    };
    if (!bordered_.try_solve(unknowns, {residual, tangent}) || !allowed(unknowns[n])) return false;
    h_ = unknowns[n];
    unknowns.pop_back();
    change = unknowns;
    return true;
  }

  bool try_midpoint(const DenseState& state, double h, Values& change) {
    const std::size_t n = change.size();
    const auto residual = [&](const Values& d, Values& defect) {
      const Values gradient = system_.gradient(plus(state.q, 0.5, d), 0);
      for (std::size_t i = 0; i < n; ++i)
        defect[i] = system_.masses[i] * d[i] / h + 0.5 * h * gradient[i] - state.p[i];
    };
    const auto tangent = [&](const Values& d, Matrix& matrix) {
      matrix.clear();
      Matrix hessian(n);
      system_.add_hessian(plus(state.q, 0.5, d), 0, hessian);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) matrix(i, j) = 0.25 * h * hessian(i, j);
        matrix(i, i) += system_.masses[i] / h;
      }
    };
    for (std::size_t i = 0; i < n; ++i) change[i] = h * state.p[i] / system_.masses[i];
    return midpoint_.try_solve(change, {residual, tangent});
  }

  void solve_midpoint(const DenseState& state, double h, Values& change) {
    if (!try_midpoint(state, h, change)) throw midpoint_.no_solution(state.time);
  }

  // Finds h where Newton's method fails: looks on either side of the last h for the nearest change of sign of
  // E_d(h) − E, and bisects there. False if there is none.
  bool search(const DenseState& state, Values& change) {
    const auto excess = [&](double h) -> std::optional<double> {
      if (!allowed(h) || !try_midpoint(state, h, change)) return std::nullopt;
      return discrete_energy(state.q, change, h) - energy_;
    };
    const auto first = excess(h_);
    if (!first) return false;
    constexpr double growth = 1.03;
    double longer = h_, shorter = h_;
    while (allowed(longer * growth) || allowed(shorter / growth)) {
      for (double* end : {&longer, &shorter}) {
        const double last = *end, next = end == &longer ? last * growth : last / growth;
        *end = next;
        const auto at_last = excess(last), at_next = excess(next);
        if (at_last && at_next && (*at_last < 0) != (*at_next < 0))
          return bisect(excess, last, next, *at_last < 0);
      }
    }
    return false;
  }

  template <class Excess>
  bool bisect(const Excess& excess, double from, double to, bool negative) {
    for (int i = 0; i < 100 && std::abs(to - from) > 1e-15 * h_; ++i) {
      const double middle = 0.5 * (from + to);
      const auto value = excess(middle);
      if (!value) return false;
      ((*value < 0) == negative ? from : to) = middle;
    }
    if (!excess(from)) return false;
    h_ = from;
    return true;
  }

  HamiltonianSystem& system_;
  double h_, largest_;
  NewtonSolver bordered_, midpoint_;
  bool started_ = false;
  double energy_ = 0, first_energy_ = 0, drift_ = 0;
  std::int64_t unsolved_ = 0;
};

/// The energy-momentum method: M Δ/h = p0 − h/2 D(q0, q1), p1 = p0 − h D, with Δ = q1 − q0 and D the sum of
/// the forces' discrete gradients.
class EnergyMomentum final : public Method {
 public:
  EnergyMomentum(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system), h_(settings.time_step), newton_(system.size()) {}

  void step(DenseState& state) override {
    const std::size_t n = system_.size();
    Values change(n);
    for (std::size_t i = 0; i < n; ++i) change[i] = h_ * state.p[i] / system_.masses[i];
    const auto gradient = [&](View d) {
      ++system_.evaluations;
      Values sum(n, 0.0);
      for (const auto& force : system_.forces)
        if (force->on) force->add_discrete_gradient(state.q, plus(state.q, 1, d), 0, sum);
      return sum;
    };
    const auto residual = [&](const Values& d, Values& defect) {
      const Values slope = gradient(d);
      for (std::size_t i = 0; i < n; ++i)
        defect[i] = system_.masses[i] * d[i] / h_ + 0.5 * h_ * slope[i] - state.p[i];
    };
    const auto tangent = [&](const Values& d, Matrix& matrix) {
      ++system_.hessians;
      Matrix by_end(n);
      for (const auto& force : system_.forces)
        if (force->on) force->add_discrete_hessian(state.q, plus(state.q, 1, d), 0, by_end);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          matrix(i, j) = 0.5 * h_ * by_end(i, j) + (i == j ? system_.masses[i] / h_ : 0);
    };
    newton_.solve(change, {residual, tangent, 0, [&] { return noise(state); }}, state.time);
    state.p = plus(state.p, -h_, gradient(change));
    state.q = plus(state.q, 1, change);
    state.time += h_;
  }
  [[nodiscard]] double equal_step() const override { return h_; }

  [[nodiscard]] MethodRecord record() const override { return record_of(newton_); }

 private:
  // The error of the residual that comes from rounding q, as with a small motion far from the origin.
  [[nodiscard]] double noise(const DenseState& state) const {
    constexpr double rounding = 0x1p-51;
    const std::size_t n = system_.size();
    Matrix hessian(n);
    system_.add_hessian(state.q, 0, hessian);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) sum += std::abs(hessian(i, j) * state.q[j]);
    return std::isfinite(sum) ? 0.5 * h_ * rounding * sum : 0;
  }

  HamiltonianSystem& system_;
  double h_;
  NewtonSolver newton_;
};

}  // namespace

MadeMethod make_symplectic_energy_momentum(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<SymplecticEnergyMomentum>(system, settings);
}

MadeMethod make_energy_momentum(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<EnergyMomentum>(system, settings);
}

}  // namespace terrace
