#include "potentials/contact/sphere_of_patch.hpp"

#include <cmath>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

// Any two directions across the axis will do.
static std::array<Vector3, 2> across(const Vector3& axis) {
  const Vector3 aside = std::abs(axis[0]) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  Vector3 first = aside - dot(aside, axis) * axis;
  first = (1 / norm(first)) * first;
  return {first, cross(axis, first)};
}

SphereOfPatch::SphereOfPatch(std::span<const Vector3> reference_positions, std::vector<std::int32_t> nodes,
                             const Sphere& sphere)
    : nodes_(std::move(nodes)), radius_(sphere.radius) {
  Vector3 middle{};
  for (const std::int32_t node : nodes_) {
    TERRACE_VERIFY(static_cast<std::size_t>(node) < reference_positions.size(), node);
    reference_.push_back(at(reference_positions, node));
    middle += (1 / static_cast<double>(nodes_.size())) * reference_.back();
  }
  const Vector3 out = middle - sphere.centre;
  // Of nodes all around the centre any axis will do, and the direction to their mean is rounding.
  constexpr double hardly = 1e-9;
  const Vector3 axis = norm(out) > hardly * sphere.radius ? (1 / norm(out)) * out : Vector3{0, 0, 1};
  const auto [first, second] = across(axis);
  for (const Vector3& x : reference_) moments_.push_back({dot(x - middle, first), dot(x - middle, second)});
  if (const auto here = frame([&](std::size_t i) { return reference_[i]; })) {
    centre_ = along(*here, -1 * out);
    towards_ = along(*here, axis);
  }
}

Vector3 SphereOfPatch::along(const Frame& frame, const Vector3& of) {
  return {dot(of, frame.axes[0]), dot(of, frame.axes[1]), dot(of, frame.axes[2])};
}

template <class PlaceOf>
std::optional<SphereOfPatch::Frame> SphereOfPatch::frame(PlaceOf place) const {
  constexpr double in_line = 1e-6;
  Vector3 middle{}, first{}, second{};
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    middle += (1 / static_cast<double>(moments_.size())) * place(i);
    first += moments_[i][0] * place(i);
    second += moments_[i][1] * place(i);
  }
  const Vector3 normal = cross(first, second);
  const double size = norm(normal);
  if (!(size > in_line * norm(first) * norm(second))) return std::nullopt;
  const Vector3 one = (1 / norm(first)) * first, up = (1 / size) * normal;
  return Frame{middle, {one, cross(up, one), up}};
}

std::optional<Vector3> SphereOfPatch::centre(const Displacements& displacements) const {
  const auto now = frame([&](std::size_t i) { return reference_[i] + displacements[index(at(nodes_, i))]; });
  if (!now) return std::nullopt;
  return now->middle + centre_[0] * now->axes[0] + centre_[1] * now->axes[1] + centre_[2] * now->axes[2];
}

std::optional<Vector3> SphereOfPatch::towards_patch(const Displacements& displacements) const {
  const auto now = frame([&](std::size_t i) { return reference_[i] + displacements[index(at(nodes_, i))]; });
  if (!now) return std::nullopt;
  return towards_[0] * now->axes[0] + towards_[1] * now->axes[1] + towards_[2] * now->axes[2];
}

}  // namespace terrace
