#include "dynamics/windows/window_trace.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/sort_each_once.hpp"
#include "parallel/archive.hpp"
#include "parallel/gathered.hpp"

namespace terrace {
namespace {

constexpr int nobody = -1;

}  // namespace

WindowTrace::WindowTrace(const Communicator& communicator, int planned_for, std::vector<int> holders)
    : communicator_(communicator), holders_(std::move(holders)), row_(holders_.size()) {
  now_.rank = communicator.rank();
  now_.planned_for = planned_for;
}

// What comes to this rank, or, if one rank runs, to the rank of the plan that gets most.
TakenOver WindowTrace::coming(std::span<const int> ranks, const WindowOutlook& outlook) const {
  std::vector<TakenOver> sums(static_cast<std::size_t>(now_.planned_for));
  for (std::size_t body = 0; body < ranks.size(); ++body)
    if (ranks[body] != holders_[body]) at(sums, ranks[body]) += taken_over(outlook, body);
  return communicator_.size() > 1 ? at(sums, communicator_.rank())
                                  : std::ranges::max(sums, {}, &TakenOver::cost);
}

void WindowTrace::open(Window& window, const WindowOutlook& outlook) {
  const TakenOver comes = coming(window.rank_of, outlook);
  now_.coming_elements = static_cast<std::int64_t>(comes.elements);
  now_.coming_contact = comes.contact;
  holders_ = window.rank_of;
  cluster_of_ = window.cluster_of;
  is_everywhere_ = window.is_everywhere;
  if (communicator_.size() == 1) {  // which does the work of all teams
    window.rank_of.assign(window.rank_of.size(), 0);
    window.is_everywhere.assign(window.is_everywhere.size(), 0);
  }
  work_ = window.work;
  holders_of_window_ = window.rank_of;
  first_row_ = all_.clusters.size();
  std::set<std::int32_t> known;
  for (std::size_t body = 0; body < cluster_of_.size(); ++body) {
    const std::int32_t cluster = cluster_of_[body];
    if (window.rank_of[body] != communicator_.rank()) continue;
    ClusterTrace& row = known.insert(cluster).second ? add_row(window, cluster) : row_of(cluster);
    row.add(body, window, outlook);
  }
  for (std::size_t body = 0; body < cluster_of_.size(); ++body)
    if (known.contains(cluster_of_[body])) row_of(cluster_of_[body]).team.push_back(holders_[body]);
  for (std::size_t row = first_row_; row < all_.clusters.size(); ++row) {
    ClusterTrace& cluster = all_.clusters[row];
    sort_each_once(cluster.team);
    cluster.rank = communicator_.size() > 1 ? communicator_.rank() : cluster.team.front();
  }
}

void ClusterTrace::add(std::size_t body, const Window& of, const WindowOutlook& outlook) {
  ++bodies;
  to_take_over += taken_over(outlook, body);
  foreseen += of.work[body] * (of.end - of.begin);
}

ClusterTrace& WindowTrace::add_row(const Window& window, std::int32_t cluster) {
  at(row_, cluster) = all_.clusters.size();
  ClusterTrace& row = all_.clusters.emplace_back();
  row.window = now_.window;
  row.begin = window.begin;
  row.end = row.leaves = window.end;
  row.cluster = cluster;
  return row;
}

void WindowTrace::give(std::span<const std::int32_t> bodies) {
  row_of(bodies.front()).rank = nobody;
  for (const std::int32_t body : bodies) at(holders_of_window_, body) = nobody;
}

void WindowTrace::take(const Window& window, const WindowOutlook& outlook, std::int32_t cluster,
                       std::span<const std::int32_t> bodies) {
  ClusterTrace& row = add_row(window, cluster);
  row.rank = communicator_.rank();
  row.team = {row.rank};
  for (const std::int32_t body : bodies) {
    row.add(index(body), window, outlook);
    at(holders_of_window_, body) = row.rank;
  }
  now_.coming_elements += static_cast<std::int64_t>(row.to_take_over.elements);
  now_.coming_contact += row.to_take_over.contact;
}

ClusterTrace& WindowTrace::row_of(std::int32_t body) {
  return all_.clusters.at(at(row_, at(cluster_of_, body)));
}

void WindowTrace::start(std::int64_t evaluations) {
  for (std::size_t row = first_row_; row < all_.clusters.size(); ++row) {
    ClusterTrace& cluster = all_.clusters[row];
    cluster.events = cluster.element_evaluations = cluster.news_bytes = 0;
    cluster.seconds = cluster.critical_seconds = 0;
  }
  skip(evaluations);
}

void WindowTrace::skip(std::int64_t evaluations) {
  noted_evaluations_ = evaluations;
  noted_ = std::chrono::steady_clock::now();
}

double WindowTrace::note_work(std::int32_t body, std::int64_t evaluations) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - noted_).count();
  ClusterTrace& row = row_of(body);
  row.seconds += seconds;
  row.critical_seconds += seconds;
  row.element_evaluations += evaluations - noted_evaluations_;
  noted_evaluations_ = evaluations;
  noted_ = now;
  return seconds;
}

