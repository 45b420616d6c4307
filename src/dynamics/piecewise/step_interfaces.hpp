// When nodes meet the interfaces of a discontinuous potential, and their impacts there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dynamics/piecewise/smooth_flow.hpp"
#include "dynamics/piecewise/step_bounds.hpp"
#include "potentials/potential_step.hpp"

namespace terrace {

/// Remembers on which side of each interface each node is. Only impacts change that: sides are not found anew
/// from places, which rounding makes uncertain at the interface itself.
class StepInterfaces {
 public:
  /// `steps` and `masses` must outlive this.
  StepInterfaces(const std::vector<PotentialStep>& steps, std::span<const double> masses);

  /// Finds all sides from where the nodes are. Throws Error(run) for a node where W is infinite.
  void locate(std::span<const Vector3> positions);

  /// W with all nodes on their present sides [J].
  [[nodiscard]] double energy() const;

  struct Crossing {
    double instant = 0;    ///< time from the start of the motion
    std::size_t side = 0;  ///< number of the pair (interface, node)
  };
  /// The positions of all nodes at a time.
  using Motion = std::function<std::vector<Vector3>(double)>;
  /// The first time in [0, duration] at which a node meets an interface; nothing if none does. `bound` makes
  /// sure that no interface is met between the times that are tried: none is missed but one that is entered
  /// and left again within the rounding of places. Throws Error(run) if the bound of the way is not finite.
  [[nodiscard]] std::optional<Crossing> first_crossing(const Motion& motion, double duration,
                                                       const MotionBound& bound) const;

  /// Throws Error(run) if the interface has no normal at the place of the crossing's node: a formula without
  /// gradient there.
  void require_normal(const Crossing& crossing, std::span<const Vector3> positions, double time) const;
  /// Throws Error(run) if a node is on no side of an interface: a formula without value there.
  void require_sides(std::span<const Vector3> positions, double time) const;

  /// Changes the velocity of the crossing's node at its place: by refraction if v_n² > 2 ΔW / m, else by
  /// reflection. The step's reaction receives the momentum that the node loses. Returns whether it was a
  /// reflection.
  bool impact(const Crossing& crossing, Phase& phase);

  [[nodiscard]] const std::vector<std::uint8_t>& sides() const { return inside_; }
  void set_sides(std::vector<std::uint8_t> inside) { inside_ = std::move(inside); }

 private:
  /// A step and a node that feels it.
  struct Side {
    const PotentialStep* step;
    std::int32_t node;
  };
  /// How far x is on the node's side of the interface [length]; negative beyond the interface.
  [[nodiscard]] double depth(std::size_t side, const Vector3& x) const;
  /// A time in which no node meets the surface of any part. Leaves out surfaces that are nearer to their node
  /// than `beyond` [length], or may be met before the node can go that far.
  [[nodiscard]] double certain_until(std::span<const Vector3> now, double left, const MotionBound& bound,
                                     double beyond) const;
  [[nodiscard]] bool is_at_a_surface(std::span<const Vector3> positions, double within) const;

  std::span<const double> masses_;
  std::vector<Side> sides_;
  std::vector<std::uint8_t> inside_;  // for each of sides_ whether the node is inside the step's region
};

}  // namespace terrace
