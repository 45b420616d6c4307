// Motion in a potential that is affine in every simplex of a grid: free fall from face to face.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/piecewise/vertex_potential.hpp"
#include "dynamics/terraces/earliest.hpp"
#include "geometry/vector3.hpp"

namespace terrace {

/// The grid along one coordinate: planes at origin + spacing · k.
struct GridLine {
  double inverse_mass = 1;
  double spacing = 1;  ///< h [length]
  double origin = 0;
  /// The triangulation is symmetric under reflection at the origin (thesis, figure 3.3 b and c).
  bool mirrored = false;
  std::size_t axis = 0;  ///< along which the coordinate is measured; where V has parts, all coordinates
                         ///< of one axis have the same spacing
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [inverse_mass, spacing, origin, mirrored, axis] = self;
    archive(inverse_mass, spacing, origin, mirrored, axis);
  }
};

/// The parabola on which a coordinate moves, in spacings from the origin of its grid line: cell + fraction +
/// s speed + ½ s² acceleration, where s is the time since `time` and `time` counts from the walk's epoch. A
/// mirrored coordinate is measured away from the origin, on the `side` where it is.
struct GridMotion {
  std::int64_t cell = 0;
  double fraction = 0, speed = 0, acceleration = 0, time = 0;
  double side = 1;  ///< ±1; 1 if not mirrored
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [cell, fraction, speed, acceleration, time, side] = self;
    archive(cell, fraction, speed, acceleration, time, side);
  }
};

/// The motion of force-stepping (thesis chapter 3). V_h is V at the vertices of Kuhn's triangulation of the
/// grid and affine in each simplex. The vertices z⁰ ≤ z¹ ≤ … ≤ z^d of a simplex differ from one to the next
/// in one coordinate each, in an order π. With the fractions f of the coordinates within their cell, f_π(0) =
/// 1 and f_π(d+1) = 0, the barycentric coordinates are μ_k = f_π(k) − f_π(k+1), and ∂V_h/∂z_π(k) = V(z^k) −
/// V(z^{k−1}) per spacing. Where the motion passes the face μ_k = 0, the new vertex z^{k+1} + z^{k−1} − z^k
/// takes the place of z^k (Lemma 3.3.3): two coordinates get new accelerations, and three faces new times of
/// exit. So a crossing costs one change of V and O(log d), where the matrices of Algorithm 4 take O(d²).
class SimplexWalk {
 public:
  /// `potential` must outlive this. `grid`: one line for each of its coordinates, with spacing > 0.
  SimplexWalk(std::vector<GridLine> grid, VertexPotential& potential);

  /// Starts at `time` from these values and rates of the coordinates. Throws Error(input) for a value farther
  /// than 2⁴⁰ spacings from its origin, and Error(run) where V has no finite value.
  void start(std::span<const double> values, std::span<const double> rates, double time);

  /// The time at which the trajectory leaves its simplex.
  [[nodiscard]] double next() const { return epoch_ + (epoch_rest_ + exits_.time()); }
  /// Goes on to next() and enters the next simplex. Throws Error(run) where V has no finite value at its new
  /// vertex, or where the motion does not get away from an edge of the grid along which it began.
  void cross();

  /// The time of the last crossing, or of the start.
  [[nodiscard]] double time() const { return epoch_ + (epoch_rest_ + now_); }
  [[nodiscard]] std::int64_t crossings() const { return crossings_; }
  /// A coordinate and its rate at a time not later than next().
  [[nodiscard]] double value(std::size_t coordinate, double time) const;
  [[nodiscard]] double rate(std::size_t coordinate, double time) const;
  /// V_h [J] at a time not later than next().
  [[nodiscard]] double potential(double time) const;
  /// The momentum that the source of a part of V has received from the start to a time not later than next():
  /// for each axis ∫ Σ ∂V_h/∂z dt over the axis's coordinates, with V_h of that part alone.
  [[nodiscard]] Vector3 received(std::size_t part, double time) const;

  /// Vertex k of the present simplex, 0 ≤ k ≤ d.
  [[nodiscard]] double vertex(std::size_t k, std::size_t coordinate) const;
  [[nodiscard]] double vertex_value(std::size_t k) const;
  [[nodiscard]] double acceleration(std::size_t coordinate) const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.motions_, self.order_, self.place_, self.values_, self.first_, self.lowest_, self.exits_,
            self.epoch_, self.epoch_rest_, self.now_, self.crossings_, self.since_epoch_, self.standing_,
            self.rises_of_parts_, self.total_rises_, self.received_);
  }

 private:
  /// Value and derivatives at some time of a polynomial in time.
  struct Parabola {
    double value, slope, curvature;
  };
  class VertexOfWalk;

  [[nodiscard]] std::size_t dimension() const { return grid_.size(); }
  [[nodiscard]] std::size_t coordinate_at(std::size_t rank) const {
    return order_[(first_ + rank - 1) % dimension()];
  }
  [[nodiscard]] std::size_t rank_of(std::size_t coordinate) const {
    return (place_[coordinate] + dimension() - first_) % dimension() + 1;
  }
  [[nodiscard]] std::size_t slot(std::size_t k) const { return (lowest_ + k) % (dimension() + 1); }
  [[nodiscard]] double plane(std::size_t coordinate, std::int64_t cell) const;
  [[nodiscard]] Parabola at(std::size_t coordinate, double offset) const;
  [[nodiscard]] double offset_of(double time) const { return (time - epoch_) - epoch_rest_; }
  [[nodiscard]] Parabola barycentric(std::size_t k) const;

  void locate(std::span<const double> values, std::span<const double> rates);
  void bring_to(double offset, std::size_t coordinate);
  std::size_t replace_vertex(std::size_t k);
  void exchange(std::size_t rank);
  void evaluate_above(std::size_t k);
  void accelerate(std::size_t rank);
  void renew_exit(std::size_t k, bool just_entered);
  void restart_clock();
  /// The same as received(), at a time counted from the epoch.
  [[nodiscard]] Vector3 received_until(std::size_t part, double offset) const;
  void note_rises(std::size_t coordinate, double direction);
  void note_rise(std::size_t part, std::size_t coordinate, Integer128 rise);

  std::vector<GridLine> grid_;
  VertexPotential* potential_;
  std::vector<GridMotion> motions_;
  std::vector<std::size_t> order_;  ///< π as a ring that begins at first_
  std::vector<std::size_t> place_;  ///< index of each coordinate in order_
  std::vector<Integer128> values_;  ///< V(z^k) as a ring that begins at lowest_ [quanta]
  std::size_t first_ = 0, lowest_ = 0;
  Earliest exits_;                     ///< when μ_k = 0, indexed as values_; times from the epoch
  double epoch_ = 0, epoch_rest_ = 0;  ///< the epoch is their sum; the second is the first's rounding error
  double now_ = 0;                     ///< time of the last crossing, from the epoch
  std::int64_t crossings_ = 0, since_epoch_ = 0;
  std::int64_t standing_ = 0;               ///< crossings since time last went on
  std::vector<Integer128> rises_of_parts_;  ///< by coordinate, then part: in the present simplex [quanta]
  std::vector<std::array<Integer128, 3>> total_rises_;  ///< of each part, summed along each axis
  std::vector<Vector3> received_;                       ///< by the source of each part, until now_
  std::vector<Integer128> rises_of_both_;  ///< kept for replace_vertex, which runs at each crossing
  std::array<double, 3> spacings_{};       ///< by axis
};

}  // namespace terrace
