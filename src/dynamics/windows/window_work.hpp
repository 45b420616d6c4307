// What clusters of bodies will cost in a window, and which rank takes which.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "dynamics/windows/window_teams.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

struct Window;

/// What a plan goes by; the same on all ranks.
struct WindowOutlook {
  std::vector<double> elements;   ///< of each body
  std::vector<double> work;       ///< of each body as it is [elements/time]
  std::vector<double> touched;    ///< of each body that comes to move [elements/time]
  std::vector<double> touches;    ///< of each body: pairs that touch for each body of its group
  std::vector<double> deviation;  ///< of each body's nodes from the flight of the whole in the last window
                                  ///< [length/time]
  /// How far each body's nodes strayed from the lines that they had at first, over the square of the window,
  /// in the last one that pushed it, and at least half of what it was before; +∞: in none [length/time²].
  std::vector<double> departure;
  std::vector<std::int32_t> group;  ///< of each body: the number of one of those that touch
  std::vector<double> pace;         ///< of each body: events of its group, or looks at what rests [1/time]
  std::vector<double> surface;      ///< of each body: nodes of its surface
  std::vector<int> rank;            ///< that worked on each body last
  /// Who takes bodies over has them for so long at least [time]: what that costs is not all of a shorter
  /// window's price. Else bodies of different ranks would come ever nearer to each other in ever shorter
  /// windows, of which none is worth it.
  double stay = 0;
  std::vector<std::int32_t> cluster = {};  ///< of each body in the last window; empty: all were alone
  /// Of each rank: the time that it takes for what was foreseen, over the mean. Empty: all take the same.
  std::vector<double> slowness = {};
};

/// WindowOutlook::departure of a body whose nodes strayed so far in a window that took so long. What nobody
/// pushed, be it for want of time, tells nothing; one push that came late tells too little.
[[nodiscard]] inline double departure_after(double before, double strayed, double elapsed) {
  constexpr double remembered = 0.5;
  if (!(strayed > 0) || !(elapsed > 0)) return before;
  const double seen = strayed / (elapsed * elapsed);
  return before < infinity ? std::max(seen, remembered * before) : seen;
}

/// What rests among others will be touched some time in the window, and moves for so much of it.
inline constexpr double touched_share = 0.5;

/// What a rank takes over that is to work on a body it had not.
struct TakenOver {
  double elements = 0;
  double contact = 0;  ///< nodes of the surface, times the pairs that touch for each body

  TakenOver& operator+=(const TakenOver& other) {
    elements += other.elements;
    contact += other.contact;
    return *this;
  }
  /// As a plan counts it [elements]: a fifth of what it takes where bodies touch, as who has them often keeps
  /// them for some windows; with all of it dense packings took longer on eight ranks.
  [[nodiscard]] double cost() const { return 4 * elements + 12 * contact; }
  /// All that it takes [elements].
  [[nodiscard]] double whole_cost() const { return 4 * elements + 60 * contact; }
};
[[nodiscard]] inline TakenOver taken_over(const WindowOutlook& outlook, std::size_t body) {
  return {outlook.elements[body], outlook.surface[body] * outlook.touches[body]};
}

/// Window::work, from its clusters.
void foresee_work(Window& window, const WindowOutlook& outlook);

/// The same, where all bodies of a cluster come to touch each other soon.
[[nodiscard]] std::vector<double> work_in_touch(const Window& window, const WindowOutlook& outlook);

/// Of each terrace, in the place of its number (WindowOutlook::group), as its bodies together have so much
/// work, by body [elements/time].
[[nodiscard]] std::vector<TerraceTotals> totals_of_terraces(const WindowOutlook& outlook,
                                                            std::span<const double> work);

/// Window::rank_of and balance, from its clusters and their work. A cluster is one rank's, or a team's, of
/// which a rank is in one at most. In a time that grows with the bodies and, slower, with the ranks.
void assign_clusters(Window& window, const WindowOutlook& outlook, int ranks, TeamUse use);

}  // namespace terrace
