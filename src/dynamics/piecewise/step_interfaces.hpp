// Where the nodes meet the interfaces of a discontinuous potential, and what happens there.
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

/// On which side of each interface each node is, as a memory: never told anew by comparing places, which
/// rounding makes uncertain at the interface itself.
class StepInterfaces {
 public:
  /// `steps` and `masses` must outlive this.
  StepInterfaces(const std::vector<PotentialStep>& steps, std::span<const double> masses);

  /// From where the nodes are. Throws Error(run) for one where W is infinite.
  void locate(std::span<const Vector3> positions);

  /// W of the present sides [J].
  [[nodiscard]] double energy() const;

  struct Crossing {
    double instant = 0;    ///< from the start of the motion
    std::size_t side = 0;  ///< which interface of which node
  };
  using Motion = std::function<std::vector<Vector3>(double)>;
  /// The first time in [0, duration] at which a node meets an interface; nothing if none does. By the bounds
  /// no part of an interface is met before the times that are tried, so that none is missed but what is
  /// entered and left within the rounding of places.
  [[nodiscard]] std::optional<Crossing> first_crossing(const Motion& motion, double duration,
                                                       const MotionBound& bound) const;

  /// Throws Error(run) where the node that the crossing is of is at a place where its interface has no
  /// normal: a formula without gradient.
  void require_normal(const Crossing& crossing, std::span<const Vector3> positions, double time) const;
  /// Throws Error(run) for a node that is on no side of an interface: where a formula has no value.
  void require_sides(std::span<const Vector3> positions, double time) const;

  /// Refraction, v_n² > 2 ΔW / m, or else reflection of a node's velocity at its place; the step receives
  /// what the node loses. Returns whether it was a reflection.
  bool impact(const Crossing& crossing, Phase& phase);

  [[nodiscard]] const std::vector<std::uint8_t>& sides() const { return inside_; }
  void set_sides(std::vector<std::uint8_t> inside) { inside_ = std::move(inside); }

 private:
  /// A node and a step that it feels.
  struct Side {
    const PotentialStep* step;
    std::int32_t node;
  };
  [[nodiscard]] double depth(std::size_t side, const Vector3& x) const;
  /// What is nearer than `beyond` [length] is left out.
  [[nodiscard]] double certain_until(std::span<const Vector3> now, double left, const MotionBound& bound,
                                     double beyond) const;
  [[nodiscard]] bool is_at_a_surface(std::span<const Vector3> positions, double within) const;

  std::span<const double> masses_;
  std::vector<Side> sides_;
  std::vector<std::uint8_t> inside_;  // of each of them
};

}  // namespace terrace
