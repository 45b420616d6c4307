#include "dynamics/windows/window_teams.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {
namespace {

/// Costs in [elements], chosen so that packings on two ranks lose nothing by teams: of the messages of an
/// event, and of each further rank; of a surface that every rank of a team follows, and of each node of it.
constexpr double of_messages = 100, of_a_message = 20, of_a_surface = 42, of_a_node = 2.4;

double time_of_divided(const TerraceTotals& terrace, int ranks) {
  return terrace.work * largest_share(terrace, std::ceil(terrace.bodies / ranks)) +
         terrace.events * (of_messages + of_a_message * (ranks - 1));
}

}  // namespace

double done_by_all(const TerraceTotals& terrace) {
  if (terrace.bodies < 2) return terrace.work;
  return std::min(terrace.events * (of_a_surface * terrace.bodies + of_a_node * terrace.surface),
                  terrace.work);
}

bool may_be_worth_a_team(double done_by_all, double work) {
  return !(done_by_all > (1 - worthwhile_gain) * work);
}

double largest_share(const TerraceTotals& terrace, double bodies_of_a_rank) {
  const double by_all = terrace.work > 0 ? done_by_all(terrace) / terrace.work : 1;
  return by_all + (1 - by_all) * bodies_of_a_rank / terrace.bodies;
}

bool is_divided(const TerraceTotals& terrace, int ranks) {
  return ranks > 1 && time_of_divided(terrace, ranks) < terrace.work;
}

double time_of_team(std::span<const TerraceTotals> cluster, int ranks) {
  double time = 0;
  for (const TerraceTotals& terrace : cluster)
    time += is_divided(terrace, ranks) ? time_of_divided(terrace, ranks) : terrace.work;
  return time;
}

int worthwhile_ranks(std::span<const TerraceTotals> cluster, int most, double enough) {
  double bodies = 1;  // of the largest terrace: a team of more ranks takes longer
  for (const TerraceTotals& terrace : cluster) bodies = std::max(bodies, terrace.bodies);
  most = std::min(most, static_cast<int>(bodies));
  int best = 1, last = 1;
  double least = time_of_team(cluster, 1);
  // Tries 2, 3, 4, 6, 8, 12, … ranks, and as many as there may be.
  for (int next = 2; last < most && least > enough; next += std::max(1, next / (next % 3 == 0 ? 3 : 2))) {
    last = std::min(next, most);
    const double time = time_of_team(cluster, last);
    if (time > (1 - worthwhile_gain) * least) continue;
    least = time;
    best = last;
  }
  return best;
}

}  // namespace terrace
