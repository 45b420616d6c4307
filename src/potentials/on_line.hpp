// What potentials and set constraints are on the straight lines of their nodes.
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

/// Grids of a subdomain's sums along its line; the same on every rank. They are raised when a term does not
/// fit.
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
/// exact. `largest_*` are the largest magnitudes of a term, so that a grid that is too coarse-bounded can be
/// raised.
struct LineSample {
  ExactSum value;
  double slope = 0, curvature = 0;
  double infinite = 0;       ///< number of terms that are +∞ (an element with J ≤ 0): V = +∞
  double contact_terms = 0;  ///< number of terms of contact and walls, whose number nobody knows beforehand
  double largest_value = 0, largest_slope = 0, largest_curvature = 0;

  /// A term by its V, V′, V″.
  void add(const LineGrids& grids, double energy, double first, double second) {
    value.add(grids.value, energy);
    slope += grids.slope.round(first);
    curvature += grids.curvature.round(second);
    largest_value = std::max(largest_value, std::abs(energy));
    largest_slope = std::max(largest_slope, std::abs(first));
    largest_curvature = std::max(largest_curvature, std::abs(second));
  }
};

/// A rank's share of a certificate on [from, to]:
///   −(fall s + below s²/2 + third s³/6) ≤ V(s) − V₀ − V₀′ s − ½ V₀″ s² ≤ rise s + above s²/2 + third s³/6.
/// Elements bound |V‴| (third); terms whose V″ jumps (walls, contact) bound the change of V″ (below, above);
/// where V′ jumps (a penetrated gap), the change of V′ (rise, fall).
struct LineBound {
  double third = 0, below = 0, above = 0, rise = 0, fall = 0;
  double invalid =
      0;  ///< number of terms that give no bound on so long an interval: ask again for a shorter one
  double contact_terms = 0;  ///< as in LineSample
  double largest_third = 0, largest_below = 0, largest_above = 0, largest_rise = 0, largest_fall = 0;

  /// Of a term |V‴| is at most this.
  void add_third(const LineGrids& grids, double most) {
    third += grids.third.round(most) + grids.third.quantum;
    largest_third = std::max(largest_third, most);
  }
  /// Of a term V″ is never higher, or lower, than at the beginning by more than this.
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

/// A rank's share of V alone, as in LineSample.
struct ValueSum {
  ExactSum sum;
  double contact_terms = 0, largest = 0;
  double infinite = 0;  ///< number of terms that are +∞
};

/// What a contact potential has seen at its events.
struct ContactExtremes {
  double least_distance = infinity;  ///< of two surfaces
  double deepest_penetration = 0;    ///< of a vertex behind a face; walls do not tell
  double unfelt_penetration = 0;     ///< where it is not kept out (Potential::unfelt_penetration)
  std::int64_t lists = 0;            ///< of near pairs that were made
  double widest_contact = 0;         ///< of Hertz's: its radius over the largest that its patch is meant for
  double largest_shift = 0;          ///< of its middle from the patch's, in radii of the patch

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [least_distance, deepest_penetration, unfelt_penetration, lists, widest_contact, largest_shift] =
        self;
    archive(least_distance, deepest_penetration, unfelt_penetration, lists, widest_contact, largest_shift);
  }
};

/// What contact looks at where only a part of its surfaces is followed.
struct NearSides {
  std::vector<std::int32_t> nodes;  ///< local numbers
  /// Until nodes of different surfaces have moved so far relative to each other [length] no others count.
  double slack = infinity;
};

/// Where a set constraint, an energy step of infinite height, is first met on the current lines.
struct FirstCollision {
  double instant = infinity;      ///< s of the collision; +∞: none
  double searched_to = infinity;  ///< without a collision: none before this s
  /// Not 0: what is near the other body has so large a coordinate [length] that rounding does not tell any
  /// more on which side of it it is; then the rest means nothing.
  double too_far = 0;
};

/// A potential or a constraint that is followed along its nodes' lines. It keeps what is worth keeping from
/// one instant to the next; no result depends on that. What it was made of must outlive it.
class OnLine {
 public:
  OnLine() = default;
  OnLine(const OnLine&) = delete;
  OnLine& operator=(const OnLine&) = delete;
  virtual ~OnLine() = default;

  /// The lines x(origin + s), s ≥ 0, from now on.
  void set_line(std::span<const NodeLine> lines, double origin) {
    origin_ = origin;
    begin(lines, origin);
  }
  /// As set_line, after only the nodes with changed[a] != 0 got new lines.
  void update_line(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) {
    if (origin != origin_) return set_line(lines, origin);
    change(lines, origin, changed);
  }

