#include "potentials/contact/face_intersection.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "geometry/triangle_intersection.hpp"
#include "numerics/at.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "potentials/add_balanced.hpp"
#include "potentials/contact/face_intersection_on_line.hpp"
#include "potentials/contact/penetration.hpp"

namespace terrace {
namespace {

/// Mean length of the triangles' sides.
double mean_side(const ContactSurfaces& surfaces) {
  double sum = 0;
  for (const TriangulatedSurface* surface : {&surfaces.first(), &surfaces.second()}) {
    const std::span<const Vector3> x = surface->reference;
    for (const auto& [a, b, c] : surface->triangles)
      for (const double length : {norm(x[index(b)] - x[index(a)]), norm(x[index(c)] - x[index(b)]),
                                  norm(x[index(a)] - x[index(c)])})
        sum += length;
  }
  return sum /
         (3 * static_cast<double>(surfaces.first().triangles.size() + surfaces.second().triangles.size()));
}

}  // namespace

FaceIntersection::FaceIntersection(std::span<const Vector3> reference_positions,
                                   const std::vector<Triangle>& first_boundary,
                                   const std::vector<Triangle>& second_boundary, double stiffness)
    : FaceIntersection({reference_positions, first_boundary, second_boundary, "face-intersection contact"},
                       stiffness) {}

FaceIntersection::FaceIntersection(ContactSurfaces surfaces, double stiffness)
    : surfaces_(std::move(surfaces)), stiffness_(stiffness), mean_side_(terrace::mean_side(surfaces_)) {
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    throw Error(Error::Kind::input, "face-intersection contact", "a positive stiffness",
                fmt::format("{}", stiffness));
}

bool FaceIntersection::add_gradient_of(const BroadPhase::Pair& pair, std::span<const Vector3> positions,
                                       const Grid& grid, std::span<Vector3> gradient, double& largest) const {
  const auto nodes = nodes_of(pair);
  TrianglePair x{};
  for (std::size_t i = 1; i < 6; ++i) x[i] = positions[nodes[i]] - positions[nodes[0]];
  if (!boxes_overlap(x)) return false;
  const auto penalty = segment_penalty_gradient(x);
  if (!penalty) return false;
  TrianglePair terms;
  std::array<std::size_t, 6> local;
  for (std::size_t i = 0; i < 6; ++i) {
    terms[i] = stiffness_ * (*penalty)[i];
    local[i] = surfaces_.local(nodes[i]);
  }
  largest = larger(largest, add_balanced(grid, terms, local, gradient));
  return true;
}

namespace {

/// The pairs of triangles whose boxes overlap, or almost do.
BroadPhase overlapping(const ContactSurfaces& surfaces, double mean_side,
                       std::span<const Vector3> positions) {
  constexpr double next_to_nothing = 1e-6;
  BroadPhase pairs = surfaces.broad_phase(next_to_nothing * mean_side);
  pairs.build(positions);
  return pairs;
}

}  // namespace

std::vector<double> FaceIntersection::energies(const Displacements& displacements) const {
  std::vector<Vector3> positions(surfaces_.size());
  surfaces_.positions_at(displacements, positions);
  std::vector<double> energies;
  const BroadPhase pairs = overlapping(surfaces_, mean_side_, positions);
  for (const BroadPhase::Pair& pair : pairs.candidates()) {
    const auto nodes = nodes_of(pair);
    TrianglePair x{};
    for (std::size_t i = 1; i < 6; ++i) x[i] = positions[nodes[i]] - positions[nodes[0]];
    const double penalty = boxes_overlap(x) ? segment_penalty(x, TrianglePair{}).value : 0;
    if (penalty != 0) energies.push_back(stiffness_ * penalty);
  }
  return energies;
}

double FaceIntersection::add_gradient(const Displacements& displacements, const Grid& grid,
                                      std::span<Vector3> gradient) const {
  std::vector<Vector3> positions(surfaces_.size());
  surfaces_.positions_at(displacements, positions);
  double largest = 0;
  const BroadPhase pairs = overlapping(surfaces_, mean_side_, positions);
  for (const BroadPhase::Pair& pair : pairs.candidates())
    add_gradient_of(pair, positions, grid, gradient, largest);
  return largest;
}

// Surfaces that cross have energy. Bodies that meet face to face can be inside each other with no triangles
// crossing.
double FaceIntersection::unfelt_penetration(const Displacements& displacements, bool has_energy) const {
  if (has_energy) return 0;
  std::vector<Vector3> positions(surfaces_.size());
  surfaces_.positions_at(displacements, positions);
  return penetration(surfaces_, positions);
}

std::unique_ptr<PotentialOnLine> FaceIntersection::on_line() const {
  return std::make_unique<FaceIntersectionOnLine>(*this);
}

}  // namespace terrace
