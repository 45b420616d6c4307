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
/// Three lists spare the work: those of NearContacts, and of the near pairs the open ones, which on the
/// present line may come within d̂ for some time. Every result depends on the lines, the origin and s alone,
/// not on what is listed: other pairs contribute nothing.
class SurfaceContactOnLine : public PotentialOnLine {
 public:
  explicit SurfaceContactOnLine(const SurfaceContact& contact);

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  /// Of a surface against itself a node has two numbers.
  [[nodiscard]] double contact_terms_at_node() const override {
    return (contact_.surfaces.is_self() ? 2 : 1) * terms_at_node_.most();
  }
  void count_contact_terms(std::span<Vector3> numbers) const override;
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  /// By the shortest way between the surfaces' convex hulls. The same of the same lines, whatever it was
  /// asked before.
  [[nodiscard]] Room room(double s) override;
  [[nodiscard]] double work() const override { return potential_.work(); }
  void report(ContactExtremes& extremes) const override;
  /// The candidates bear half their slack from `instant` on.
  NearSides look_at_near_sides(std::span<const NodeLine> lines, double instant) override;
  void look_at_all_sides() override;
  void keep_extremes() override { kept_extremes_ = extremes_; }
  void recall_extremes() override { extremes_ = kept_extremes_; }

  /// Number of pairs listed as near, to look at.
  [[nodiscard]] std::size_t near_pairs() const { return near_.size(); }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  /// A vertex's nearest triangle in the present gradient.
  struct NearestFace {
    std::array<std::int32_t, 4> nodes;  ///< the vertex and the triangle's, own numbering
    double distance;
    bool behind;  ///< the vertex is behind the face
  };
  /// A packet has one.
  struct PairsOfEitherKind {
    std::array<std::vector<PairOnLine>, 2> by_kind;
    [[nodiscard]] std::vector<PairOnLine>& of(PairKind kind) {
      return by_kind[kind == PairKind::edge_edge ? 1 : 0];
    }
  };

  /// Lists what may come within d̂ in [from, from + duration]; false if that is too long for the near pairs.
  bool open(double from, double duration);
  /// Samples at s, unless they are, the open pairs that may come within d̂ before `until`.
  void sample_open(double s, double until);
  [[nodiscard]] const NodeRows& rows();
  /// Certificate of all candidates that may come near, for intervals too long for the near pairs.
  void bound_candidates(double from, double duration, const LineGrids& grids, LineBound& sum);
  /// Certificates of packets sampled at `from`; counts those that have a pair without one on so long an
  /// interval.
  void add_bounds(std::span<const PairPacket> packets, double from, double duration, const LineGrids& grids,
                  LineBound& sum) const;
  void watch(const NearContacts::NearPair& near, const ClosestPoints& closest, const PairNodes& x);
  void note_penetrations();
  [[nodiscard]] bool is_of_one_skin(const std::array<std::int32_t, 4>& nodes) const;
  void forget_line();
  void find_positions(std::span<const NodeLine> lines, double instant);

  const SurfaceContact& potential_;
  const SmoothContact& contact_;
  double felt_from_;
  ContactExtremes extremes_, kept_extremes_;
  std::vector<NearestFace> nearest_faces_;
  TermCounter terms_at_node_;  ///< of the last gradient, own numbering

  SurfaceMotion motion_;
  NearContacts near_;
  PairPackets open_;
  PairsOfEitherKind looked_at_;
  bool near_sides_alone_ = false;
  std::vector<std::int32_t> near_sides_;  ///< of the candidates, own numbering
  NodeRows rows_;                         ///< of the present line, of the nodes of one list
  static constexpr std::int64_t none = -1;
  std::int64_t rows_of_list_ = none;  ///< NearContacts::lists
  std::vector<Vector3> now_;          ///< empty until first needed: most pairs stay apart
  KnownStretch apart_;                ///< no pair within d̂ in it
  KnownStretch opened_;               ///< open_ holds all pairs within d̂ in it
  double sampled_at_ = -1, sampled_until_ = -1;
};

}  // namespace terrace
