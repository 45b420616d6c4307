#include "dynamics/windows/window_work.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "dynamics/terraces/earliest.hpp"
#include "dynamics/windows/former_teams.hpp"
#include "dynamics/windows/window_plan.hpp"
#include "numerics/at.hpp"
#include "numerics/elementary.hpp"

namespace terrace {
namespace {

/// Lists of the bodies of each cluster, by the number of the cluster.
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

/// The rank that had most of these bodies, of several such ranks the first. `ranks` is scratch.
int rank_of_most(std::span<const std::int32_t> bodies, std::span<const int> former_ranks,
                 std::vector<int>& ranks) {
  if (bodies.size() == 1) return at(former_ranks, bodies.front());
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

/// The number of bodies of each cluster, by the number of the cluster.
std::vector<std::int32_t> members_of_clusters(const Window& window) {
  std::vector<std::int32_t> members(window.cluster_of.size(), 0);
  for (const std::int32_t cluster : window.cluster_of) ++at(members, cluster);
  return members;
}

constexpr double of_contact = 7;  // [elements], cost of an event's contact per node of the surface

}  // namespace

// An event of bodies that touch evaluates their contact too. Looks at the bodies around follow, which are
// many for a body inside a cluster and fewer for one at its surface. Fitted to the seconds of clusters in a
// packing (tests/scale.md).
void foresee_work(Window& window, const WindowOutlook& outlook) {
  constexpr double of_neighbours = 0.4;
  const std::size_t bodies = window.cluster_of.size();
  const std::vector<std::int32_t> members = members_of_clusters(window);
  std::vector<double> followed(bodies, 0.0);  // by cluster
  for (std::size_t cluster = 0; cluster < bodies; ++cluster)
    if (members[cluster] > 1) followed[cluster] = 1 - 1 / numerics::cube_root(members[cluster]);
  window.work.clear();
  for (std::size_t body = 0; body < bodies; ++body) {
    const std::int32_t cluster = window.cluster_of[body];
    const double moved = at(members, cluster) > 1
                             ? std::max(outlook.work[body], touched_share * outlook.touched[body])
                             : outlook.work[body];
    const double contact = of_contact * outlook.surface[body] / std::max(outlook.elements[body], 1.0);
    window.work.push_back(moved *
                          (1 + contact * outlook.touches[body] + of_neighbours * at(followed, cluster)));
  }
}

std::vector<double> work_in_touch(const Window& window, const WindowOutlook& outlook) {
  const std::vector<std::int32_t> members = members_of_clusters(window);
  std::vector<double> work = window.work;
  for (std::size_t body = 0; body < work.size(); ++body) {
    if (at(members, window.cluster_of[body]) < 2) continue;
    const double contact = of_contact * outlook.surface[body] / std::max(outlook.elements[body], 1.0);
    work[body] =
        std::max(work[body], outlook.touched[body] * (1 + contact * std::max(outlook.touches[body], 1.0)));
  }
  return work;
}

std::vector<TerraceTotals> totals_of_terraces(const WindowOutlook& outlook, std::span<const double> work) {
  std::vector<TerraceTotals> terraces(work.size());
  for (std::size_t body = 0; body < work.size(); ++body) {
    TerraceTotals& terrace = at(terraces, outlook.group[body]);
    if (++terrace.bodies == 1) terrace.events = outlook.pace[body];
    terrace.surface += outlook.surface[body];
    terrace.work += work[body];
  }
  return terraces;
}

namespace {

/// Assigns clusters to ranks, those with most work first.
class Assignment {
 public:
  Assignment(Window& window, const WindowOutlook& outlook, int ranks, TeamUse use)
      : window_(window),
        outlook_(outlook),
        use_(use),
        former_(outlook, use),
        members_(window.cluster_of),
        work_(window.cluster_of.size(), 0.0),
        is_in_team_(static_cast<std::size_t>(ranks), 0),
        left_(ranks) {
    double mean_ranks = 0;  // so many ranks of the mean speed do as much
    for (std::size_t rank = 0; rank < is_in_team_.size(); ++rank) mean_ranks += 1 / slowness(rank);
    for (std::size_t body = 0; body < window.cluster_of.size(); ++body) {
      at(work_, window.cluster_of[body]) += window.work[body];
      mean_ += window.work[body] / mean_ranks;
    }
    load_.assign(is_in_team_.size(), 0.0);
    lasting_load_.assign(is_in_team_.size(), 0.0);
    window.rank_of.assign(window.cluster_of.size(), 0);
    window.is_everywhere.assign(window.cluster_of.size(), 0);
  }

