// Particles from a table of comma-separated values.
#pragma once

#include <string>
#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

struct ParticleFile {
  std::size_t dimension = 0;  ///< 1, 2 or 3
  std::vector<Vector3> positions, velocities;
  std::vector<double> masses;  ///< empty where the file has none
};

/// Reads a table whose first row names the columns, in any order: x, or x and y, or x, y and z [length]; vx,
/// vy, vz of the same components [length/time], 0 where a column is missing; and mass, which may be missing.
/// `file` is relative to the deck; `where` and `key` are for messages. Throws Error(input) with the line of
/// the file, Error(run) where reading fails.
[[nodiscard]] ParticleFile read_particle_file(const std::string& deck_file, const std::string& file,
                                              const std::string& where, const std::string& key);

}  // namespace terrace
