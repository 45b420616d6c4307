// A rank's passage through a window: what goes into the trace, and what the user is told meanwhile.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>

#include "dynamics/windows/rank_passage.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/tell_user.hpp"

namespace terrace {

// The largest share of the work of a body's group that a rank of the team planned for it would have done.
double RankPassage::largest_planned_share(std::int32_t body) const {
  const WindowTrace& trace = *system_.trace;
  TerraceTotals group;
  std::map<int, double> bodies;  // by rank
  double most = 0;
  system_.touching().visit_members(system_.touching().terrace_of(body), [&](std::int32_t member) {
    if (system_.near_pairs().bodies_of(member) != nullptr) return;
    ++group.bodies;
    group.work += trace.foreseen_work(member);
    // As foresee_work() counts events.
    group.events = std::max(
        {group.events, system_.common.pace(member), touched_share * clocks_.events_per_time(member)});
    group.surface += static_cast<double>(system_.pairs.surface_nodes(member).size());
    most = std::max(most, ++bodies[at(trace.holders(), member)]);
  });
  return largest_share(group, most);
}

void RankPassage::note_event(const Cluster& cluster) {
  WindowTrace& trace = *system_.trace;
  const std::array<std::int32_t, 2>& order = clocks_.last_event().order;
  const std::int32_t body = order[0] < 0 ? order[1] : order[0];
  const double seconds = trace.note_work(body, clocks_.element_evaluations());
  if (cluster.team == nullptr && trace.is_divided(body))
    trace.note_critical(body, (largest_planned_share(body) - 1) * seconds);
  if (!cluster.is_counted_elsewhere()) trace.note_event(body);
}

// Other ranks wait for this one meanwhile, and the user should know why nothing goes on.
void RankPassage::tell_of_long_windows(std::int64_t events, Patience& patience) const {
  const double seconds = MPI_Wtime() - patience.begin;
  if (seconds < patience.ends) return;
  patience.ends = 2 * seconds;
  tell_user("\nwarning: rank {} has been in one window for {:.0f} s: {} events, {}\n", system_.ranks.rank(),
            seconds, events, at_time(state_.time));
}

// A window may take very long. Rank 0 tells for all ranks that wait; if they wait for rank 0 itself, it tells
// so in tell_of_long_windows.
void RankPassage::tell_of_waiting(double seconds, const Outcome& outcome) const {
  if (system_.ranks.rank() != 0) return;
  tell_user("\nwarning: rank {} has waited for {:.0f} s for others at the end of a window, {}\n",
            system_.ranks.rank(), seconds, at_time(outcome.reached));
}

}  // namespace terrace
