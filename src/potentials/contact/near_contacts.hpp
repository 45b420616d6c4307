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

/// A rank's share of the vertex-triangle and edge-edge pairs of two surfaces: the one numbered `part` of
/// `parts`.
struct PairShare {
  int part = 0, parts = 1;
  /// Whether a pair (own numbers) belongs to this share. All pairs of one vertex are in the same share. Edge
  /// pairs are dealt by a hash of all their node numbers, because neighbouring edges of a mesh have similar
  /// numbers.
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

/// Two surfaces, or one against itself, and what all pairs of their features have in common.
struct SmoothContact {
  ContactSurfaces surfaces;
  PairShare share;
  ContactProfile profile;
  double stiffness;  ///< κ [energy/length²]

  /// The activation distance d̂ and some room for rounding [length]: pairs farther apart contribute nothing.
  [[nodiscard]] double felt_from() const { return (1 + 1e-9) * profile.activation(); }
  /// The pair with its stiffness, κ times a third of its area, and its threshold for parallel edges.
  [[nodiscard]] ContactPair weighted(const SurfacePair& pair) const {
    return {pair.kind, stiffness * pair.area / 3, parallel_edge_threshold(pair.length_product)};
  }
};

/// Two lists that spare the work of looking at all pairs: candidates, which are pairs of triangles whose
/// boxes are within a wide skin; and among their features the near pairs, those within d̂ and a narrower
/// reach. All positions and velocities are in the surfaces' own numbering.
class NearContacts {
 public:
  /// `kept`: for surfaces that move on. `once`: for a single look; the lists then have no room for motion.
  enum class Use { kept, once };
  /// `contact` must outlive this.
  explicit NearContacts(const SmoothContact& contact, Use use = Use::kept);

  struct NearPair {
    std::array<std::int32_t, 4> nodes;  ///< own numbering
    ContactPair pair;
    Vector3 axis;  ///< unit vector from the closest point of the second simplex to that of the
                   ///< first when the pair was listed
  };
  /// A lower bound of a near pair's distance.
  struct Gap {
    std::size_t pair;  ///< place in the list of near pairs
    double width;      ///< gap between the simplices along the pair's axis
  };

  /// Brings candidates and near pairs up to date at these positions; the near pairs also for the next
  /// `duration` at these velocities, unless that is too long for any list. Returns a distance: pairs that may
  /// come within d̂ meanwhile have a measured distance of at most that. The list holds all of these if the
  /// distance is at most complete_to(). `velocities` may be empty if `duration` is 0.
  double listed_within(std::span<const Vector3> positions, std::span<const Vector3> velocities,
                       double duration);
  /// All pairs up to this distance are listed.
  [[nodiscard]] double complete_to() const { return contact_.felt_from() + left_; }
  /// The near pairs whose measured distance is at most `listed`, and whose gap along their axis at these
  /// positions is at most `widest`. Valid until the next call.
  std::span<const Gap> find_gaps(std::span<const Vector3> positions, double listed, double widest);
  [[nodiscard]] const NearPair& pair(const Gap& gap) const { return pairs_[gap.pair]; }

  /// Tells whether the caller ensures that no pair but the candidates comes near. Then only positions and
  /// velocities of the candidates' nodes are looked at.
  void let_others_cover(bool others) { others_cover_ = others; }
  /// The nodes of the candidates, ascending, own numbering.
  [[nodiscard]] std::vector<std::int32_t> nodes_of_candidates() const;

  /// nodes_of_candidates when the near pairs were listed last.
  [[nodiscard]] std::span<const std::int32_t> region() const { return region_; }

  /// Bound of the speed at which any two of the candidates' nodes on different surfaces approach each other.
  /// Computed once and kept until new_line.
  [[nodiscard]] double speed(std::span<const Vector3> velocities);
  /// To be called when nodes have new velocities.
  void new_line() { speed_ = -1; }

  [[nodiscard]] std::span<const BroadPhase::Pair> candidates() const { return broad_phase_.candidates(); }
  /// Calls visit(const SurfacePair&) for this share's pairs of the candidates that may be within `farthest`
  /// of each other at these positions: their triangles' boxes are, and so are the boxes of the pair itself.
  template <class Visit>
  void visit_within(double farthest, std::span<const Vector3> positions, Visit visit) const;
  /// By how much the candidates' skin exceeds the reach of the near pairs [length].
  [[nodiscard]] double slack() const { return slack_; }
  /// Number of near pairs.
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  /// Number of lists of near pairs made so far.
  [[nodiscard]] std::int64_t lists() const { return lists_; }

 private:
  void measure(std::span<const Vector3> positions, double drift);
  void list(std::span<const Vector3> positions);
  void start_region(std::span<const Vector3> positions);
  [[nodiscard]] double drift(std::span<const Vector3> positions) const;

  const SmoothContact& contact_;
  double slack_, reach_;
  double left_ = 0;  ///< pairs that are not listed were farther than d̂ + left_ when the region was started
  BroadPhase broad_phase_;
  std::vector<NearPair> pairs_;    ///< the candidates' pairs nearer than d̂ + reach when they were listed
  std::vector<double> distances_;  ///< lower bounds of their distances when the region was started
  std::vector<Gap> gaps_;
  std::int64_t lists_ = 0;

  // The region: the nodes of the candidates, the first surface's before the second's, and where they were
  // when it was started. Motion is measured on these alone, as far sides of the bodies move faster than what
  // touches.
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
  std::int32_t first = -1;  // candidates ascend by their first triangle
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