  void make() {
    if (use_ != TeamUse::never && left_ > 1) find_terraces();
    std::vector<std::pair<double, std::int32_t>> order;  // −work, cluster
    for (std::int32_t cluster = 0; cluster < static_cast<std::int32_t>(work_.size()); ++cluster)
      if (!members_.of(cluster).empty()) order.emplace_back(-at(work_, cluster), cluster);
    std::ranges::sort(order);
    for (const auto& [less, cluster] : order)
      if (!give_to_team(cluster)) give_to_rank(cluster);
    const double sum = std::accumulate(lasting_load_.begin(), lasting_load_.end(), 0.0),
                 most = std::ranges::max(lasting_load_);
    // Exactly 1 on one rank, in spite of rounding.
    window_.balance =
        most > 0 ? std::min(sum, of_clusters_) / (static_cast<double>(lasting_load_.size()) * most) : 1;
  }

 private:
  static constexpr double room = 1.02;  // a rank may get so much, over the mean

  // Finds the totals of terraces and, for each cluster, what every rank of a team would do of it.
  void find_terraces() {
    terraces_ = totals_of_terraces(outlook_, window_.work);
    done_by_all_.assign(terraces_.size(), 0.0);
    std::vector<std::uint8_t> is_known(terraces_.size(), 0);
    for (std::size_t body = 0; body < terraces_.size(); ++body) {
      const std::int32_t terrace = outlook_.group[body];
      if (std::exchange(at(is_known, terrace), std::uint8_t{1}) != 0) continue;
      at(done_by_all_, window_.cluster_of[body]) += done_by_all(at(terraces_, terrace));
    }
  }

  // The cost for a rank of taking over a whole cluster, spread over the window [elements/time].
  [[nodiscard]] double coming(std::int32_t cluster, std::size_t rank) const {
    TakenOver all;
    for (const std::int32_t body : members_.of(cluster))
      if (at(outlook_.rank, body) != static_cast<int>(rank) || former_.of(body) != nullptr)
        all += taken_over(outlook_, static_cast<std::size_t>(body));
    return per_time(all.cost());
  }
  [[nodiscard]] double per_time(double elements) const {
    return window_.end > window_.begin ? elements / (window_.end - window_.begin) : 0;
  }

  // A load is the work that a rank of the mean speed would do in the same time.
  [[nodiscard]] double slowness(std::size_t rank) const {
    return outlook_.slowness.empty() ? 1 : outlook_.slowness[rank];
  }
  [[nodiscard]] double load_with(std::size_t rank, double more) const {
    return load_.at(rank) + slowness(rank) * more;
  }

  // `costs`: of taking over. If bodies stay longer than the window (WindowOutlook::stay), its lasting load
  // has a share of them only.
  void load(std::size_t rank, double work, double costs) {
    load_.set(rank, load_with(rank, work + costs));
    most_ = std::max(most_, load_.at(rank));
    const double length = window_.end - window_.begin;
    at(lasting_load_, rank) +=
        slowness(rank) * (work + costs * (length < outlook_.stay ? length / outlook_.stay : 1));
  }

  // Gives a cluster to the rank that had most of it, if that has room or if taking it over elsewhere costs
  // more than it saves; else to the rank with the least load. A rank has room up to the mean load, or to 0.8
  // of the largest load so far, as that keeps nobody waiting.
  void give_to_rank(std::int32_t cluster) {
    constexpr double near = 0.8;
    const double work = at(work_, cluster);
    auto rank = static_cast<std::size_t>(rank_of_most(members_.of(cluster), outlook_.rank, had_));
    double costs = coming(cluster, rank);
    const bool has_room = load_with(rank, work + costs) <= std::max(room * mean_, near * most_);
    const std::size_t least = load_.index();
    const double there = coming(cluster, least);
    if (!has_room && work > there - costs && load_with(least, work + there) < load_with(rank, work + costs)) {
      rank = least;
      costs = there;
    }
    load(rank, work, costs);
    of_clusters_ += at(work_, cluster);
    for (const std::int32_t body : members_.of(cluster)) at(window_.rank_of, body) = static_cast<int>(rank);
  }

