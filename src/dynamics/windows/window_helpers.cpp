#include "dynamics/windows/window_helpers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "numerics/at.hpp"

namespace terrace {
namespace {

/// The cost of a question and its answer, in work [elements].
constexpr double of_an_answer = 200;

}  // namespace

std::optional<std::size_t> cluster_to_give(std::span<const OfferedCluster> clusters, double left,
                                           HelperUse use) {
  if (use == HelperUse::never) return {};
  double alone = left;
  for (const OfferedCluster& cluster : clusters) alone += cluster.work;
  std::optional<std::size_t> best;
  double soonest = alone;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const double together =
        std::max(alone - clusters[i].work, clusters[i].work + clusters[i].costs + of_an_answer);
    if (!(together < soonest) && (use != HelperUse::always || best)) continue;
    soonest = together;
    best = i;
  }
  return best;
}

double work_left(double work, double begin, double end, double time, std::size_t ranks) {
  if (!(end > begin)) return 0;
  return work * std::clamp((end - time) / (end - begin), 0.0, 1.0) / static_cast<double>(ranks);
}

std::vector<double> slowness_of(std::span<const double> speeds) {
  constexpr double hardly = 0.05, most = 2;
  double mean = 0;
  const auto known =
      static_cast<double>(std::ranges::count_if(speeds, [](double speed) { return speed > 0; }));
  for (const double speed : speeds) mean += speed / std::max(known, 1.0);
  std::vector<double> slowness;
  for (const double speed : speeds) {
    const double slow = speed > 0 ? std::clamp(mean / speed, 1 / most, most) : 1;
    slowness.push_back(std::abs(slow - 1) < hardly ? 1 : slow);
  }
  return slowness;
}

// A rank begins with its largest cluster, and keeps it. Clusters of teams cannot be given.
std::vector<int> ranks_to_ask(const Window& window, int me, int ranks) {
  constexpr std::size_t many = 16, enough = 4;
  const std::size_t bodies = window.rank_of.size();
  std::vector<double> work(bodies, 0.0);  // by cluster
  std::vector<std::uint8_t> is_divided(bodies, 0);
  for (std::size_t body = 0; body < bodies; ++body) {
    const std::int32_t cluster = window.cluster_of[body];
    at(work, cluster) += window.work[body];
    if (window.rank_of[body] != at(window.rank_of, cluster)) at(is_divided, cluster) = 1;
  }
  std::vector<double> all(static_cast<std::size_t>(ranks), 0.0), largest = all;
  for (std::size_t cluster = 0; cluster < bodies; ++cluster) {
    if (is_divided[cluster] != 0) continue;
    at(all, window.rank_of[cluster]) += work[cluster];
    at(largest, window.rank_of[cluster]) = std::max(at(largest, window.rank_of[cluster]), work[cluster]);
  }
  std::vector<int> asked;
  for (int rank = 0; rank < ranks; ++rank)
    if (rank != me && at(all, rank) > at(largest, rank)) asked.push_back(rank);
  const std::size_t considered = std::min(many, asked.size());
  std::ranges::partial_sort(asked, asked.begin() + static_cast<std::ptrdiff_t>(considered), std::greater{},
                            [&](int rank) { return at(all, rank) - at(largest, rank); });
  asked.resize(considered);
  if (asked.empty()) return asked;
  const auto first = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(me) % considered);
  std::rotate(asked.begin(), asked.begin() + first, asked.end());
  asked.resize(std::min(enough, considered));
  return asked;
}

}  // namespace terrace
