// The pairs of features of two surfaces that may be in contact, kept while the surfaces move.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "potentials/contact/broad_phase.hpp"
#include "potentials/contact/contact_surfaces.hpp"
#include "potentials/contact/simplex_boxes.hpp"
#include "potentials/kernels/contact_pair.hpp"

namespace terrace {

/// A rank's share of the pairs of two surfaces: those of its vertices and edges.
struct PairShare {
  int part = 0, parts = 1;
  /// All triangles that a vertex meets are in one share; edges, which neighbours in a mesh number alike, by
  /// the mixed numbers of all their nodes.
  [[nodiscard]] bool holds(PairKind kind, const std::array<std::int32_t, 4>& nodes) const {
    if (parts == 1) return true;
    auto key = static_cast<std::uint32_t>(nodes[0]);
    if (kind == PairKind::edge_edge) {
      for (const std::int32_t node : nodes) key = 31 * key + static_cast<std::uint32_t>(node);
      key = (key * 2654435761u) >> 16;
    }
    return static_cast<int>(key % static_cast<std::uint32_t>(parts)) == part;
  }
};

/// Two surfaces, or one against itself, and what every pair of their features has in common.
struct SmoothContact {
  ContactSurfaces surfaces;
  PairShare share;
  ContactProfile profile;
  double stiffness;  ///< κ [energy/length²]

  /// Farther pairs contribute nothing: d̂ and some rounding.
  [[nodiscard]] double felt_from() const { return (1 + 1e-9) * profile.activation(); }
  [[nodiscard]] ContactPair weighted(const SurfacePair& pair) const {
    return {pair.kind, stiffness * pair.area / 3, parallel_edge_threshold(pair.length_product)};
  }
};

/// Two lists spare the work: candidate triangles by boxes with a wide skin; of these the near pairs. All
/// positions and velocities are in the surfaces' own numbering.
class NearContacts {
 public:
  /// For surfaces that move on, or for one look at them: then no list has anything to spare.
  enum class Use { kept, once };
  /// `contact` outlives this.
  explicit NearContacts(const SmoothContact& contact, Use use = Use::kept);

  struct NearPair {
    std::array<std::int32_t, 4> nodes;  ///< own numbering
    ContactPair pair;
    Vector3 axis;  ///< unit vector from the closest point of the second simplex to that of the first, when
                   ///< listed
  };
  struct Gap {
    std::size_t pair;  ///< place in the list of near pairs
    double width;      ///< along its axis
  };

  /// Brings candidates and near pairs up to date at these positions, the latter for `duration` at these
  /// velocities unless that is too long for any list. Returns the largest distance, as far as it was
  /// measured, of a pair that may come within d̂ meanwhile; the list holds these pairs if that is at most
  /// complete_to().
  double listed_within(std::span<const Vector3> positions, std::span<const Vector3> velocities,
                       double duration);
  [[nodiscard]] double complete_to() const { return contact_.felt_from() + left_; }
  /// The near pairs whose measured distances are at most `listed`, and along their axes no more than `widest`
  /// apart at these positions.
  std::span<const Gap> find_gaps(std::span<const Vector3> positions, double listed, double widest);
  [[nodiscard]] const NearPair& pair(const Gap& gap) const { return pairs_[gap.pair]; }

  /// Whether others see to it that no pair but the candidates comes near: then only positions and velocities
  /// of the candidates' nodes are looked at.
  void let_others_cover(bool others) { others_cover_ = others; }
  /// The candidates' nodes, ascending, own numbering.
  [[nodiscard]] std::vector<std::int32_t> nodes_of_candidates() const;

  /// Those of the last list.
  [[nodiscard]] std::span<const std::int32_t> region() const { return region_; }

  /// How fast the nodes of the candidates approach each other, of different surfaces; kept until new_line.
  [[nodiscard]] double speed(std::span<const Vector3> velocities);
  void new_line() { speed_ = -1; }

  [[nodiscard]] std::span<const BroadPhase::Pair> candidates() const { return broad_phase_.candidates(); }
  /// Calls visit(const SurfacePair&) for the share's pairs of the candidates that may be within `farthest` at
  /// these positions: their triangles' boxes are, and their own.
  template <class Visit>
  void visit_within(double farthest, std::span<const Vector3> positions, Visit visit) const;
  /// The candidates' skin beyond the near pairs [length].
  [[nodiscard]] double slack() const { return slack_; }
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  /// Lists made so far.
  [[nodiscard]] std::int64_t lists() const { return lists_; }

 private:
  void measure(std::span<const Vector3> positions, double drift);
  void list(std::span<const Vector3> positions);
  void start_region(std::span<const Vector3> positions);
  [[nodiscard]] double drift(std::span<const Vector3> positions) const;

  const SmoothContact& contact_;
  double slack_, reach_;
  double left_ = 0;  ///< pairs not listed were farther than d̂ + left when the region was started
  BroadPhase broad_phase_;
  std::vector<NearPair> pairs_;    ///< of the candidates those nearer than d̂ + reach when listed
  std::vector<double> distances_;  ///< at least so much when the region was started
  std::vector<Gap> gaps_;
  std::int64_t lists_ = 0;

  // The region: the nodes of the candidates, of the first surface first, and where they were when it was
  // started. Far sides of the bodies move faster than what touches.
  std::vector<std::int32_t> region_;
  std::size_t region_first_ = 0;
  std::vector<Vector3> region_start_;
  bool started_ = false, others_cover_ = false;
  double speed_ = -1;
};

template <class Visit>
void NearContacts::visit_within(double farthest, std::span<const Vector3> positions, Visit visit) const {
  const ContactSurfaces& surfaces = contact_.surfaces;
  const double square = farthest * farthest;
  std::vector<Box> second_boxes(surfaces.second().triangles.size());  // empty until first needed
  Box first_box;
  std::int32_t first = -1;  // candidates are in their order
  for (const BroadPhase::Pair& triangles : candidates()) {
    if (std::exchange(first, triangles.first) != triangles.first)
      first_box = box_of(surfaces.first_triangle(triangles.first), positions);
    Box& second_box = at(second_boxes, triangles.second);
    if (second_box.low[0] > second_box.high[0])
      second_box = box_of(surfaces.second_triangle(triangles.second), positions);
    if (square_apart(first_box, second_box) > square) continue;
    surfaces.visit_pairs(
        triangles.first, triangles.second,
        [&](PairKind kind, const std::array<std::int32_t, 4>& nodes) {
          return !(square_apart(kind, nodes, positions) > square) && contact_.share.holds(kind, nodes);
        },
        visit);
  }
}

/// Positions of a pair's nodes relative to the first.
[[nodiscard]] PairNodes relative_positions(const std::array<std::int32_t, 4>& nodes,
                                           std::span<const Vector3> positions);

}  // namespace terrace
