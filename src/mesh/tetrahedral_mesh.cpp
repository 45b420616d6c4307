#include "mesh/tetrahedral_mesh.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "mesh/orientation.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// A face of a tetrahedron, twice: with ascending nodes, to find the same face of another tetrahedron, and
/// with its normal outwards.
struct Face {
  Triangle sorted;
  Triangle outward;
};

Vector3 node_of(const TetrahedralMesh& mesh, std::int32_t node) { return at(mesh.nodes, node); }

/// Edge vectors from node 0 to nodes 1, 2, 3.
std::array<Vector3, 3> edges_from_first_node(const TetrahedralMesh& mesh, const Tetrahedron& tetrahedron) {
  const Vector3 origin = node_of(mesh, tetrahedron[0]);
  return {node_of(mesh, tetrahedron[1]) - origin, node_of(mesh, tetrahedron[2]) - origin,
          node_of(mesh, tetrahedron[3]) - origin};
}

std::array<double, 6> edge_lengths(const TetrahedralMesh& mesh, const Tetrahedron& tetrahedron) {
  const auto [a, b, c] = edges_from_first_node(mesh, tetrahedron);
  return {norm(a), norm(b), norm(c), norm(b - a), norm(c - b), norm(a - c)};
}

/// The same oriented triangle beginning with its smallest node, so that equal ones have equal nodes in order.
Triangle smallest_node_first(Triangle triangle) {
  std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  return triangle;
}

/// All faces of all tetrahedra, sorted, so that equal faces are next to each other.
std::vector<Face> sorted_faces(const std::vector<Tetrahedron>& tetrahedra) {
  std::vector<Face> faces;
  faces.reserve(4 * tetrahedra.size());
  for (const auto& [a, b, c, d] : tetrahedra) {
    for (const Triangle& outward :
         {Triangle{a, c, b}, Triangle{a, b, d}, Triangle{b, c, d}, Triangle{a, d, c}}) {
      Triangle sorted = outward;
      std::sort(sorted.begin(), sorted.end());
      faces.push_back({sorted, smallest_node_first(outward)});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& left, const Face& right) {
    return left.sorted != right.sorted ? left.sorted < right.sorted : left.outward < right.outward;
  });
  return faces;
}

/// Calls `visit(face, count)` once for every distinct face, which `count` tetrahedra have.
template <class Visit>
void for_each_distinct_face(const std::vector<Face>& faces, Visit visit) {
  for (auto first = faces.begin(); first != faces.end();) {
    auto last = first + 1;
    while (last != faces.end() && last->sorted == first->sorted) ++last;
    visit(*first, last - first);
    first = last;
  }
}

/// 3 r_in / r_circ, with r_in = 3 V / (sum of face areas) and
/// r_circ = |a² (b×c) + b² (c×a) + c² (a×b)| / (12 V), where a, b, c are the edges from one node.
double radius_ratio(const TetrahedralMesh& mesh, const Tetrahedron& tetrahedron) {
  const auto [a, b, c] = edges_from_first_node(mesh, tetrahedron);
  const double volume = std::abs(signed_volume(mesh, tetrahedron));
  const double area =
      0.5 * (norm(cross(a, b)) + norm(cross(b, c)) + norm(cross(c, a)) + norm(cross(b - a, c - a)));
  const double twelve_volume_circumradius =
      norm(dot(a, a) * cross(b, c) + dot(b, b) * cross(c, a) + dot(c, c) * cross(a, b));
  if (volume == 0) return 0;
  return 3 * (3 * volume / area) * (12 * volume) / twelve_volume_circumradius;
}

std::string place(const std::string& where, const std::string& thing, std::size_t index) {
  return fmt::format("{}{}{} {}", where, where.empty() ? "" : ", ", thing, index);
}

void verify_nodes(const TetrahedralMesh& mesh, const std::string& where) {
  for (std::size_t a = 0; a < mesh.nodes.size(); ++a) {
    const auto& [x, y, z] = mesh.nodes[a];
    if (!(std::isfinite(x) && std::isfinite(y) && std::isfinite(z)))
      reject(place(where, "node", a), "finite coordinates", fmt::format("({}, {}, {})", x, y, z));
  }
}

