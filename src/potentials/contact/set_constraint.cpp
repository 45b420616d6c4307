#include "potentials/contact/set_constraint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "geometry/show.hpp"
#include "numerics/at.hpp"
#include "numerics/elementary.hpp"
#include "parallel/error.hpp"
#include "potentials/contact/set_constraint_on_line.hpp"

namespace terrace {
namespace {

/// The unit normal at each node: the mean of the normals of the triangles around it.
std::vector<Vector3> normals_of(const TriangulatedSurface& surface) {
  const std::span<const Vector3> x = surface.reference;
  std::vector<Vector3> normals(x.size(), Vector3{});
  for (const Triangle& triangle : surface.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3& corner = x[index(triangle[k])];
      const Vector3 one = x[index(triangle[(k + 1) % 3])] - corner,
                    other = x[index(triangle[(k + 2) % 3])] - corner;
      const Vector3 area = cross(one, other);
      if (!(norm(area) > 0)) continue;
      // Weighted by angle, so that it does not matter how a flat face is cut into triangles.
      const double angle = numerics::angle(norm(area), dot(one, other));
      normals[index(triangle[k])] += (angle / norm(area)) * area;
    }
  for (Vector3& normal : normals)
    if (norm(normal) > 0) normal = (1 / norm(normal)) * normal;
  return normals;
}

std::vector<Vector3> normals_of(const ContactSurfaces& surfaces) {
  std::vector<Vector3> normals = normals_of(surfaces.first());
  const std::vector<Vector3> of_second = normals_of(surfaces.second());
  normals.insert(normals.end(), of_second.begin(), of_second.end());
  return normals;
}

/// The distance at which features touch. Far from the origin of space the rounding of coordinates decides,
/// not the edges.
double touching_distance(const ContactSurfaces& surfaces) {
  double largest_coordinate = 0;
  for (const Vector3& x : surfaces.reference())
    for (const double coordinate : x) largest_coordinate = std::max(largest_coordinate, std::abs(coordinate));
  return std::max(touching_per_size * surfaces.smallest_edge(),
                  1000 * std::numeric_limits<double>::epsilon() * largest_coordinate);
}

}  // namespace

ImpenetrabilityConstraint::ImpenetrabilityConstraint(std::span<const Vector3> reference_positions,
                                                     const std::vector<Triangle>& first_boundary,
                                                     const std::vector<Triangle>& second_boundary,
                                                     const std::string& where)
    : ImpenetrabilityConstraint(
          ContactSurfaces(reference_positions, first_boundary, second_boundary, where)) {}

ImpenetrabilityConstraint::ImpenetrabilityConstraint(ContactSurfaces surfaces)
    : surfaces_(std::move(surfaces)),
      normals_(normals_of(surfaces_)),
      touching_(touching_distance(surfaces_)) {}

std::unique_ptr<ConstraintOnLine> ImpenetrabilityConstraint::on_line() const {
  return std::make_unique<ImpenetrabilityOnLine>(*this);
}

void require_apart(std::span<const Vector3> positions, const std::vector<Triangle>& first,
                   const std::vector<Triangle>& second, const std::string& where) {
  Box first_box, second_box;
  for (const Triangle& triangle : first)
    for (const std::int32_t node : triangle) first_box.include(positions[index(node)]);
  for (const Triangle& triangle : second)
    for (const std::int32_t node : triangle) second_box.include(positions[index(node)]);
  if (!first_box.overlaps(second_box)) return;
  const ImpenetrabilityConstraint constraint(positions, first, second, where);
  const auto place = ImpenetrabilityOnLine(constraint).intersection(0);
  if (!place) return;
  throw Error(
      Error::Kind::input, where,
      "bodies that do not intersect at the start, as contact.model = \"rigid\" keeps every triangle on "
      "its side",
      fmt::format("an edge through a triangle near {}", show(*place)));
}

}  // namespace terrace
