// Terms that are functions of one distance each: of two nodes, or of a node from a point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "geometry/vector3.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// The distance that a term depends on: of two nodes, or of a node from a point. Node numbers are local.
struct RadialTerm {
  static constexpr std::int32_t a_point = -1;
  std::int32_t node = 0, other = a_point;
  Vector3 centre{};  ///< the point, if `other` is `a_point`
};

/// The terms of a potential as functions U(q) of q = r², the square of a distance [length²]. The potential
/// must outlive it.
class RadialTerms {
 public:
  RadialTerms() = default;
  RadialTerms(const RadialTerms&) = delete;
  RadialTerms& operator=(const RadialTerms&) = delete;
  virtual ~RadialTerms() = default;

  /// For terms that end at some distance: restricts this object to those whose distance at `positions` (of
  /// all local nodes [length]) exceeds that by at most `margin`. Before the first call it has no terms. Does
  /// nothing for other potentials.
  virtual void list(std::span<const Vector3> /*positions*/, double /*margin*/) {}
  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual RadialTerm term(std::size_t number) const = 0;
  /// U [J] and dU/dq [J/length²].
  struct Values {
    double energy = 0, slope = 0;
  };
  [[nodiscard]] virtual Values at(std::size_t number, double square_of_distance) const = 0;
  /// The q at which U is not smooth: a second derivative jumps, or U is a fractional power on one side. +∞ if
  /// there is none.
  struct Kink {
    double square = infinity;
    bool analytic = true;  ///< on either side, up to it; else a fractional power of the distance to it
  };
  [[nodiscard]] virtual Kink kink() const { return {}; }
};

}  // namespace terrace
