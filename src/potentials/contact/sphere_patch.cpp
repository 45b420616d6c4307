#include "potentials/contact/sphere_patch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/closest_points.hpp"
#include "mesh/boundary.hpp"
#include "numerics/at.hpp"

namespace terrace {
namespace {

/// The position of the node with the largest measure(x).
template <class Measure>
Vector3 farthest(std::span<const Vector3> positions, std::span<const std::int32_t> nodes, Measure measure) {
  const auto less = [&](std::int32_t a, std::int32_t b) {
    return measure(at(positions, a)) < measure(at(positions, b));
  };
  return at(positions, *std::max_element(nodes.begin(), nodes.end(), less));
}

/// Two unit vectors at right angles to `axis` and to each other.
struct Across {
  Vector3 first, second;
  explicit Across(const Vector3& axis) {
    const std::size_t least = std::abs(axis[0]) < std::abs(axis[1])
                                  ? (std::abs(axis[0]) < std::abs(axis[2]) ? 0U : 2U)
                                  : (std::abs(axis[1]) < std::abs(axis[2]) ? 1U : 2U);
    Vector3 unit{};
    unit[least] = 1;
    first = cross(axis, unit);
    first = (1 / norm(first)) * first;
    second = cross(axis, first);
  }
};

/// Adds ∫ p N_k over a triangle to the loads of its nodes k. The triangle is cut into parts that are small
/// against the patch, each integrated by its midpoint.
template <class Pressure, class Add>
void integrate(const std::array<Vector3, 3>& corners, double area, double patch_radius, Pressure pressure,
               Add add) {
  const double edge =
      std::max({norm(corners[1] - corners[0]), norm(corners[2] - corners[1]), norm(corners[0] - corners[2])});
  const int parts = std::clamp(static_cast<int>(std::ceil(24 * edge / patch_radius)), 4, 200);
  const double share = area / (parts * parts);
  for (int i = 0; i < parts; ++i)
    for (int j = 0; i + j < parts; ++j)
      for (const double third : {1.0 / 3, 2.0 / 3}) {
        if (third > 0.5 && i + j + 1 == parts) continue;  // no second triangle in the last cell
        const double u = (i + third) / parts, v = (j + third) / parts;
        const std::array<double, 3> shape{1 - u - v, u, v};
        const double p = pressure(shape[0] * corners[0] + shape[1] * corners[1] + shape[2] * corners[2]);
        for (std::size_t k = 0; k < 3; ++k) add(k, p * shape[k] * share);
      }
}

/// False where no point of a triangle carries load: all of it is behind the sphere's centre, or farther from
/// the axis than the patch reaches. Spares large triangles, most of which are far away: integrating them
/// would take by far the longest.
bool may_be_under(const std::array<Vector3, 3>& corners, const Sphere& sphere, const Vector3& axis,
                  double patch_radius) {
  constexpr double margin = 1 + 1e-6;
  std::array<Vector3, 3> across;
  bool is_before = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3 from_centre = corners[k] - sphere.centre;
    const double height = dot(from_centre, axis);
    across[k] = from_centre - height * axis;
    is_before = is_before || height > 0;
  }
  const PairNodes middle_and_triangle{Vector3{}, across[0], across[1], across[2]};
  return is_before && norm(closest_points(PairKind::vertex_triangle, middle_and_triangle).difference) <=
                          margin * patch_radius;
}

/// Changes weights so that their mean position is on the axis: multiplies each by 1 + α·ξ, with ξ the node's
/// coordinates across the axis (`places`).
void balance(std::vector<double>& load, std::span<const std::array<double, 2>> places) {
  double xx = 0, xy = 0, yy = 0, x = 0, y = 0;
  for (std::size_t i = 0; i < load.size(); ++i) {
    const auto [a, b] = places[i];
    x += load[i] * a;
    y += load[i] * b;
    xx += load[i] * a * a;
    xy += load[i] * a * b;
    yy += load[i] * b * b;
  }
  const double determinant = xx * yy - xy * xy;
  if (!(determinant > 0)) return;
  const double along = (xy * y - yy * x) / determinant, across = (xy * x - xx * y) / determinant;
  for (std::size_t i = 0; i < load.size(); ++i) load[i] *= 1 + along * places[i][0] + across * places[i][1];
}

void make_sum_one(std::vector<double>& shares) {
  double sum = 0;
  for (const double share : shares) sum += share;
  if (sum > 0)
    for (double& share : shares) share /= sum;
}

}  // namespace

