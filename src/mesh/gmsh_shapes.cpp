// Balls and blocks. Gmsh compares with absolute tolerances, so both are meshed at unit scale and multiplied
// afterwards.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "mesh/gmsh_module.hpp"
#include "mesh/shape_meshers.hpp"
#include "mesh/size_limits.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Edge length of elements at `distance` from a point of refinement; `size` is the body's element size.
double size_at(const Refinement& refinement, double distance, double size) {
  const double fraction =
      std::clamp((distance - refinement.core) / (refinement.radius - refinement.core), 0.0, 1.0);
  return refinement.size + fraction * (size - refinement.size);
}

/// About how many elements are in the half ball of the refinement's radius around a point of refinement,
/// which is assumed to be on a surface.
double elements_around(const Refinement& refinement, double size) {
  constexpr int shells = 100;
  double elements = 0;
  for (int i = 0; i < shells; ++i) {
    const double r = (i + 0.5) / shells * refinement.radius;
    elements +=
        elements_in(2 * std::numbers::pi * r * r * refinement.radius / shells, size_at(refinement, r, size));
  }
  return elements;
}

/// `value` rounded to ten decimal digits. A shape given in millimetres and the same shape in metres then have
/// the same ratios of lengths to the last bit, hence the same mesh.
double ten_digits(double value) { return std::strtod(fmt::format("{:.9e}", value).c_str(), nullptr); }

/// Element size as a function of position: the body's size, and smaller around points of refinement.
class SizeField {
 public:
  /// All lengths are divided by `unit`.
  SizeField(double size, const std::vector<Refinement>& refinements, double unit)
      : size_(ten_digits(size / unit)) {
    for (const auto& [point, fine_size, radius, core] : refinements)
      refinements_.push_back(
          {{ten_digits(point[0] / unit), ten_digits(point[1] / unit), ten_digits(point[2] / unit)},
           ten_digits(fine_size / unit),
           ten_digits(radius / unit),
           ten_digits(core / unit)});
  }

  double operator()(const Vector3& position) const {
    double size = size_;
    for (const Refinement& refinement : refinements_)
      size = std::min(size, size_at(refinement, norm(position - refinement.point), size_));
    return size;
  }

 private:
  double size_;
  std::vector<Refinement> refinements_;
};

void check_sizes(double size, const std::vector<Refinement>& refinements, double largest_extent,
                 double volume, const std::string& where) {
  require_positive(size, "an element size", where);
  if (size > largest_extent)
    throw Error(Error::Kind::input, where,
                fmt::format("an element size no larger than the body ({:g})", largest_extent),
                fmt::format("{:g}", size));
  require_room(elements_in(volume, size), "an element size", where);
  for (const Refinement& refinement : refinements) {
    require_positive(refinement.size, "an element size of the refinement", where);
    require_positive(refinement.radius, "a radius of the refinement", where);
    for (const double coordinate : refinement.point)
      if (!std::isfinite(coordinate))
        throw Error(Error::Kind::input, where, "a finite point of refinement",
                    fmt::format("{:g}", coordinate));
    if (refinement.size > size)
      throw Error(Error::Kind::input, where,
                  fmt::format("an element size of the refinement no larger than the body's ({:g})", size),
                  fmt::format("{:g}", refinement.size));
    require_room(std::min(elements_around(refinement, size), elements_in(volume, refinement.size)),
                 "an element size of the refinement", where);
  }
}

/// Rounds coordinates, of magnitude up to about 1, to multiples of 2⁻³³. That is a million times coarser than
/// round-off, in which Gmsh's coordinates differ between C libraries, and far below the size of any element.
void remove_last_digits(TetrahedralMesh& mesh) {
  constexpr double cells = 0x1p33;
  for (Vector3& node : mesh.nodes)
    for (double& coordinate : node) coordinate = std::nearbyint(coordinate * cells) / cells;
}

/// Whether each node is on the boundary.
std::vector<bool> on_boundary(const TetrahedralMesh& mesh) {
  std::vector<bool> boundary(mesh.nodes.size(), false);
  for (const Triangle& triangle : boundary_triangles(mesh.tetrahedra))
    for (const std::int32_t node : triangle) at(boundary, node) = true;
  return boundary;
}

}  // namespace

TetrahedralMesh mesh_ball(const BallShape& shape, const std::string& where) {
  require_positive(shape.radius, "a radius of the ball", where);
  const double radius = shape.radius;
  check_sizes(shape.size, shape.refinements, 2 * radius, 4 * M_PI / 3 * radius * radius * radius, where);
  TetrahedralMesh mesh =
      gmsh_meshers(where).unit_ball(SizeField(shape.size, shape.refinements, radius), where);
  remove_last_digits(mesh);
  const std::vector<bool> boundary = on_boundary(mesh);
  for (std::size_t a = 0; a < mesh.nodes.size(); ++a) {
    Vector3& node = mesh.nodes[a];
    if (boundary[a]) node = (1 / norm(node)) * node;
    node = radius * node;
  }
  return mesh;
}

TetrahedralMesh mesh_block(const BlockShape& shape, const std::string& where) {
  for (const double extent : shape.extent) require_positive(extent, "an extent of the block", where);
  const double unit = *std::max_element(shape.extent.begin(), shape.extent.end());
  check_sizes(shape.size, shape.refinements, unit, shape.extent[0] * shape.extent[1] * shape.extent[2],
              where);
  Vector3 half;
  for (std::size_t axis = 0; axis < 3; ++axis) half[axis] = ten_digits(shape.extent[axis] / unit) / 2;
  TetrahedralMesh mesh =
      gmsh_meshers(where).block(half, SizeField(shape.size, shape.refinements, unit), where);
  remove_last_digits(mesh);
  for (Vector3& node : mesh.nodes)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double fraction = node[axis] / half[axis];
      // Gmsh leaves the nodes of a face in its plane only to rounding.
      if (std::abs(std::abs(fraction) - 1) < 1e-9) fraction = std::copysign(1.0, fraction);
      node[axis] = fraction * (shape.extent[axis] / 2);
    }
  return mesh;
}

}  // namespace terrace
