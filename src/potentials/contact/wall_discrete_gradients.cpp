// Discrete gradients of what acts from outside, gravity and walls. Walls are functions of distances that are
// linear in the positions: their discrete gradient is the difference quotient of each term by its distance.
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "potentials/contact/hertz_wall.hpp"
#include "potentials/contact/plane_contact.hpp"
#include "potentials/gravity.hpp"
#include "potentials/mean_slope.hpp"

namespace terrace {

// Adds `force` · normal, rounded to the grid, to a node's gradient; returns the largest magnitude of a
// component.
static double add_force(double force, const Vector3& normal, const Grid& grid, Vector3& gradient) {
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double term = force * normal[k];
    largest = larger(largest, std::abs(term));
    gradient[k] += grid.round(term);
  }
  return largest;
}

/// The gradient of gravity itself, which is the same everywhere.
class GravityDiscreteGradient : public DiscreteGradient {
 public:
  explicit GravityDiscreteGradient(const Gravity& gravity) : gravity_(gravity) {}
  double add(const Displacements& /*from*/, const Displacements& to, const Grid& grid,
             std::span<Vector3> gradient) const override {
    return gravity_.add_gradient(to, grid, gradient);
  }
  void linearize(const Displacements& /*from*/, const Displacements& /*to*/) override {}
  void add_change(std::span<const Vector3> /*direction*/, std::span<Vector3> /*product*/) const override {}

 private:
  const Gravity& gravity_;
};

std::unique_ptr<DiscreteGradient> Gravity::discrete_gradient() const {
  return std::make_unique<GravityDiscreteGradient>(*this);
}

/// The difference quotient of each node's energy by its gap.
class PlaneContactDiscreteGradient : public DiscreteGradient {
 public:
  explicit PlaneContactDiscreteGradient(const PlaneContact& contact) : contact_(contact) {}

  double add(const Displacements& from, const Displacements& to, const Grid& grid,
             std::span<Vector3> gradient) const override {
    double largest = 0;
    for (std::size_t i = 0; i < contact_.count(); ++i) {
      const double force = contact_.stiffness_of(i) * slope(i, from, to).value;
      if (force == 0) continue;
      largest = larger(largest, add_force(force, contact_.normal_, grid, at(gradient, contact_.node(i))));
    }
    return largest;
  }

  void linearize(const Displacements& from, const Displacements& to) override {
    changes_.clear();
    for (std::size_t i = 0; i < contact_.count(); ++i)
      changes_.push_back(contact_.stiffness_of(i) * slope(i, from, to).change);
  }

  void add_change(std::span<const Vector3> direction, std::span<Vector3> product) const override {
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      const double change = changes_[i];
      const std::int32_t node = contact_.node(i);
      at(product, node) += (change * dot(at(direction, node), contact_.normal_)) * contact_.normal_;
    }
  }

 private:
  [[nodiscard]] MeanSlope slope(std::size_t i, const Displacements& from, const Displacements& to) const {
    const ContactProfile& profile = contact_.profile_;
    const double first = contact_.gap(i, at(from, contact_.node(i))),
                 last = contact_.gap(i, at(to, contact_.node(i)));
    const bool feels_first = first < profile.activation(), feels_last = last < profile.activation();
    if (!feels_first && !feels_last) return {};
    if (profile.diverges() && !(last > 0))
      throw Error(Error::Kind::run, "wall", "nodes on their side of the barrier", "one behind it");
    return mean_slope(profile, first, last, feels_first == feels_last);
  }

  const PlaneContact& contact_;
  std::vector<double> changes_;  // derivative of the force on each node by its gap at the end
};

std::unique_ptr<DiscreteGradient> PlaneContact::discrete_gradient() const {
  return std::make_unique<PlaneContactDiscreteGradient>(*this);
}

/// The difference quotient of the energy by the one penetration δ.
class HertzWallDiscreteGradient : public DiscreteGradient {
 public:
  explicit HertzWallDiscreteGradient(const HertzWall& wall) : wall_(wall) {}

  double add(const Displacements& from, const Displacements& to, const Grid& grid,
             std::span<Vector3> gradient) const override {
    const double force = slope(from, to).value;
    double largest = 0;
    for (std::size_t i = 0; force != 0 && i < wall_.nodes_.size(); ++i)
      largest = larger(
          largest, add_force(-force * wall_.load_[i], wall_.normal_, grid, at(gradient, wall_.nodes_[i])));
    return largest;
  }

  void linearize(const Displacements& from, const Displacements& to) override {
    stiffness_ = slope(from, to).change;
  }

  void add_change(std::span<const Vector3> direction, std::span<Vector3> product) const override {
    double change = 0;
    for (std::size_t i = 0; i < wall_.nodes_.size(); ++i)
      change += wall_.load_[i] * dot(at(direction, wall_.nodes_[i]), wall_.normal_);
    for (std::size_t i = 0; i < wall_.nodes_.size(); ++i)
      at(product, wall_.nodes_[i]) += (stiffness_ * change * wall_.load_[i]) * wall_.normal_;
  }

 private:
  [[nodiscard]] MeanSlope slope(const Displacements& from, const Displacements& to) const {
    const double first = wall_.penetration(from), last = wall_.penetration(to);
    if (!(first > 0) && !(last > 0)) return {};
    // V‴ jumps where contact begins, and where the tangent takes over from the law.
    const double tangent_from = wall_.law_.largest_penetration();
    const bool smooth = first > 0 && last > 0 && (first < tangent_from) == (last < tangent_from);
    return mean_slope(wall_.law_, first, last, smooth);
  }

  const HertzWall& wall_;
  double stiffness_ = 0;
};

std::unique_ptr<DiscreteGradient> HertzWall::discrete_gradient() const {
  return std::make_unique<HertzWallDiscreteGradient>(*this);
}

}  // namespace terrace
