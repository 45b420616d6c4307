// Windows of time in which parts of a system cannot meet, and who works on which part.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/terraces/flight_tubes.hpp"
#include "dynamics/windows/pair_in_flight.hpp"
#include "dynamics/windows/window_surfaces.hpp"
#include "dynamics/windows/window_work.hpp"
#include "geometry/box_index.hpp"
#include "numerics/disjoint_sets.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// A window of time and the clusters of bodies that go through it without each other.
struct Window {
  double begin = 0, end = 0;
  std::vector<std::int32_t> cluster_of;  ///< by body
  std::vector<int> rank_of;  ///< by body: the same for all of a cluster, or those of a team of ranks
  std::vector<std::uint8_t> is_everywhere;  ///< by body of a team: each of its ranks does all of its work
  std::vector<Flight> flights;              ///< by body: what the clusters rest on
  std::vector<double> work;                 ///< by body, foreseen in its cluster [elements/time]
  std::int32_t clusters = 0;
  double balance = 1;  ///< mean over largest work of a rank, as it is foreseen
};

/// Two bodies are in one cluster where they touch, or where no direction separates their surfaces, with the
/// room of their flights and the reach of contact, from the begin of the window to its end (PairInFlight). In
/// a window that is short for its vibrations a body is expected to go on node by node, from which these stray
/// by the square of time; in a long one as a whole, from which they stray so far and no farther.
/// Longer windows mean fewer messages and larger clusters: how long they are follows what was worth while
/// last, up to some seconds of work.
///
/// A plan is made in steps, of which ranks can divide the dear ones: look(), the same on all; meetings(), of
/// some bodies each; choose(), the same on all, from the meetings of all; widen(), of the bodies a rank is to
/// work on. What comes out is the same, to the bit, however bodies are divided. Before the second and the
/// last step the nodes of all surfaces that are near() those bodies are to be known.
class WindowPlanner {
 public:
  /// `system` holds all nodes. Both outlive this.
  WindowPlanner(const Lagrangian& system, const ContactPairs& pairs, int ranks);

  /// All steps. From `begin` on, and not beyond `until`.
  [[nodiscard]] Window plan(std::span<const NodeLine> lines, double begin, double until,
                            const WindowOutlook& outlook);