  // The terraces of a cluster: the bodies of each, ascending, and its totals.
  struct DividedCluster {
    std::vector<std::vector<std::int32_t>> bodies;
    std::vector<TerraceTotals> terraces;
  };
  [[nodiscard]] DividedCluster terraces_of(std::int32_t cluster) const {
    std::map<std::int32_t, std::size_t> places;
    DividedCluster divided;
    for (const std::int32_t body : members_.of(cluster)) {
      const std::int32_t terrace = at(outlook_.group, body);
      const auto [entry, is_new] = places.try_emplace(terrace, divided.bodies.size());
      if (is_new) {
        divided.bodies.emplace_back();
        divided.terraces.push_back(at(terraces_, terrace));
      }
      divided.bodies[entry->second].push_back(body);
    }
    return divided;
  }

  // Gives a cluster to a team of free ranks, if a team may be used and is worth while; else returns false.
  bool give_to_team(std::int32_t cluster) {
    const auto bodies = static_cast<int>(members_.of(cluster).size());
    if (use_ == TeamUse::never || bodies < 2 || left_ < 2) return false;
    if (use_ == TeamUse::where_worth_while &&
        (at(work_, cluster) <= room * mean_ ||
         !may_be_worth_a_team(at(done_by_all_, cluster), at(work_, cluster))))
      return false;
    const DividedCluster divided = terraces_of(cluster);
    const Team team = use_ == TeamUse::always ? Team{team_for(cluster, std::min(bodies, left_)), 0}
                                              : worthwhile_team(cluster, divided);
    if (team.ranks.size() < 2) return false;
    const double time = time_of_team(divided.terraces, static_cast<int>(team.ranks.size()));
    of_clusters_ += at(work_, cluster);
    for (const int rank : team.ranks) {
      load(static_cast<std::size_t>(rank), time, team.costs);
      at(is_in_team_, rank) = 1;
    }
    left_ -= static_cast<int>(team.ranks.size());
    std::vector<std::int32_t> undivided;
    for (std::size_t t = 0; t < divided.bodies.size(); ++t) {
      const std::vector<std::int32_t>& of_terrace = divided.bodies[t];
      const bool is_dealt = use_ == TeamUse::always
                                ? of_terrace.size() > 1
                                : is_divided(divided.terraces[t], static_cast<int>(team.ranks.size()));
      for (const std::int32_t body : of_terrace) at(window_.is_everywhere, body) = is_dealt ? 0 : 1;
      if (is_dealt)
        deal_out(of_terrace, team.ranks);
      else
        undivided.insert(undivided.end(), of_terrace.begin(), of_terrace.end());
    }
    deal_out(undivided, team.ranks);  // each body to the rank that will tell others what became of it
    return true;
  }

  // Ranks, ascending, and what each of them has to take over [elements/time].
  struct Team {
    std::vector<int> ranks;
    double costs;
  };
  // What each rank of a team has to take over: its share of terraces that are divided, all of the others.
  [[nodiscard]] double coming(const DividedCluster& divided, const std::vector<int>& team) const {
    double elements = 0;
    for (std::size_t t = 0; t < divided.bodies.size(); ++t) {
      TakenOver all;
      for (const std::int32_t body : divided.bodies[t]) {
        const std::vector<int>* former = former_.of(body);
        if (former == nullptr || *former != team) all += taken_over(outlook_, static_cast<std::size_t>(body));
      }
      const auto ranks = static_cast<int>(team.size());
      elements += is_divided(divided.terraces[t], ranks) ? all.cost() / ranks : all.cost();
    }
    return per_time(elements);
  }