void WindowTrace::note_news(std::int32_t body, std::size_t bytes) {
  row_of(body).news_bytes += static_cast<std::int64_t>(bytes);
}

void WindowTrace::book(Operation phase, double seconds, bool divided) {
  const auto place = std::find(window_phases.begin(), window_phases.end(), phase) - window_phases.begin();
  at(now_.seconds, place) += seconds;
  if (divided) now_.divided_planning += seconds;
}

void WindowTrace::close(double reached, std::int64_t evaluations,
                        const std::function<double(std::int32_t)>& leaves) {
  for (std::size_t row = first_row_; row < all_.clusters.size(); ++row) {
    ClusterTrace& cluster = all_.clusters[row];
    cluster.reached = reached;
    now_.events += cluster.events;
    now_.news_bytes += cluster.news_bytes;
  }
  for (std::size_t body = 0; body < cluster_of_.size(); ++body) {
    const auto number = static_cast<std::int32_t>(body);
    if (holders_of_window_[body] != communicator_.rank()) continue;
    ClusterTrace& cluster = row_of(number);
    cluster.leaves = std::min(cluster.leaves, leaves(number));
  }
  const auto is_given = [](const ClusterTrace& cluster) { return cluster.rank == nobody; };
  const auto first = all_.clusters.begin() + static_cast<std::ptrdiff_t>(first_row_);
  all_.clusters.erase(std::remove_if(first, all_.clusters.end(), is_given), all_.clusters.end());
  now_.element_evaluations = evaluations - evaluations_at_close_;
  now_.collectives = communicator_.collectives() - collectives_at_begin_;
  all_.ranks.push_back(now_);
  evaluations_at_close_ = evaluations;
  now_ = {.window = now_.window + 1, .rank = now_.rank, .planned_for = now_.planned_for, .seconds = {}};
}

WindowTraces WindowTrace::of_all(std::int64_t evaluations) const {
  WindowTraces own = all_;
  if (!own.ranks.empty()) own.ranks.back().element_evaluations += evaluations - evaluations_at_close_;
  ByteWriter writer;
  writer(own);
  WindowTraces all, of_one;
  for (const std::vector<std::byte>& bytes : gathered_at_root(communicator_.handle(), writer.take())) {
    ByteReader reader(bytes);
    reader(of_one);
    all.clusters.insert(all.clusters.end(), of_one.clusters.begin(), of_one.clusters.end());
    all.ranks.insert(all.ranks.end(), of_one.ranks.begin(), of_one.ranks.end());
  }
  std::ranges::sort(all.clusters, {},
                    [](const ClusterTrace& row) { return std::tuple(row.window, row.cluster, row.rank); });
  std::ranges::sort(all.ranks, {}, [](const RankTrace& row) { return std::pair(row.window, row.rank); });
  return all;
}

}  // namespace terrace
