// V at the vertices of a grid of coordinates, for force-stepping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dynamics/state/exact_momentum.hpp"

namespace terrace {

/// A view of a vertex of the grid: the values of all coordinates there.
class Vertex {
 public:
  virtual ~Vertex() = default;
  [[nodiscard]] virtual double operator[](std::size_t coordinate) const = 0;
};

/// V of a system with d coordinates, in whole quanta of energy: each term of V is rounded to quanta, and sums
/// of integers are exact. So V at a vertex is the same to the bit whatever way led there, and from one vertex
/// to the next only the terms that change need be evaluated.
class VertexPotential {
 public:
  virtual ~VertexPotential() = default;

  [[nodiscard]] virtual std::size_t coordinates() const = 0;
  /// The quantum of energy [J], a power of two.
  [[nodiscard]] virtual double quantum() const = 0;
  /// V at `vertex`. Throws Error(run) where it has no finite value.
  [[nodiscard]] virtual Integer128 value(const Vertex& vertex) = 0;
  /// V where one coordinate differs from `vertex`, at which V is `value`: it has the value `to`. Throws as
  /// value() does.
  [[nodiscard]] virtual Integer128 value_beyond(const Vertex& vertex, Integer128 value,
                                                std::size_t coordinate, double to) = 0;

  /// The number of parts of V whose changes are known apart: one for each thing that acts from outside, or 0.
  [[nodiscard]] virtual std::size_t parts() const { return 0; }
  /// By how much each part changed in the last value_beyond [quanta].
  [[nodiscard]] virtual std::span<const Integer128> part_changes() const { return {}; }
};

}  // namespace terrace
