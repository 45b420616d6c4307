#include "potentials/contact/plane_contact.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "numerics/larger.hpp"
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
    : PlaneContact(
          reference_positions,
          std::make_shared<BoundaryNodes>(BoundaryNodes{std::move(boundary_nodes), std::move(weights)}),
          plane, profile, stiffness, where) {}

PlaneContact::PlaneContact(std::span<const Vector3> reference_positions,
                           std::shared_ptr<const BoundaryNodes> boundary, const Plane& plane,
                           const ContactProfile& profile, double stiffness, const std::string& where)
    : boundary_(std::move(boundary)),
      reference_(reference_positions),
      point_(plane.point),
      normal_(plane.normal),
      profile_(profile),
      stiffness_(stiffness) {
  verify(boundary_->nodes, reference_positions.size(), boundary_->weights.size(), plane, stiffness, where);
  normal_ = (1 / norm(plane.normal)) * plane.normal;
  offset_ = dot(plane.point, normal_);
  double largest = 0;
  for (const std::int32_t node : boundary_->nodes)
    largest = std::max(largest, norm(at(reference_, node) - point_));
  rounding_ = 1e-9 * largest;
}

double PlaneContact::energy(std::size_t i, const Displacements& displacements) const {
  const double width = gap(i, at(displacements, node(i)));
  if (!(width < profile_.activation())) return 0;
  return !(width > 0) && profile_.diverges() ? infinity : stiffness_of(i) * profile_.at(width).value;
}

std::vector<double> PlaneContact::energies(const Displacements& displacements) const {
  std::vector<double> energies;
  for (std::size_t i = 0; i < count(); ++i)
    if (gap(i, at(displacements, node(i))) < profile_.activation())
      energies.push_back(energy(i, displacements));
  return energies;
}

/// Each boundary node is a term of its own.
class PlaneContactAtNodes : public TermsAtNodes {
 public:
  explicit PlaneContactAtNodes(const PlaneContact& contact) : contact_(contact) {}
  [[nodiscard]] std::span<const std::int32_t> nodes_around(std::int32_t node) const override {
    const std::size_t i = place(node);
    if (i == contact_.count() || contact_.node(i) != node) return {};
    return contact_.nodes().subspan(i, 1);
  }
  void append_energies(std::int32_t node, const Displacements& displacements,
                       std::vector<double>& energies) const override {
    if (!nodes_around(node).empty()) energies.push_back(contact_.energy(place(node), displacements));
  }

 private:
  [[nodiscard]] std::size_t place(std::int32_t node) const {
    const std::span<const std::int32_t> nodes = contact_.nodes();
    return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
  }

  const PlaneContact& contact_;
};

std::unique_ptr<TermsAtNodes> PlaneContact::terms_at_nodes() const {
  return std::make_unique<PlaneContactAtNodes>(*this);
}

double PlaneContact::add_gradient(const Displacements& displacements, const Grid& grid,
                                  std::span<Vector3> gradient) const {
  double largest = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const auto a = static_cast<std::size_t>(node(i));
    const double force = stiffness_of(i) * profile_.at(gap(i, displacements[a])).first;
    if (force == 0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const double term = force * normal_[k];
      largest = larger(largest, std::abs(term));
      gradient[a][k] += grid.round(term);
    }
  }
  return largest;
}

// ψ is decreasing and convex: slope and curvature are largest nearest to the plane.
void PlaneContact::add_bounds_nearby(const Displacements& displacements, double radius,
                                     std::span<double> slope, std::span<double> stiffness) const {
  for (std::size_t i = 0; i < count(); ++i) {
    const double nearest = gap(i, at(displacements, node(i))) - radius;
    const bool bounded = nearest > 0 || !profile_.diverges();
    const ContactProfile::Values most = profile_.at(nearest);
    at(slope, node(i)) += bounded ? stiffness_of(i) * std::abs(most.first) : infinity;
    at(stiffness, node(i)) += bounded ? stiffness_of(i) * most.second : infinity;
  }
}

void PlaneContact::add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                                     std::span<Vector3> product) const {
  for (std::size_t i = 0; i < count(); ++i) {
    const auto a = static_cast<std::size_t>(node(i));
    const double second = stiffness_of(i) * profile_.at(gap(i, displacements[a])).second;
    product[a] += (second * dot(direction[a], normal_)) * normal_;
  }
}

std::unique_ptr<PotentialOnLine> PlaneContact::on_line() const {
  return std::make_unique<PlaneContactOnLine>(*this);
}

PlaneContactOnLine::PlaneContactOnLine(const PlaneContact& contact)
    : contact_(contact), gap_(contact.count()), speed_(contact.count()) {}

void PlaneContactOnLine::set_node(std::size_t i, const NodeLine& line, double origin) {
  gap_[i] = contact_.gap(i, line.displacement_at(origin));
  speed_[i] = dot(line.velocity, contact_.normal_);
}

