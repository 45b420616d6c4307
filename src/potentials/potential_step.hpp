// Steps of a discontinuous potential: W is constant in regions and jumps at the interfaces between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/region.hpp"

namespace terrace {

/// W = height in the region, for each of some nodes; +∞ allowed: none of them gets in.
struct PotentialStep {
  std::string name;
  double height = 0;  ///< [J]
  Region region;
  std::vector<std::int32_t> nodes;  ///< local
  int reaction = 0;                 ///< whose ledger its impulses go to
};

}  // namespace terrace