  /// As Potential::add_gradient, at the lines' places at `instant`.
  virtual double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                              std::span<Vector3> gradient) = 0;
  /// Bound on the number of terms that the last add_gradient added to one node: of contact and walls. 0 for
  /// elements, whose number at a node the mesh tells.
  [[nodiscard]] virtual double contact_terms_at_node() const { return 0; }
  /// Adds the number of terms of contact that the last gradient got at each local node, as (number, 0, 0).
  virtual void count_contact_terms(std::span<Vector3> numbers) const { (void)numbers; }
  /// Adds what a contact potential has seen since it was made.
  virtual void report(ContactExtremes& extremes) const { (void)extremes; }
  /// What add_gradient sees from now on is forgotten if `recall_extremes` is called.
  virtual void keep_extremes() {}
  virtual void recall_extremes() {}
  /// As Potential::work.
  [[nodiscard]] virtual double work() const = 0;

 protected:
  virtual void begin(std::span<const NodeLine> lines, double origin) = 0;
  /// With the origin of `begin`.
  virtual void change(std::span<const NodeLine> lines, double origin,
                      std::span<const std::uint8_t> changed) = 0;

  [[nodiscard]] double origin() const { return origin_; }

 private:
  double origin_ = std::numeric_limits<double>::quiet_NaN();
};

/// V(origin + s) of a rank's share of a term.
class PotentialOnLine : public OnLine {
 public:
  /// Adds this rank's share of V, V′, V″ at origin + s.
  virtual void sample(double s, const LineGrids& grids, LineSample& sum) = 0;
  /// Adds this rank's share of the certificate on origin + [from, to].
  virtual void bound(double from, double to, const LineGrids& grids, LineBound& sum) = 0;
  /// As add_gradient, and adds this rank's share of V at the same instant, its terms rounded to `value_grid`.
  virtual double add_gradient_and_value(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                        std::span<Vector3> gradient, const DoubleGrid& value_grid,
                                        ValueSum& value) {
    add_value(instant, value_grid, value);
    return add_gradient(lines, instant, grid, gradient);
  }
  /// The gradient in two steps, with V where there is a grid for it (not null): between them the nodes that
  /// other ranks hold have all that it adds to them, so that messages can be under way during the second.
  /// Each returns the largest of its own terms; what throws leaves `gradient` as the step found it.
  virtual double add_outer_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                    std::span<Vector3> gradient, const DoubleGrid* value_grid,
                                    ValueSum& value) {
    return value_grid == nullptr ? add_gradient(lines, instant, grid, gradient)
                                 : add_gradient_and_value(lines, instant, grid, gradient, *value_grid, value);
  }
  /// After add_outer_gradient with the same arguments.
  virtual double add_inner_gradient(std::span<const NodeLine> /*lines*/, double /*instant*/,
                                    const Grid& /*grid*/, std::span<Vector3> /*gradient*/,
                                    const DoubleGrid* /*value_grid*/, ValueSum& /*value*/) {
    return 0;
  }
  /// Whether the second step does anything.
  [[nodiscard]] virtual bool has_inner() const { return false; }
  /// Whether the certificate on origin + [from, to] is known to hold: no element's J falls below its half, no
  /// distance. Says what `bound` says, but may find out in a cheaper way; adds to `evaluated` the elements it
  /// looked at.
  [[nodiscard]] virtual bool certifies(double from, double to, double& evaluated) {
    LineBound sum;
    bound(from, to, LineGrids{}, sum);
    evaluated += work();
    return sum.invalid == 0;
  }
  /// Of contact: at origin + s nothing is felt before nodes of the two surfaces have come nearer to each
  /// other by so much, and no two come nearer faster.
  struct Room {
    double distance = 0;      ///< [length]; 0: nothing is known
    double speed = infinity;  ///< on the present line
  };
  [[nodiscard]] virtual Room room(double s) {
    (void)s;
    return {};
  }
  /// Of contact: from now on it looks at no nodes but those of its surfaces that are near the other one at
  /// `instant`, when all are on their lines. It is for others to see that all is well with the rest: that the
  /// slack is not used up, and that no surface moves farther than it relative to the other on an interval
  /// that is to be certified. Then the results are those of all nodes; but where it certifies nothing, all
  /// nodes might.
  virtual NearSides look_at_near_sides(std::span<const NodeLine> lines, double instant) {
    (void)lines, (void)instant;
    return {};
  }
  /// At all nodes again, from the next set_line on.
  virtual void look_at_all_sides() {}
  /// Of the next lines alone, which set_line is about to give: until `until` [s] no node leaves `box`, and
  /// the nodes' lines stay where they are and as they are until there are others. What is far from there need
  /// not look at them.
  virtual void expect_inside(const Box& box, double until) { (void)box, (void)until; }
  /// Longest trial step that a potential without certificate thinks safe from the current line, at s.
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

/// A set constraint along its nodes' lines. Its gradient is that of the distance of the features that
/// `first_collision` found.
class ConstraintOnLine : public OnLine {
 public:
  /// The first collision in origin + [from, to]. It may stop looking earlier and say so; then it will be
  /// asked again from there on.
  virtual FirstCollision first_collision(double from, double to) = 0;
};

}  // namespace terrace
