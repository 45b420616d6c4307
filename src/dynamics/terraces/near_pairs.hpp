// Which bodies are near each other, by boxes about their surfaces that are valid until a node leaves them.
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
///
/// A body is "followed" when the time at which a node leaves its box, and the velocities of its surface, are
/// computed from its present lines (follow).
class NearPairs {
 public:
  /// `pairs` may be null if there is no contact between bodies. The subdomain of a pair is added to
  /// `subdomains` when the pair wakes up for the first time.
  NearPairs(LivingSubdomains& subdomains, const ContactPairs* pairs);

  /// The subdomains of pairs that woke up or fell asleep.
  struct Changes {
    std::vector<std::int32_t> awake, asleep;
  };
  /// Gives all bodies their boxes at the start, follows them, and wakes the pairs that are near each other.
  Changes start(std::span<const NodeLine> lines, double time);
  /// In place of `start`, for executors that work on parts of the system: only makes boxes with room about
  /// `surfaces`, by body. Pairs are looked for, and bodies are followed, by renew_boxes.
  void start_boxes(std::span<const Box> surfaces, double time);
  /// Follows a body on its new lines from `time` on.
  void follow(std::int32_t body, std::span<const NodeLine> lines, double time);
  [[nodiscard]] const Box& box(std::int32_t body) const { return boxes_[body]; }
  /// Notes that no node leaves the body's box until it is followed again; the caller takes care that this is
  /// so.
  void expect_no_exit(std::int32_t body) { exits_.set(static_cast<std::size_t>(body), infinity); }
  /// Takes `velocity` as that of the body's whole surface until it is followed again. How far nodes stray
  /// from that flight is the caller's affair.
  void expect_flight(std::int32_t body, const Vector3& velocity) {
    at(velocities_, body) = {velocity, velocity};
  }
  /// The earliest time at which a node may leave its body's box; +∞ if none does.
  [[nodiscard]] double next_exit() const { return exits_.time(); }
  /// The body that may be the first to leave its box.
  [[nodiscard]] std::int32_t next_to_exit() const { return static_cast<std::int32_t>(exits_.index()); }
  /// The same time for one body, and a function that sets it to an earlier result or to +∞.
  [[nodiscard]] double exit(std::int32_t body) const { return exits_.at(static_cast<std::size_t>(body)); }
  void set_exit(std::int32_t body, double time) { exits_.set(static_cast<std::size_t>(body), time); }
  /// Gives the body of the earliest exit a new box at the time of the exit, and wakes or puts to sleep its
  /// pairs. Pairs for whose subdomain may_sleep(subdomain) is false stay awake.
  template <class MaySleep>
  Changes renew_box(std::span<const NodeLine> lines, MaySleep may_sleep);

  /// For executors that work on parts of the system: sets the number of each body's cluster. Only bodies of
  /// the same cluster can be a pair. A body with −1 is in no pair and has no exit. At first all bodies are in
  /// one cluster.
  void divide(std::vector<std::int32_t> clusters);
  /// Puts these bodies into `cluster`, or into none (−1).
  void put_in_cluster(std::span<const std::int32_t> bodies, std::int32_t cluster);
  /// Gives these bodies boxes about their surfaces at `time`, as if they had never had others. So all ranks
  /// of a team that takes them over have the same boxes.
  void forget_boxes(std::span<const std::int32_t> bodies, std::span<const NodeLine> lines, double time);
  /// Gives these bodies new boxes at `time` and follows them. Those of their pairs that are near each other
  /// in one cluster are awake from now on, the others asleep, except where may_sleep(subdomain) is false.
  template <class MaySleep>
  Changes renew_boxes(std::span<const std::int32_t> bodies, std::span<const NodeLine> lines, double time,
                      MaySleep may_sleep);
  /// Returns the subdomain of a pair, which it wakes if it sleeps.
  std::int32_t awakened(const BodyPair& pair);
  void put_to_sleep(std::int32_t subdomain);
  /// Whether set_touching replaces the potential of an awake pair. If so, no line may refer to it any more.
  [[nodiscard]] bool changes_with_touch(std::int32_t subdomain, bool touching) const;
  /// Gives an awake pair the potential that it has while its bodies touch, or do not: the ranks of touching
  /// bodies may share it (ContactPairs::are_shared_in_touch).
  void set_touching(std::int32_t subdomain, bool touching);
  /// Deletes the potential of a sleeping pair until it wakes up; no line may refer to it any more.
  void release(std::int32_t subdomain);
  /// Deletes a sleeping pair altogether; the next new pair gets its number. Not allowed where the graph of
  /// terraces is saved, as pairs keep their places there.
  void drop(std::int32_t subdomain);
  /// From now on `tubes` follow every new line of a body's surface too; null: no tubes.
  void watch(FlightTubes* tubes) { tubes_ = tubes; }
  [[nodiscard]] FlightTubes* watching() const { return tubes_; }
  /// No node leaves the tube of its body before this time; +∞ without tubes.
  [[nodiscard]] double next_exit_from_tube() const { return tubes_ == nullptr ? infinity : tubes_->exit(); }

