#include "potentials/contact/hertz_wall.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/larger.hpp"
#include "potentials/contact/law_on_line.hpp"

namespace terrace {

static bool is_loaded(double load) { return load != 0; }

static std::vector<std::int32_t> loaded_nodes(const SpherePatch& patch) {
  std::vector<std::int32_t> nodes;
  for (std::size_t i = 0; i < patch.nodes.size(); ++i)
    if (is_loaded(patch.load[i])) nodes.push_back(patch.nodes[i]);
  return nodes;
}

HertzWall::HertzWall(std::span<const Vector3> reference_positions, const SpherePatch& patch,
                     const Sphere& sphere, const Plane& plane, const HertzLaw& law)
    : nodes_(loaded_nodes(patch)),
      normal_(plane.normal),
      law_(law),
      gap_(dot(sphere.centre - plane.point, plane.normal) - sphere.radius),
      point_(plane.point),
      sphere_(reference_positions, nodes_, sphere) {
  std::ranges::copy_if(patch.load, std::back_inserter(load_), is_loaded);
}

double HertzWall::penetration(const Displacements& displacements) const {
  double approach = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    approach -= load_[i] * dot(at(displacements, nodes_[i]), normal_);
  return approach - gap_;
}

double HertzWall::unfelt_penetration(const Displacements& displacements, bool /*has_energy*/) const {
  const auto centre = sphere_.centre(displacements);
  if (!centre) return 0;
  return law_.unfelt(sphere_.radius() - dot(*centre - point_, normal_), penetration(displacements));
}

double HertzWall::shift(const Displacements& displacements) const {
  const auto towards = sphere_.towards_patch(displacements);
  if (!towards) return 0;
  return sphere_.radius() * norm(*towards - dot(*towards, normal_) * normal_) / law_.patch_radius();
}

std::vector<double> HertzWall::energies(const Displacements& displacements) const {
  const double energy = law_.at(penetration(displacements)).value;
  return energy == 0 ? std::vector<double>{} : std::vector<double>{energy};
}

double HertzWall::add_gradient(const Displacements& displacements, const Grid& grid,
                               std::span<Vector3> gradient) const {
  const double force = law_.at(penetration(displacements)).first;
  double largest = 0;
  if (force == 0) return largest;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double term = -force * load_[i] * normal_[k];
      largest = larger(largest, std::abs(term));
      gradient[static_cast<std::size_t>(nodes_[i])][k] += grid.round(term);
    }
  return largest;
}

void HertzWall::add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                                  std::span<Vector3> product) const {
  const double stiffness = law_.at(penetration(displacements)).second;
  double change = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) change += load_[i] * dot(at(direction, nodes_[i]), normal_);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    product[static_cast<std::size_t>(nodes_[i])] += (stiffness * change * load_[i]) * normal_;
}

std::unique_ptr<PotentialOnLine> HertzWall::on_line() const {
  return std::make_unique<HertzWallOnLine>(*this);
}

void HertzWallOnLine::begin(std::span<const NodeLine> lines, double origin) {
  penetration_ = wall_.penetration({lines, origin});
  rate_ = 0;
  for (std::size_t i = 0; i < wall_.nodes_.size(); ++i)
    rate_ -= wall_.load_[i] * dot(at(lines, wall_.nodes_[i]).velocity, wall_.normal_);
}

double HertzWallOnLine::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                     std::span<Vector3> gradient) {
  const double width = wall_.law_.width(wall_.penetration({lines, instant}));
  if (width > 0) seen_.shift = std::max(seen_.shift, wall_.shift({lines, instant}));
  seen_.widest = std::max(seen_.widest, width);
  return wall_.add_gradient({lines, instant}, grid, gradient);
}

void HertzWallOnLine::count_contact_terms(std::span<Vector3> numbers) const {
  for (const std::int32_t node : wall_.nodes_) numbers[static_cast<std::size_t>(node)][0] += 1;
}

void HertzWallOnLine::report(ContactExtremes& extremes) const {
  extremes.widest_contact = std::max(extremes.widest_contact, seen_.widest);
  extremes.largest_shift = std::max(extremes.largest_shift, seen_.shift);
}

void HertzWallOnLine::sample(double s, const LineGrids& grids, LineSample& sum) {
  add_to(sum, grids, wall_.law_.at(penetration_ + s * rate_), {rate_, 0});
}

void HertzWallOnLine::bound(double from, double to, const LineGrids& grids, LineBound& sum) {
  const double here = penetration_ + from * rate_;
  add_to(sum, grids, wall_.law_, here, {rate_, 0}, 0, to - from,
         1e-13 * (std::abs(wall_.gap_) + std::abs(penetration_ + wall_.gap_) + wall_.law_.patch_radius()));
}

}  // namespace terrace
