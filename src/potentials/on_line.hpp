// Potentials and set constraints as functions of time along the straight lines of their nodes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/box.hpp"
#include "geometry/vector3.hpp"
#include "numerics/infinity.hpp"
#include "parallel/exact_sum.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// The grids to which the terms of a subdomain's sums along its line are rounded. They are the same on every
/// rank, and are raised when a term does not fit.
struct LineGrids {
  DoubleGrid value;
  Grid slope{}, curvature{}, third{}, below{}, above{}, rise{}, fall{};
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [value, slope, curvature, third, below, above, rise, fall] = self;
    archive(value, slope, curvature, third, below, above, rise, fall);
  }
};

/// A rank's share of V, V′, V″ at one instant of the line: sums of terms rounded to the LineGrids, hence
/// exact. `largest_*` are the largest magnitudes of a term; a grid whose bound is smaller must be raised.
struct LineSample {
  ExactSum value;
  double slope = 0, curvature = 0;
  double infinite = 0;       ///< number of terms that are +∞ (elements with J ≤ 0): V = +∞
  double contact_terms = 0;  ///< number of terms of contact and walls, which is not known beforehand
  double largest_value = 0, largest_slope = 0, largest_curvature = 0;

  /// Adds a term, given its V, V′ and V″.
  void add(const LineGrids& grids, double energy, double first, double second) {
    value.add(grids.value, energy);
    slope += grids.slope.round(first);
    curvature += grids.curvature.round(second);
    largest_value = std::max(largest_value, std::abs(energy));
    largest_slope = std::max(largest_slope, std::abs(first));
    largest_curvature = std::max(largest_curvature, std::abs(second));
  }
};

/// A rank's share of a certificate on [from, to], s counted from `from`:
///   −(fall s + below s²/2 + third s³/6) ≤ V(s) − V₀ − V₀′ s − ½ V₀″ s² ≤ rise s + above s²/2 + third s³/6.
/// Elements bound |V‴| (third). Terms whose V″ jumps (walls, contact) bound the change of V″ (below, above).
/// Terms whose V′ jumps (a penetrated gap) bound the change of V′ (rise, fall).
struct LineBound {
  double third = 0, below = 0, above = 0, rise = 0, fall = 0;
  double invalid =
      0;  ///< number of terms without a bound on so long an interval: ask again for a shorter one
  double contact_terms = 0;  ///< as in LineSample
  double largest_third = 0, largest_below = 0, largest_above = 0, largest_rise = 0, largest_fall = 0;

  /// Adds a term whose |V‴| is at most `most`.
  void add_third(const LineGrids& grids, double most) {
    third += grids.third.round(most) + grids.third.quantum;
    largest_third = std::max(largest_third, most);
  }
  /// Adds a term whose V″ rises by at most `most_above`, and falls by at most `most_below`, from its value at
  /// the beginning.
  void add_change(const LineGrids& grids, double most_above, double most_below) {
    // One quantum each for the rounding of V″ in the sample and of the bounds themselves.
    most_above += grids.curvature.quantum;
    most_below += grids.curvature.quantum;
    above += grids.above.round(most_above) + grids.above.quantum;
    below += grids.below.round(most_below) + grids.below.quantum;
    largest_above = std::max(largest_above, most_above);
    largest_below = std::max(largest_below, most_below);
  }
};

/// A rank's share of V alone; members as in LineSample.
struct ValueSum {
  ExactSum sum;
  double contact_terms = 0, largest = 0;
  double infinite = 0;  ///< number of terms that are +∞
};

/// Work (Potential::work) as it is counted: in whole elements, also that of a few pairs of particles, so that
/// counts do not depend on the order in which they add up.
[[nodiscard]] inline std::int64_t whole_elements(double work) {
  return static_cast<std::int64_t>(std::ceil(work));
}

