#include "dynamics/window_teams.hpp"

#include <algorithm>
#include <bit>

#include "numerics/at.hpp"

namespace terrace {
namespace {

/// In elements, so that packings on two ranks lose nothing by teams: the exchange and the reductions of an
/// event, for every doubling of the ranks; a node that every rank of a team follows.
constexpr double of_sums = 150, of_a_node = 6;

double time_of_divided(const DividedCluster& cluster, std::size_t terrace, int ranks) {
  const auto doublings = static_cast<double>(std::bit_width(static_cast<unsigned>(ranks - 1)));
  const std::size_t bodies = cluster.terraces[terrace].size(), shares = static_cast<std::size_t>(ranks);
  const std::size_t largest = (bodies + shares - 1) / shares;
  const double by_all =
      std::min(cluster.work[terrace], cluster.events[terrace] * of_a_node * cluster.surface[terrace]);
  return by_all +
         (cluster.work[terrace] - by_all) * static_cast<double>(largest) / static_cast<double>(bodies) +
         cluster.events[terrace] * of_sums * doublings;
}

}  // namespace

bool is_divided(const DividedCluster& cluster, std::size_t terrace, int ranks) {
  return ranks > 1 && time_of_divided(cluster, terrace, ranks) < cluster.work[terrace];
}

double time_of_team(const DividedCluster& cluster, int ranks) {
  double time = 0;
  for (std::size_t t = 0; t < cluster.terraces.size(); ++t)
    time += is_divided(cluster, t, ranks) ? time_of_divided(cluster, t, ranks) : cluster.work[t];
  return time;
}

int worthwhile_ranks(const DividedCluster& cluster, int most, double enough) {
  constexpr double little = 0.25;
  int best = 1;
  double least = time_of_team(cluster, 1);
  // 2, 3, 4, 6, 8, 12, …
  for (int ranks = 2; ranks <= most && least > enough;
       ranks += std::max(1, ranks / (ranks % 3 == 0 ? 3 : 2))) {
    const double time = time_of_team(cluster, ranks);
    if (time > (1 - little) * least) continue;
    least = time;
    best = ranks;
  }
  return best;
}

}  // namespace terrace