void verify_indices(const TetrahedralMesh& mesh, const std::string& where) {
  std::vector<bool> used(mesh.nodes.size(), false);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    for (const std::int32_t node : mesh.tetrahedra[e]) {
      if (node < 0 || static_cast<std::size_t>(node) >= mesh.nodes.size())
        reject(place(where, "element", e), fmt::format("node indices from 0 to {}", mesh.nodes.size() - 1),
               std::to_string(node));
      at(used, node) = true;
    }
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end())
    reject(place(where, "node", static_cast<std::size_t>(unused - used.begin())),
           "every node to belong to a tetrahedron", "a node that belongs to none");
}

void verify_volumes(const TetrahedralMesh& mesh, const std::string& where) {
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const double relative = relative_volume(mesh, mesh.tetrahedra[e]);
    if (!(relative > flat_relative_volume))
      reject(place(where, "element", e), "a tetrahedron of positive volume",
             fmt::format("{} element of volume {:g}",
                         relative < -flat_relative_volume ? "an inverted" : "a flat",
                         signed_volume(mesh, mesh.tetrahedra[e])));
  }
}

void verify_faces(const TetrahedralMesh& mesh, const std::string& where) {
  const std::vector<Face> faces = sorted_faces(mesh.tetrahedra);
  for_each_distinct_face(faces, [&](const Face& face, std::ptrdiff_t count) {
    if (count > 2)
      reject(where, "at most two tetrahedra at a face",
             fmt::format("{} at the face of nodes {}, {}, {} (elements listed twice, or overlapping)", count,
                         face.sorted[0], face.sorted[1], face.sorted[2]));
  });
  for (std::size_t f = 1; f < faces.size(); ++f)
    if (faces[f].outward == faces[f - 1].outward)
      reject(
          where, "one tetrahedron on each side of a face",
          fmt::format("two on one side of that of nodes {}, {}, {} (elements listed twice, or overlapping)",
                      faces[f].sorted[0], faces[f].sorted[1], faces[f].sorted[2]));
}

}  // namespace

double signed_volume(const TetrahedralMesh& mesh, const Tetrahedron& tetrahedron) {
  const auto [a, b, c] = edges_from_first_node(mesh, tetrahedron);
  return dot(a, cross(b, c)) / 6;
}

double relative_volume(const TetrahedralMesh& mesh, const Tetrahedron& tetrahedron) {
  const std::array<double, 6> lengths = edge_lengths(mesh, tetrahedron);
  const double longest = *std::max_element(lengths.begin(), lengths.end());
  if (longest == 0) return 0;
  // Dividing edge by edge keeps lengths of 1e-120 or 1e120 from underflow and overflow.
  auto [a, b, c] = edges_from_first_node(mesh, tetrahedron);
  const double inverse = 1 / longest;
  return dot(inverse * a, cross(inverse * b, inverse * c)) / 6;
}

std::vector<Triangle> boundary_triangles(const std::vector<Tetrahedron>& tetrahedra) {
  std::vector<Triangle> boundary;
  for_each_distinct_face(sorted_faces(tetrahedra), [&](const Face& face, std::ptrdiff_t count) {
    if (count == 1) boundary.push_back(face.outward);
  });
  return boundary;
}

MeshQuality measure_quality(const TetrahedralMesh& mesh) {
  MeshQuality quality;
  if (mesh.tetrahedra.empty()) return quality;
  quality.smallest_volume = quality.smallest_edge = quality.smallest_radius_ratio = infinity;
  for (const Tetrahedron& tetrahedron : mesh.tetrahedra) {
    const double volume = signed_volume(mesh, tetrahedron);
    const double ratio = radius_ratio(mesh, tetrahedron);
    const std::array<double, 6> lengths = edge_lengths(mesh, tetrahedron);
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    quality.smallest_volume = std::min(quality.smallest_volume, volume);
    quality.smallest_edge = std::min(quality.smallest_edge, *shortest);
    quality.largest_edge = std::max(quality.largest_edge, *longest);
    quality.smallest_radius_ratio = std::min(quality.smallest_radius_ratio, ratio);
    quality.mean_radius_ratio += ratio;
    quality.volume += volume;
  }
  quality.mean_radius_ratio /= static_cast<double>(mesh.tetrahedra.size());
  return quality;
}

void verify_mesh(const TetrahedralMesh& mesh, const std::string& where) {
  if (mesh.tetrahedra.empty()) reject(where, "a mesh with at least one tetrahedron", "an empty mesh");
  verify_nodes(mesh, where);
  verify_indices(mesh, where);
  verify_volumes(mesh, where);
  verify_faces(mesh, where);
}

}  // namespace terrace
