#include "dynamics/windows/former_teams.hpp"

#include "numerics/at.hpp"
#include "numerics/sort_each_once.hpp"

namespace terrace {

FormerTeams::FormerTeams(const WindowOutlook& outlook, TeamUse use) : outlook_(outlook) {
  if (outlook.cluster.empty() || use == TeamUse::never) return;
  std::vector<int> first_rank(outlook.rank.size(), -1);  // by cluster
  for (std::size_t body = 0; body < outlook.rank.size(); ++body) {
    int& first = at(first_rank, outlook.cluster[body]);
    if (first < 0) first = outlook.rank[body];
    if (first != outlook.rank[body]) teams_[outlook.cluster[body]] = {};
  }
  if (teams_.empty()) return;
  for (std::size_t body = 0; body < outlook.rank.size(); ++body)
    if (const auto team = teams_.find(outlook.cluster[body]); team != teams_.end())
      team->second.push_back(outlook.rank[body]);
  for (auto& [cluster, ranks] : teams_) sort_each_once(ranks);
}

const std::vector<int>* FormerTeams::of(std::int32_t body) const {
  if (teams_.empty()) return nullptr;
  const auto team = teams_.find(at(outlook_.cluster, body));
  return team == teams_.end() ? nullptr : &team->second;
}

const std::vector<int>* FormerTeams::of_most(std::span<const std::int32_t> bodies) const {
  std::map<const std::vector<int>*, int> counts;
  for (const std::int32_t body : bodies) ++counts[of(body)];
  const std::vector<int>* best = nullptr;
  int most = 0;
  for (const std::int32_t body : bodies)
    if (const int count = counts.at(of(body)); count > most) {
      most = count;
      best = of(body);
    }
  return best;
}

}  // namespace terrace
