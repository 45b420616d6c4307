// Smooth contact of two deformable surfaces, or of one with itself: barrier or gap energy of the distances of
// vertices from triangles and of edges from edges.
#pragma once

#include <string>
#include <vector>

#include "potentials/contact_pair.hpp"
#include "potentials/contact_surfaces.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = κ Σ_pairs A m ψ(d) over the vertex-triangle and edge-edge pairs nearer than d̂ (Li et al. 2020), κ
/// [energy/length²], A an area that makes V ≈ κ ∫ ψ dA however fine the meshes are: a third each for the
/// vertices of either surface (A: a third of the triangles around), and for edges, of which about 2/π · (length
/// per area)₁ · (length per area)₂ pairs cross on a unit of area (Buffon), A = π/2 (A_e/ℓ_e)₁ (A_e/ℓ_e)₂.
///
/// Certified by the closing-speed bound (bound_pair). With the barrier V → +∞ before any pair touches: the
/// surfaces never interpenetrate (P5).
///
/// Two lists spare the work: candidate triangles by boxes with a wide skin, and of these the near pairs. Every
/// result depends on the lines, the origin and s alone, not on what is listed: other pairs contribute nothing.
class SurfaceContact : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; triangles in local node numbers, a complete outward
  /// boundary each; equal lists mean contact of a surface with itself, pairs that share a node excepted.
  /// `stiffness`: κ [energy/length²] > 0. Throws Error(input) naming `where` as ContactSurfaces does.
  SurfaceContact(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first,
                 const std::vector<Triangle>& second, const ContactProfile& profile, double stiffness,
                 const std::string& where);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return surfaces_.nodes(); }
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  void set_line(std::span<const NodeLine> lines, double origin, double earliest) override;
  void update_line(std::span<const NodeLine> lines, double origin, double earliest,
                   std::span<const std::uint8_t> changed) override;
  void sample(double s, const LineGrids& grids, LineSample& sum) const override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) const override;
  [[nodiscard]] double work() const override { return 0.2 * static_cast<double>(surfaces_.nodes().size()); }
  void report(ContactExtremes& extremes) const override;

  /// Number of pairs listed as near, to look at.
  [[nodiscard]] std::size_t near_pairs() const { return near_pairs_.size(); }

 private:
  struct NearPair {
    std::array<std::int32_t, 4> nodes;  ///< own numbering
    ContactPair pair;
  };
  struct Window {
    double from = 1, to = 0;
    [[nodiscard]] bool contains(double s) const { return from <= s && s <= to; }
  };

  /// Lists the near pairs at the positions now_, unless the list holds still.
  void list_near_pairs() const;
  /// The list holds at s and while the surfaces move relative to each other by half the reach.
  void list_for(double s) const;
  void consider(std::int32_t first, std::int32_t second) const;
  void add_pair(PairKind kind, const std::array<std::int32_t, 4>& nodes, double area, double parallel) const;
  [[nodiscard]] bool share_a_node(const std::array<std::int32_t, 4>& nodes, std::size_t first_count) const;
  void place(const NearPair& near, double s, PairNodes& x, PairNodes& v) const;
  void watch(const NearPair& near, const PairNodes& x);
  void forget_line();

  ContactSurfaces surfaces_;
  ContactProfile profile_;
  double stiffness_;
  double reach_;  ///< near pairs are at most d̂ + reach apart when they are listed
  ContactExtremes extremes_;

  // Caches; no result depends on what they hold.
  mutable BroadPhase broad_phase_;
  mutable RelativeMotion near_motion_;
  mutable std::vector<NearPair> near_pairs_;
  mutable std::vector<Vector3> now_;
  mutable Window apart_;   ///< no pair within d̂ in it
  mutable Window listed_;  ///< every pair within d̂ in it is listed
};

}  // namespace terrace
