#include "potentials/potential.hpp"

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {

void Potential::add_hessian_times(const Displacements& /*displacements*/,
                                  std::span<const Vector3> /*direction*/,
                                  std::span<Vector3> /*product*/) const {
  throw Error(Error::Kind::run, "second derivatives", "a potential that has them",
              "one without: an integrator with Newton's method cannot run it");
}

void Potential::add_bounds_nearby(const Displacements& /*displacements*/, double /*radius*/,
                                  std::span<double> slope, std::span<double> stiffness) const {
  for (const std::int32_t node : nodes()) at(slope, node) = at(stiffness, node) = infinity;
}

}  // namespace terrace
