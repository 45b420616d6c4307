// The work that clusters of bodies are expected to take in a window, and which rank gets which cluster.
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

/// What a plan is made from, beside surfaces; the same on all ranks.
struct WindowOutlook {
  std::vector<double> elements;   ///< by body: how many it has
  std::vector<double> work;       ///< by body: its work as things are now [elements/time]
  std::vector<double> touched;    ///< by body: its work once it moves and touches others [elements/time]
  std::vector<double> touches;    ///< by body: pairs of its group that touch, over bodies of the group
  std::vector<double> deviation;  ///< by body: how far its nodes strayed from the flight of the whole in the
                                  ///< last window, over its length [length/time]
  /// By body: how far its nodes strayed from the lines that they had at first, over the square of the window,
  /// in the last window that pushed it, and at least half of the value before; +∞: none did [length/time²].
  std::vector<double> departure;
  std::vector<std::int32_t> group;  ///< by body: number of its terrace, that of one of the bodies that touch
  std::vector<double> pace;         ///< by body: events of its group, or looks at what rests [1/time]
  std::vector<double> surface;      ///< by body: nodes of its surface
  std::vector<int> rank;            ///< by body: the rank that worked on it last
  /// A rank that takes bodies over is expected to keep them for at least so long [time]: a shorter window is
  /// charged with a share of the cost only. Else bodies of different ranks would come ever nearer to each
  /// other in ever shorter windows, in none of which it was worth while to take them over.
  double stay = 0;
  std::vector<std::int32_t> cluster = {};  ///< by body: its cluster in the last window; empty: no last window
  /// By rank: the time that it takes for foreseen work, over the mean. Empty: all ranks take the same.
  std::vector<double> slowness = {};
};

/// The new WindowOutlook::departure of a body whose nodes `strayed` so far [length] in a window that lasted
/// `elapsed` [time]; `before`: the former value. A body that was not pushed, perhaps for want of time, leaves
/// it unchanged. As a single push that came late tells too little, at least half of the former value is kept.
[[nodiscard]] inline double departure_after(double before, double strayed, double elapsed) {
  constexpr double remembered = 0.5;
  if (!(strayed > 0) || !(elapsed > 0)) return before;
  const double seen = strayed / (elapsed * elapsed);
  return before < infinity ? std::max(seen, remembered * before) : seen;
}

/// A body at rest in a cluster with others is expected to be touched, and to move for this share of the
/// window.
inline constexpr double touched_share = 0.5;

/// What a rank takes over when it is to work on bodies that it had not.
struct TakenOver {
  double elements = 0;
  double contact = 0;  ///< Σ over bodies: nodes of the surface times WindowOutlook::touches

  TakenOver& operator+=(const TakenOver& other) {
    elements += other.elements;
    contact += other.contact;
    return *this;
  }
  /// The cost as a plan counts it [elements]: that of contact to a fifth, as a rank often keeps bodies that
  /// touch for some windows. With all of it, dense packings took longer on eight ranks.
  [[nodiscard]] double cost() const { return 4 * elements + 12 * contact; }
  /// The whole cost [elements].
  [[nodiscard]] double whole_cost() const { return 4 * elements + 60 * contact; }
};
/// What a rank takes over with one body.
[[nodiscard]] inline TakenOver taken_over(const WindowOutlook& outlook, std::size_t body) {
  return {outlook.elements[body], outlook.surface[body] * outlook.touches[body]};
}

/// Sets Window::work, given the clusters of the window.
void foresee_work(Window& window, const WindowOutlook& outlook);

/// By body, the work in a window all of whose bodies with others in their cluster soon touch [elements/time].
[[nodiscard]] std::vector<double> work_in_touch(const Window& window, const WindowOutlook& outlook);

/// The totals of each terrace, at the index of its number (WindowOutlook::group). `work`: by body
/// [elements/time].
[[nodiscard]] std::vector<TerraceTotals> totals_of_terraces(const WindowOutlook& outlook,
                                                            std::span<const double> work);

/// Sets Window::rank_of, is_everywhere and balance, given the clusters and their work. A cluster goes to one
/// rank or to a team; a rank is in one team at most. Takes time that grows with the bodies and, slower, with
/// the ranks.
void assign_clusters(Window& window, const WindowOutlook& outlook, int ranks, TeamUse use);

}  // namespace terrace