/// Extremes that a contact potential has met at its events.
struct ContactExtremes {
  double least_distance = infinity;  ///< of the two surfaces
  double deepest_penetration = 0;    ///< of a vertex behind a face; not reported for walls
  double unfelt_penetration = 0;     ///< that is not opposed (Potential::unfelt_penetration)
  std::int64_t lists = 0;            ///< number of times near pairs were listed
  double widest_contact = 0;  ///< by Hertz's law: contact radius over the largest its patch is meant for
  double largest_shift = 0;   ///< by Hertz's law: of the contact's middle from its patch's, in patch radii

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [least_distance, deepest_penetration, unfelt_penetration, lists, widest_contact, largest_shift] =
        self;
    archive(least_distance, deepest_penetration, unfelt_penetration, lists, widest_contact, largest_shift);
  }
};

/// The nodes that contact looks at where only a part of its surfaces is followed.
struct NearSides {
  std::vector<std::int32_t> nodes;  ///< local numbers
  /// No other node matters until nodes of different surfaces have moved this far [length] relative to each
  /// other.
  double slack = infinity;
};

/// Where a set constraint (an energy step of infinite height) is first met on the current lines.
struct FirstCollision {
  double instant = infinity;      ///< s of the collision; +∞ if there is none
  double searched_to = infinity;  ///< without a collision: there is none before this s
  /// Not 0 if a part near the other body has a coordinate this large [length]: rounding then hides on which
  /// side of that body it is, and the other members mean nothing.
  double too_far = 0;
};

/// A potential or a constraint followed along its nodes' lines. It keeps what saves work from one instant to
/// the next; no result depends on what is kept. The potential or constraint must outlive it.
class OnLine {
 public:
  OnLine() = default;
  OnLine(const OnLine&) = delete;
  OnLine& operator=(const OnLine&) = delete;
  virtual ~OnLine() = default;

  /// Sets the lines x(origin + s), s ≥ 0, that hold from now on.
  void set_line(std::span<const NodeLine> lines, double origin) {
    origin_ = origin;
    begin(lines, origin);
  }
  /// Same as set_line, if only the nodes with changed[a] != 0 have got new lines since.
  void update_line(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) {
    if (origin != origin_) return set_line(lines, origin);
    change(lines, origin, changed);
  }

  /// Same as Potential::add_gradient, at the places of the lines at `instant`.
  virtual double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                              std::span<Vector3> gradient) = 0;
  /// A bound on the number of contact and wall terms that the last add_gradient added to one node. 0 for
  /// elements, whose number at a node the mesh tells.
  [[nodiscard]] virtual double contact_terms_at_node() const { return 0; }
  /// Adds to numbers[a] the number of contact terms of the last gradient at local node a, as (number, 0, 0).
  virtual void count_contact_terms(std::span<Vector3> numbers) const { (void)numbers; }
  /// Merges what a contact potential has seen since it was made into `extremes`.
  virtual void report(ContactExtremes& extremes) const { (void)extremes; }
  /// Marks the extremes seen so far. `recall_extremes` forgets what add_gradient has seen since.
  virtual void keep_extremes() {}
  virtual void recall_extremes() {}
  /// Same as Potential::work.
  [[nodiscard]] virtual double work() const = 0;

 protected:
  /// Takes over the lines, as set_line.
  virtual void begin(std::span<const NodeLine> lines, double origin) = 0;
  /// Takes over the lines of changed nodes; `origin` is that of the last `begin`.
  virtual void change(std::span<const NodeLine> lines, double origin,
                      std::span<const std::uint8_t> changed) = 0;

  [[nodiscard]] double origin() const { return origin_; }

 private:
  double origin_ = std::numeric_limits<double>::quiet_NaN();
};

