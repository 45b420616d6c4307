#include "potentials/plane_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "parallel/error.hpp"

namespace terrace {
namespace {

void verify(const std::vector<std::int32_t>& nodes, std::size_t node_count, std::size_t weights,
            const Plane& plane, double stiffness, const std::string& where) {
  const double length = norm(plane.normal);
  if (!(length > 0) || !std::isfinite(length))
    throw Error(Error::Kind::input, where, "a normal that is finite and not zero",
                fmt::format("({}, {}, {})", plane.normal[0], plane.normal[1], plane.normal[2]));
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    throw Error(Error::Kind::input, where, "a positive stiffness", fmt::format("{}", stiffness));
  if (weights != nodes.size())
    throw Error(Error::Kind::input, where, fmt::format("{} weights of nodes", nodes.size()),
                fmt::format("{}", weights));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool ascending = i == 0 ? nodes[i] >= 0 : nodes[i - 1] < nodes[i];
    if (!ascending || static_cast<std::size_t>(nodes[i]) >= node_count)
      throw Error(Error::Kind::input, where,
                  fmt::format("boundary nodes in ascending order below {}", node_count),
                  fmt::format("node {} at place {}", nodes[i], i));
  }
}

}  // namespace

PlaneContact::PlaneContact(std::span<const Vector3> reference_positions,
                           std::vector<std::int32_t> boundary_nodes, std::vector<double> weights,
                           const Plane& plane, const ContactProfile& profile, double stiffness,
                           const std::string& where)
    : nodes_(std::move(boundary_nodes)),
      stiffness_(std::move(weights)),
      normal_(plane.normal),
      profile_(profile),
      gap_(nodes_.size()),
      speed_(nodes_.size()) {
  verify(nodes_, reference_positions.size(), stiffness_.size(), plane, stiffness, where);
  normal_ = (1 / norm(plane.normal)) * plane.normal;
  for (double& weight : stiffness_) weight *= stiffness;
  for (const std::int32_t node : nodes_)
    reference_gap_.push_back(dot(reference_positions[static_cast<std::size_t>(node)] - plane.point, normal_));
}

double PlaneContact::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                  std::span<Vector3> gradient) {
  double largest = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto node = static_cast<std::size_t>(nodes_[i]);
    const double gap = reference_gap_[i] + dot(lines[node].displacement_at(instant), normal_);
    const double force = stiffness_[i] * profile_.at(gap).first;
    if (force == 0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const double term = force * normal_[k];
      largest = std::max(largest, std::abs(term));
      gradient[node][k] += grid.round(term);
    }
  }
  return largest;
}

void PlaneContact::set_node(std::size_t i, const NodeLine& line, double origin) {
  gap_[i] = reference_gap_[i] + dot(line.displacement_at(origin), normal_);
  speed_[i] = dot(line.velocity, normal_);
}

void PlaneContact::set_line(std::span<const NodeLine> lines, double origin) {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    set_node(i, lines[static_cast<std::size_t>(nodes_[i])], origin);
}

void PlaneContact::update_line(std::span<const NodeLine> lines, double origin,
                               std::span<const std::uint8_t> changed) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto node = static_cast<std::size_t>(nodes_[i]);
    if (changed[node] != 0) set_node(i, lines[node], origin);
  }
}

void PlaneContact::sample(double s, const LineGrids& grids, LineSample& sum) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double gap = gap_[i] + s * speed_[i];
    if (!(gap < profile_.activation())) continue;
    if (!(gap > 0) && profile_.diverges()) {
      sum.infinite += 1;
      continue;
    }
    const ContactProfile::Values psi = profile_.at(gap);
    const double value = stiffness_[i] * psi.value, slope = stiffness_[i] * psi.first * speed_[i];
    const double curvature = stiffness_[i] * psi.second * speed_[i] * speed_[i];
    sum.contact_terms += 1;
    sum.value.add(grids.value, value);
    sum.slope += grids.slope.round(slope);
    sum.curvature += grids.curvature.round(curvature);
    sum.largest_value = std::max(sum.largest_value, value);
    sum.largest_slope = std::max(sum.largest_slope, std::abs(slope));
    sum.largest_curvature = std::max(sum.largest_curvature, curvature);
  }
}

void PlaneContact::bound(double from, double to, const LineGrids& grids, LineBound& sum) const {
  const double activation = profile_.activation();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double now = gap_[i] + from * speed_[i], then = gap_[i] + to * speed_[i];
    const double nearest = std::min(now, then), farthest = std::max(now, then);
    if (!(nearest < activation)) continue;
    // A good bound needs a distance that changes little.
    if (profile_.diverges() && !(nearest > 0.25 * std::min(now, activation))) {
      sum.invalid += 1;
      continue;
    }
    const double scale = stiffness_[i] * speed_[i] * speed_[i];
    const double here = profile_.at(now).second;
    const double rise = scale * (profile_.at(nearest).second - here);
    const double fall = scale * (here - profile_.at(farthest).second);
    if (rise == 0 && fall == 0) continue;
    // One quantum each for the rounding of V″ in the sample and of the bound itself.
    const double above = rise + grids.curvature.quantum, below = fall + grids.curvature.quantum;
    sum.contact_terms += 1;
    sum.above += grids.above.round(above) + grids.above.quantum;
    sum.below += grids.below.round(below) + grids.below.quantum;
    sum.largest_above = std::max(sum.largest_above, above);
    sum.largest_below = std::max(sum.largest_below, below);
  }
}

}  // namespace terrace
