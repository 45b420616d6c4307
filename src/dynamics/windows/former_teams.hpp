// The teams of ranks of the last window: what they work on again they need not take over.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "dynamics/windows/window_work.hpp"

namespace terrace {

/// The teams of the last window, found from WindowOutlook::cluster and WindowOutlook::rank. There are none if
/// teams are never used.
class FormerTeams {
 public:
  /// `outlook` outlives this.
  FormerTeams(const WindowOutlook& outlook, TeamUse use);

  /// The ranks of the team that had this body, ascending; null if a single rank had it.
  [[nodiscard]] const std::vector<int>* of(std::int32_t body) const;
  /// The ranks of the team that had most of these bodies; null if most of them were single ranks'. Of teams
  /// with equally many, that of the body that comes first.
  [[nodiscard]] const std::vector<int>* of_most(std::span<const std::int32_t> bodies) const;

 private:
  const WindowOutlook& outlook_;
  std::map<std::int32_t, std::vector<int>> teams_;  // by cluster
};

}  // namespace terrace
