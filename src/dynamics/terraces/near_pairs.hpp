// Which bodies are near each other: boxes about their surfaces that hold until a node leaves them.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/terraces/earliest.hpp"
#include "dynamics/terraces/flight_tubes.hpp"
#include "geometry/box_index.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/profile.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// Every body has a box with some room about its surface. Pairs of bodies whose boxes come within their
/// activation distance are awake; no other pair can touch before a node leaves its body's box. Every rank
/// holds all surface nodes and comes to the same conclusions to the bit, without messages. Which pairs are
/// awake never changes a trajectory: a sleeping pair's energy is 0.
class NearPairs {
 public:
  /// `pairs` may be null: no pairs at all. `subdomains` takes those of pairs that wake up for the first time.
  NearPairs(LivingSubdomains& subdomains, const ContactPairs* pairs);

  /// Subdomains of pairs that woke up or fell asleep.
  struct Changes {
    std::vector<std::int32_t> awake, asleep;
  };
  /// Boxes for all bodies at the start.
  Changes start(std::span<const NodeLine> lines, double time);
  /// For who works on parts of the system: boxes about these surfaces of all bodies. Nobody has looked for
  /// pairs, and nobody is followed yet (renew_boxes).
  void start_boxes(std::span<const Box> surfaces, double time);
  /// New lines of a body's surface from `time` on.
  void follow(std::int32_t body, std::span<const NodeLine> lines, double time);
  [[nodiscard]] const Box& box(std::int32_t body) const { return boxes_[body]; }
  /// Until it is followed again others see to it that no node leaves its box.
  void expect_no_exit(std::int32_t body) { exits_.set(static_cast<std::size_t>(body), infinity); }
  /// Until it is followed again all of its surface flies like this, but for what strays from it.
  void expect_flight(std::int32_t body, const Vector3& velocity) {
    at(velocities_, body) = {velocity, velocity};
  }
  /// The earliest time at which a node may leave its body's box; +∞ if none does.
  [[nodiscard]] double next_exit() const { return exits_.time(); }
  /// The first body that may.
  [[nodiscard]] std::int32_t next_to_exit() const { return static_cast<std::int32_t>(exits_.index()); }
  /// When one body may, and as it was known before.
  [[nodiscard]] double exit(std::int32_t body) const { return exits_.at(static_cast<std::size_t>(body)); }
  void set_exit(std::int32_t body, double time) { exits_.set(static_cast<std::size_t>(body), time); }
  /// A new box for the body of the earliest exit, at that time. Pairs for which `may_sleep` is false stay
  /// awake.
  template <class MaySleep>
  Changes renew_box(std::span<const NodeLine> lines, MaySleep may_sleep);

  /// For executors that work on parts of the system alone. Only bodies of one cluster are looked at as pairs;
  /// by body, −1: none with others, and no exits. At first all are in one.
  void divide(std::vector<std::int32_t> clusters);
  /// The same of these bodies alone: they are in this cluster now, or in none (−1).
  void put_in_cluster(std::span<const std::int32_t> bodies, std::int32_t cluster);
  /// What this rank knows of the boxes of these bodies is, at `time`, what all ranks know that go on with
  /// them.
  void forget_boxes(std::span<const std::int32_t> bodies, std::span<const NodeLine> lines, double time);
  /// New boxes for these bodies at `time`. Their pairs that are near each other in one cluster are awake from
  /// now on, others asleep unless they may not.
  template <class MaySleep>
  Changes renew_boxes(std::span<const std::int32_t> bodies, std::span<const NodeLine> lines, double time,
                      MaySleep may_sleep);
  /// The subdomain of a pair, which is awake now.
  std::int32_t awakened(const BodyPair& pair);
  void put_to_sleep(std::int32_t subdomain);
  /// Whether set_touching changes a pair that is awake: then no line may know its potential any more.
  [[nodiscard]] bool changes_with_touch(std::int32_t subdomain, bool touching) const;
  /// Ranks share the potential of bodies that touch (ContactPairs::are_shared_in_touch).
  void set_touching(std::int32_t subdomain, bool touching);
  /// The potential of a pair that sleeps ends, until it wakes up; no line may know it any more.
  void release(std::int32_t subdomain);
  /// The same, and nothing is left of it: its number is the next new pair's. Not where the graph of terraces
  /// is saved, in which pairs keep their places.
  void drop(std::int32_t subdomain);
  /// What follows every new line of a body's surface too; null: nothing.
  void watch(FlightTubes* tubes) { tubes_ = tubes; }
  [[nodiscard]] FlightTubes* watching() const { return tubes_; }
  /// No node leaves the tube of its body before; +∞ where none is watched.
  [[nodiscard]] double next_exit_from_tube() const { return tubes_ == nullptr ? infinity : tubes_->exit(); }

