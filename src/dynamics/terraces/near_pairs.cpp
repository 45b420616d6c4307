#include "dynamics/terraces/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "numerics/sort_each_once.hpp"
#include "potentials/kernels/nodes_on_lines.hpp"

namespace terrace {
namespace {

/// Room about a body's surface in its box, as a share of the diagonal of the box about the surface.
constexpr double room = 0.05;

void insert_sorted(std::vector<std::int32_t>& list, std::int32_t value) {
  list.insert(std::lower_bound(list.begin(), list.end(), value), value);
}

}  // namespace

NearPairs::NearPairs(LivingSubdomains& subdomains, const ContactPairs* pairs)
    : subdomains_(subdomains), system_(subdomains.system()), pairs_(pairs) {
  if (pairs_ == nullptr) return;
  const std::size_t count = static_cast<std::size_t>(pairs_->bodies());
  exits_.resize(count);
  renewed_.assign(count, 0.0);
  awake_.resize(count);
  velocities_.resize(count);
  find_loads();
}

void NearPairs::find_loads() {
  std::vector<std::int32_t> body_of(system_.masses.size(), -1);
  for (std::int32_t body = 0; body < pairs_->bodies(); ++body)
    for (const std::int32_t node : pairs_->surface_nodes(body)) at(body_of, node) = body;
  loaded_bodies_.resize(system_.subdomains.size());
  surface_nodes_.resize(system_.subdomains.size());
  loading_.resize(awake_.size());
  for (std::size_t s = 0; s < system_.subdomains.size(); ++s) {
    std::vector<std::int32_t>& bodies = loaded_bodies_[s];
    for (const std::int32_t node : system_.subdomains[s].nodes) {
      const std::int32_t body = at(body_of, node);
      if (body < 0) continue;
      if (bodies.empty() || bodies.back() != body) bodies.push_back(body);
      surface_nodes_[s].push_back(node);
    }
    sort_each_once(bodies);
    const bool is_one_surface =
        bodies.size() == 1 && surface_nodes_[s].size() == pairs_->surface_nodes(bodies.front()).size();
    if (is_one_surface) std::vector<std::int32_t>().swap(surface_nodes_[s]);
    for (const std::int32_t body : bodies) at(loading_, body).push_back(static_cast<std::int32_t>(s));
  }
}

bool NearPairs::has_bodies_as_subdomains() const {
  if (loading_.size() != loaded_bodies_.size()) return false;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(loading_, body) != std::vector{body} || at(loaded_bodies_, body).size() != 1) return false;
  return any();
}

Box NearPairs::box_about(std::int32_t body, std::span<const NodeLine> lines, double time) const {
  return with_room(box_of_places(lines, pairs_->surface_nodes(body), system_.reference, time));
}

// Adds the room, which is far larger than any rounding.
Box NearPairs::with_room(Box box) {
  const double margin = room * box.diagonal();
  for (std::size_t k = 0; k < 3; ++k) {
    box.low[k] -= margin;
    box.high[k] += margin;
  }
  return box;
}

void NearPairs::forget_boxes(std::span<const std::int32_t> bodies, std::span<const NodeLine> lines,
                             double time) {
  for (const std::int32_t body : bodies) {
    at(renewed_, body) = time;
    boxes_.replace(body, box_about(body, lines, time));
  }
}

// A body with no others on its way gets a box that covers its way ahead, for twice the time since the last
// renewal. With boxes of its own size a fast body would need a new one again and again.
void NearPairs::replace_box(std::int32_t body, std::span<const NodeLine> lines, double time) {
  constexpr double resolved = 0x1p-48;  // of a time
  const double ahead = std::max(2 * (time - at(renewed_, body)), resolved * std::abs(time));
  at(renewed_, body) = time;
  const Box own = box_about(body, lines, time);
  Box way = own;
  const Box later = box_about(body, lines, time + ahead);
  way.include(later.low);
  way.include(later.high);
  boxes_.replace(body, way);
  const std::vector<std::int32_t> met = candidates(body);
  // In clusters only bodies of the same cluster count. So ranks of a team come to the same conclusion,
  // whatever other boxes each of them knows, and old boxes of bodies that have gone to other ranks do not
  // matter.
  const bool meets = std::any_of(met.begin(), met.end(), [&](std::int32_t other) {
    if (other == body || clusters_.empty()) return other != body;
    return are_in_one_cluster({body, other}) && boxes_are_near({body, other});
  });
  if (meets || !std::isfinite(way.diagonal())) boxes_.replace(body, own);
  largest_diagonal_ = std::max(largest_diagonal_, boxes_[body].diagonal());
}

