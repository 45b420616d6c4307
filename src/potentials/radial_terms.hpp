// Terms that are functions of one distance each: of two nodes, or of a node from a point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "geometry/vector3.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// Which distance; nodes by their local numbers.
struct RadialTerm {
  static constexpr std::int32_t a_point = -1;
  std::int32_t node = 0, other = a_point;
  Vector3 centre{};  ///< the point, if `other` is one
};

/// The terms of a potential as functions U(q) of q = r², the square of a distance [length²]. What it was made
/// of must outlive it.
class RadialTerms {
 public:
  RadialTerms() = default;
  RadialTerms(const RadialTerms&) = delete;
  RadialTerms& operator=(const RadialTerms&) = delete;
  virtual ~RadialTerms() = default;

  /// Of terms that end at some distance, from now on only those are meant whose distance at these places of
  /// all local nodes [length] is not larger than that by more than `margin`; none are before the first call.
  virtual void list(std::span<const Vector3> /*positions*/, double /*margin*/) {}
  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual RadialTerm term(std::size_t number) const = 0;
  /// U [J] and dU/dq [J/length²].
  struct Values {
    double energy = 0, slope = 0;
  };
  [[nodiscard]] virtual Values at(std::size_t number, double square_of_distance) const = 0;
  /// The q at which a second derivative of U jumps; +∞ if none does.
  struct Kink {
    double square = infinity;
    bool analytic = true;  ///< on either side of it, up to it; else a fractional power of the way to it
  };
  [[nodiscard]] virtual Kink kink() const { return {}; }
};

}  // namespace terrace
