// The force of a step of an implicit method: what takes the place of ∇V.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dynamics/terraces/lines.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"

namespace terrace {

/// G(D), a mean of ∇V over a step of h in which the nodes move by D: momenta change by −h G.
class StepForce {
 public:
  StepForce() = default;
  StepForce(const StepForce&) = delete;
  StepForce& operator=(const StepForce&) = delete;
  virtual ~StepForce() = default;

  /// To be called before a step of `duration` [s] that begins at state.time. Collective.
  virtual void begin(const State& state, double duration) = 0;
  /// Evaluates G for D = `change` (by local node [length]) into `gradient`, on exact grids. Returns the
  /// quantum of its grid. Collective. Throws Error(run) on all ranks where V has no value.
  virtual double evaluate(std::span<const Vector3> change, SubdomainGradient& gradient) = 0;
  /// Prepares products with ∂G/∂D at the D of the last evaluate().
  virtual void linearize() {}
  /// Adds this rank's share of ∂G/∂D · direction to `product`; both by local node.
  virtual void add_change(std::span<const Vector3> direction, std::span<Vector3> product) = 0;
  /// Whether ∂G/∂D is symmetric.
  [[nodiscard]] virtual bool is_symmetric() const { return true; }
  /// The share of ∇∇V that ∂G/∂D is, about: ½ where G is a mean over the step.
  [[nodiscard]] virtual double implicitness() const { return 0.5; }
};

/// ∇V at the middle of the step: the implicit midpoint rule. The constructor throws Error(input), naming the
/// potential, where one has no Hessian.
class MidpointForce : public StepForce {
 public:
  MidpointForce(const Lagrangian& lagrangian, const std::string& method);
  void begin(const State& state, double duration) override;
  double evaluate(std::span<const Vector3> change, SubdomainGradient& gradient) override;
  void add_change(std::span<const Vector3> direction, std::span<Vector3> product) override;
  /// The displacements at the middle of the step, with the D of the last evaluate().
  [[nodiscard]] std::span<const Vector3> middle() const { return middle_; }

 private:
  const Lagrangian& lagrangian_;
  double instant_ = 0;
  std::vector<Vector3> start_, middle_, half_;
};

/// The discrete gradient between both ends of the step: the energy-momentum method (Gonzalez 1996). The
/// constructor throws Error(input), naming the potential, where one has no discrete gradient.
class DiscreteGradientForce : public StepForce {
 public:
  explicit DiscreteGradientForce(const Lagrangian& lagrangian);
  void begin(const State& state, double duration) override;
  double evaluate(std::span<const Vector3> change, SubdomainGradient& gradient) override;
  void linearize() override;
  void add_change(std::span<const Vector3> direction, std::span<Vector3> product) override;
  [[nodiscard]] bool is_symmetric() const override { return false; }

 private:
  std::vector<std::unique_ptr<DiscreteGradient>> gradients_;  // of all potentials of this rank
  std::unordered_map<const Potential*, const DiscreteGradient*> gradient_of_;
  double instant_ = 0;
  std::vector<Vector3> start_, end_;
};

/// The semi-explicit method (Modin 2009, paper V): forces of elastic bodies at u + β D, and all others,
/// contact and what acts from outside, at u + α h v. The latter do not depend on D and are evaluated once in
/// a step.
class SemiExplicitForce : public StepForce {
 public:
  SemiExplicitForce(const Lagrangian& lagrangian, Lines& lines, double explicit_weight,
                    double implicit_weight);
  void begin(const State& state, double duration) override;
  double evaluate(std::span<const Vector3> change, SubdomainGradient& gradient) override;
  void add_change(std::span<const Vector3> direction, std::span<Vector3> product) override;
  [[nodiscard]] double implicitness() const override { return implicit_weight_; }

 private:
  // An explicit force, kept for the present step.
  struct Held {
    double quantum = -1, largest = 0;  // −1: not evaluated yet, as the grid of no forces has the quantum 0
    std::vector<Vector3> force;        // by Potential::nodes()
  };
  double add_explicit(const Potential& potential, const Grid& grid, std::span<Vector3> gradient);

  const Lagrangian& lagrangian_;
  Lines& lines_;
  double explicit_weight_, implicit_weight_;
  std::vector<const Potential*> elastic_;
  std::unordered_set<const Potential*> is_elastic_;
  const State* state_ = nullptr;
  double instant_ = 0;
  std::unordered_map<const Potential*, Held> held_;
  std::vector<Vector3> start_, point_, scaled_, explicit_;
};

}  // namespace terrace