  [[nodiscard]] bool any() const { return pairs_ != nullptr; }
  /// Whether all subdomains of pairs have kept their places: no number of a dropped pair is free.
  [[nodiscard]] bool keeps_places() const { return free_.empty(); }
  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(awake_.size()); }
  /// Whether there is contact between bodies, and the subdomains of the localization are the bodies, with the
  /// same numbers.
  [[nodiscard]] bool has_bodies_as_subdomains() const;
  /// The subdomains of a body's awake pairs, ascending.
  [[nodiscard]] std::span<const std::int32_t> awake_pairs(std::int32_t body) const {
    return at(awake_, body);
  }
  /// Upper bound of the speed [length/time] at which nodes of the surfaces of two bodies approach each other,
  /// on the lines with which the bodies were last followed or on their expected flights; +∞ where no
  /// velocities are known.
  [[nodiscard]] double speed_of_approach(const BodyPair& pair) const {
    const Box &first = at(velocities_, pair.first), &second = at(velocities_, pair.second);
    const bool are_known = first.low[0] <= first.high[0] && second.low[0] <= second.high[0];
    return are_known ? largest_difference(first, second) : infinity;
  }
  /// The same bound on the given lines; the bodies need not be followed.
  [[nodiscard]] double speed_of_approach(const BodyPair& pair, std::span<const NodeLine> lines) const {
    return largest_difference(velocities(pair.first, lines), velocities(pair.second, lines));
  }
  /// Returns the bodies of a pair's subdomain, null for other subdomains. The pointer is valid until another
  /// pair wakes up or is dropped.
  [[nodiscard]] const BodyPair* bodies_of(std::int32_t subdomain) const {
    if (subdomain >= std::ssize(bodies_) || at(bodies_, subdomain) == no_bodies) return nullptr;
    return &at(bodies_, subdomain);
  }
  /// The bodies whose surface nodes a subdomain of the localization loads; loading_subdomains is the inverse.
  [[nodiscard]] std::span<const std::int32_t> loaded_bodies(std::int32_t subdomain) const {
    return at(loaded_bodies_, subdomain);
  }
  /// The subdomains of pairs, awake or not, ascending.
  [[nodiscard]] std::vector<std::int32_t> pair_subdomains() const;
  /// Sets the velocities of the surfaces of all bodies to those of `lines`.
  void find_velocities(std::span<const NodeLine> lines);
  /// To be called after `fields` were read and the subdomains of pairs are in their places
  /// (TerraceGraph::restore): puts pairs to sleep or wakes them accordingly, and releases those that sleep.
  void take_over();

  /// What changes as bodies move, except what follows from it (take_over, find_velocities).
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.boxes_, self.largest_diagonal_, self.exits_, self.renewed_, self.numbers_, self.bodies_,
            self.awake_);
  }

  /// Whether any surface node that a subdomain loads is marked; `marked`: by local node.
  [[nodiscard]] bool any_surface_node(std::int32_t subdomain, std::span<const std::uint8_t> marked) const;
  [[nodiscard]] std::span<const std::int32_t> loading_subdomains(std::int32_t body) const {
    return at(loading_, body);
  }

 private:
  /// The box of the velocities of a body's surface nodes [length/time].
  [[nodiscard]] Box velocities(std::int32_t body, std::span<const NodeLine> lines) const;
  [[nodiscard]] Box box_about(std::int32_t body, std::span<const NodeLine> lines, double time) const;
  [[nodiscard]] static Box with_room(Box box);
  void set_boxes(std::vector<Box> boxes, double time);
  void replace_box(std::int32_t body, std::span<const NodeLine> lines, double time);
  void find_largest_diagonal();
  /// The bodies that may be near this one, and itself, ascending.
  [[nodiscard]] std::vector<std::int32_t> candidates(std::int32_t body) const;
  [[nodiscard]] bool are_in_one_cluster(const BodyPair& pair) const;
  [[nodiscard]] double rounding_of(const BodyPair& pair) const;
  /// Whether the bodies may come within the largest activation distance of any pair before they leave their
  /// boxes.
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
  BoxIndex boxes_;                                // by body
  double largest_diagonal_ = 0;                   // of all boxes so far
  Earliest exits_;                                // when each body may leave its box
  std::vector<double> renewed_;                   // when each body got its box
  std::vector<Box> velocities_;                   // of each body's surface, when it was last followed
  std::map<BodyPair, std::int32_t> numbers_;      // the subdomain of each pair that has one
  std::vector<BodyPair> bodies_;                  // the inverse, by subdomain; no_bodies for other subdomains
  std::vector<std::int32_t> free_;                // the numbers of dropped pairs
  std::vector<std::vector<std::int32_t>> awake_;  // the subdomains of awake pairs, by body
  std::vector<std::vector<std::int32_t>> loaded_bodies_, loading_;
  // The surface nodes that each subdomain of the localization loads; empty where these are the whole surface
  // of one body, whose nodes `pairs_` lists.
  std::vector<std::vector<std::int32_t>> surface_nodes_;
  std::vector<std::int32_t> clusters_;  // by body; empty: all are in one cluster
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
