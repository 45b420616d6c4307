// Smooth contact of two deformable surfaces, or of one with itself: barrier or gap energy of the distances of
// vertices from triangles and of edges from edges.
#pragma once

#include <string>
#include <vector>

#include "potentials/contact_packets.hpp"
#include "potentials/contact_pair.hpp"
#include "potentials/contact_surfaces.hpp"
#include "potentials/potential.hpp"
#include "potentials/term_counter.hpp"

namespace terrace {

/// A rank's share of the pairs of two surfaces: those of its vertices and edges.
struct PairShare {
  int part = 0, parts = 1;
  /// By the pair's first node: all triangles that a vertex meets are in one share.
  [[nodiscard]] bool holds(const SurfacePair& pair) const { return pair.nodes[0] % parts == part; }
};

/// V = κ Σ_pairs A m ψ(d) over the vertex-triangle and edge-edge pairs nearer than d̂ (Li et al. 2020), κ
/// [energy/length²]; A, a third of the area a pair stands for (SurfacePair), makes V ≈ κ ∫ ψ dA however fine
/// the meshes are: a third each for the vertices of either surface and for the edges.
///
/// Certified by the closing-speed bound (bound_pair). With the barrier V → +∞ before any pair touches: the
/// surfaces never interpenetrate (P5).
///
/// Three lists spare the work: candidate triangles by boxes with a wide skin; of these the near pairs;
/// and of these the open ones, which on the present line may come within d̂ for some time. Every
/// result depends on the lines, the origin and s alone, not on what is listed: other pairs contribute
/// nothing.
class SurfaceContact : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; triangles in local node numbers, a complete outward
  /// boundary each; equal lists mean contact of a surface with itself, pairs that share a node excepted.
  /// `stiffness`: κ [energy/length²] > 0. `share`: of all pairs; the shares of all ranks that hold the same
  /// surfaces add up to V. Throws Error(input) naming `where` as ContactSurfaces does.
  SurfaceContact(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first,
                 const std::vector<Triangle>& second, const ContactProfile& profile, double stiffness,
                 const std::string& where, const PairShare& share = {});

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return surfaces_.nodes(); }
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  /// Of a surface against itself a node has two numbers.
  [[nodiscard]] double contact_terms_at_node() const override {
    return (surfaces_.is_self() ? 2 : 1) * terms_at_node_.most();
  }
  void count_contact_terms(std::span<Vector3> numbers) const override;
  void set_line(std::span<const NodeLine> lines, double origin) override;
  void update_line(std::span<const NodeLine> lines, double origin,
                   std::span<const std::uint8_t> changed) override;
  void sample(double s, const LineGrids& grids, LineSample& sum) const override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) const override;
  [[nodiscard]] double work() const override { return 0.2 * static_cast<double>(surfaces_.nodes().size()); }
  void report(ContactExtremes& extremes) const override;

  /// Number of pairs listed as near, to look at.
  [[nodiscard]] std::size_t near_pairs() const { return near_.pairs.size(); }

 private:
  struct NearPair {
    std::array<std::int32_t, 4> nodes;  ///< own numbering
    ContactPair pair;
    Vector3
        axis;  ///< unit vector from the closest point of the second simplex to that of the first, when listed
  };
  struct Gap {
    std::size_t pair;  ///< place in the list of near pairs
    double width;      ///< along its axis
  };
  /// Nodes of both surfaces near the contact, how far they have moved relative to each other since their list
  /// was made, and how fast they do on the present line. Far sides of the bodies move faster than what
  /// touches.
  class Region {
   public:
    /// `inside`: 1 for the nodes of the region, own numbering.
    void start(std::span<const std::uint8_t> inside, std::size_t first_nodes,
               std::span<const Vector3> positions);
    /// The same nodes from other positions on.
    void start_again(std::span<const Vector3> positions);
    void new_line() { speed_ = -1; }
    /// Bound of the distance by which any two nodes of different surfaces have approached since start(); +∞
    /// before.
    [[nodiscard]] double drift(std::span<const Vector3> positions) const;
    [[nodiscard]] double speed(const ContactSurfaces& surfaces) const;

   private:
    std::vector<std::int32_t> nodes_;  ///< own numbering, those of the first surface first
    std::size_t first_ = 0;
    std::vector<Vector3> start_;
    bool started_ = false;
    mutable double speed_ = -1;
  };
  /// All pairs of the candidates nearer than d̂ + reach when listed.
  struct NearList {
    double reach, left;  ///< pairs not listed were farther than d̂ + left when the region was started
    Region region;       ///< the nodes of the candidates
    std::vector<NearPair> pairs;
    std::vector<double> distances;  ///< at least so much when the region was started
  };
  struct Window {
    double from = 1, to = 0;
    [[nodiscard]] bool contains(double s) const { return from <= s && s <= to; }
  };

  /// Brings candidates and near pairs up to date at the positions now_, the latter for `duration` on the
  /// present line. Returns the largest of near_.distances of a pair that may come within d̂ meanwhile; the
  /// list holds these pairs if that is at most complete_to().
  double listed_within(double duration) const;
  [[nodiscard]] double complete_to() const { return felt_from_ + near_.left; }
  void measure_near_pairs(double drift) const;
  void list_near_pairs() const;
  /// Lists what may come within d̂ in [from, from + duration]; false if that is too long for the near pairs.
  bool open(double from, double duration) const;
  /// Lists in gaps_ the near pairs whose near_.distances are at most `listed`, and along their axis no more
  /// than `widest` apart now.
  void find_gaps(double listed, double widest) const;
  /// Samples at s, unless they are, the open pairs that may come within d̂ before `until`.
  void sample_open(double s, double until) const;
  [[nodiscard]] const NodeRows& rows() const;
  [[nodiscard]] std::vector<PairOnLine>& looked_at(PairKind kind) const {
    return looked_at_[kind == PairKind::edge_edge ? 1 : 0];
  }
  [[nodiscard]] ContactPair weighted(const SurfacePair& pair) const;
  /// Certificate of all candidates, for intervals too long for the near pairs.
  void bound_candidates(double from, double duration, const LineGrids& grids, LineBound& sum) const;
  /// Certificates of packets sampled at `from`; counts those that have a pair without one on so long an
  /// interval.
  void add_bounds(std::span<const PairPacket> packets, double from, double duration, const LineGrids& grids,
                  LineBound& sum) const;
  /// Positions of now_ relative to the first node.
  [[nodiscard]] PairNodes relative_now(const std::array<std::int32_t, 4>& nodes) const;
  void watch(const NearPair& near, const ClosestPoints& closest, const PairNodes& x);
  void note_penetrations();
  void forget_line();

  ContactSurfaces surfaces_;
  PairShare share_;
  ContactProfile profile_;
  double stiffness_;
  double slack_;      ///< of the candidates' skin beyond the near pairs [length]
  double felt_from_;  ///< d̂ and some rounding: farther pairs contribute nothing
  ContactExtremes extremes_;
  /// A vertex's nearest triangle in the present gradient.
  struct NearestFace {
    std::int32_t vertex;  ///< own numbering
    double distance;
    bool behind;  ///< the vertex is behind the face
  };
  std::vector<NearestFace> nearest_faces_;
  TermCounter terms_at_node_;  ///< of the last gradient, own numbering

  mutable std::int64_t lists_ = 0;

  // Caches; no result depends on what they hold.
  mutable BroadPhase broad_phase_;
  mutable NearList near_;
  mutable std::vector<Gap> gaps_;
  mutable PairPackets open_;
  mutable PairPackets some_candidates_;
  mutable std::array<std::vector<PairOnLine>, 2> looked_at_;  ///< of either kind
  mutable NodeRows rows_;                                     ///< of the present line
  mutable bool rows_known_ = false;
  mutable std::vector<Vector3> now_;
  mutable Window apart_;   ///< no pair within d̂ in it
  mutable Window opened_;  ///< open_ holds all pairs within d̂ in it
  mutable double sampled_at_ = -1, sampled_until_ = -1;
};

}  // namespace terrace
