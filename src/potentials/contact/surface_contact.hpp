// Smooth contact of two deformable surfaces, or of one with itself: barrier or gap energy of the distances
// between vertices and triangles and between edges.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "numerics/larger.hpp"
#include "potentials/add_balanced.hpp"
#include "potentials/contact/near_contacts.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = κ Σ_pairs A m ψ(d) over the vertex-triangle and edge-edge pairs nearer than d̂ (Li et al. 2020), κ
/// [energy/length²]. A is a third of the area that a pair stands for (SurfacePair): the vertices of the first
/// surface, those of the second, and the edges each stand for the whole area. m is the mollifier of edge
/// pairs (ContactPair). Where d̂ is small beside the elements V ≈ κ ∫ ψ dA. Else a vertex counts all
/// triangles within d̂, and an edge all edges, and V is larger: 1.2 to 1.6 times at d̂ = 0.3 edges, 5 to 6
/// times at 0.8 edges, and more where vertices of both surfaces lie opposite each other.
///
/// Certified by the closing-speed bound (bound_pair). With the barrier V → +∞ before any pair touches: the
/// surfaces never interpenetrate (P5).
class SurfaceContact : public Potential {
 public:
  /// `reference_positions`: of all local nodes [length]. The triangles are in local node numbers, each list a
  /// complete boundary with normals outwards; equal lists mean contact of a surface with itself, without the
  /// pairs that share a node. `stiffness`: κ [energy/length²] > 0. `share`: the part of all pairs that this
  /// potential holds; the shares of all ranks with the same surfaces add up to V. Throws Error(input) naming
  /// `where` as ContactSurfaces does.
  SurfaceContact(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first,
                 const std::vector<Triangle>& second, const ContactProfile& profile, double stiffness,
                 const std::string& where, const PairShare& share = {});
  /// As above, of surfaces that are shared with other pairs.
  SurfaceContact(ContactSurfaces surfaces, const ContactProfile& profile, double stiffness,
                 const PairShare& share = {});

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return contact_.surfaces.nodes(); }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  [[nodiscard]] std::unique_ptr<EnergyTerms> energy_terms() const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  [[nodiscard]] double unfelt_penetration(const Displacements& displacements, bool has_energy) const override;
  [[nodiscard]] bool is_contact() const override { return true; }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] double work() const override { return 0.2 * static_cast<double>(nodes().size()); }

  [[nodiscard]] const SmoothContact& contact() const { return contact_; }

  /// Whether the boxes of the two surfaces at these positions (own numbering) are so far apart that no pair
  /// is felt. False for a surface against itself.
  [[nodiscard]] bool apart(std::span<const Vector3> positions) const;
  /// The energies that are not 0 of the pairs in `lists` at these positions (own numbering); +∞ of pairs that
  /// touch with the barrier.
  [[nodiscard]] std::vector<double> energies_of(NearContacts& lists,
                                                std::span<const Vector3> positions) const;
  /// Adds the gradient of the pairs in `lists` that are felt at these positions (own numbering), as
  /// add_gradient does. Calls visit(near pair, closest points, relative positions) for each of them.
  template <class Visit>
  double add_gradient_of(NearContacts& lists, std::span<const Vector3> positions, const Grid& grid,
                         std::span<Vector3> gradient, Visit visit) const;

 private:
  SmoothContact contact_;
};

template <class Visit>
double SurfaceContact::add_gradient_of(NearContacts& lists, std::span<const Vector3> positions,
                                       const Grid& grid, std::span<Vector3> gradient, Visit visit) const {
  const double listed = lists.listed_within(positions, {}, 0);
  double largest = 0;
  for (const NearContacts::Gap& gap : lists.find_gaps(positions, listed, contact_.felt_from())) {
    const NearContacts::NearPair& near = lists.pair(gap);
    const PairNodes x = relative_positions(near.nodes, positions);
    PairNodes terms;
    const auto closest = pair_gradient(near.pair, contact_.profile, x, terms);
    if (!closest) continue;
    visit(near, *closest, x);
    std::array<std::size_t, 4> nodes;
    for (std::size_t i = 0; i < 4; ++i)
      nodes[i] = contact_.surfaces.local(static_cast<std::size_t>(near.nodes[i]));
    largest = larger(largest, add_balanced(grid, terms, nodes, gradient));
  }
  return largest;
}

}  // namespace terrace
