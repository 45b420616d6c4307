// Which interactions of particles share a terrace.
#pragma once

#include <string>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "mesh/model.hpp"
#include "potentials/particles/pair_set.hpp"

namespace terrace {

/// An interaction, a wall or gravity in one subdomain; particles by their numbers in the model.
struct ParticleTerm {
  enum class Kind { pairs, field, wall, gravity };
  Kind kind;
  std::int32_t which;  ///< interaction or wall
  std::int32_t subdomain;
  PairSet pairs;                    ///< of Kind::pairs
  std::vector<std::int32_t> nodes;  ///< those it loads, ascending
};

struct ParticleLocalization {
  std::vector<ParticleTerm> terms;
  std::vector<std::string> subdomains;  ///< their names
};

/// "argon.3", the third of its body; the body's name where it has one alone.
[[nodiscard]] std::string particle_name(const Model& model, std::int32_t particle);

/// Particles are parted by the kind of the localization: all together, by bodies, into clusters, each by
/// itself. A terrace is of the interactions in one part, with its fields, walls and weights, or of those
/// between two parts. With the kind "global" there is one. Throws Error(input) for a kind that
/// particles do not have, for more clusters than particles, and for more than 20,000 terraces.
[[nodiscard]] ParticleLocalization localize_particles(const Model& model, const LocalizationEntry& choice);

}  // namespace terrace
