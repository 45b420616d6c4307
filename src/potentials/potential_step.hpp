// Steps of a discontinuous potential: W is constant in regions and jumps at the interfaces between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/region.hpp"

namespace terrace {

/// W is `height` for each of `nodes` that is in the region, else 0. With height +∞ none of them gets in.
struct PotentialStep {
  std::string name;
  double height = 0;  ///< [J]
  Region region;
  std::vector<std::int32_t> nodes;  ///< local
  int reaction = 0;                 ///< the ledger that receives its impulses
};

}  // namespace terrace
