// What the builder of a system of particles asks of their potentials beside what all potentials have.
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
  /// The number of its terms, and the most at one particle; of those with a reach, of which nobody knows how
  /// many there are, 0: they are counted as contact is.
  [[nodiscard]] virtual double terms() const = 0;
  [[nodiscard]] virtual double terms_at_particle() const = 0;
  /// Its terms come and go.
  [[nodiscard]] virtual bool has_reach() const { return false; }
  /// Adds to stiffness[a] a bound of the norm of ∂²V/∂u_a∂u_b, summed over b, of each of its particles; not
  /// less than where the law is at rest.
  virtual void add_stiffness(const Displacements& displacements, std::span<double> stiffness) const = 0;
  /// Two particles (their nodes), or one twice that is in a field, between which it has no finite energy or
  /// force; nothing if there are none.
  [[nodiscard]] virtual std::optional<std::array<std::int32_t, 2>> singular_pair(
      const Displacements& displacements) const = 0;
};

/// The largest force of this potential on one of so many particles [N]; 0 where one of them is beyond all
/// numbers.
[[nodiscard]] double largest_force(const ParticlePotential& potential, const Displacements& displacements,
                                   std::size_t particles);

/// Particles by the numbers that the system has for them on this rank: for all of them positions [length] and
/// masses.
struct ParticleTable {
  std::span<const Vector3> reference;
  std::span<const double> masses;
};

/// The potential of one interaction between the pairs of `set`, whose numbers are places in `nodes`
/// (ascending, local).
[[nodiscard]] std::unique_ptr<ParticlePotential> make_pair_potential(const Interaction& interaction,
                                                                     const ParticleTable& table,
                                                                     std::vector<std::int32_t> nodes,
                                                                     PairSet set);

/// The potential of one interaction of each of `nodes` (ascending, local) by itself.
[[nodiscard]] std::unique_ptr<ParticlePotential> make_field(const Interaction& interaction,
                                                            const ParticleTable& table,
                                                            std::vector<std::int32_t> nodes);

}  // namespace terrace
