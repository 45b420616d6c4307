// Point masses and what acts on them, as a deck describes them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/region.hpp"
#include "geometry/vector3.hpp"
#include "numerics/formula.hpp"

namespace terrace {

/// A potential of pairs of particles, or of each particle by itself in a field. r is the distance of a pair,
/// x a particle's position; the other symbols are members of Interaction.
enum class InteractionKind {
  lennard_jones,    ///< 4 ε ((σ/r)¹² − (σ/r)⁶), of pairs
  gravity,          ///< −G m m′ / r, of pairs
  spring,           ///< ½ k (r − l)², of pairs
  pair_expression,  ///< any φ(r) that a formula gives, of pairs
  hertz,            ///< 2/5 k max(l − r, 0)^{5/2}, of pairs
  central,          ///< −μ m / |x − c|
  harmonic,         ///< ½ Σ_d k_d (x_d − c_d)²
  polynomial,       ///< Σ_n a_n (e·(x − c))ⁿ
  circle,           ///< ½ k depth² of particles outside a circle or sphere about c, or inside it
  expression,       ///< any U(x, y, z) that a formula gives
  step              ///< a discontinuous potential: W in a region
};

/// One potential and the particles on which it acts.
struct Interaction {
  std::string name;
  std::string where;  ///< line of the deck, for messages
  InteractionKind kind = InteractionKind::harmonic;
  std::array<std::int32_t, 2> groups{-1, -1};  ///< bodies it acts between; a field: on the first; −1: all
  std::vector<std::array<std::int32_t, 2>>
      pairs;            ///< spring, hertz: pairs of particles of the first group; empty: all pairs
  double strength = 0;  ///< ε [J], G, k (spring [N/m], hertz [N/m^{3/2}], circle [N/m]), μ = G M
  double length = 0;    ///< σ, l, radius of the circle [length]
  double cutoff = 0;    ///< lennard_jones: [length]; 0: none
  bool inside = true;   ///< circle: whether particles are to be inside it
  Vector3 centre{};     ///< c
  Vector3 direction{};  ///< harmonic: k_d [N/m]; polynomial: e
  std::vector<double> coefficients;  ///< polynomial: a_0, a_1, …
  Formula formula{};                 ///< expression: of x, y, z; pair_expression: of r
  Region region{};                   ///< step: where W = strength [J], which may be infinite

  [[nodiscard]] bool of_pairs() const { return kind <= InteractionKind::hertz; }
  /// A potential with values and gradients.
  [[nodiscard]] bool smooth() const { return kind != InteractionKind::step; }
  /// A step of infinite height, which no particle gets over.
  [[nodiscard]] bool is_wall() const { return !smooth() && std::isinf(strength); }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, where, kind, groups, pairs, strength, length, cutoff, inside, centre, direction,
           coefficients, formula, region] = self;
    archive(name, where, kind, groups, pairs, strength, length, cutoff, inside, centre, direction,
            coefficients, formula, region);
  }
};

/// What a model of particles has in addition to positions, masses, velocities and bodies. Its bodies are
/// groups of particles without tetrahedra.
struct Particles {
  int dimension = 0;  ///< 1, 2 or 3; 0: the model is of meshes
  std::vector<Interaction> interactions;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [dimension, interactions] = self;
    archive(dimension, interactions);
  }
};

}  // namespace terrace