  [[nodiscard]] bool any() const { return pairs_ != nullptr; }
  /// Whether all subdomains of pairs have kept their places.
  [[nodiscard]] bool keeps_places() const { return free_.empty(); }
  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(awake_.size()); }
  /// Whether there is contact, and each body is one subdomain, of the same number, and no other is.
  [[nodiscard]] bool has_bodies_as_subdomains() const;
  /// Subdomains of the pairs of a body that are awake, ascending.
  [[nodiscard]] std::span<const std::int32_t> awake_pairs(std::int32_t body) const {
    return at(awake_, body);
  }
  /// On their present lines no nodes of the surfaces of two bodies, which are followed, come nearer to each
  /// other faster, or on the flights that are expected [length/time].
  [[nodiscard]] double speed_of_approach(const BodyPair& pair) const {
    const Box &first = at(velocities_, pair.first), &second = at(velocities_, pair.second);
    const bool are_known = first.low[0] <= first.high[0] && second.low[0] <= second.high[0];
    return are_known ? largest_difference(first, second) : infinity;
  }
  /// The same on these lines, of bodies that need not be followed.
  [[nodiscard]] double speed_of_approach(const BodyPair& pair, std::span<const NodeLine> lines) const {
    return largest_difference(velocities(pair.first, lines), velocities(pair.second, lines));
  }
  /// The bodies of a pair's subdomain, or nothing for other subdomains; until another pair wakes up or is
  /// dropped.
  [[nodiscard]] const BodyPair* bodies_of(std::int32_t subdomain) const {
    if (subdomain >= std::ssize(bodies_) || at(bodies_, subdomain) == no_bodies) return nullptr;
    return &at(bodies_, subdomain);
  }
  /// Bodies whose surface nodes a subdomain that is no pair loads, and the other way round.
  [[nodiscard]] std::span<const std::int32_t> loaded_bodies(std::int32_t subdomain) const {
    return at(loaded_bodies_, subdomain);
  }
  /// The pair subdomains, ascending.
  [[nodiscard]] std::vector<std::int32_t> pair_subdomains() const;
  /// Of all bodies, whose lines are these.
  void find_velocities(std::span<const NodeLine> lines);
  /// What was read comes into force: the subdomains are those of the pairs (TerraceGraph), of which those
  /// that sleep are released.
  void take_over();

  /// What changes as bodies move; the rest is made once.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.boxes_, self.largest_diagonal_, self.exits_, self.renewed_, self.numbers_, self.bodies_,
            self.awake_);
  }

  /// Whether any surface node that a subdomain loads is marked; `marked` by local node.
  [[nodiscard]] bool any_surface_node(std::int32_t subdomain, std::span<const std::uint8_t> marked) const;
  [[nodiscard]] std::span<const std::int32_t> loading_subdomains(std::int32_t body) const {
    return at(loading_, body);
  }

 private:
  /// Of the nodes of a body's surface [length/time].
  [[nodiscard]] Box velocities(std::int32_t body, std::span<const NodeLine> lines) const;
  [[nodiscard]] Box box_about(std::int32_t body, std::span<const NodeLine> lines, double time) const;
  [[nodiscard]] static Box with_room(Box box);
  void set_boxes(std::vector<Box> boxes, double time);
  void replace_box(std::int32_t body, std::span<const NodeLine> lines, double time);
  void find_largest_diagonal();
  /// Bodies that may be near this one, ascending.
  [[nodiscard]] std::vector<std::int32_t> candidates(std::int32_t body) const;
  [[nodiscard]] bool are_in_one_cluster(const BodyPair& pair) const;
  [[nodiscard]] double rounding_of(const BodyPair& pair) const;
  /// Whether bodies may come within any pair's activation distance before they leave their boxes.
  [[nodiscard]] bool boxes_are_near(const BodyPair& pair) const;
  [[nodiscard]] bool near(const BodyPair& pair) const;
  [[nodiscard]] bool is_awake(const BodyPair& pair) const;
  std::int32_t wake(const BodyPair& pair);
  std::int32_t add(const BodyPair& pair);
  void make_potential(std::int32_t subdomain);
  template <class MaySleep>
  void look_at_pairs(std::int32_t body, MaySleep may_sleep, Changes& changes);
  void find_loads();
  [[nodiscard]] std::span<const std::int32_t> surface_nodes_of(std::int32_t subdomain) const;

  static constexpr BodyPair no_bodies = {-1, -1};

  LivingSubdomains& subdomains_;
  const Lagrangian& system_;
  const ContactPairs* pairs_;
  BoxIndex boxes_;                                // about the bodies
  double largest_diagonal_ = 0;                   // of any box so far
  Earliest exits_;                                // of each body from its box
  std::vector<double> renewed_;                   // when each got its box
  std::vector<Box> velocities_;                   // of each body's surface, when it was last followed
  std::map<BodyPair, std::int32_t> numbers_;      // of pairs that have a subdomain
  std::vector<BodyPair> bodies_;                  // the other way round; of others no_bodies
  std::vector<std::int32_t> free_;                // of pairs that were dropped
  std::vector<std::vector<std::int32_t>> awake_;  // by body
  std::vector<std::vector<std::int32_t>> loaded_bodies_, loading_;
  // By subdomain that is no pair; none where it loads one body's surface, all of it, which is in `pairs_`.
  std::vector<std::vector<std::int32_t>> surface_nodes_;
  std::vector<std::int32_t> clusters_;  // by body; empty: one of all
  FlightTubes* tubes_ = nullptr;
};

