// The clusters of a window that a rank works on, alone or in a team.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "dynamics/windows/windowed_system.hpp"
#include "parallel/teams.hpp"

namespace terrace {

/// A part of the system that this rank works on.
struct Cluster {
  std::vector<std::int32_t> bodies;              ///< ascending
  std::vector<int> ranks;                        ///< of each body, numbered among all ranks
  std::vector<std::uint8_t> is_everywhere = {};  ///< of each body: every rank of the team does all its work
  std::vector<int> members = {};                 ///< the different ones of `ranks`, ascending
  Communicator* team = nullptr;                  ///< of `members`, if they are several
  /// Of each body, if the cluster was planned for another rank, which had widened its flights.
  std::vector<Flight> flights = {};
  [[nodiscard]] bool is_same(const Cluster& other) const {
    return team == other.team && bodies == other.bodies && ranks == other.ranks &&
           is_everywhere == other.is_everywhere;
  }
  /// Whether another rank of the team counts the events, which all of its ranks do alike.
  [[nodiscard]] bool is_counted_elsewhere() const { return team != nullptr && team->rank() != 0; }
};

/// By the numbers of clusters: 1 where the plan gives the cluster to this rank, alone or with others.
[[nodiscard]] std::vector<std::uint8_t> clusters_planned_for(int rank, const Window& window);

/// The clusters of this rank in the present window. From one window to the next the rank keeps bodies that it
/// goes on with in the same way. It lets go of others and takes over those that come to it. For a body that
/// it works on, the clocks have the terrace, and elements and contact exist if these come and go
/// (LivingSubdomains). Such bodies are "active" here.
class OwnClusters {
 public:
  /// No clusters at first. `system` outlives this.
  explicit OwnClusters(WindowedSystem& system);

  /// All clusters of this rank, by their numbers.
  [[nodiscard]] const std::map<std::int32_t, Cluster>& all() const { return clusters_; }
  [[nodiscard]] bool is_in_team() const;
  /// Whether other ranks would wait for this one after such an error: this rank is in a team, and its fellows
  /// do not know of an error that it meets alone.
  [[nodiscard]] bool leaves_others_waiting(const std::exception& error) const;
  /// The ranks that must go back together with this one: those of its team, or this rank alone.
  [[nodiscard]] std::vector<int> ranks_that_go_together() const;

  /// The clocks have begun with these bodies, which are in no cluster yet.
  void start_with(std::span<const std::int32_t> bodies);
  /// Bodies that the clocks work on, or whose surfaces they follow in a team; ascending.
  [[nodiscard]] std::vector<std::int32_t> active_bodies() const;
  /// The active bodies that this rank tells the others about: those that it holds (CommonKnowledge::holders).
  [[nodiscard]] std::vector<std::int32_t> held_bodies() const;

  /// Goes over to the clusters of a plan. Collective among the ranks of each team.
  void begin(const Window& window);
  /// Starts the tubes of all bodies, about the flights of the plan.
  void enclose(const Window& window);
  /// Takes over a cluster that another rank gives away; the nodes of its bodies are already known here.
  const Cluster& take(std::int32_t number, Cluster cluster, const Window& window);
  /// Lets go of a cluster that another rank takes.
  void give_away(std::int32_t number);
  /// First half of going back to the begin of a window: from now on no body is active.
  void leave_all();
  /// Second half: takes all bodies over as they were at the begin, when the State again has the lines of that
  /// time. Collective in teams.
  void take_over_again(const Window& window);
  /// Ends all clusters, and the elements of all bodies.
  void end_all();

  /// A cluster's turn: as long as it lasts, the clocks communicate with the cluster's team.
  class Turn;
  /// Number of searches that this rank did and another rank of its team counts.
  [[nodiscard]] std::int64_t searches_elsewhere() const { return searches_elsewhere_; }
  /// Number of collectives that teams needed; the first rank of each team counts them.
  [[nodiscard]] std::int64_t team_collectives() const { return team_collectives_; }

 private:
  using Clusters = std::map<std::int32_t, Cluster>;
  [[nodiscard]] Clusters planned(const Window& window);
  [[nodiscard]] bool is_active(std::int32_t body) const { return at(active_, body) != 0; }
  [[nodiscard]] bool stays(std::int32_t body, const Cluster* before, const Cluster* next) const;
  void let_go(const Window& window, const Clusters& next);
  void work_no_more_on(std::span<const std::int32_t> bodies, std::span<const std::int32_t> ending);
  void share_out(const Cluster& cluster);
  void take_over(const Cluster& cluster, double time);
  void take_over_in_turn(const Cluster& cluster, double time);
  void enclose(const Window& window, const Cluster& cluster);

  WindowedSystem& system_;
  ClockedEnergyStepping& clocks_;
  Communicator& one_rank_;  // the whole system's, except during a team's turn
  Teams teams_;
  Clusters clusters_;
  std::vector<std::uint8_t> active_;  // by body: 1 if it is
  std::int64_t searches_elsewhere_ = 0, team_collectives_ = 0;
};

/// For its lifetime the communicator of the system is that of the cluster's team. At its end the counts of
/// this rank are as before if another rank of the team counts this turn.
class OwnClusters::Turn {
 public:
  Turn(OwnClusters& clusters, const Cluster& cluster);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  OwnClusters& clusters_;
  const Cluster& cluster_;
  std::int64_t events_, searches_, collectives_ = 0;
  BalanceRecord balance_;
};

}  // namespace terrace