void NearPairs::follow(std::int32_t body, std::span<const NodeLine> lines, double time) {
  const auto [after, velocities] =
      exit_of_nodes(lines, pairs_->surface_nodes(body), system_.reference, time, boxes_[body]);
  exits_.set(static_cast<std::size_t>(body), time + after);
  at(velocities_, body) = velocities;
  if (tubes_ != nullptr) tubes_->follow(body, lines, velocities, time);
}

Box NearPairs::velocities(std::int32_t body, std::span<const NodeLine> lines) const {
  return box_of_velocities(lines, pairs_->surface_nodes(body));
}

void NearPairs::find_velocities(std::span<const NodeLine> lines) {
  for (std::int32_t body = 0; body < bodies(); ++body) at(velocities_, body) = velocities(body, lines);
}

void NearPairs::divide(std::vector<std::int32_t> clusters) {
  TERRACE_VERIFY(clusters.size() == awake_.size(), clusters.size(), awake_.size());
  clusters_ = std::move(clusters);
  for (std::size_t body = 0; body < clusters_.size(); ++body)
    if (clusters_[body] < 0) exits_.set(body, infinity);
}

void NearPairs::put_in_cluster(std::span<const std::int32_t> bodies, std::int32_t cluster) {
  TERRACE_VERIFY(!clusters_.empty(), cluster);
  for (const std::int32_t body : bodies) {
    at(clusters_, body) = cluster;
    if (cluster < 0) exits_.set(static_cast<std::size_t>(body), infinity);
  }
}

std::vector<std::int32_t> NearPairs::candidates(std::int32_t body) const {
  // At least as much as near() adds for rounding.
  const double rounding = 2e-9 * (pairs_->largest_activation() + boxes_[body].diagonal() + largest_diagonal_);
  return boxes_.near(boxes_[body], pairs_->largest_activation() + rounding);
}

bool NearPairs::are_in_one_cluster(const BodyPair& pair) const {
  if (clusters_.empty()) return true;
  const std::int32_t cluster = at(clusters_, pair.first);
  return cluster >= 0 && cluster == at(clusters_, pair.second);
}

double NearPairs::rounding_of(const BodyPair& pair) const {
  return 1e-9 *
         (pairs_->largest_activation() + boxes_[pair.first].diagonal() + boxes_[pair.second].diagonal());
}

bool NearPairs::boxes_are_near(const BodyPair& pair) const {
  return boxes_[pair.first].overlaps(boxes_[pair.second], pairs_->largest_activation() + rounding_of(pair));
}

// The first line rules out most pairs, at little cost.
bool NearPairs::near(const BodyPair& pair) const {
  if (!are_in_one_cluster(pair) || !boxes_are_near(pair)) return false;
  return pairs_->may_touch(pair) &&
         boxes_[pair.first].overlaps(boxes_[pair.second], pairs_->activation(pair) + rounding_of(pair));
}

bool NearPairs::is_awake(const BodyPair& pair) const {
  const auto known = numbers_.find(pair);
  if (known == numbers_.end()) return false;
  const std::vector<std::int32_t>& awake = at(awake_, pair.first);
  return std::binary_search(awake.begin(), awake.end(), known->second);
}

std::int32_t NearPairs::awakened(const BodyPair& pair) {
  return is_awake(pair) ? numbers_.at(pair) : wake(pair);
}

void NearPairs::make_potential(std::int32_t subdomain) {
  subdomains_.make_again(subdomain, pairs_->subdomain_of(system_, at(bodies_, subdomain), subdomain));
}

std::int32_t NearPairs::wake(const BodyPair& pair) {
  const auto known = numbers_.find(pair);
  const std::int32_t subdomain = known == numbers_.end() ? add(pair) : known->second;
  if (subdomains_.is_released(subdomain)) make_potential(subdomain);
  insert_sorted(at(awake_, pair.first), subdomain);
  if (pair.first != pair.second) insert_sorted(at(awake_, pair.second), subdomain);
  subdomains_.set_asleep(subdomain, false);
  return subdomain;
}

// If memory runs out here, the pair is not registered.
std::int32_t NearPairs::add(const BodyPair& pair) {
  const std::int32_t number = free_.empty() ? subdomains_.count() : free_.back();
  if (number >= std::ssize(bodies_)) bodies_.resize(static_cast<std::size_t>(number) + 1, no_bodies);
  const auto entry = numbers_.try_emplace(pair, number).first;
  try {
    subdomains_.add_pair(number, pairs_->subdomain_of(system_, pair, number));
  } catch (...) {
    numbers_.erase(entry);
    throw;
  }
  at(bodies_, number) = pair;
  if (!free_.empty()) free_.pop_back();
  return number;
}

