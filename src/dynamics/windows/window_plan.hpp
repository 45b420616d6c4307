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
  std::vector<int> rank_of;  ///< by body: one rank for all of a cluster, or each a rank of the cluster's team
  std::vector<std::uint8_t> is_everywhere;  ///< by body: 1 if each rank of its team does all of its work
  std::vector<Flight> flights;              ///< by body: clusters cannot meet while surfaces keep to these
  std::vector<double> work;                 ///< by body: work foreseen in its cluster [elements/time]
  std::int32_t clusters = 0;
  double balance = 1;  ///< mean over largest work of a rank, as foreseen
};

/// Plans windows. Two bodies are in one cluster if they touch, or if no direction separates their surfaces,
/// with their tubes and the reach of contact, from the begin of the window to its end (PairInFlight). In a
/// window that is short compared with its vibrations, a body is expected to go on node by node: its nodes
/// stray from that flight by the square of time. In a long window it is expected to go on as a whole: its
/// nodes stray from that flight by the amplitude of the vibrations at most. Longer windows mean fewer
/// messages and larger clusters. Their length follows that of the last windows that were worth while, up to
/// some seconds of work.
///
/// A plan is made in steps: look() and choose() are the same on all ranks, and choose() needs the meetings
/// that all ranks found. The dear steps are divided over ranks: each calls meetings() for some bodies, and
/// widen() for those that it is to work on. The plan is the same, to the bit, however bodies are divided.
/// Before meetings() and widen() a rank must know the surface nodes of all bodies that are near() the bodies
/// that it names.
class WindowPlanner {
 public:
  /// `system` holds all nodes; plans are made for so many ranks. Both references outlive this.
  WindowPlanner(const Lagrangian& system, const ContactPairs& pairs, int ranks);

  /// Does all steps, for a window from `begin` on that does not go beyond `until`.
  [[nodiscard]] Window plan(std::span<const NodeLine> lines, double begin, double until,
                            const WindowOutlook& outlook);

  /// Two bodies that may meet. Bit t of `trials`: they may in the window of trial t, in which no pair found
  /// before has put them into one cluster.
  struct Meeting {
    std::int32_t a, b;
    std::uint16_t trials;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [a, b, trials] = self;
      archive(a, b, trials);
    }
  };
  /// First step: looks at all bodies as they are at `begin`. `lines` and `outlook` must stay unchanged until
  /// the last step. Throws BrokenContract when `outlook` names a rank that plans are not made for.
  void look(std::span<const NodeLine> lines, double begin, double until, const WindowOutlook& outlook);
  /// The bodies whose surface nodes meetings(bodies) and widen(…, bodies) may look at; ascending.
  [[nodiscard]] std::vector<std::int32_t> near(std::span<const std::int32_t> bodies) const;
  /// Second step: pairs (body of `bodies`, any other body) that may meet. Once pairs found so far put two
  /// bodies into one cluster, further pairs of that cluster are left out: the union over all bodies still
  /// gives the clusters, if each body is in `bodies` of some call.
  [[nodiscard]] std::vector<Meeting> meetings(std::span<const std::int32_t> bodies) const;
  /// Third step: the best window of all trials, with clusters and ranks, from the meetings of all bodies.
  [[nodiscard]] Window choose(std::span<const Meeting> of_all_parts);
  /// Last step: widens the flights of these bodies (ascending) into the room that is left between clusters.
  /// Wider tubes cost nothing, and a body that meets a wall may need them.
  void widen(Window& window, std::span<const std::int32_t> bodies) const;

  /// From now on plans are made for so many ranks, whatever ranks run.
  void plan_for(int ranks) { ranks_ = ranks; }
  /// Sets when a cluster goes to a team of ranks; at first never.
  void use_teams(TeamUse use) { team_use_ = use; }
  [[nodiscard]] bool may_make_teams() const { return ranks_ > 1 && team_use_ != TeamUse::never; }
  /// To be called when the last window did not come to its end, mostly because a body left its tube: windows
  /// are shorter from now on, and tubes wider.
  void shorten();
  /// The surfaces of all bodies, as far as they are known.
  [[nodiscard]] WindowSurfaces& surfaces() { return surfaces_; }
  [[nodiscard]] const WindowSurfaces& surfaces() const { return surfaces_; }

 private:
  /// A window that is tried: its length over that of the last ones, and whether it looks closely. Looking
  /// closely also separates bodies that leave each other hardly any room: clusters are smaller, and windows
  /// are cut more often.
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
  static constexpr double narrowest = 0.05;  // least value of caution_
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
  /// What a window is worth: of such a length, if the busiest rank has so much work [elements/time]; and as
  /// planned.
  [[nodiscard]] double worth(double length, double work_of_busiest) const;
  [[nodiscard]] double worth(const Window& window) const;

  const ContactPairs& pairs_;
  const bool is_free_;  // nothing acts from outside
  int ranks_;
  TeamUse team_use_ = TeamUse::never;
  WindowSurfaces surfaces_;
  double length_;               // of windows [time]
  bool looks_closely_ = false;  // also try windows that look closely: clusters were too large for the ranks
  int close_looks_in_ = 0;      // not before so many windows, as the last close looks were in vain
  // The width of tubes, as a share of what motions need that become twice as fast. Narrow tubes make small
  // clusters, but some day a body leaves one and cuts the window. Tubes narrow from window to window until
  // that happens; least_caution_ then keeps them from becoming as narrow again soon.
  double caution_ = 0.6, least_caution_ = narrowest;

  // Of the plan that is being made.
  double begin_ = 0, until_ = 0;
  const WindowOutlook* outlook_ = nullptr;
  struct Totals {
    // Nodes of all surfaces; mean work of a rank, and the least that the busiest rank has [elements/time].
    double surface = 0, mean = 0, busiest = 0;
    double events = 0;  // of a rank, those of a group counted once for each of its bodies [1/time]
  };
  Totals totals_;
  // How a body's surface nodes are expected to stray. From the flight of the whole: as fast as `at_first`,
  // but by vibrations not farther than `at_most`, and besides steadily with `rate`. From their own lines:
  // with `of_pushes`, and by the square of time with `departure` (+∞: that flight is not used).
  struct UsualWay {
    double at_first = 0, at_most = 0, rate = 0;  // [length/time], [length], [length/time]
    double of_pushes = 0, departure = 0;         // [length/time], [length/time²]
    double wider = 0;  // what widen() adds to a tube at most, over the length of the window [length/time]
  };
  std::vector<UsualWay> ways_;  // by body
  DisjointSets groups_;         // of bodies that touch
  // Boxes that bodies may reach in the longest window that is tried; the same with tubes as wide as widen()
  // may make them, after choose() in the chosen window.
  BoxIndex reached_, widened_;
  bool is_close_ = false;  // whether the chosen window looks closely
};

}  // namespace terrace
