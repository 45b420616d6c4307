// Smooth contact of two surfaces along their nodes' lines.
#pragma once

#include <array>
#include <vector>

#include "potentials/contact/surface_contact.hpp"
#include "potentials/contact/surface_motion.hpp"
#include "potentials/kernels/contact_packets.hpp"
#include "potentials/known_stretch.hpp"
#include "potentials/term_counter.hpp"

namespace terrace {

/// Certified by the closing-speed bound (bound_pair).
///
/// Three lists spare work: the two of NearContacts, and among the near pairs the open ones, which may come
/// within d̂ on the present line for some time. Every result depends on the lines, the origin and s alone,
/// not on what is listed: other pairs contribute nothing.
class SurfaceContactOnLine : public PotentialOnLine {
 public:
  explicit SurfaceContactOnLine(const SurfaceContact& contact);

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  /// A node of a surface against itself has two own numbers, whose terms add up.
  [[nodiscard]] double contact_terms_at_node() const override {
    return (contact_.surfaces.is_self() ? 2 : 1) * terms_at_node_.most();
  }
  void count_contact_terms(std::span<Vector3> numbers) const override;
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  /// Found by the shortest way between the surfaces' convex hulls. Depends on the lines and s alone, not on
  /// earlier calls.
  [[nodiscard]] Room room(double s) override;
  [[nodiscard]] double work() const override { return potential_.work(); }
  void report(ContactExtremes& extremes) const override;
  /// Looks at the nodes of the candidates alone from `instant` on; these suffice for relative motions up to
  /// half the candidates' slack.
  NearSides look_at_near_sides(std::span<const NodeLine> lines, double instant) override;
  void look_at_all_sides() override;
  void keep_extremes() override { kept_extremes_ = extremes_; }
  void recall_extremes() override { extremes_ = kept_extremes_; }

  /// Number of near pairs, for inspection.
  [[nodiscard]] std::size_t near_pairs() const { return near_.size(); }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  /// A vertex and a triangle near it, as the present gradient found them.
  struct NearestFace {
    std::array<std::int32_t, 4> nodes;  ///< the vertex and the triangle's, own numbering
    double distance;
    bool behind;  ///< the vertex is behind the face
  };
  /// Pairs sorted by kind, as all pairs of a packet have the same kind.
  struct PairsOfEitherKind {
    std::array<std::vector<PairOnLine>, 2> by_kind;
    [[nodiscard]] std::vector<PairOnLine>& of(PairKind kind) {
      return by_kind[kind == PairKind::edge_edge ? 1 : 0];
    }
  };

  /// Lists in open_ the pairs that may come within d̂ in [from, from + duration]. Returns false if that is
  /// too long for the near pairs.
  bool open(double from, double duration);
  /// Samples at s the open pairs that may come within d̂ before `until`, unless they are sampled there
  /// already.
  void sample_open(double s, double until);
  /// Positions and velocities of the nodes that listed pairs may have: most of a surface is far from the
  /// other one.
  [[nodiscard]] const NodeRows& rows();
  /// Adds the certificate of all pairs of the candidates that may come near; for intervals too long for the
  /// near pairs.
  void bound_candidates(double from, double duration, const LineGrids& grids, LineBound& sum);
  /// Adds the certificates of packets sampled at `from`. `sum.invalid` counts the packets with a pair that
  /// has none on so long an interval.
  void add_bounds(std::span<const PairPacket> packets, double from, double duration, const LineGrids& grids,
                  LineBound& sum) const;
  /// Notes the distance of a pair in the gradient, and keeps a vertex with its triangle for note_penetrations
  /// (not with the barrier, which nothing passes).
  void watch(const NearContacts::NearPair& near, const ClosestPoints& closest, const PairNodes& x);
  /// Notes the depths of vertices that are behind the nearest triangle that `watch` kept.
  void note_penetrations();
  /// Whether vertex and triangle are near each other on one surface with itself, and the vertex is behind the
  /// triangle or beside it, in the reference positions already: around the vertex, or across a thin part of
  /// the body.
  [[nodiscard]] bool is_of_one_skin(const std::array<std::int32_t, 4>& nodes) const;
  void forget_line();
  /// Writes the positions at `instant` of all nodes that are looked at to now_.
  void find_positions(std::span<const NodeLine> lines, double instant);

  const SurfaceContact& potential_;
  const SmoothContact& contact_;
  double felt_from_;
  ContactExtremes extremes_, kept_extremes_;
  std::vector<NearestFace> nearest_faces_;
  TermCounter terms_at_node_;  ///< in the last gradient, by own number

  SurfaceMotion motion_;
  NearContacts near_;
  PairPackets open_;
  PairsOfEitherKind looked_at_;
  bool near_sides_alone_ = false;
  std::vector<std::int32_t> near_sides_;  ///< the candidates' nodes, own numbering
  NodeRows rows_;                         ///< of the present line, for the nodes of one list
  static constexpr std::int64_t none = -1;
  std::int64_t rows_of_list_ = none;  ///< NearContacts::lists() when rows_ was made
  std::vector<Vector3> now_;          ///< empty until first needed: most pairs stay apart
  KnownStretch apart_;                ///< interval of s in which no pair is within d̂
  KnownStretch opened_;               ///< interval of s in which open_ holds all pairs within d̂
  double sampled_at_ = -1, sampled_until_ = -1;
};

}  // namespace terrace
