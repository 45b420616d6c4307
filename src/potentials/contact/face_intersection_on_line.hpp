// The penalty of intersecting faces along the nodes' lines.
#pragma once

#include <optional>
#include <vector>

#include "potentials/contact/face_intersection.hpp"
#include "potentials/contact/surface_motion.hpp"
#include "potentials/known_stretch.hpp"
#include "potentials/term_counter.hpp"

namespace terrace {

/// Not certified: |A − B| has no useful bound, and V jumps where an edge goes through a face parallel to it.
/// `longest_trial` looks again at most a tenth of the smallest edge of relative motion after boxes of
/// triangles can meet, and keeps samples as far apart in contact; a graze shorter than that may go unseen.
///
/// Two lists spare the work: candidates by boxes with a wide skin, and of these the near pairs, which no
/// plane separates by more than a narrow one. Every result depends on the lines, the origin and s alone, not
/// on what is listed: pairs that do not intersect contribute exactly nothing.
class FaceIntersectionOnLine : public PotentialOnLine {
 public:
  explicit FaceIntersectionOnLine(const FaceIntersection& contact);

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double contact_terms_at_node() const override { return terms_at_node_.most(); }
  void count_contact_terms(std::span<Vector3> numbers) const override;
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  /// Contributes nothing: see FaceIntersection::certified and longest_trial.
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  [[nodiscard]] double work() const override { return contact_.work(); }

  /// Time step from origin + s after which to sample next, > 0: while the bodies' boxes are apart the time
  /// until they can meet (+∞ if they never do on these lines); else the time until boxes of two triangles can
  /// meet plus the time in which the bodies move a tenth of the smallest edge relative to each other.
  [[nodiscard]] double longest_trial(double s) override;

  /// The candidate pairs, to look at.
  [[nodiscard]] const BroadPhase& broad_phase() const { return broad_phase_; }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  [[nodiscard]] double meeting_of_candidates(double horizon);
  /// Earliest time from the positions now_ on at which the boxes of a pair can meet.
  [[nodiscard]] double meeting_of_boxes(const BroadPhase::Pair& pair) const;
  [[nodiscard]] double meeting_of(const BroadPhase::Pair& pair, double s);
  /// Lists the pairs near each other at the positions now_, unless the list holds still; returns the drift.
  double list_near_pairs();

  const FaceIntersection& contact_;
  const ContactSurfaces& surfaces_;
  TermCounter terms_at_node_;  ///< of the last gradient
  SurfaceMotion motion_;
  BroadPhase broad_phase_;
  RelativeMotion near_motion_;  ///< since the near pairs were listed
  std::vector<BroadPhase::Pair> near_pairs_;
  std::vector<Vector3> now_;
  KnownStretch apart_;                   ///< no contact in it
  KnownStretch listed_;                  ///< every contact in it is among the near pairs
  std::optional<BroadPhase::Pair> met_;  ///< a pair whose boxes overlapped when last looked at
};

}  // namespace terrace