  // The former team that had most of the bodies, if it divides anything and is quicker than one rank; or
  // another team, if it is quicker with all that it has to take over; no ranks if one rank is as good.
  [[nodiscard]] Team worthwhile_team(std::int32_t cluster, const DividedCluster& divided) {
    const auto best = static_cast<std::size_t>(rank_of_most(members_.of(cluster), outlook_.rank, had_));
    const double alone = at(work_, cluster) + coming(cluster, best);
    Team chosen{{}, 0};
    double least = alone;
    const auto consider = [&](const std::vector<int>& ranks, double gain) {
      const double costs = coming(divided, ranks);
      const double time = time_of_team(divided.terraces, static_cast<int>(ranks.size()));
      if (!(time < at(work_, cluster) && time + costs < std::min(least, (1 - gain) * alone))) return;
      least = time + costs;
      chosen = {ranks, costs};
    };
    const std::vector<int>* former = former_.of_most(members_.of(cluster));
    const std::size_t most = std::ranges::max(divided.bodies, {}, &std::vector<std::int32_t>::size).size();
    if (former != nullptr && former->size() <= most &&
        std::ranges::all_of(*former, [&](int rank) { return at(is_in_team_, rank) == 0; }))
      consider(*former, 0);
    const int ranks = worthwhile_ranks(divided.terraces, left_, room * mean_);
    if (ranks > 1) consider(team_for(cluster, ranks), worthwhile_gain);
    return chosen;
  }

  // Deals bodies out to the ranks of a team. Shares differ by one body at most. Where that allows it, a rank
  // keeps bodies that it had.
  void deal_out(std::span<const std::int32_t> bodies, const std::vector<int>& team) {
    std::vector<std::size_t> count(team.size(), 0);
    std::vector<std::int32_t> left;
    const std::size_t each = bodies.size() / team.size();
    std::size_t more = bodies.size() % team.size();  // so many have one more
    for (const std::int32_t body : bodies) {
      const auto member = std::ranges::lower_bound(team, at(outlook_.rank, body));
      const auto place = static_cast<std::size_t>(member - team.begin());
      const bool had_it = member != team.end() && *member == at(outlook_.rank, body);
      if (!had_it || count[place] > each || (count[place] == each && more == 0)) {
        left.push_back(body);
        continue;
      }
      at(window_.rank_of, body) = *member;
      if (++count[place] > each) --more;
    }
    std::size_t place = 0, most = each;
    for (const std::int32_t body : left) {
      while (count[place] >= most)
        if (++place == team.size()) {
          place = 0;
          most = each + 1;
        }
      at(window_.rank_of, body) = team[place];
      ++count[place];
    }
  }

  // The best ranks in no team, ascending: those that had most of the bodies, then those with the least load.
  [[nodiscard]] std::vector<int> team_for(std::int32_t cluster, int ranks) const {
    std::vector<int> had(is_in_team_.size(), 0), team;
    for (const std::int32_t body : members_.of(cluster)) ++at(had, at(outlook_.rank, body));
    for (std::size_t rank = 0; rank < is_in_team_.size(); ++rank)
      if (is_in_team_[rank] == 0) team.push_back(static_cast<int>(rank));
    std::ranges::partial_sort(team, team.begin() + ranks, {}, [&](int rank) {
      return std::tuple(-at(had, rank), load_.at(static_cast<std::size_t>(rank)), rank);
    });
    team.resize(static_cast<std::size_t>(ranks));
    std::sort(team.begin(), team.end());
    return team;
  }

  Window& window_;
  const WindowOutlook& outlook_;
  TeamUse use_;
  FormerTeams former_;
  Members members_;
  std::vector<double> work_;              // by cluster
  std::vector<double> done_by_all_;       // by cluster: what every rank of a team would do
  std::vector<TerraceTotals> terraces_;   // by number of the terrace
  std::vector<std::uint8_t> is_in_team_;  // by rank
  int left_;                              // ranks in no team
  double mean_ = 0, of_clusters_ = 0;     // mean work of a rank; work of all clusters given so far
  Earliest load_;                         // by rank; finds the least
  double most_ = 0;                       // largest load of a rank
  std::vector<double> lasting_load_;      // by rank, as the worth of the window counts it
  std::vector<int> had_;                  // scratch
};

}  // namespace

void assign_clusters(Window& window, const WindowOutlook& outlook, int ranks, TeamUse use) {
  Assignment(window, outlook, ranks, use).make();
}

}  // namespace terrace