  /// Two bodies that may meet in a window, in some of the trials, which are bits.
  struct Meeting {
    std::int32_t a, b;
    std::uint16_t trials;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [a, b, trials] = self;
      archive(a, b, trials);
    }
  };
  /// `lines` and `outlook` must stay until the last step.
  void look(std::span<const NodeLine> lines, double begin, double until, const WindowOutlook& outlook);
  /// Those of which meetings() and widen() may look at the nodes where they are asked of `bodies`; ascending.
  [[nodiscard]] std::vector<std::int32_t> near(std::span<const std::int32_t> bodies) const;
  /// Enough of those that these bodies have with any others, if that is asked of each body once: bodies that
  /// these make one cluster have no more told of them.
  [[nodiscard]] std::vector<Meeting> meetings(std::span<const std::int32_t> bodies) const;
  [[nodiscard]] Window choose(std::span<const Meeting> of_all_parts);
  /// What room there is between clusters, for the flights of these bodies, ascending. It costs nothing, and
  /// may be needed by a body that meets a wall.
  void widen(Window& window, std::span<const std::int32_t> bodies) const;

  /// As so many ranks would, from now on.
  void plan_for(int ranks) { ranks_ = ranks; }
  /// When clusters are several ranks', from now on; at first never.
  void use_teams(TeamUse use) { team_use_ = use; }
  [[nodiscard]] bool may_make_teams() const { return ranks_ > 1 && team_use_ != TeamUse::never; }
  /// The last window did not come to its end, mostly as a body had left its flight: shorter ones from now on,
  /// with wider flights.
  void shorten();
  /// What is known of bodies' surfaces.
  [[nodiscard]] WindowSurfaces& surfaces() { return surfaces_; }
  [[nodiscard]] const WindowSurfaces& surfaces() const { return surfaces_; }

 private:
  /// A length, in the last ones, and whether bodies are taken apart that leave each other hardly any room:
  /// clusters are smaller, and windows more often cut.
  struct Trial {
    double factor;
    bool closely;
  };
  static constexpr std::array<Trial, 10> trials = {{{1.0, false},
                                                    {0.5, false},
                                                    {2.0, false},
                                                    {0.125, false},
                                                    {1.0 / 64, false},
                                                    {1.0, true},
                                                    {0.5, true},
                                                    {2.0, true},
                                                    {0.125, true},
                                                    {1.0 / 64, true}}};
  static_assert(trials.size() <= 16, "bits of Meeting::trials");
  static constexpr double narrowest = 0.05;  // of caution_
  [[nodiscard]] bool is_tried(const Trial& trial) const;
  [[nodiscard]] double end(const Trial& trial) const {
    return std::min(until_, begin_ + trial.factor * length_);
  }
  void narrow_flights();
  [[nodiscard]] Vector3 common_velocity() const;
  void find_usual_ways(const WindowOutlook& outlook);
  [[nodiscard]] double radius_as_whole(std::int32_t body, double length, bool closely) const {
    const UsualWay& way = at(ways_, body);
    return (closely ? std::min(way.at_most, length * way.at_first) : way.at_most) + length * way.rate;
  }
  [[nodiscard]] double radius_node_by_node(std::int32_t body, double length) const {
    const UsualWay& way = at(ways_, body);
    return is_followed_node_by_node(body) ? length * (way.of_pushes + length * way.departure) : infinity;
  }
  [[nodiscard]] bool is_followed_node_by_node(std::int32_t body) const {
    return at(ways_, body).departure < infinity;
  }
  [[nodiscard]] Flight usual_flight(std::int32_t body, double length, bool closely) const;
  [[nodiscard]] double farthest_reach(std::int32_t body, double length) const;
  [[nodiscard]] Box swept(std::int32_t body, const Flight& flight, double length) const;
  [[nodiscard]] double most_wider(std::int32_t body, double length) const {
    return length * at(ways_, body).wider;
  }
  [[nodiscard]] BoxIndex boxes(double length, bool are_widened) const;
  void look_closely_next(bool was_worth_while, bool would_help);
  [[nodiscard]] bool may_meet(std::int32_t a, std::int32_t b, PairInFlight& pair, const Trial& trial) const;
  [[nodiscard]] Window window(std::size_t trial, std::span<const Meeting> meetings) const;
  void find_totals(const WindowOutlook& outlook);
  static constexpr double elements_in_a_second = 1e7;
  void keep_short();
  [[nodiscard]] bool is_short(const Window& window) const;
  /// Of a window of such a length, in which a rank has so much to do; and of one that is planned.
  [[nodiscard]] double worth(double length, double work_of_busiest) const;
  [[nodiscard]] double worth(const Window& window) const;

  const ContactPairs& pairs_;
  const bool is_free_;  // nothing acts from outside
  int ranks_;
  TeamUse team_use_ = TeamUse::never;
  WindowSurfaces surfaces_;
  double length_;               // of windows [time]
  bool looks_closely_ = false;  // clusters of the last window were too large for the ranks
  int close_looks_in_ = 0;      // windows: the last ones were in vain
  // The share that flights have of the room for motions that come to be twice as fast: narrow ones make
  // small clusters, and some day they cut a window. They narrow until that happens, and not so far again
  // soon.
  double caution_ = 0.6, least_caution_ = narrowest;

  // Of the plan that is being made.
  double begin_ = 0, until_ = 0;
  const WindowOutlook* outlook_ = nullptr;
  struct Totals {
    double surface = 0, mean = 0, busiest = 0;  // nodes; work of a rank, and of one at least [elements/time]
    double events = 0;                          // of a rank, those of groups for each body [1/time]
  };
  Totals totals_;
  // Surfaces vibrate: so fast, and so far; besides they go on to leave their flights. And what nodes do to
  // leave their own lines.
  struct UsualWay {
    double at_first = 0, at_most = 0, rate = 0;  // [length/time], [length], [length/time]
    double of_pushes = 0, departure = 0;         // [length/time], [length/time²]
    double wider = 0;                            // the flight, at most [length/time]
  };
  std::vector<UsualWay> ways_;  // from flights, by body
  DisjointSets groups_;         // bodies that touch
  // By body: in the longest window that is tried; as far as flights may widen in it, or in the chosen one.
  BoxIndex reached_, widened_;
  bool is_close_ = false;  // the window that was chosen looks closely
};

}  // namespace terrace
