// The thesis's own penalty contact of two deformable bodies: intersecting boundary faces.
#pragma once

#include <optional>
#include <vector>

#include "geometry/triangle_intersection.hpp"
#include "potentials/broad_phase.hpp"
#include "potentials/contact_surfaces.hpp"
#include "potentials/potential.hpp"
#include "potentials/term_counter.hpp"

namespace terrace {

/// V = 1/(2ε) Σ |A − B|² over the pairs of intersecting triangles, one of each body's boundary, A and B the
/// ends of the intersection segment (thesis (2.90), (2.91)).
///
/// Not certified: |A − B| has no useful bound, and V jumps where an edge goes through a face parallel to it.
/// Before contact nothing is missed: `first_contact_bound` is certified. In contact `longest_trial` keeps
/// samples a tenth of the smallest edge of relative motion apart; a graze shorter than that may go unseen.
///
/// Two lists spare the work: candidates by boxes with a wide skin, and of these the near pairs, which no
/// plane separates by more than a narrow one. Every result depends on the lines, the origin and s alone, not
/// on what is listed: pairs that do not intersect contribute exactly nothing.
class FaceIntersection : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; triangles in local node numbers, a complete boundary
  /// each; `stiffness`: 1/ε [force/length]. Throws Error(input) if a surface is empty, a node number is out
  /// of range, an edge has length 0, or the stiffness is not positive.
  FaceIntersection(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first_boundary,
                   const std::vector<Triangle>& second_boundary, double stiffness);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return surfaces_.nodes(); }
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double contact_terms_at_node() const override { return terms_at_node_.most(); }
  void count_contact_terms(std::span<Vector3> numbers) const override;
  void set_line(std::span<const NodeLine> lines, double origin) override;
  void update_line(std::span<const NodeLine> lines, double origin,
                   std::span<const std::uint8_t> changed) override;
  void sample(double s, const LineGrids& grids, LineSample& sum) const override;
  /// Contributes nothing: see certified() and longest_trial().
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) const override;
  [[nodiscard]] bool certified() const override { return false; }

  /// Time step from origin + s after which to sample next, > 0: while the bodies' boxes are apart the time
  /// until they can meet (+∞ if they never do on these lines); else the time until boxes of two triangles can
  /// meet plus the time in which the bodies move a tenth of the smallest edge relative to each other.
  [[nodiscard]] double longest_trial(double s) const override;

  /// Certified: no two triangles intersect in origin + [s, s + first_contact_bound(s)). 0 where boxes of
  /// triangles overlap already; +∞ if the bodies never meet on these lines.
  [[nodiscard]] double first_contact_bound(double s) const;

  [[nodiscard]] double work() const override { return 0.2 * static_cast<double>(surfaces_.nodes().size()); }
  /// The candidate pairs, to look at.
  [[nodiscard]] const BroadPhase& broad_phase() const { return broad_phase_; }

 private:
  /// From an instant on: certified time without contact, and time after which to look again.
  struct Outlook {
    double certified, trial;
  };
  /// Interval of s in which something is known; empty at first.
  struct Window {
    double from = 1, to = 0;
    [[nodiscard]] bool contains(double s) const { return from <= s && s <= to; }
  };

  [[nodiscard]] Outlook outlook(double s) const;
  [[nodiscard]] double meeting_of_candidates(double horizon) const;
  /// Earliest time from the positions now_ on at which the boxes of a pair can meet.
  [[nodiscard]] double meeting_of_boxes(const BroadPhase::Pair& pair) const;
  [[nodiscard]] double meeting_of(const BroadPhase::Pair& pair, double s) const;
  /// Lists the pairs near each other at the positions now_, unless the list holds still; returns the drift.
  double list_near_pairs() const;
  [[nodiscard]] std::array<std::size_t, 6> nodes_of(const BroadPhase::Pair& pair) const;

  ContactSurfaces surfaces_;
  double stiffness_;
  double mean_side_;           ///< of the triangles, the length unit of the lists
  TermCounter terms_at_node_;  ///< of the last gradient

  // Caches; no result depends on what they hold.
  mutable BroadPhase broad_phase_;
  mutable RelativeMotion near_motion_;  ///< since the near pairs were listed
  mutable std::vector<BroadPhase::Pair> near_pairs_;
  mutable std::vector<Vector3> now_;
  mutable Window apart_;                         ///< no contact in it
  mutable Window listed_;                        ///< every contact in it is among the near pairs
  mutable std::optional<BroadPhase::Pair> met_;  ///< a pair whose boxes overlapped when last looked at
};

}  // namespace terrace
