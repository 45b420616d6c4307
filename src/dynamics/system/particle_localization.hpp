// Which interactions of particles share a terrace.
#pragma once

#include <string>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "mesh/model.hpp"
#include "potentials/particles/pair_set.hpp"

namespace terrace {

/// An interaction's part in one subdomain, or that of a wall or of gravity. Particles have model numbers.
struct ParticleTerm {
  enum class Kind { pairs, field, wall, gravity };
  Kind kind;
  std::int32_t which;  ///< number of the interaction or wall
  std::int32_t subdomain;
  PairSet pairs;                    ///< of Kind::pairs
  std::vector<std::int32_t> nodes;  ///< particles that it loads, ascending
};

/// The grouping of a model's interactions into subdomains, the same on all ranks.
struct ParticleLocalization {
  std::vector<ParticleTerm> terms;
  std::vector<std::string> subdomains;  ///< their names
};

/// A particle's name: "argon.3" for the third of the body argon; the body's name if it has one particle.
[[nodiscard]] std::string particle_name(const Model& model, std::int32_t particle);

/// Groups the interactions of particles into subdomains. The kind of the localization divides particles into
/// parts: one ("global"), bodies, clusters, or each particle by itself ("pairs"). A subdomain holds either
/// the interactions within one part, with its fields, walls and weights, or those between two parts. Throws
/// Error(input) for a kind that particles do not have, for more clusters than particles, and for more than
/// 20,000 subdomains.
[[nodiscard]] ParticleLocalization localize_particles(const Model& model, const LocalizationEntry& choice);

}  // namespace terrace
