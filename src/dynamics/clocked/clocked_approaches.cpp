// Clocked energy-stepping: pairs that wait for their touch, and how long they are left alone.
#include <vector>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "numerics/at.hpp"

namespace terrace {

// A terrace of one of its bodies, or of both, has new lines. True if the pair, which waits, is to be searched
// on its own new one; where it is far enough from touching it keeps an earlier one for now.
bool ClockedEnergyStepping::has_to_look(const State& state, std::int32_t pair, double instant) {
  const bool rests = at(clocks_, pair).next < 0;
  const bool has_former_line = at(states_, pair).approach.left > 0;
  const bool stays = rests && has_former_line && stays_apart(pair, instant);
  if (far_sides_.any()) follow_approach(state, pair, instant, rests && !stays);
  if (stays) return false;
  if (has_former_line) {
    renew_line_of(state, pair, instant);
  } else {
    lines_.for_each(at(lagrangian_.subdomains, pair),
                    [&](OnLine& line) { line.update_line(state.lines, at(states_, pair).origin, changed_); });
  }
  return rests;
}

// As Schedule::stays_apart, on all ranks alike: of sides that ranks may have left to others not all know more
// than the flight.
bool ClockedEnergyStepping::stays_apart(std::int32_t pair, double instant) {
  const NearPairs& pairs = graph_.near_pairs();
  const BodyPair& bodies = *pairs.bodies_of(pair);
  double straying = 0;
  for (const std::int32_t body : {bodies.first, bodies.second})
    for (const std::int32_t subdomain : pairs.loading_subdomains(body))
      straying += far_sides_.straying(graph_.touching().terrace_of(subdomain));
  if (straying > 0) at(states_, pair).approach.go_by_flights(straying);
  return schedule_.stays_apart(pair, instant, pairs.speed_of_approach(bodies));
}

// The one rank that searches a pair knows all nodes of both surfaces, whatever sides of them others have
// left.
void ClockedEnergyStepping::follow_approach(const State& state, std::int32_t pair, double instant,
                                            bool is_searched) {
  if (at(lagrangian_.subdomains, pair).only_rank != lagrangian_.communicator->rank()) return;
  if (!is_searched) return schedule_.forget_approach(pair);
  const NearPairs& pairs = graph_.near_pairs();
  schedule_.follow_approach(pair, instant, pairs.speed_of_approach(*pairs.bodies_of(pair), state.lines));
}

template <class Visit>
void ClockedEnergyStepping::for_each_approach_to(std::int32_t terrace, Visit visit) {
  for (const std::int32_t body : graph_.loaded_bodies(terrace))
    for (const std::int32_t pair : graph_.near_pairs().awake_pairs(body))
      if (Approach& approach = at(states_, pair).approach;
          graph_.touching().waits(pair) && at(clocks_, pair).next < 0 && approach.left > 0)
        visit(pair, approach);
}

// They will be of flights from the terrace's next lines on.
void ClockedEnergyStepping::forget_flights_of_approaches(std::int32_t terrace) {
  for_each_approach_to(terrace, [](std::int32_t, Approach& approach) { approach.is_of_flights = false; });
}

// All know its lines again, of which the last may have left the flight.
void ClockedEnergyStepping::go_by_lines_again(const State& state, std::int32_t terrace) {
  forget_flights_of_approaches(terrace);
  for_each_approach_to(terrace, [&](std::int32_t pair, const Approach& approach) {
    if (!stays_apart(pair, approach.time)) search_anew(state, pair);
  });
}

void ClockedEnergyStepping::renew_line_of(const State& state, std::int32_t pair, double origin) {
  at(states_, pair).origin = origin;
  lines_.for_each(at(lagrangian_.subdomains, pair),
                  [&](OnLine& line) { line.set_line(state.lines, origin); });
}

// Pairs that wait and may touch before `limit`, by what is known without a look. Their bodies' lines are
// those of then: since the last of them began, for an event may still come before any later instant.
void ClockedEnergyStepping::look_at_what_came_near(const State& state, double limit) {
  std::vector<std::int32_t> near = schedule_.come_near(limit);
  sort_by_order(near);
  for (const std::int32_t pair : near) search_anew(state, pair);
}

void ClockedEnergyStepping::search_anew(const State& state, std::int32_t pair) {
  const double since = at(states_, pair).approach.time;
  renew_line_of(state, pair, since);
  schedule_.renew(since, {&pair, 1});
}

}  // namespace terrace
