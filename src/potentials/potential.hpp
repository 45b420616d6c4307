// The one interface of every potential: value, gradient, and the restriction to the straight lines nodes move
// on.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "geometry/vector3.hpp"
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
};

/// What a contact potential has seen at its events.
struct ContactExtremes {
  double least_distance = std::numeric_limits<double>::infinity();  ///< of two surfaces
  double deepest_penetration = 0;  ///< of a vertex behind a face, or of a node behind a wall
  std::int64_t lists = 0;          ///< of near pairs that were made
};

/// Where a set constraint, an energy step of infinite height, is first met on the current lines.
struct FirstCollision {
  double instant = std::numeric_limits<double>::infinity();      ///< s of the collision; +∞: none
  double searched_to = std::numeric_limits<double>::infinity();  ///< without a collision: none before this s
};

/// A function of the positions of some nodes. All node numbers are the rank's local ones, indices into
/// `lines`. A potential holds a rank's share of a term; shares on different ranks act on the same nodes and
/// add up.
class Potential {
 public:
  virtual ~Potential() = default;

  /// The nodes it may load, ascending.
  [[nodiscard]] virtual std::span<const std::int32_t> nodes() const = 0;

  /// Adds ∂V/∂u_a at `instant`, each term rounded to `grid`, to gradient[a] (all local nodes), and returns
  /// the largest magnitude of a term's component (if above grid.bound, the caller raises the grid and starts
  /// again).
  virtual double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                              std::span<Vector3> gradient) = 0;
  /// Bound on the number of terms that the last add_gradient added to one node: of contact and walls. 0 for
  /// elements, whose number at a node the mesh tells.
  [[nodiscard]] virtual double contact_terms_at_node() const { return 0; }

  /// Restricts V to the lines, V(origin + s), s ≥ 0.
  virtual void set_line(std::span<const NodeLine> lines, double origin) = 0;

  /// As set_line with the unchanged origin, after only the nodes with changed[a] != 0 got new lines.
  virtual void update_line(std::span<const NodeLine> lines, double origin,
                           std::span<const std::uint8_t> changed) {
    (void)changed;
    set_line(lines, origin);
  }

  /// Adds this rank's share of V, V′, V″ at origin + s.
  virtual void sample(double s, const LineGrids& grids, LineSample& sum) const = 0;

  /// Adds this rank's share of the certificate on origin + [from, to].
  virtual void bound(double from, double to, const LineGrids& grids, LineBound& sum) const = 0;

  /// For a set constraint, whose subdomain asks this instead of samples: the first collision in origin +
  /// [from, to]. It may stop looking earlier and say so; then it will be asked again from there on.
  virtual FirstCollision first_collision(double from, double to) {
    (void)from, (void)to;
    return {};
  }

  /// Adds the number of terms of contact that the last gradient got at each local node, as (number, 0, 0).
  virtual void count_contact_terms(std::span<Vector3> numbers) const { (void)numbers; }

  /// False where V has no certified bound (face intersection): the search then also samples at most
  /// `longest_trial()` apart and bisects.
  [[nodiscard]] virtual bool certified() const { return true; }
  /// Longest trial step that a potential without certificate thinks safe from the current line, at s.
  [[nodiscard]] virtual double longest_trial(double s) const {
    (void)s;
    return std::numeric_limits<double>::infinity();
  }
  /// Adds what a contact potential has seen since it was made.
  virtual void report(ContactExtremes& extremes) const { (void)extremes; }
  /// Cost of an event in neo-Hookean elements, for balancing.
  [[nodiscard]] virtual double work() const { return static_cast<double>(nodes().size()); }
};

}  // namespace terrace
