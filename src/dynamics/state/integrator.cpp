#include "dynamics/state/integrator.hpp"

#include <fmt/core.h>

#include <cmath>

#include "parallel/error.hpp"

namespace terrace {

double positive_step(double step) {
  if (!(step > 0) || !std::isfinite(step))
    throw Error(Error::Kind::input, "integrator.time_step", "a positive, finite step",
                step > 0 ? "none in the deck, and nothing with a stiffness to choose one by"
                         : fmt::format("{:g}", step));
  return step;
}

}  // namespace terrace
