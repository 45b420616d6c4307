// The sides of touching bodies that are far from contact: nobody follows them but who works on them.
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

/// Where bodies that touch are on several ranks every rank holds all their surfaces, but an event of theirs
/// needs a node of another rank only where that is near contact. The others are left behind: nobody sends
/// their forces, nobody pushes their copies, until they are brought again.
///
/// Meanwhile the rank that owns a node sees to it that it goes nowhere unforeseen: within its body's box, and
/// less far than lists of pairs near contact bear, relative to the group's mean flight. Nothing of this
/// leaves a trace in the motion.
class FarSides {
 public:
  /// All outlive this. `system`: subdomains of groups are changed while their far sides are left.
  FarSides(Lagrangian& system, TerraceGraph& graph, Lines& lines)
      : system_(system), graph_(graph), lines_(lines) {}

  /// Whether a terrace may have far sides to leave, on all ranks alike. `events`: so many have been; where
  /// sides had to be brought again after few of them it is not worth it for some time.
  [[nodiscard]] bool may_be_worth_leaving(std::int32_t terrace, std::int64_t events) const;
  /// From `instant` on, at which all ranks hold all nodes. False where it turns out that there is little to
  /// leave: then all is as before, but that potentials want their lines set. Collective.
  [[nodiscard]] bool leave(const State& state, std::int32_t terrace, double instant, std::int64_t events);

  [[nodiscard]] bool any() const { return !left_.empty(); }
  [[nodiscard]] bool are_left(std::int32_t terrace) const { return left_.contains(terrace); }
  /// The terraces whose far sides are left.
  [[nodiscard]] std::vector<std::int32_t> terraces() const;
  /// A terrace whose far sides are left has new lines: of its bodies NearPairs knows the group's flight.
  void expect_flight(std::int32_t terrace);
  /// How far nodes of their surfaces stray from that at most, between any two instants since they were left
  /// [length]; 0 where none are left. On all ranks alike.
  [[nodiscard]] double straying(std::int32_t terrace) const;
  /// Whether this rank's nodes of the terrace go nowhere unforeseen on their lines between these instants.
  [[nodiscard]] bool stay(const State& state, std::int32_t terrace, double from, double to) const;

  /// All ranks hold all nodes again, and potentials look at them from their next lines on. Bodies are to be
  /// followed again. Collective.
  void bring(State& state, std::int64_t events);
  /// As bring, where nothing of the state is to be kept.
  void forget();

 private:
  // Nodes of one body's surface that this rank owns, in Left::nodes.
  struct Range {
    std::int32_t body;
    std::size_t begin, end;
  };
  struct Left {
    std::vector<std::int32_t> all_nodes;  // Subdomain::nodes and its messages as they were
    SharedNodes all_messages;
    std::vector<std::int32_t> nodes;   // on surfaces, that this rank owns
    std::vector<Vector3> start;        // where they were
    std::vector<Range> of_bodies;      // of `nodes`
    std::vector<std::int32_t> untold;  // those of them that others have left
    Vector3 flight{};                  // of the group as a whole [length/time]
    double since = 0, straying = 0;    // [s], [length]
    // From the flight, in each coordinate, at any instant: of two nodes either has half of it, and axes are
    // three.
    [[nodiscard]] double room() const { return straying / (2 * std::sqrt(3.0)); }
    std::int64_t events = 0;  // so many had been
  };
  // By surface node the ranks that go on with it, ascending.
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
  std::int64_t not_before_ = 0, wait_ = 1;  // in events
};

}  // namespace terrace