/// A rank's share of a potential as a function V(origin + s).
class PotentialOnLine : public OnLine {
 public:
  /// Adds this rank's share of V, V′, V″ at origin + s.
  virtual void sample(double s, const LineGrids& grids, LineSample& sum) = 0;
  /// Adds this rank's share of the certificate on origin + [from, to].
  virtual void bound(double from, double to, const LineGrids& grids, LineBound& sum) = 0;
  /// Same as add_gradient, and adds this rank's share of V at the same instant, its terms rounded to
  /// `value_grid`.
  virtual double add_gradient_and_value(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                        std::span<Vector3> gradient, const DoubleGrid& value_grid,
                                        ValueSum& value) {
    add_value(instant, value_grid, value);
    return add_gradient(lines, instant, grid, gradient);
  }
  /// First of two steps that together add the gradient, and V if `value_grid` is not null. After it the nodes
  /// that other ranks hold too have received all that this potential adds to them, so that messages can be
  /// under way during the second step. Each step returns the largest magnitude of its own terms. A step that
  /// throws leaves `gradient` as it found it.
  virtual double add_outer_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                    std::span<Vector3> gradient, const DoubleGrid* value_grid,
                                    ValueSum& value) {
    return value_grid == nullptr ? add_gradient(lines, instant, grid, gradient)
                                 : add_gradient_and_value(lines, instant, grid, gradient, *value_grid, value);
  }
  /// Second step, called after add_outer_gradient with the same arguments.
  virtual double add_inner_gradient(std::span<const NodeLine> /*lines*/, double /*instant*/,
                                    const Grid& /*grid*/, std::span<Vector3> /*gradient*/,
                                    const DoubleGrid* /*value_grid*/, ValueSum& /*value*/) {
    return 0;
  }
  /// Whether the second step has anything to add.
  [[nodiscard]] virtual bool has_inner() const { return false; }
  /// Whether there is a certificate on origin + [from, to]: in particular, no element's J falls below half
  /// its value. Answers as `bound` does (no invalid term), but may find the answer in a cheaper way. Adds the
  /// number of elements it looked at to `evaluated`.
  [[nodiscard]] virtual bool certifies(double from, double to, double& evaluated) {
    LineBound sum;
    bound(from, to, LineGrids{}, sum);
    evaluated += work();
    return sum.invalid == 0;
  }
  /// For contact, from origin + s on: nothing is felt until nodes of the two surfaces have come nearer to
  /// each other by `distance`, and no two of them approach faster than `speed`.
  struct Room {
    double distance = 0;      ///< [length]; 0 if nothing is known
    double speed = infinity;  ///< on the present lines
  };
  /// The room at origin + s; nothing is known by default.
  [[nodiscard]] virtual Room room(double s) {
    (void)s;
    return {};
  }
  /// For contact: from now on looks only at the nodes of its surfaces that are near the other surface at
  /// `instant`, when all are on their lines, and returns them. The caller must see to it that the others do
  /// not matter: the slack must not be used up, and on an interval to be certified no surface may move
  /// farther than the slack relative to the other. Then the results are those of all nodes; but an interval
  /// that is not certified this way might be certified with all nodes.
  virtual NearSides look_at_near_sides(std::span<const NodeLine> lines, double instant) {
    (void)lines, (void)instant;
    return {};
  }
  /// Ends look_at_near_sides: all nodes are looked at again, from the next set_line on.
  virtual void look_at_all_sides() {}
  /// Promises something about the lines that the next set_line gives, and about them alone: no node leaves
  /// `box` until time `until` [s], and the array of lines neither moves nor changes until new ones are set. A
  /// potential that is far from the box need not look at these nodes.
  virtual void expect_inside(const Box& box, double until) { (void)box, (void)until; }
  /// For a potential without certificate: the longest step from s on the current line that it takes to be
  /// safe.
  [[nodiscard]] virtual double longest_trial(double s) {
    (void)s;
    return infinity;
  }

 protected:
  void add_value(double instant, const DoubleGrid& value_grid, ValueSum& value) {
    const LineGrids grids{.value = value_grid};
    LineSample sample_at;
    sample(instant - origin(), grids, sample_at);
    value.sum.coarse += sample_at.value.coarse;
    value.sum.fine += sample_at.value.fine;
    value.contact_terms += sample_at.contact_terms;
    value.infinite += sample_at.infinite;
    value.largest = std::max(value.largest, sample_at.largest_value);
  }
};

/// A set constraint along its nodes' lines. add_gradient gives the gradient of the distance that has become 0
/// in the collision that the last `first_collision` found.
class ConstraintOnLine : public OnLine {
 public:
  /// The first collision in origin + [from, to]. The search may stop earlier, at FirstCollision::searched_to;
  /// the caller then asks again from there.
  virtual FirstCollision first_collision(double from, double to) = 0;
};

}  // namespace terrace