void NearPairs::put_to_sleep(std::int32_t subdomain) {
  const BodyPair& pair = at(bodies_, subdomain);
  std::erase(at(awake_, pair.first), subdomain);
  if (pair.first != pair.second) std::erase(at(awake_, pair.second), subdomain);
  subdomains_.set_asleep(subdomain, true);
}

bool NearPairs::changes_with_touch(std::int32_t subdomain, bool touching) const {
  const Subdomain& known = at(system_.subdomains, subdomain);
  const BodyPair& pair = at(bodies_, subdomain);
  if (known.everywhere != ContactPairs::is_everywhere(system_, pair, touching)) return true;
  return !known.everywhere && pairs_->are_shared_in_touch(system_, pair) && (known.only_rank < 0) != touching;
}

void NearPairs::set_touching(std::int32_t subdomain, bool touching) {
  if (!changes_with_touch(subdomain, touching)) return;
  subdomains_.replace_pair(subdomain,
                           pairs_->subdomain_of(system_, at(bodies_, subdomain), subdomain, touching));
}

void NearPairs::release(std::int32_t subdomain) { subdomains_.release(subdomain); }

void NearPairs::drop(std::int32_t subdomain) {
  subdomains_.drop_pair(subdomain);
  numbers_.erase(at(bodies_, subdomain));
  at(bodies_, subdomain) = no_bodies;
  free_.push_back(subdomain);
}

void NearPairs::set_boxes(std::vector<Box> boxes, double time) {
  renewed_.assign(renewed_.size(), time);
  velocities_.assign(velocities_.size(), {});
  for (std::size_t body = 0; body < boxes.size(); ++body) exits_.set(body, infinity);
  boxes_.build(std::move(boxes));
  find_largest_diagonal();
}

void NearPairs::start_boxes(std::span<const Box> surfaces, double time) {
  std::vector<Box> boxes;
  for (const Box& surface : surfaces) boxes.push_back(with_room(surface));
  set_boxes(std::move(boxes), time);
}

NearPairs::Changes NearPairs::start(std::span<const NodeLine> lines, double time) {
  Changes changes;
  if (!any()) return changes;
  std::vector<Box> boxes;
  for (std::int32_t body = 0; body < bodies(); ++body) boxes.push_back(box_about(body, lines, time));
  set_boxes(std::move(boxes), time);
  for (std::int32_t body = 0; body < bodies(); ++body) follow(body, lines, time);
  for (std::int32_t a = 0; a < bodies(); ++a)
    for (const std::int32_t b : candidates(a))
      if (b >= a && near({a, b})) changes.awake.push_back(wake({a, b}));
  return changes;
}

void NearPairs::find_largest_diagonal() {
  for (std::int32_t body = 0; body < bodies(); ++body)
    largest_diagonal_ = std::max(largest_diagonal_, boxes_[body].diagonal());
}

std::span<const std::int32_t> NearPairs::surface_nodes_of(std::int32_t subdomain) const {
  if (static_cast<std::size_t>(subdomain) >= surface_nodes_.size())
    return at(system_.subdomains, subdomain).nodes;
  if (!at(surface_nodes_, subdomain).empty()) return at(surface_nodes_, subdomain);
  const std::vector<std::int32_t>& bodies = at(loaded_bodies_, subdomain);
  return bodies.empty() ? std::span<const std::int32_t>() : pairs_->surface_nodes(bodies.front());
}

bool NearPairs::any_surface_node(std::int32_t subdomain, std::span<const std::uint8_t> marked) const {
  return std::ranges::any_of(surface_nodes_of(subdomain),
                             [&](std::int32_t node) { return at(marked, node) != 0; });
}

void NearPairs::take_over() {
  find_largest_diagonal();
  for (const std::int32_t subdomain : pair_subdomains()) {
    const bool awake = is_awake(at(bodies_, subdomain));
    if (awake && subdomains_.is_released(subdomain)) make_potential(subdomain);
    subdomains_.set_asleep(subdomain, !awake);
    if (!awake && !subdomains_.is_released(subdomain)) subdomains_.release(subdomain);
  }
}

std::vector<std::int32_t> NearPairs::pair_subdomains() const {
  std::vector<std::int32_t> pairs;
  for (std::int32_t subdomain = 0; subdomain < std::ssize(bodies_); ++subdomain)
    if (bodies_of(subdomain) != nullptr) pairs.push_back(subdomain);
  return pairs;
}

}  // namespace terrace