template <class MaySleep>
NearPairs::Changes NearPairs::renew_box(std::span<const NodeLine> lines, MaySleep may_sleep) {
  const OperationScope operation(Operation::following);
  const std::int32_t body = next_to_exit();
  const double time = exits_.time();
  replace_box(body, lines, time);
  follow(body, lines, time);
  Changes changes;
  look_at_pairs(body, may_sleep, changes);
  return changes;
}

template <class MaySleep>
void NearPairs::look_at_pairs(std::int32_t body, MaySleep may_sleep, Changes& changes) {
  const std::vector<std::int32_t> before = at(awake_, body);
  for (const std::int32_t subdomain : before)
    if (!near(at(bodies_, subdomain)) && may_sleep(subdomain)) {
      put_to_sleep(subdomain);
      changes.asleep.push_back(subdomain);
    }
  for (const std::int32_t other : candidates(body)) {
    const BodyPair pair = std::minmax(body, other);
    if (near(pair) && !is_awake(pair)) changes.awake.push_back(wake(pair));
  }
}

template <class MaySleep>
NearPairs::Changes NearPairs::renew_boxes(std::span<const std::int32_t> bodies,
                                          std::span<const NodeLine> lines, double time, MaySleep may_sleep) {
  for (const std::int32_t body : bodies) {
    replace_box(body, lines, time);
    follow(body, lines, time);
  }
  Changes changes;
  for (const std::int32_t body : bodies) look_at_pairs(body, may_sleep, changes);
  return changes;
}

}  // namespace terrace
