// V at the vertices of a grid of coordinates, for force-stepping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dynamics/state/exact_momentum.hpp"

namespace terrace {

/// The values of all coordinates at a vertex of the grid. A view.
class Vertex {
 public:
  virtual ~Vertex() = default;
  [[nodiscard]] virtual double operator[](std::size_t coordinate) const = 0;
};

/// V of a system with d coordinates, in whole quanta of energy: each of its terms is rounded to them, and
/// sums of integers are exact. So V of a vertex is the same to the bit whatever way led there, and only the
/// terms that change need be evaluated for the next one.
class VertexPotential {
 public:
  virtual ~VertexPotential() = default;

  [[nodiscard]] virtual std::size_t coordinates() const = 0;
  /// [J]; a power of two.
  [[nodiscard]] virtual double quantum() const = 0;
  /// V at `vertex`. Throws Error(run) where it has no finite value.
  [[nodiscard]] virtual Integer128 value(const Vertex& vertex) = 0;
  /// V where one coordinate has gone on from `vertex`, at which V is `value`, to `to`. As value().
  [[nodiscard]] virtual Integer128 value_beyond(const Vertex& vertex, Integer128 value,
                                                std::size_t coordinate, double to) = 0;

  /// Parts of V that are told apart: of what acts from outside.
  [[nodiscard]] virtual std::size_t parts() const { return 0; }
  /// By how much each of them changed in the last value_beyond.
  [[nodiscard]] virtual std::span<const Integer128> part_changes() const { return {}; }
};

}  // namespace terrace
