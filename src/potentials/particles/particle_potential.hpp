// What the builder of a system of particles asks of their potentials besides what all potentials have.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "mesh/particles.hpp"
#include "potentials/particles/pair_set.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// A potential between particles, or of particles in a field.
class ParticlePotential : public Potential {
 public:
  /// The number of its terms, and the largest number at one particle. Both are 0 for a potential with a
  /// reach, whose number of terms nobody knows: these are counted as those of contact are.
  [[nodiscard]] virtual double terms() const = 0;
  [[nodiscard]] virtual double terms_at_particle() const = 0;
  /// Whether it has a finite reach, so that its terms come and go.
  [[nodiscard]] virtual bool has_reach() const { return false; }
  /// Adds to stiffness[a], for each of its particles, half a bound of Σ_b |∂²V/∂u_a∂u_b|, so that squares of
  /// frequencies are at most twice the largest sum over the particle's mass (Gershgorin). A law of pairs adds
  /// at least its natural_stiffness.
  virtual void add_stiffness(const Displacements& displacements, std::span<double> stiffness) const = 0;
  /// The nodes of two particles between which it has no finite energy or force, or twice the node of one that
  /// has none in a field; nothing if there are none.
  [[nodiscard]] virtual std::optional<std::array<std::int32_t, 2>> singular_pair(
      const Displacements& displacements) const = 0;
};

/// The largest force [N] of this potential on one particle; 0 if some force is not finite. `particles`: the
/// number of all local nodes.
[[nodiscard]] double largest_force(const ParticlePotential& potential, const Displacements& displacements,
                                   std::size_t particles);

/// The particles of the system on this rank, by local number: their reference positions [length] and masses.
struct ParticleTable {
  std::span<const Vector3> reference;
  std::span<const double> masses;
};

/// Makes the potential of an interaction of pairs between the pairs of `set`, whose numbers are places in
/// `nodes` (ascending, local).
[[nodiscard]] std::unique_ptr<ParticlePotential> make_pair_potential(const Interaction& interaction,
                                                                     const ParticleTable& table,
                                                                     std::vector<std::int32_t> nodes,
                                                                     PairSet set);

/// Makes the potential of an interaction that acts on each of `nodes` (ascending, local) by itself.
[[nodiscard]] std::unique_ptr<ParticlePotential> make_field(const Interaction& interaction,
                                                            const ParticleTable& table,
                                                            std::vector<std::int32_t> nodes);

}  // namespace terrace
