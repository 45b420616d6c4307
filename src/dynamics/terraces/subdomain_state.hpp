// Everything that decides a subdomain's future, as one value.
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

/// A subdomain's first crossing as every rank knows it.
struct CrossingFound {
  bool known = false;        ///< the search has ended; else only `certain_until` and `first_value` hold
  double certain_until = 0;  ///< from the line's origin: no crossing before
  FirstCrossing::Surface surface = FirstCrossing::Surface::none;
  double instant = 0, instant_before = 0, gradient_instant = 0;  ///< from the line's origin
  std::int64_t level_beyond = 0;
  double first_value = 0;  ///< V at the start of the search
  double apart = 0;  ///< as the search began, and what `certain_until` rests on, if not 0: Approach::left
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [known, certain_until, surface, instant, instant_before, gradient_instant, level_beyond,
           first_value, apart] = self;
    archive(known, certain_until, surface, instant, instant_before, gradient_instant, level_beyond,
            first_value, apart);
  }
};

/// Grids of the sums along a line, and what they follow.
struct LineSums {
  static constexpr std::size_t ranges = 8;
  LineGrids grids;
  double contact_terms = usual_contact_terms;  ///< that the grids hold
  std::array<double, ranges> seen{};           ///< largest terms in all samples of the present line
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [grids, contact_terms, seen] = self;
    archive(grids, contact_terms, seen);
  }
};

/// The sums of the present line and how they were before. How far a search goes beyond what its subdomain
/// needs is decided by events elsewhere; what it sees there must leave no trace. So when a line ends, the
/// sums are again what they were before the first sample that need not have been taken.
struct LineSumsOnTrial {
  struct Revision {
    double certain_until;  ///< of the search when it took the sample that changed the sums
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

/// Grids of the sums that make a gradient and its products.
struct GradientGrids {
  Grid force;
  double contact_terms_at_node = usual_contact_terms_at_node;  ///< that `force` holds
  DoubleGrid normal_velocity, compliance, value;
  double contact_terms = usual_contact_terms;  ///< that `value` holds
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [force, contact_terms_at_node, normal_velocity, compliance, value, contact_terms] = self;
    archive(force, contact_terms_at_node, normal_velocity, compliance, value, contact_terms);
  }
};

/// A subdomain's terrace, its line's origin and its next crossing. What else its future rests on are its
/// nodes' lines and momenta (State) and which subdomains there are (TerraceGraph).
struct SubdomainState {
  Terrace terrace{};
  double origin = 0;
  double horizon = 0;       ///< guess of how far the next certificate should reach
  double search_start = 0;  ///< time from which on the present line is searched
  double next_look = 0;     ///< of a group of touching bodies: for pairs that touch no more
  int looks_apart = 0;      ///< of a touching pair: at which it had no energy, one after the other
  Approach approach{};      ///< of a pair that waits for its touch; then its line may be an earlier one
  FirstCrossing search{{}, true, 0, 0, 0, 0};
  CrossingFound next{};
  LineSumsOnTrial line_sums{};
  GradientGrids gradient_grids{};
  EventMonitor monitor{"", 1};

  /// Nothing is known of the present line.
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

/// References to a state hold while others are added.
using SubdomainStates = std::deque<SubdomainState>;

}  // namespace terrace