// The corner of the box that is nearest to the plane decides.
void PlaneContactOnLine::expect_inside(const Box& box, double until) {
  constexpr double rounding = 1e-12;
  double nearest = -contact_.offset_, size = std::abs(contact_.offset_);
  for (std::size_t k = 0; k < 3; ++k) {
    const double of_corner = contact_.normal_[k] * (contact_.normal_[k] > 0 ? box.low[k] : box.high[k]);
    nearest += of_corner;
    size += std::abs(of_corner);
  }
  const double reach = contact_.profile_.activation() + contact_.rounding_;
  far_until_ = nearest - rounding * size >= reach ? until : never;
}

void PlaneContactOnLine::begin(std::span<const NodeLine> lines, double origin) {
  out_of_reach_until_ = std::exchange(far_until_, never);
  apart_ = far_ = KnownStretch{};
  if (origin <= out_of_reach_until_)
    unseen_ = lines;
  else
    look_at_all(lines, origin);
}

bool PlaneContactOnLine::is_out_of_reach(double to) {
  if (out_of_reach_until_ == never) return false;
  if (origin() + to <= out_of_reach_until_) return true;
  look_at_all(unseen_, origin());
  return false;
}

void PlaneContactOnLine::look_at_all(std::span<const NodeLine> lines, double origin) {
  out_of_reach_until_ = never;
  least_gap_ = least_speed_ = infinity;
  for (std::size_t i = 0; i < gap_.size(); ++i) {
    set_node(i, at(lines, contact_.node(i)), origin);
    least_gap_ = std::min(least_gap_, gap_[i]);
    least_speed_ = std::min(least_speed_, speed_[i]);
  }
}

void PlaneContactOnLine::change(std::span<const NodeLine> lines, double origin,
                                std::span<const std::uint8_t> changed) {
  apart_ = far_ = KnownStretch{};
  if (out_of_reach_until_ != never) return look_at_all(lines, origin);
  for (std::size_t i = 0; i < gap_.size(); ++i) {
    const auto a = static_cast<std::size_t>(contact_.node(i));
    if (changed[a] != 0) set_node(i, lines[a], origin);
    least_gap_ = std::min(least_gap_, gap_[i]);
    least_speed_ = std::min(least_speed_, speed_[i]);
  }
}

void PlaneContactOnLine::sample(double s, const LineGrids& grids, LineSample& sum) {
  if (apart_.contains(s) || is_out_of_reach(s)) return;
  const ContactProfile& profile = contact_.profile_;
  for (std::size_t i = 0; i < gap_.size(); ++i) {
    const double gap = gap_[i] + s * speed_[i];
    if (!(gap < profile.activation())) continue;
    if (!(gap > 0) && profile.diverges()) {
      sum.infinite += 1;
      continue;
    }
    const ContactProfile::Values psi = profile.at(gap);
    const double value = contact_.stiffness_of(i) * psi.value,
                 slope = contact_.stiffness_of(i) * psi.first * speed_[i];
    const double curvature = contact_.stiffness_of(i) * psi.second * speed_[i] * speed_[i];
    sum.contact_terms += 1;
    sum.add(grids, value, slope, curvature);
  }
}

bool PlaneContactOnLine::stays_far(double to) const {
  constexpr double rounding = 1e-12;
  const double way = to * std::max(0.0, -least_speed_);
  return least_gap_ - way - rounding * (std::abs(least_gap_) + way) >=
         contact_.profile_.activation() + contact_.rounding_;
}

void PlaneContactOnLine::bound(double from, double to, const LineGrids& grids, LineBound& sum) {
  const ContactProfile& profile = contact_.profile_;
  const double activation = profile.activation();
  apart_ = far_ = {from, to};
  if (is_out_of_reach(to) || stays_far(to)) return;
  for (std::size_t i = 0; i < gap_.size(); ++i) {
    const double now = gap_[i] + from * speed_[i], then = gap_[i] + to * speed_[i];
    const double nearest = std::min(now, then), farthest = std::max(now, then);
    if (!(nearest < activation + contact_.rounding_)) continue;
    far_ = KnownStretch{};
    if (!(nearest < activation)) continue;
    apart_ = KnownStretch{};
    // The bound is good only if the distance changes little.
    if (profile.diverges() && !(nearest > 0.25 * std::min(now, activation))) {
      sum.invalid += 1;
      continue;
    }
    const double scale = contact_.stiffness_of(i) * speed_[i] * speed_[i];
    const double here = profile.at(now).second;
    const double rise = scale * (profile.at(nearest).second - here);
    const double fall = scale * (here - profile.at(farthest).second);
    if (rise == 0 && fall == 0) continue;
    sum.contact_terms += 1;
    sum.add_change(grids, rise, fall);
  }
}

}  // namespace terrace
