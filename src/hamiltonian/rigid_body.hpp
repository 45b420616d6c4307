// The free rigid body, described by its angular momentum x in its own frame.
#pragma once

#include <array>

#include "hamiltonian/dense.hpp"

namespace terrace {

/// Euler's equations ẋ_i = a_i x_j x_k and the flows of their parts.
class RigidBody {
 public:
  explicit RigidBody(View inertia);
  [[nodiscard]] Values rate(View x) const;
  void add_rate_derivative(View x, Matrix& by_x) const;
  /// The flow of T_i = x_i²/(2 I_i) alone: a rotation about the axis i.
  void rotate(Values& x, std::size_t axis, double duration) const;
  /// The flow of the i-th component of the rate alone: a shear.
  void shear(Values& x, std::size_t axis, double duration) const;

 private:
  std::array<double, 3> inertia_{}, rates_{};
};

}  // namespace terrace
