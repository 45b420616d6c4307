#include "potentials/potential.hpp"

#include "parallel/error.hpp"

namespace terrace {

void Potential::add_hessian_times(const Displacements& /*displacements*/,
                                  std::span<const Vector3> /*direction*/,
                                  std::span<Vector3> /*product*/) const {
  throw Error(Error::Kind::run, "second derivatives", "a potential that has them",
              "one without: an integrator with Newton's method cannot run it");
}

}  // namespace terrace
