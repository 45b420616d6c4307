#include "potentials/gravity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/at.hpp"

namespace terrace {

Gravity::Gravity(std::vector<std::int32_t> nodes, const std::vector<double>& masses,
                 const Vector3& acceleration)
    : nodes_(std::move(nodes)) {
  for (const std::int32_t node : nodes_) gradients_.push_back(-at(masses, node) * acceleration);
}

std::vector<double> Gravity::energies(const Displacements& displacements) const {
  std::vector<double> energies;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    energies.push_back(dot(gradients_[i], at(displacements, nodes_[i])));
  return energies;
}

double Gravity::add_gradient(const Displacements& /*displacements*/, const Grid& grid,
                             std::span<Vector3> gradient) const {
  double largest = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      largest = std::max(largest, std::abs(gradients_[i][d]));
      at(gradient, nodes_[i])[d] += grid.round(gradients_[i][d]);
    }
  return largest;
}

void Gravity::add_hessian_times(const Displacements& /*displacements*/,
                                std::span<const Vector3> /*direction*/,
                                std::span<Vector3> /*product*/) const {}

void Gravity::add_bounds_nearby(const Displacements& /*displacements*/, double /*radius*/,
                                std::span<double> slope, std::span<double> /*stiffness*/) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) at(slope, nodes_[i]) += norm(gradients_[i]);
}

std::unique_ptr<PotentialOnLine> Gravity::on_line() const { return std::make_unique<GravityOnLine>(*this); }

GravityOnLine::GravityOnLine(const Gravity& gravity)
    : gravity_(gravity), value_(gravity.nodes_.size()), slope_(gravity.nodes_.size()) {}

void GravityOnLine::set_node(std::size_t i, const NodeLine& line, double origin) {
  value_[i] = dot(gravity_.gradients_[i], line.displacement_at(origin));
  slope_[i] = dot(gravity_.gradients_[i], line.velocity);
}

void GravityOnLine::begin(std::span<const NodeLine> lines, double origin) {
  for (std::size_t i = 0; i < value_.size(); ++i) set_node(i, at(lines, gravity_.nodes_[i]), origin);
}

void GravityOnLine::change(std::span<const NodeLine> lines, double origin,
                           std::span<const std::uint8_t> changed) {
  for (std::size_t i = 0; i < value_.size(); ++i) {
    const auto node = static_cast<std::size_t>(gravity_.nodes_[i]);
    if (changed[node] != 0) set_node(i, lines[node], origin);
  }
}

void GravityOnLine::sample(double s, const LineGrids& grids, LineSample& sum) {
  for (std::size_t i = 0; i < value_.size(); ++i) {
    const double value = value_[i] + s * slope_[i];
    sum.add(grids, value, slope_[i], 0);
  }
}

void GravityOnLine::bound(double /*from*/, double /*to*/, const LineGrids& /*grids*/, LineBound& /*sum*/) {}

}  // namespace terrace
