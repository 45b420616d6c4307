#include "dynamics/clocked/waiting_pairs.hpp"

#include "dynamics/clocked/same_order.hpp"
#include "numerics/at.hpp"

namespace terrace {

bool WaitingPairs::has_to_look(const State& state, std::int32_t pair, double instant) {
  const bool rests = parts_.clocks[pair].next < 0;
  const bool has_former_line = at(parts_.states, pair).approach.left > 0;
  const bool stays = rests && has_former_line && stays_apart(pair, instant);
  if (parts_.far_sides.any()) follow_approach(state, pair, instant, rests && !stays);
  if (stays) return false;
  if (has_former_line) {
    renew_line_of(state, pair, instant);
  } else {
    parts_.lines.for_each(at(parts_.system.subdomains, pair), [&](OnLine& line) {
      line.update_line(state.lines, at(parts_.states, pair).origin, parts_.changed);
    });
  }
  return rests;
}

// As Schedule::stays_apart, with the same answer on all ranks: of far sides that are left some ranks know the
// flight alone, so that all go by flights and straying.
bool WaitingPairs::stays_apart(std::int32_t pair, double instant) {
  const NearPairs& pairs = parts_.graph.near_pairs();
  const BodyPair& bodies = *pairs.bodies_of(pair);
  double straying = 0;
  if (parts_.far_sides.any())
    for (const std::int32_t body : {bodies.first, bodies.second})
      for (const std::int32_t subdomain : pairs.loading_subdomains(body))
        straying += parts_.far_sides.straying(parts_.graph.touching().terrace_of(subdomain));
  if (straying > 0) at(parts_.states, pair).approach.go_by_flights(straying);
  return parts_.schedule.stays_apart(pair, instant, pairs.speed_of_approach(bodies));
}

// Tells the searcher the speed of approach on the nodes' lines. The one rank that searches a pair follows all
// nodes of both surfaces, also those of far sides that others have left.
void WaitingPairs::follow_approach(const State& state, std::int32_t pair, double instant, bool is_searched) {
  if (at(parts_.system.subdomains, pair).only_rank != parts_.system.communicator->rank()) return;
  if (!is_searched) return parts_.schedule.forget_approach(pair);
  const NearPairs& pairs = parts_.graph.near_pairs();
  parts_.schedule.follow_approach(pair, instant,
                                  pairs.speed_of_approach(*pairs.bodies_of(pair), state.lines));
}

template <class Visit>
void WaitingPairs::for_each_approach_to(std::int32_t terrace, Visit visit) {
  for (const std::int32_t body : parts_.graph.loaded_bodies(terrace))
    for (const std::int32_t pair : parts_.graph.near_pairs().awake_pairs(body))
      if (Approach& approach = at(parts_.states, pair).approach;
          parts_.graph.touching().waits(pair) && parts_.clocks[pair].next < 0 && approach.left > 0)
        visit(pair, approach);
}

void WaitingPairs::forget_flights_to(std::int32_t terrace) {
  for_each_approach_to(terrace, [](std::int32_t, Approach& approach) { approach.is_of_flights = false; });
}

void WaitingPairs::go_by_lines_again(const State& state, std::int32_t terrace) {
  forget_flights_to(terrace);
  for_each_approach_to(terrace, [&](std::int32_t pair, const Approach& approach) {
    if (!stays_apart(pair, approach.time)) search_anew(state, pair);
  });
}

void WaitingPairs::renew_line_of(const State& state, std::int32_t pair, double origin) {
  at(parts_.states, pair).origin = origin;
  parts_.lines.for_each(at(parts_.system.subdomains, pair),
                        [&](OnLine& line) { line.set_line(state.lines, origin); });
}

// A pair's line is renewed from Approach::time, when the last of its bodies' lines began: an event may still
// come before any later instant.
void WaitingPairs::look_at_what_came_near(const State& state, double limit) {
  std::vector<std::int32_t> near = parts_.schedule.come_near(limit);
  sort_by_order(parts_.system, near);
  for (const std::int32_t pair : near) search_anew(state, pair);
}

void WaitingPairs::search_anew(const State& state, std::int32_t pair) {
  const double since = at(parts_.states, pair).approach.time;
  renew_line_of(state, pair, since);
  parts_.schedule.renew(since, {&pair, 1});
}

}  // namespace terrace
