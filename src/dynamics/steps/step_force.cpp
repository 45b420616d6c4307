#include "dynamics/steps/step_force.hpp"

#include <utility>

#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {

static std::vector<Vector3> displacements_now(const State& state) {
  std::vector<Vector3> displacements;
  displacements.reserve(state.lines.size());
  for (const NodeLine& line : state.lines) displacements.push_back(line.displacement_at(state.time));
  return displacements;
}

/// first + factor · second
static void combine(std::span<const Vector3> first, double factor, std::span<const Vector3> second,
                    std::vector<Vector3>& sum) {
  sum.resize(first.size());
  for (std::size_t a = 0; a < sum.size(); ++a) sum[a] = first[a] + factor * second[a];
}

/// Calls visit(potential, its name for messages) for all potentials of this rank.
template <class Visit>
static void for_each_potential(const Lagrangian& lagrangian, Visit visit) {
  for (const Subdomain& subdomain : lagrangian.subdomains)
    for (std::size_t p = 0; p < subdomain.potentials.size(); ++p) {
      const int reaction = subdomain.reaction_of_potential[p];
      visit(*subdomain.potentials[p],
            reaction < 0 ? "subdomain " + subdomain.name : at(lagrangian.reaction_names, reaction));
    }
}

MidpointForce::MidpointForce(const Lagrangian& lagrangian, const std::string& method)
    : lagrangian_(lagrangian) {
  together(lagrangian.communicator->handle(), [&] {
    for_each_potential(lagrangian, [&](const Potential& potential, const std::string& name) {
      if (!potential.has_hessian())
        throw Error(Error::Kind::input, "integrator.method = \"" + method + "\"",
                    "potentials with second derivatives, for Newton's method", name + " without");
    });
  });
}

void MidpointForce::begin(const State& state, double /*duration*/) {
  start_ = displacements_now(state);
  instant_ = state.time;
}

double MidpointForce::evaluate(std::span<const Vector3> change, SubdomainGradient& gradient) {
  combine(start_, 0.5, change, middle_);
  return gradient.evaluate_all(
      [this](const Potential& potential, const Grid& grid, std::span<Vector3> sum) {
        return potential.add_gradient(Displacements(middle_), grid, sum);
      },
      instant_);
}

void MidpointForce::add_change(std::span<const Vector3> direction, std::span<Vector3> product) {
  half_.assign(direction.begin(), direction.end());
  for (Vector3& component : half_) component = 0.5 * component;
  for_each_potential(lagrangian_, [&](const Potential& potential, const std::string& /*name*/) {
    potential.add_hessian_times(Displacements(middle_), half_, product);
  });
}

DiscreteGradientForce::DiscreteGradientForce(const Lagrangian& lagrangian) {
  together(lagrangian.communicator->handle(), [&] {
    for_each_potential(lagrangian, [&](const Potential& potential, const std::string& name) {
      auto discrete = potential.discrete_gradient();
      if (discrete == nullptr)
        throw Error(Error::Kind::input, "integrator.method = \"energy-momentum\"",
                    "potentials with a discrete gradient: elastic bodies, walls, gravity", name + " without");
      gradient_of_[&potential] = discrete.get();
      gradients_.push_back(std::move(discrete));
    });
  });
}

void DiscreteGradientForce::begin(const State& state, double /*duration*/) {
  start_ = displacements_now(state);
  instant_ = state.time;
}

double DiscreteGradientForce::evaluate(std::span<const Vector3> change, SubdomainGradient& gradient) {
  combine(start_, 1, change, end_);
  return gradient.evaluate_all(
      [this](const Potential& potential, const Grid& grid, std::span<Vector3> sum) {
        return gradient_of_.at(&potential)->add(Displacements(start_), Displacements(end_), grid, sum);
      },
      instant_);
}

void DiscreteGradientForce::linearize() {
  for (const auto& gradient : gradients_) gradient->linearize(Displacements(start_), Displacements(end_));
}

void DiscreteGradientForce::add_change(std::span<const Vector3> direction, std::span<Vector3> product) {
  for (const auto& gradient : gradients_) gradient->add_change(direction, product);
}

SemiExplicitForce::SemiExplicitForce(const Lagrangian& lagrangian, Lines& lines, double explicit_weight,
                                     double implicit_weight)
    : lagrangian_(lagrangian),
      lines_(lines),
      explicit_weight_(explicit_weight),
      implicit_weight_(implicit_weight) {
  for (const ElasticBlock& block : lagrangian.elastic_blocks) elastic_.push_back(block.elastic);
  is_elastic_.insert(elastic_.begin(), elastic_.end());
}

void SemiExplicitForce::begin(const State& state, double duration) {
  start_ = displacements_now(state);
  state_ = &state;
  instant_ = state.time + explicit_weight_ * duration;
  explicit_.assign(start_.size(), Vector3{});
  held_.clear();
}

double SemiExplicitForce::add_explicit(const Potential& potential, const Grid& grid,
                                       std::span<Vector3> gradient) {
  Held& held = held_[&potential];
  if (held.quantum != grid.quantum) {
    held.largest = lines_.of(potential).add_gradient(state_->lines, instant_, grid, explicit_);
    held.quantum = grid.quantum;
    held.force.clear();
    for (const std::int32_t node : potential.nodes()) {
      held.force.push_back(at(explicit_, node));
      at(explicit_, node) = Vector3{};
    }
  }
  for (std::size_t i = 0; i < held.force.size(); ++i) at(gradient, potential.nodes()[i]) += held.force[i];
  return held.largest;
}

double SemiExplicitForce::evaluate(std::span<const Vector3> change, SubdomainGradient& gradient) {
  combine(start_, implicit_weight_, change, point_);
  return gradient.evaluate_all(
      [this](const Potential& potential, const Grid& grid, std::span<Vector3> sum) {
        return is_elastic_.contains(&potential) ? potential.add_gradient(Displacements(point_), grid, sum)
                                                : add_explicit(potential, grid, sum);
      },
      instant_);
}

void SemiExplicitForce::add_change(std::span<const Vector3> direction, std::span<Vector3> product) {
  scaled_.assign(direction.begin(), direction.end());
  for (Vector3& component : scaled_) component = implicit_weight_ * component;
  for (const Potential* potential : elastic_)
    potential->add_hessian_times(Displacements(point_), scaled_, product);
}

}  // namespace terrace
