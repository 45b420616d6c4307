// The state of a subdomain, as one value: its terrace, its line's origin, its search and the grids of its
// sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/terraces/approach.hpp"
#include "dynamics/terraces/event_monitor.hpp"
#include "dynamics/terraces/first_crossing.hpp"
#include "dynamics/terraces/terrace.hpp"

namespace terrace {

/// What every rank knows of a subdomain's first crossing on its present line. Instants count from the line's
/// origin.
struct CrossingFound {
  /// Whether the search has ended. If not, only `certain_until`, `first_value` and `apart` are meaningful.
  bool known = false;
  double certain_until = 0;  ///< there is no crossing before this instant
  FirstCrossing::Surface surface = FirstCrossing::Surface::none;
  double instant = 0, instant_before = 0, gradient_instant = 0;  ///< as in FirstCrossing
  std::int64_t level_beyond = 0;                                 ///< as in FirstCrossing
  double first_value = 0;                                        ///< V at the start of the search [J]
  /// Not 0: the room between the surfaces of a waiting pair at the start of the search (Approach::left), from
  /// which `certain_until` follows; then V has not been sampled.
  double apart = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [known, certain_until, surface, instant, instant_before, gradient_instant, level_beyond,
           first_value, apart] = self;
    archive(known, certain_until, surface, instant, instant_before, gradient_instant, level_beyond,
            first_value, apart);
  }
};

/// The grids of the sums along a line, and the magnitudes of the terms seen so far, which they are fitted to.
struct LineSums {
  static constexpr std::size_t ranges = 8;
  LineGrids grids;
  double contact_terms = usual_contact_terms;  ///< number of contact terms for which the grids have room
  std::array<double, ranges> seen{};  ///< per grid, the largest term in all samples of the present line
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [grids, contact_terms, seen] = self;
    archive(grids, contact_terms, seen);
  }
};

/// The LineSums of the present line, with their earlier values. Events elsewhere decide how far a search goes
/// beyond the time at which its line ends, and what it sees there must leave no trace. So when a line ends,
/// the sums are set back to what they were before the first sample that was not needed.
struct LineSumsOnTrial {
  struct Revision {
    double certain_until;  ///< FirstCrossing::certain_until at the sample that changed the sums
    LineSums before;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [certain_until, before] = self;
      archive(certain_until, before);
    }
  };
  LineSums now;
  std::vector<Revision> revisions;

  /// To be called before a sample changes `now`.
  void about_to_change(double certain_until) { revisions.push_back({certain_until, now}); }
  /// The line that began at the time `origin` ends at `time`.
  void end_line(double origin, double time) {
    const auto first = std::find_if(revisions.begin(), revisions.end(), [&](const Revision& revision) {
      return origin + revision.certain_until > time;
    });
    if (first != revisions.end()) now = first->before;
    revisions.clear();
  }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [now, revisions] = self;
    archive(now, revisions);
  }
};

/// The grids of a subdomain's gradient and of the sums over it (SubdomainGradient::Products).
struct GradientGrids {
  Grid force;
  /// Number of contact terms at one node for which `force` has room.
  double contact_terms_at_node = usual_contact_terms_at_node;
  DoubleGrid normal_velocity, compliance, value;
  double contact_terms = usual_contact_terms;  ///< number of contact terms for which `value` has room
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [force, contact_terms_at_node, normal_velocity, compliance, value, contact_terms] = self;
    archive(force, contact_terms_at_node, normal_velocity, compliance, value, contact_terms);
  }
};

/// A subdomain's terrace, its line's origin and its next crossing. With the lines and momenta of its nodes
/// (State) and the subdomains there are (TerraceGraph) this decides its future.
struct SubdomainState {
  Terrace terrace{};
  double origin = 0;        ///< time at which the present line begins
  double horizon = 0;       ///< guess of how far the next certificate should reach [time]
  double search_start = 0;  ///< time from which on the present line is searched
  double next_look = 0;     ///< of a group: time of the next look for pairs that touch no more
  int looks_apart = 0;      ///< of a touching pair: number of latest looks in a row that found no energy
  /// Of a pair that waits for its touch. While it holds, the pair's line may be older than those of its
  /// bodies.
  Approach approach{};
  FirstCrossing search{{}, true, 0, 0, 0, 0};
  CrossingFound next{};
  LineSumsOnTrial line_sums{};
  GradientGrids gradient_grids{};
  EventMonitor monitor{"", 1};

  /// Forgets everything that is known of the present line.
  void forget_search() {
    search = FirstCrossing{{}, true, 0, 0, 0, 0};
    approach = {};
    next = {};
    line_sums = {};
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [terrace, origin, horizon, search_start, next_look, looks_apart, approach, search, next, line_sums,
           gradient_grids, monitor] = self;
    archive(terrace, origin, horizon, search_start, next_look, looks_apart, approach, search, next, line_sums,
            gradient_grids, monitor);
  }
};

/// By number of the subdomain. A deque: references to a state stay valid while others are appended.
using SubdomainStates = std::deque<SubdomainState>;

}  // namespace terrace
