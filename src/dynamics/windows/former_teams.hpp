// Which ranks had bodies together in the last window: they have little to take over.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "dynamics/windows/window_work.hpp"

namespace terrace {

/// The teams of the last window, by WindowOutlook::cluster and rank. None where teams are never used.
class FormerTeams {
 public:
  /// `outlook` outlives this.
  FormerTeams(const WindowOutlook& outlook, TeamUse use);

  /// Its ranks, ascending; null of a body that was one rank's.
  [[nodiscard]] const std::vector<int>* of(std::int32_t body) const;
  /// Those that had most of the bodies, of several the team of the first; null where that was one rank.
  [[nodiscard]] const std::vector<int>* of_most(std::span<const std::int32_t> bodies) const;

 private:
  const WindowOutlook& outlook_;
  std::map<std::int32_t, std::vector<int>> teams_;  // by cluster
};

}  // namespace terrace
