#include "dynamics/window_work.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/earliest.hpp"
#include "dynamics/window_plan.hpp"
#include "numerics/at.hpp"

namespace terrace {
namespace {

/// The bodies of each cluster, by the clusters' numbers.
class Members {
 public:
  explicit Members(std::span<const std::int32_t> cluster_of)
      : first_(cluster_of.size() + 1, 0), bodies_(cluster_of.size()) {
    for (const std::int32_t cluster : cluster_of) ++at(first_, cluster + 1);
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next = first_;
    for (std::size_t body = 0; body < cluster_of.size(); ++body)
      bodies_[at(next, cluster_of[body])++] = static_cast<std::int32_t>(body);
  }
  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t cluster) const {
    const std::size_t first = at(first_, cluster);
    return std::span(bodies_).subspan(first, at(first_, cluster + 1) - first);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> bodies_;
};

/// The rank that had most of the bodies, of several the first. `ranks` is room for them.
int rank_of_most(std::span<const std::int32_t> bodies, std::span<const int> former_ranks,
                 std::vector<int>& ranks) {
  ranks.clear();
  for (const std::int32_t body : bodies) ranks.push_back(at(former_ranks, body));
  std::sort(ranks.begin(), ranks.end());
  int best = ranks.front();
  std::ptrdiff_t most = 0;
  for (auto first = ranks.begin(); first != ranks.end();) {
    const auto next = std::upper_bound(first, ranks.end(), *first);
    if (next - first > most) {
      most = next - first;
      best = *first;
    }
    first = next;
  }
  return best;
}

}  // namespace

// What rests among others will be touched, some time in the window. Every event of bodies that touch is one
// of their contact too, and followed by looks at the bodies about, of which a body inside a cluster has many,
// one at its surface fewer. Fitted to the seconds of clusters in a packing (tests/README.md, Scale).
void foresee_work(Window& window, const WindowOutlook& outlook) {
  constexpr double of_the_window = 0.5, of_contact = 3.5, of_neighbours = 0.4;
  const std::size_t bodies = window.cluster_of.size();
  std::vector<std::int32_t> members(bodies, 0);
  for (const std::int32_t cluster : window.cluster_of) ++at(members, cluster);
  std::vector<double> followed(bodies, 0.0);  // by cluster
  for (std::size_t cluster = 0; cluster < bodies; ++cluster)
    if (members[cluster] > 1) followed[cluster] = 1 - 1 / std::cbrt(static_cast<double>(members[cluster]));
  window.work.clear();
  for (std::size_t body = 0; body < bodies; ++body) {
    const std::int32_t cluster = window.cluster_of[body];
    const double moved = at(members, cluster) > 1
                             ? std::max(outlook.work[body], of_the_window * outlook.touched[body])
                             : outlook.work[body];
    window.work.push_back(moved *
                          (1 + of_contact * outlook.touches[body] + of_neighbours * at(followed, cluster)));
  }
}

// The heaviest first, each to the rank that had most of it if that rank has room, else to the one with the
// least.
void assign_clusters(Window& window, std::span<const int> former_ranks, int ranks) {
  const std::size_t count = window.cluster_of.size();
  const Members members(window.cluster_of);
  std::vector<double> work(count, 0.0);
  double all = 0;
  for (std::size_t body = 0; body < count; ++body) {
    at(work, window.cluster_of[body]) += window.work[body];
    all += window.work[body];
  }
  std::vector<std::int32_t> order;
  for (std::int32_t cluster = 0; cluster < static_cast<std::int32_t>(count); ++cluster)
    if (!members.of(cluster).empty()) order.push_back(cluster);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return at(work, a) > at(work, b); });
  Earliest load;  // of each rank
  load.resize(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) load.set(static_cast<std::size_t>(rank), 0.0);
  window.rank_of.assign(count, 0);
  constexpr double room = 1.02;
  std::vector<int> had;
  for (const std::int32_t cluster : order) {
    auto rank = static_cast<std::size_t>(rank_of_most(members.of(cluster), former_ranks, had));
    if (load.at(rank) + at(work, cluster) > room * all / ranks) rank = load.index();
    load.set(rank, load.at(rank) + at(work, cluster));
    for (const std::int32_t body : members.of(cluster)) at(window.rank_of, body) = static_cast<int>(rank);
  }
  double most = 0, sum = 0;  // `all` but for rounding: 1 on one rank
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
    most = std::max(most, load.at(rank));
    sum += load.at(rank);
  }
  window.balance = most > 0 ? sum / (ranks * most) : 1;
}

}  // namespace terrace
