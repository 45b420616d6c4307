#include "potentials/plane_penalty.hpp"

#include <fmt/format.h>

#include <utility>

#include "parallel/error.hpp"

namespace terrace {
namespace {

void verify(const std::vector<std::int32_t>& nodes, std::size_t node_count, const Wall& wall) {
  const std::string where = "wall " + wall.name;
  const double length = norm(wall.normal);
  if (!(length > 0) || !std::isfinite(length)) {
    throw Error(Error::Kind::input, where, "a normal that is finite and not zero",
                fmt::format("({}, {}, {})", wall.normal[0], wall.normal[1], wall.normal[2]));
  }
  if (!(wall.stiffness > 0) || !std::isfinite(wall.stiffness)) {
    throw Error(Error::Kind::input, where, "a positive stiffness", fmt::format("{}", wall.stiffness));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool ascending = i == 0 ? nodes[i] >= 0 : nodes[i - 1] < nodes[i];
    if (!ascending || static_cast<std::size_t>(nodes[i]) >= node_count) {
      throw Error(Error::Kind::input, where,
                  fmt::format("boundary nodes in ascending order below {}", node_count),
                  fmt::format("node {} at place {}", nodes[i], i));
    }
  }
}

/// A certificate may only grow by rounding.
double round_up(const Grid& grid, double x) {
  const double rounded = grid.round(x);
  return rounded < x ? rounded + grid.quantum : rounded;
}

}  // namespace

PlanePenalty::PlanePenalty(std::span<const Vector3> reference_positions,
                           std::vector<std::int32_t> boundary_nodes, const Wall& wall)
    : nodes_(std::move(boundary_nodes)), normal_(wall.normal), stiffness_(wall.stiffness) {
  verify(nodes_, reference_positions.size(), wall);
  normal_ = (1 / norm(wall.normal)) * wall.normal;
  for (const std::int32_t node : nodes_) {
    reference_gap_.push_back(dot(reference_positions[static_cast<std::size_t>(node)] - wall.point, normal_));
  }
  gap_.resize(nodes_.size());
  speed_.resize(nodes_.size());
}

double PlanePenalty::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                  std::span<Vector3> gradient) {
  double largest = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto node = static_cast<std::size_t>(nodes_[i]);
    const double gap = reference_gap_[i] + dot(lines[node].displacement_at(instant), normal_);
    if (!(gap < 0)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const double term = stiffness_ * gap * normal_[k];
      largest = std::max(largest, std::abs(term));
      gradient[node][k] += grid.round(term);
    }
  }
  return largest;
}

void PlanePenalty::set_node(std::size_t i, const NodeLine& line, double origin) {
  gap_[i] = reference_gap_[i] + dot(line.displacement_at(origin), normal_);
  speed_[i] = dot(line.velocity, normal_);
}

void PlanePenalty::set_line(std::span<const NodeLine> lines, double origin) {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    set_node(i, lines[static_cast<std::size_t>(nodes_[i])], origin);
}

void PlanePenalty::update_line(std::span<const NodeLine> lines, double origin,
                               std::span<const std::uint8_t> changed) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto node = static_cast<std::size_t>(nodes_[i]);
    if (changed[node] != 0) set_node(i, lines[node], origin);
  }
}

void PlanePenalty::sample(double s, const LineGrids& grids, LineSample& sum) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double gap = gap_[i] + s * speed_[i];
    if (!(gap < 0)) continue;
    const double value = 0.5 * stiffness_ * gap * gap;
    const double slope = stiffness_ * gap * speed_[i];
    const double curvature = stiffness_ * speed_[i] * speed_[i];
    sum.contact_terms += 1;
    sum.value.add(grids.value, value);
    sum.slope += grids.slope.round(slope);
    sum.curvature += grids.curvature.round(curvature);
    sum.largest_value = std::max(sum.largest_value, value);
    sum.largest_slope = std::max(sum.largest_slope, std::abs(slope));
    sum.largest_curvature = std::max(sum.largest_curvature, curvature);
  }
}

void PlanePenalty::bound(double from, double to, const LineGrids& grids, LineBound& sum) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const bool behind_at_first = gap_[i] + from * speed_[i] < 0,
               behind_at_last = gap_[i] + to * speed_[i] < 0;
    if (behind_at_first == behind_at_last) continue;  // the gap is linear: V″ is constant
    const double change = stiffness_ * speed_[i] * speed_[i];
    sum.contact_terms += 1;
    if (behind_at_last) {
      sum.above += round_up(grids.above, change);
      sum.largest_above = std::max(sum.largest_above, change);
    } else {
      sum.below += round_up(grids.below, change);
      sum.largest_below = std::max(sum.largest_below, change);
    }
  }
}

}  // namespace terrace
