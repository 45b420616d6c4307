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
/// Instead `longest_trial` limits how far apart the samples are: once boxes of triangles can meet, and in
/// contact, the bodies move at most a tenth of the smallest edge relative to each other between two samples.
/// A graze shorter than that may go unseen.
///
/// Two lists spare work: candidates, which are pairs of triangles whose boxes are within a wide skin, and
/// among these the near pairs, which no plane separates by more than a narrow skin. Every result depends on
/// the lines, the origin and s alone, not on what is listed: pairs that do not intersect contribute exactly
/// nothing.
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

  /// Time from origin + s after which to sample next, > 0. While the bodies' boxes are apart: the time until
  /// they can meet (+∞ if they never do on these lines). Else: the time until boxes of two triangles can
  /// meet, plus the time in which the bodies move a tenth of the smallest edge relative to each other.
  [[nodiscard]] double longest_trial(double s) override;

  /// The candidate pairs, for inspection.
  [[nodiscard]] const BroadPhase& broad_phase() const { return broad_phase_; }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  /// Earliest time from the positions now_ on at which the boxes of any candidate can meet, at most the
  /// horizon.
  [[nodiscard]] double meeting_of_candidates(double horizon);
  /// Earliest time from the positions now_ on at which the boxes of a pair can meet.
  [[nodiscard]] double meeting_of_boxes(const BroadPhase::Pair& pair) const;
  /// The same for one pair from s on.
  [[nodiscard]] double meeting_of(const BroadPhase::Pair& pair, double s);
  /// Lists the near pairs at the positions now_, unless the present list still holds. Returns the drift since
  /// they were listed.
  double list_near_pairs();

  const FaceIntersection& contact_;
  const ContactSurfaces& surfaces_;
  TermCounter terms_at_node_;  ///< in the last gradient
  SurfaceMotion motion_;
  BroadPhase broad_phase_;
  RelativeMotion near_motion_;  ///< since the near pairs were listed
  std::vector<BroadPhase::Pair> near_pairs_;
  std::vector<Vector3> now_;
  KnownStretch apart_;                   ///< interval of s without contact
  KnownStretch listed_;                  ///< interval of s in which only near pairs can be in contact
  std::optional<BroadPhase::Pair> met_;  ///< a pair whose boxes overlapped when last looked at
};

}  // namespace terrace