std::optional<Sphere> sphere_through(std::span<const Vector3> positions,
                                     std::span<const std::int32_t> nodes) {
  if (nodes.size() < 4) return {};
  // The sphere through four nodes far apart.
  const Vector3 origin = at(positions, nodes.front());
  const Vector3 u = farthest(positions, nodes, [&](const Vector3& x) { return norm(x - origin); }) - origin;
  const Vector3 v =
      farthest(positions, nodes, [&](const Vector3& x) { return norm(cross(u, x - origin)); }) - origin;
  const Vector3 normal = cross(u, v);
  const Vector3 w =
      farthest(positions, nodes, [&](const Vector3& x) { return std::abs(dot(normal, x - origin)); }) -
      origin;
  const double volume = dot(normal, w);
  const Vector3 from_origin =
      (1 / (2 * volume)) * (dot(u, u) * cross(v, w) + dot(v, v) * cross(w, u) + dot(w, w) * normal);
  const Sphere sphere{origin + from_origin, norm(from_origin)};
  if (!std::isfinite(sphere.radius)) return {};
  const bool on_it = std::all_of(nodes.begin(), nodes.end(), [&](std::int32_t node) {
    return std::abs(norm(at(positions, node) - sphere.centre) - sphere.radius) <= 1e-5 * sphere.radius;
  });
  return on_it ? std::optional(sphere) : std::nullopt;
}

SpherePatch sphere_patch(std::span<const Vector3> positions, std::span<const Triangle> triangles,
                         const Sphere& sphere, const Vector3& axis, double patch_radius) {
  SpherePatch patch;
  patch.nodes = surface_nodes(triangles);
  patch.middle = node_areas(triangles, patch.nodes, positions);
  make_sum_one(patch.middle);
  patch.load.assign(patch.nodes.size(), 0.0);
  const auto pressure = [&](const Vector3& x) {
    const Vector3 from_centre = x - sphere.centre;
    const double height = dot(from_centre, axis);
    const Vector3 across = from_centre - height * axis;
    const double share = 1 - dot(across, across) / (patch_radius * patch_radius);
    return height > 0 && share > 0 ? std::sqrt(share) : 0.0;
  };
  for (const Triangle& triangle : triangles) {
    std::array<Vector3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = at(positions, triangle[k]);
    if (!may_be_under(corners, sphere, axis, patch_radius)) continue;
    std::array<double*, 3> loads;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto place = std::lower_bound(patch.nodes.begin(), patch.nodes.end(), triangle[k]);
      loads[k] = &patch.load[static_cast<std::size_t>(place - patch.nodes.begin())];
    }
    integrate(corners, triangle_area(triangle, positions), patch_radius, pressure,
              [&](std::size_t k, double load) { *loads[k] += load; });
  }
  const Across directions(axis);
  std::vector<std::array<double, 2>> places;
  for (const std::int32_t node : patch.nodes) {
    const Vector3 x = at(positions, node) - sphere.centre;
    places.push_back({dot(x, directions.first), dot(x, directions.second)});
    const auto [first, second] = places.back();
    if (dot(x, axis) > 0 && first * first + second * second < patch_radius * patch_radius) ++patch.inside;
  }
  balance(patch.load, places);
  balance(patch.middle, places);
  make_sum_one(patch.load);
  make_sum_one(patch.middle);
  return patch;
}

}  // namespace terrace
