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
  std::vector<int> ranks;                        ///< of each of them, among all
  std::vector<std::uint8_t> is_everywhere = {};  ///< each of them, in a team: all of its ranks do its work
  std::vector<int> members = {};                 ///< of these ranks the different ones, ascending
  Communicator* team = nullptr;                  ///< of these, where they are several
  /// Of each body, if the cluster was planned for another rank, which had widened them.
  std::vector<Flight> flights = {};
  [[nodiscard]] bool is_same(const Cluster& other) const {
    return team == other.team && bodies == other.bodies && ranks == other.ranks &&
           is_everywhere == other.is_everywhere;
  }
  /// Several ranks do the same events, which one of them counts.
  [[nodiscard]] bool is_counted_elsewhere() const { return team != nullptr && team->rank() != 0; }
};

/// By the numbers of clusters whether a plan gives them to this rank, alone or with others.
[[nodiscard]] std::vector<std::uint8_t> clusters_planned_for(int rank, const Window& window);

/// From one window to the next a rank goes on with what it has, and lets go and takes over whatever is
/// planned for other ranks, or for the same in another way. Of a body that it works on the clocks have the
/// terrace, and elements and contact exist where elements come and go (LivingSubdomains).
class OwnClusters {
 public:
  /// None at first. `system` outlives this.
  explicit OwnClusters(WindowedSystem& system);

  /// By their numbers.
  [[nodiscard]] const std::map<std::int32_t, Cluster>& all() const { return clusters_; }
  [[nodiscard]] bool is_in_team() const;
  /// The ranks of a team do everything together, and do not know of an error that one of them meets alone.
  [[nodiscard]] bool leaves_others_waiting(const std::exception& error) const;
  /// This rank, or those of its team, which do what it does.
  [[nodiscard]] std::vector<int> ranks_that_go_together() const;

  /// The clocks have begun with these, which are in no cluster yet.
  void start_with(std::span<const std::int32_t> bodies);
  /// Bodies that the clocks have, or the surfaces of which they follow for a team; ascending.
  [[nodiscard]] std::vector<std::int32_t> active_bodies() const;
  /// Those of them of which others hear from this rank.
  [[nodiscard]] std::vector<std::int32_t> held_bodies() const;

  /// Those of a plan. Collective among ranks of which a team is made.
  void begin(const Window& window);
  /// Their bodies are in the tubes of the plan.
  void enclose(const Window& window);
  /// One that another rank gives away, whose bodies' nodes are known here.
  const Cluster& take(std::int32_t number, Cluster cluster, const Window& window);
  /// One that another rank takes.
  void give_away(std::int32_t number);
  /// Where a window is gone through again: nothing is active; then all bodies are taken over as at its begin,
  /// with the lines of then. Collective in teams.
  void leave_all();
  void take_over_again(const Window& window);
  /// No clusters, and no elements of any body.
  void end_all();

  /// A cluster's turn: as long as it lasts the clocks work with its team.
  class Turn;
  /// Searches that another rank of a team counts.
  [[nodiscard]] std::int64_t searches_elsewhere() const { return searches_elsewhere_; }
  /// That teams needed; of each team its first rank counts them.
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
  Communicator& one_rank_;  // the whole system's, but for a team's turn
  Teams teams_;
  Clusters clusters_;
  std::vector<std::uint8_t> active_;  // by body
  std::int64_t searches_elsewhere_ = 0, team_collectives_ = 0;
};

/// What another rank of the team counts this one does not.
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
