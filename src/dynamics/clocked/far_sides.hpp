// The sides of touching bodies that are far from contact: only the ranks that work on them follow them.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/terraces/lines.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// Where touching bodies are on several ranks, every rank holds all their surfaces, but in an event of theirs
/// a rank needs another rank's nodes only near contact. The other surface nodes are left to their owners: no
/// rank sends their forces or moves its copies of them until all are brought again (bring).
///
/// Meanwhile the rank that owns a node checks that it stays in its body's box, and strays from the group's
/// mean flight by less than the lists of pairs near contact allow (stay). The motion is the same bits with
/// and without this.
class FarSides {
 public:
  /// All must outlive this. Writes to `system`: subdomains of groups are changed while their far sides are
  /// left.
  FarSides(Lagrangian& system, TerraceGraph& graph, Lines& lines)
      : system_(system), graph_(graph), lines_(lines) {}

  /// Whether leaving far sides of a terrace may be worth it after `events` events of the run; on all ranks
  /// alike. False for some time after sides had to be brought again within few events.
  [[nodiscard]] bool may_be_worth_leaving(std::int32_t terrace, std::int64_t events) const;
  /// Leaves the far sides of a terrace from `instant` on, at which all ranks hold all nodes. False where
  /// there is little to leave: then nothing changes, but the lines of the terrace's potentials must be set
  /// again. Collective.
  [[nodiscard]] bool leave(const State& state, std::int32_t terrace, double instant, std::int64_t events);

  [[nodiscard]] bool any() const { return !left_.empty(); }
  [[nodiscard]] bool are_left(std::int32_t terrace) const { return left_.contains(terrace); }
  /// The terraces whose far sides are left.
  [[nodiscard]] std::vector<std::int32_t> terraces() const;
  /// To be called when a terrace whose far sides are left has new lines: tells NearPairs that its bodies move
  /// with the group's flight.
  void expect_flight(std::int32_t terrace);
  /// Upper bound on how far the way of a surface node between any two instants since the sides were left
  /// differs from the group's flight [length]; 0 where none are left. On all ranks alike.
  [[nodiscard]] double straying(std::int32_t terrace) const;
  /// Whether this rank's surface nodes of the terrace stay in their boxes and near enough to the flight, on
  /// their lines between these instants [s].
  [[nodiscard]] bool stay(const State& state, std::int32_t terrace, double from, double to) const;

  /// Brings all far sides: all ranks hold all nodes again, and potentials look at all of them from their next
  /// lines on. NearPairs must follow the bodies again. `events`: of the run so far. Collective.
  void bring(State& state, std::int64_t events);
  /// As bring, without sending nodes, for where the state is replaced.
  void forget();

 private:
  // Where the surface nodes of one body that this rank owns are in Left::nodes.
  struct Range {
    std::int32_t body;
    std::size_t begin, end;
  };
  struct Left {
    std::vector<std::int32_t> all_nodes;  // Subdomain::nodes before sides were left
    SharedNodes all_messages;             // Subdomain::shared_nodes before
    std::vector<std::int32_t> nodes;      // surface nodes that this rank owns
    std::vector<Vector3> start;           // their positions at `since`
    std::vector<Range> of_bodies;         // parts of `nodes`
    std::vector<std::int32_t> untold;     // those of `nodes` that some other rank does not follow
    Vector3 flight{};                     // mean velocity of the group's surface nodes [length/time]
    double since = 0, straying = 0;       // [s], [length]
    // How far a node may be off the flight in each coordinate at any instant: half of `straying`, as two
    // nodes may move against each other, divided by √3 for the three coordinates.
    [[nodiscard]] double room() const { return straying / (2 * std::sqrt(3.0)); }
    std::int64_t events = 0;  // of the run, when they were left
  };
  // By surface node: the ranks that follow it further, ascending.
  using Followers = std::map<std::int32_t, std::vector<int>>;

  [[nodiscard]] bool may_be_left(std::int32_t terrace) const;
  [[nodiscard]] Followers loading_ranks(std::int32_t terrace) const;
  [[nodiscard]] NearSides near_sides_of_mine(const State& state, std::int32_t terrace, double instant);
  void agree(const State& state, std::int32_t terrace, NearSides mine, Left& left,
             Followers& followers) const;
  void add_waiting_pairs(std::int32_t terrace, Followers& followers) const;
  void watch_own(const State& state, std::int32_t terrace, const Followers& followers, Left& left) const;
  [[nodiscard]] SharedNodes messages(std::int32_t terrace, const Followers& followers) const;
  [[nodiscard]] bool are_few_left(const Followers& followers) const;
  void wait_longer(std::int64_t events);
  void restore_lists();
  void send_untold(State& state) const;
  template <class Visit>
  void for_each_pair_line(std::int32_t terrace, Visit visit);

  Lagrangian& system_;
  TerraceGraph& graph_;
  Lines& lines_;
  std::map<std::int32_t, Left> left_;       // by terrace
  std::int64_t not_before_ = 0, wait_ = 1;  // when sides may be left next, and the last wait [events]
};

}  // namespace terrace
