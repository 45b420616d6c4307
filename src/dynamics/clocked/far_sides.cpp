#include "dynamics/clocked/far_sides.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/sort_each_once.hpp"
#include "parallel/archive.hpp"
#include "parallel/profile.hpp"
#include "potentials/kernels/nodes_on_lines.hpp"

namespace terrace {
namespace {

/// Sides that are brought again after fewer than few_events were not worth leaving; the wait before the next
/// attempt then doubles, up to longest_wait [events].
constexpr std::int64_t few_events = 64, longest_wait = 4096;
/// Share of the copies of surface nodes: leaving fewer than that does not pay.
constexpr double few_copies = 0.05;

/// Local number of a node that all ranks hold.
std::int32_t local_node(const Lagrangian& system, std::int32_t global) {
  const auto place = std::lower_bound(system.global_nodes.begin(), system.global_nodes.end(), global);
  TERRACE_VERIFY(place != system.global_nodes.end() && *place == global, global);
  return static_cast<std::int32_t>(place - system.global_nodes.begin());
}

}  // namespace

bool FarSides::may_be_worth_leaving(std::int32_t terrace, std::int64_t events) const {
  return events >= not_before_ && !are_left(terrace) && may_be_left(terrace);
}

// Not where tubes are watched: other ranks would not see a left node leave its tube.
bool FarSides::may_be_left(std::int32_t terrace) const {
  if (system_.communicator->size() == 1 || graph_.near_pairs().watching() != nullptr) return false;
  if (!system_.contact_pairs || !system_.contact_pairs->looks_near()) return false;
  const TouchingBodies& touching = graph_.touching();
  if (!touching.is_group(terrace) || touching.has_pair_with_itself(terrace)) return false;
  return at(system_.subdomains, terrace).only_rank < 0;
}

template <class Visit>
void FarSides::for_each_pair_line(std::int32_t terrace, Visit visit) {
  for (const std::int32_t pair : graph_.touching().pairs(terrace))
    for (const Potential* potential : at(system_.subdomains, pair).potentials) visit(lines_.of(*potential));
}

// By surface node, the ranks that contribute to it by other members than contact pairs (elements, walls).
FarSides::Followers FarSides::loading_ranks(std::int32_t terrace) const {
  Followers ranks;
  graph_.touching().visit_members(terrace, [&](std::int32_t member) {
    if (graph_.near_pairs().bodies_of(member) != nullptr) return;
    const SharedNodes::OnAllRanks& common = at(system_.subdomains, member).shared_nodes.on_all_ranks();
    TERRACE_VERIFY(common.sum.empty(), member, common.sum.size());
    for (const std::int32_t node : common.send) ranks[node].push_back(system_.communicator->rank());
    for (const auto& [rank, nodes] : common.receive)
      for (const std::int32_t node : nodes) ranks[node].push_back(rank);
  });
  return ranks;
}

NearSides FarSides::near_sides_of_mine(const State& state, std::int32_t terrace, double instant) {
  NearSides all;
  for_each_pair_line(terrace, [&](PotentialOnLine& line) {
    const NearSides of_pair = line.look_at_near_sides(state.lines, instant);
    all.nodes.insert(all.nodes.end(), of_pair.nodes.begin(), of_pair.nodes.end());
    all.slack = std::min(all.slack, of_pair.slack);
  });
  sort_each_once(all.nodes);
  return all;
}

// Gathers, in one exchange, the near sides of all ranks into `followers`, and the least slack and the mean
// flight into `left`.
void FarSides::agree(const State& state, std::int32_t terrace, NearSides mine, Left& left,
                     Followers& followers) const {
  for (std::int32_t& node : mine.nodes) node = at(system_.global_nodes, node);
  Vector3 velocities{};
  double count = 0;
  for (const std::int32_t body : graph_.loaded_bodies(terrace))
    for (const std::int32_t node : system_.contact_pairs->surface_nodes(body)) {
      if (at(system_.owned, node) == 0) continue;
      velocities += at(state.lines, node).velocity;
      count += 1;
    }
  ByteWriter writer;
  writer(mine.slack, velocities, count, mine.nodes);
  const std::vector<std::byte> told = system_.communicator->bytes_of_all(writer.take());
  ByteReader reader(told);
  double least = mine.slack, counts = 0;
  for (int rank = 0; rank < system_.communicator->size(); ++rank) {
    reader(mine.slack, velocities, count, mine.nodes);
    least = std::min(least, mine.slack);
    left.flight += velocities;
    counts += count;
    for (const std::int32_t global : mine.nodes) followers[local_node(system_, global)].push_back(rank);
  }
  left.flight = (1 / counts) * left.flight;
  constexpr double of_rounding = 1 - 1e-6;
  left.straying = of_rounding * least;
}

// A pair that waits for its touch looks at all nodes of both surfaces, on its only rank or on all ranks. All
// surface nodes of a body get the same followers from its pairs, so they are found once per body.
void FarSides::add_waiting_pairs(std::int32_t terrace, Followers& followers) const {
  for (const std::int32_t body : graph_.loaded_bodies(terrace)) {
    std::set<int> ranks;
    for (const std::int32_t pair : graph_.near_pairs().awake_pairs(body)) {
      if (!graph_.touching().waits(pair)) continue;
      const int only = at(system_.subdomains, pair).only_rank;
      if (only >= 0) ranks.insert(only);
      for (int rank = 0; only < 0 && rank < system_.communicator->size(); ++rank) ranks.insert(rank);
    }
    if (ranks.empty()) continue;
    for (const std::int32_t node : system_.contact_pairs->surface_nodes(body)) {
      std::vector<int>& all = followers[node];
      all.insert(all.end(), ranks.begin(), ranks.end());
    }
  }
}

void FarSides::watch_own(const State& state, std::int32_t terrace, const Followers& followers,
                         Left& left) const {
  for (const std::int32_t body : graph_.loaded_bodies(terrace)) {
    const std::size_t begin = left.nodes.size();
    for (const std::int32_t node : system_.contact_pairs->surface_nodes(body)) {
      if (at(system_.owned, node) == 0) continue;
      left.nodes.push_back(node);
      left.start.push_back(at(system_.reference, node) + at(state.lines, node).displacement_at(left.since));
      if (std::ssize(followers.at(node)) < system_.communicator->size()) left.untold.push_back(node);
    }
    left.of_bodies.push_back({body, begin, left.nodes.size()});
  }
}

// Messages among the ranks that follow a node: each sends the others what it contributes, even if that is 0.
SharedNodes FarSides::messages(std::int32_t terrace, const Followers& followers) const {
  std::vector<const SharedNodes*> of_members;
  graph_.touching().visit_members(terrace, [&](std::int32_t member) {
    if (graph_.near_pairs().bodies_of(member) == nullptr)
      of_members.push_back(&at(system_.subdomains, member).shared_nodes);
  });
  std::map<int, SharedNodes::Peer> peers;
  const SharedNodes united = SharedNodes::united(of_members);
  for (const SharedNodes::Peer& peer : united.peers()) peers[peer.rank] = peer;
  const int me = system_.communicator->rank();
  for (const auto& [node, ranks] : followers) {
    if (!std::binary_search(ranks.begin(), ranks.end(), me)) continue;
    for (const int rank : ranks) {
      if (rank == me) continue;
      SharedNodes::Peer& peer = peers.try_emplace(rank, SharedNodes::Peer{rank, {}, {}}).first->second;
      peer.send.push_back(node);
      peer.receive.push_back(node);
    }
  }
  std::vector<SharedNodes::Peer> list;
  for (auto& [rank, peer] : peers) {
    std::sort(peer.send.begin(), peer.send.end());
    std::sort(peer.receive.begin(), peer.receive.end());
    list.push_back(std::move(peer));
  }
  return SharedNodes(std::move(list));
}

bool FarSides::are_few_left(const Followers& followers) const {
  double kept = 0;
  for (const auto& [node, ranks] : followers) kept += static_cast<double>(ranks.size());
  const double all = static_cast<double>(followers.size()) * system_.communicator->size();
  return all - kept < few_copies * all;
}

void FarSides::wait_longer(std::int64_t events) {
  wait_ = std::min(2 * wait_, longest_wait);
  not_before_ = events + wait_;
}

bool FarSides::leave(const State& state, std::int32_t terrace, double instant, std::int64_t events) {
  const OperationScope operation(Operation::exchange);
  Followers followers = loading_ranks(terrace);
  Left left;
  left.since = instant;
  left.events = events;
  agree(state, terrace, near_sides_of_mine(state, terrace, instant), left, followers);
  add_waiting_pairs(terrace, followers);
  for (auto& [node, ranks] : followers) sort_each_once(ranks);
  if (are_few_left(followers)) {
    for_each_pair_line(terrace, [](PotentialOnLine& line) { line.look_at_all_sides(); });
    wait_longer(events);
    return false;
  }
  watch_own(state, terrace, followers, left);
  left.all_messages = messages(terrace, followers);
  const int me = system_.communicator->rank();
  const auto follows = [&](std::int32_t node) {
    const auto ranks = followers.find(node);
    return ranks == followers.end() || std::binary_search(ranks->second.begin(), ranks->second.end(), me);
  };
  Subdomain& subdomain = at(system_.subdomains, terrace);
  std::copy_if(subdomain.nodes.begin(), subdomain.nodes.end(), std::back_inserter(left.all_nodes), follows);
  std::swap(subdomain.nodes, left.all_nodes);
  std::swap(subdomain.shared_nodes, left.all_messages);
  for (const std::int32_t body : graph_.loaded_bodies(terrace)) graph_.near_pairs().expect_no_exit(body);
  left_.emplace(terrace, std::move(left));
  return true;
}

std::vector<std::int32_t> FarSides::terraces() const {
  std::vector<std::int32_t> all;
  for (const auto& [terrace, left] : left_) all.push_back(terrace);
  return all;
}

void FarSides::expect_flight(std::int32_t terrace) {
  for (const std::int32_t body : graph_.loaded_bodies(terrace))
    graph_.near_pairs().expect_flight(body, left_.at(terrace).flight);
}

double FarSides::straying(std::int32_t terrace) const {
  const auto left = left_.find(terrace);
  return left == left_.end() ? 0 : left->second.straying;
}

bool FarSides::stay(const State& state, std::int32_t terrace, double from, double to) const {
  const OperationScope operation(Operation::following);
  const Left& left = left_.at(terrace);
  const double step = to - from, room = left.room();
  const Vector3 flown = (to - left.since) * left.flight;
  for (const Range& range : left.of_bodies) {
    if (range.begin == range.end) continue;
    const std::size_t count = range.end - range.begin;
    const auto [places, ways, velocities] =
        ways_of_nodes(state.lines, std::span(left.nodes).subspan(range.begin, count), system_.reference,
                      std::span(left.start).subspan(range.begin, count), to);
    const Box& box = graph_.near_pairs().box(range.body);
    for (std::size_t k = 0; k < 3; ++k) {
      const bool stay_near = ways.high[k] - flown[k] <= room && ways.low[k] - flown[k] >= -room &&
                             step * (velocities.high[k] - left.flight[k]) <= room &&
                             step * (velocities.low[k] - left.flight[k]) >= -room;
      if (!stay_near || !(box.low[k] <= places.low[k] && places.high[k] <= box.high[k])) return false;
    }
  }
  return true;
}

void FarSides::send_untold(State& state) const {
  const OperationScope operation(Operation::exchange);
  std::vector<std::int32_t> nodes;
  std::vector<NodeRow> rows;
  for (const auto& [terrace, left] : left_)
    for (const std::int32_t node : left.untold) {
      nodes.push_back(at(system_.global_nodes, node));
      rows.push_back(state.row(index(node)));
    }
  ByteWriter writer;
  writer(nodes);
  writer.plain_ones(std::span<const NodeRow>(rows));
  const std::vector<std::byte> told = system_.communicator->bytes_of_all(writer.take());
  ByteReader reader(told);
  for (int rank = 0; rank < system_.communicator->size(); ++rank) {
    reader(nodes);
    rows.resize(nodes.size());
    reader.plain_ones(std::span(rows));
    if (rank == system_.communicator->rank()) continue;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      state.set_row(index(local_node(system_, nodes[i])), rows[i]);
  }
}

void FarSides::restore_lists() {
  for (auto& [terrace, left] : left_) {
    Subdomain& subdomain = at(system_.subdomains, terrace);
    std::swap(subdomain.nodes, left.all_nodes);
    std::swap(subdomain.shared_nodes, left.all_messages);
    for_each_pair_line(terrace, [](PotentialOnLine& line) { line.look_at_all_sides(); });
  }
  left_.clear();
}

// Whether it was worth it is judged by the terrace whose sides were left first.
void FarSides::bring(State& state, std::int64_t events) {
  std::int64_t first = events;
  for (const auto& [terrace, left] : left_) first = std::min(first, left.events);
  send_untold(state);
  restore_lists();
  if (events - first < few_events) return wait_longer(events);
  wait_ = 1;
  not_before_ = events + 1;
}

void FarSides::forget() {
  restore_lists();
  not_before_ = 0;
  wait_ = 1;
}

}  // namespace terrace
