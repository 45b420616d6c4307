// What clusters of bodies will cost in a window, and which rank takes which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/choices.hpp"
#include "dynamics/window_teams.hpp"

namespace terrace {

struct Window;

/// What a plan goes by; the same on all ranks.
struct WindowOutlook {
  std::vector<double> elements;     ///< of each body
  std::vector<double> work;         ///< of each body as it is [elements/time]
  std::vector<double> touched;      ///< of each body that comes to move [elements/time]
  std::vector<double> touches;      ///< of each body: pairs that touch for each body of its group
  std::vector<double> deviation;    ///< of each body from its flight in the last window [length/time]
  std::vector<std::int32_t> group;  ///< of each body: the number of one of those that touch
  std::vector<double> pace;         ///< of each body: events of its group, or looks at what rests [1/time]
  std::vector<double> surface;      ///< of each body: nodes of its surface
  std::vector<int> rank;            ///< that worked on each body last
};

/// What rests among others will be touched some time in the window, and moves for so much of it.
inline constexpr double touched_share = 0.5;

/// Window::work, from its clusters.
void foresee_work(Window& window, const WindowOutlook& outlook);

/// Of each terrace, in the place of its number (WindowOutlook::group), as its bodies together have so much
/// work, by body [elements/time].
[[nodiscard]] std::vector<TerraceTotals> totals_of_terraces(const WindowOutlook& outlook,
                                                            std::span<const double> work);

/// Window::rank_of and balance, from its clusters and their work. A cluster is one rank's, or a team's, of
/// which a rank is in one at most. In a time that grows with the bodies and, slower, with the ranks.
void assign_clusters(Window& window, const WindowOutlook& outlook, int ranks, TeamUse use);

}  // namespace terrace
