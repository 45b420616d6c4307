#include "dynamics/windows/window_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "dynamics/windows/window_teams.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

WindowPlanner::WindowPlanner(const Lagrangian& system, const ContactPairs& pairs, int ranks)
    : pairs_(pairs),
      is_free_(system.reaction_names.empty()),
      ranks_(ranks),
      surfaces_(system, pairs),
      groups_(0) {
  constexpr double some_steps = 4;
  length_ = some_steps * system.stable_step;
}

void WindowPlanner::shorten() {
  constexpr double too_narrow = 1.1, wider = 1.3;  // over the caution of the window that was cut
  length_ *= 0.5;
  least_caution_ = std::min(1.0, too_narrow * caution_);
  caution_ = std::min(1.0, wider * caution_);
}

void WindowPlanner::narrow_flights() {
  constexpr double a_little = 0.985, forgotten = 0.997;
  caution_ = std::max(least_caution_, a_little * caution_);
  least_caution_ = std::max(narrowest, forgotten * least_caution_);
}

void WindowPlanner::look(std::span<const NodeLine> lines, double begin, double until,
                         const WindowOutlook& outlook) {
  const int last = outlook.rank.empty() ? 0 : std::ranges::max(outlook.rank);
  TERRACE_VERIFY(last < ranks_, last, ranks_);
  begin_ = begin;
  until_ = until;
  outlook_ = &outlook;
  surfaces_.look_at(lines, begin);
  narrow_flights();
  find_usual_ways(outlook);
  find_totals(outlook);
  keep_short();
  const auto bodies = static_cast<std::size_t>(surfaces_.bodies());
  groups_ = DisjointSets(bodies);
  std::vector<std::int32_t> first_of_group(bodies, -1);
  for (std::int32_t body = 0; body < surfaces_.bodies(); ++body) {
    std::int32_t& first = at(first_of_group, at(outlook.group, body));
    if (first < 0) first = body;
    groups_.unite(first, body);
  }
  double longest = 0;
  for (const Trial& trial : trials)
    if (is_tried(trial)) longest = std::max(longest, end(trial) - begin_);
  reached_ = boxes(longest, false);
  widened_ = boxes(longest, true);
}

// A run heeds signals and its limit of wall-clock time between windows only: no window is to take much longer
// than a second.
void WindowPlanner::keep_short() {
  constexpr double events = 1e5;  // they take about a second
  const double seconds_per_time = std::max(totals_.busiest / elements_in_a_second, totals_.events / events);
  if (seconds_per_time > 0) length_ = std::min(length_, 1 / seconds_per_time);
}

BoxIndex WindowPlanner::boxes(double length, bool are_widened) const {
  std::vector<Box> swept;
  for (std::int32_t body = 0; body < surfaces_.bodies(); ++body)
    swept.push_back(surfaces_.swept(
        body, length, farthest_reach(body, length) + (are_widened ? most_wider(body, length) : 0)));
  BoxIndex index;
  index.build(std::move(swept));
  return index;
}

Flight WindowPlanner::usual_flight(std::int32_t body, double length, bool closely) const {
  const double as_whole = radius_as_whole(body, length, closely);
  if (const double nearer = radius_node_by_node(body, length); nearer < as_whole)
    return {surfaces_[body].velocity, nearer, true};
  return {surfaces_[body].velocity, as_whole, false};
}

// How far a body's nodes may stray from the flight of the whole in any window up to this length.
double WindowPlanner::farthest_reach(std::int32_t body, double length) const {
  const double as_whole = radius_as_whole(body, length, false);
  if (!is_followed_node_by_node(body)) return as_whole;
  const double nearer = std::min(as_whole, radius_node_by_node(body, length));
  return std::max(as_whole, nearer + length * surfaces_[body].spread);
}

// Bodies that fly along together do not meet, in whatever frame the deck describes them: speeds are measured
// from their mean velocity. If anything acts from outside, such as a wall, which may stop bodies, speeds are
// measured in the deck's frame.
Vector3 WindowPlanner::common_velocity() const {
  Vector3 sum{};
  double bodies = 0;
  for (std::int32_t body = 0; body < surfaces_.bodies(); ++body) {
    if (!surfaces_.has_nodes(body)) continue;
    sum += surfaces_[body].velocity;
    ++bodies;
  }
  return is_free_ && bodies > 0 ? (1 / bodies) * sum : Vector3{};
}

// Vibrations and pushes are expected to go on as they are, and, with a caution of 1, may become twice as
// fast. A surface that meets another may be stopped. How nodes depart from their lines was seen in the last
// window.
void WindowPlanner::find_usual_ways(const WindowOutlook& outlook) {
  constexpr double of_its_size = 5e-3, of_vibrations = 2, of_the_way = 0.5, of_the_last = 3, of_a_push = 0.2;
  // Narrow tubes, and flights node by node, are for small clusters, which are of no use on one rank.
  const double caution = ranks_ > 1 ? caution_ : 1;
  const Vector3 mean = common_velocity();
  std::vector<double> speeds;
  double usual_speed = 0;
  for (std::int32_t body = 0; body < surfaces_.bodies(); ++body) {
    speeds.push_back(surfaces_.has_nodes(body) ? norm(surfaces_[body].velocity - mean) : 0);
    usual_speed += speeds.back() / surfaces_.bodies();
  }
  // Tubes are widened for whatever other bodies may do to a body, but not for the push of a single one that
  // is far faster than all others.
  constexpr double much = 4;
  const double fastest = speeds.empty() ? 0 : std::ranges::max(speeds);
  ways_.assign(speeds.size(), {});
  for (std::int32_t body = 0; body < surfaces_.bodies(); ++body) {
    if (!surfaces_.has_nodes(body)) continue;
    const double speed = std::max(at(speeds, body), usual_speed);
    at(ways_, body) = {caution * of_vibrations * (surfaces_[body].spread + speed),
                       of_its_size * surfaces_[body].box.diagonal(),
                       of_the_way * speed + caution * of_the_last * at(outlook.deviation, body),
                       (caution * of_vibrations + of_a_push) * speed,
                       ranks_ > 1 ? caution * of_the_last * at(outlook.departure, body) : infinity,
                       2 * std::min(fastest, much * speed)};
  }
}

// A window longer than the last ones is not tried if one of their length already reaches the end, `until_`.
bool WindowPlanner::is_tried(const Trial& trial) const {
  return (!trial.closely || looks_closely_) && (trial.factor <= 1 || begin_ + length_ < until_);
}

bool WindowPlanner::may_meet(std::int32_t a, std::int32_t b, PairInFlight& pair, const Trial& trial) const {
  const double length = end(trial) - begin_;
  const Flight of_a = usual_flight(a, length, trial.closely), of_b = usual_flight(b, length, trial.closely);
  if (!swept(a, of_a, length).overlaps(swept(b, of_b, length), pairs_.largest_activation())) return false;
  const PairInFlight::Courses courses = {length, {of_a.node_by_node, of_b.node_by_node}};
  return pair.may_meet(courses, trial.closely, of_a.radius + of_b.radius);
}

Box WindowPlanner::swept(std::int32_t body, const Flight& flight, double length) const {
  const double of_nodes = flight.node_by_node ? length * surfaces_[body].spread : 0;
  return surfaces_.swept(body, length, flight.radius + of_nodes);
}

std::vector<std::int32_t> WindowPlanner::near(std::span<const std::int32_t> bodies) const {
  std::vector<std::uint8_t> is_near(widened_.size(), 0);
  for (const std::int32_t body : bodies)
    widened_.visit_near(widened_[body], pairs_.largest_activation(),
                        [&](std::int32_t other) { at(is_near, other) = 1; });
  std::vector<std::int32_t> near;
  for (std::int32_t body = 0; body < surfaces_.bodies(); ++body)
    if (at(is_near, body) != 0) near.push_back(body);
  return near;
}

// The boxes of the longest window hold for all trials: what a body may reach in a shorter one it may in a
// longer one. Each pair is looked at from one of its bodies only, in turn the first and the second.
std::vector<WindowPlanner::Meeting> WindowPlanner::meetings(std::span<const std::int32_t> bodies) const {
  std::vector<DisjointSets> clusters(trials.size(), groups_);
  std::vector<Meeting> found;
  for (const std::int32_t body : bodies)
    reached_.visit_near(reached_[body], pairs_.largest_activation(), [&](std::int32_t other) {
      const std::int32_t a = std::min(body, other), b = std::max(body, other);
      const bool is_first_to_look = (a + b) % 2 == 0;
      if (a == b || is_first_to_look != (body == a) || !pairs_.may_touch({a, b})) return;
      Meeting meeting{a, b, 0};
      PairInFlight pair(surfaces_, a, b);
      for (std::size_t trial = 0; trial < trials.size(); ++trial) {
        DisjointSets& sets = clusters[trial];
        if (!is_tried(trials[trial]) || sets.of(a) == sets.of(b) || !may_meet(a, b, pair, trials[trial]))
          continue;
        sets.unite(a, b);
        meeting.trials = static_cast<std::uint16_t>(meeting.trials | 1u << trial);
      }
      if (meeting.trials != 0) found.push_back(meeting);
    });
  return found;
}

Window WindowPlanner::window(std::size_t trial, std::span<const Meeting> meetings) const {
  Window window{.begin = begin_,
                .end = end(trials[trial]),
                .cluster_of = {},
                .rank_of = {},
                .is_everywhere = {},
                .flights = {},
                .work = {}};
  DisjointSets clusters = groups_;
  for (const Meeting& meeting : meetings)
    if ((meeting.trials >> trial & 1u) != 0) clusters.unite(meeting.a, meeting.b);
  window.cluster_of.reserve(static_cast<std::size_t>(surfaces_.bodies()));
  for (std::int32_t body = 0; body < surfaces_.bodies(); ++body) {
    window.cluster_of.push_back(clusters.of(body));
    window.clusters += window.cluster_of.back() == body ? 1 : 0;
  }
  foresee_work(window, *outlook_);
  return window;
}

// The worth of a window: a rank's share of the least possible work, that of each body on its own, over the
// time that the window takes, in which work grows with the clusters and the busiest rank has more than its
// share. What a window costs besides work was fitted to seconds of packings of balls with 22 and with 570
// nodes on the surface: for each body that a rank has, and each node of its surface (pairs that may meet,
// nodes that are kept, news); for bodies and nodes of all ranks (the plan, the news of others); and the time
// that several ranks wait for each other, as none has quite the work that was foreseen.
double WindowPlanner::worth(double length, double work_of_busiest) const {
  constexpr double at_all = 300, of_waiting = 2000;  // all of these costs in [elements]
  constexpr double of_own_bodies = 55, of_own_nodes = 1.4, of_all_bodies = 2.5, of_all_nodes = 0.1;
  const auto bodies = static_cast<double>(surfaces_.bodies());
  const double of_own = of_own_bodies * bodies + of_own_nodes * totals_.surface;
  const double besides = at_all + (ranks_ > 1 ? of_waiting : 0) + of_own / ranks_ + of_all_bodies * bodies +
                         of_all_nodes * totals_.surface;
  return totals_.mean > 0 ? totals_.mean * length / (work_of_busiest * length + besides) : length;
}

double WindowPlanner::worth(const Window& window) const {
  const double work = std::accumulate(window.work.begin(), window.work.end(), 0.0);
  return worth(window.end - window.begin, work / ranks_ / window.balance);
}

// Totals that all plans made now have in common, and the work of the busiest rank that no plan can lessen.
void WindowPlanner::find_totals(const WindowOutlook& outlook) {
  totals_ = {};
  totals_.surface = std::accumulate(outlook.surface.begin(), outlook.surface.end(), 0.0);
  totals_.mean = std::accumulate(outlook.work.begin(), outlook.work.end(), 0.0) / ranks_;
  totals_.events = std::accumulate(outlook.pace.begin(), outlook.pace.end(), 0.0) / ranks_;
  totals_.busiest = totals_.mean;
  for (const TerraceTotals& terrace : totals_of_terraces(outlook, outlook.work))
    totals_.busiest =
        std::max(totals_.busiest, team_use_ == TeamUse::never ? terrace.work : done_by_all(terrace));
}

// Whether a window takes some seconds at most, even if all bodies of its clusters come to touch: then each
// event is one of their group, with all of its contact.
bool WindowPlanner::is_short(const Window& window) const {
  constexpr double most = 4;  // [s]
  const double length = window.end - window.begin;
  const std::vector<double> work = work_in_touch(window, *outlook_);
  std::vector<double> of_clusters(work.size(), 0.0);
  for (std::size_t body = 0; body < work.size(); ++body)
    at(of_clusters, window.cluster_of[body]) += work[body];
  const double shared = std::accumulate(work.begin(), work.end(), 0.0) / ranks_;
  const double of_one = may_make_teams() ? 0 : std::ranges::max(of_clusters);
  return std::max(shared, of_one) * length <= most * elements_in_a_second;
}

// Tries lengths near that of the last windows. If these give no good balance, it tries much shorter ones too,
// and from the next plan on windows that look closely. Those count for less, as they are cut more often.
Window WindowPlanner::choose(std::span<const Meeting> of_all_parts) {
  constexpr double good = 0.8, of_close_looks = 0.9, shortest = 1.0 / 64;
  Window best;
  double most = -1;
  Trial chosen{1, false};
  for (std::size_t trial = 0; trial < trials.size(); ++trial) {
    const auto [factor, closely] = trials[trial];
    const bool is_last_resort = factor < 0.5 || closely;
    if (!is_tried(trials[trial]) || (is_last_resort && most >= 0 && best.balance > good)) continue;
    const double price = closely ? of_close_looks : 1;
    if (!(worth(end(trials[trial]) - begin_, totals_.busiest) * price > most)) continue;
    Window next = window(trial, of_all_parts);
    if (factor > shortest && !is_short(next)) continue;
    assign_clusters(next, *outlook_, ranks_, team_use_);
    if (const double value = worth(next) * price; value > most) {
      most = value;
      chosen = trials[trial];
      best = std::move(next);
    }
  }
  length_ *= chosen.factor;
  is_close_ = chosen.closely;
  look_closely_next(is_close_, !(best.balance > good));
  const double length = best.end - best.begin;
  for (std::int32_t body = 0; body < surfaces_.bodies(); ++body)
    best.flights.push_back(usual_flight(body, length, is_close_));
  widened_ = boxes(length, true);
  return best;
}

// Sets whether the next plan tries windows that look closely; not again for a while if they were of no use.
void WindowPlanner::look_closely_next(bool was_worth_while, bool would_help) {
  constexpr int a_while = 8;
  if (looks_closely_ && !was_worth_while) close_looks_in_ = a_while;
  looks_closely_ = was_worth_while || (would_help && close_looks_in_ == 0);
  close_looks_in_ = std::max(close_looks_in_ - 1, 0);
}

void WindowPlanner::widen(Window& window, std::span<const std::int32_t> bodies) const {
  constexpr double share = 0.499;
  const double length = window.end - window.begin;
  std::vector<double> wider(widened_.size(), 0.0);
  std::vector<std::uint8_t> asked_for(widened_.size(), 0);
  for (const std::int32_t body : bodies) {
    at(wider, body) = most_wider(body, length);
    at(asked_for, body) = 1;
  }
  for (const std::int32_t body : bodies)
    widened_.visit_near(widened_[body], pairs_.largest_activation(), [&](std::int32_t other) {
      const bool both_asked_for = at(asked_for, other) != 0;
      if (at(window.cluster_of, body) == at(window.cluster_of, other) || (both_asked_for && other < body))
        return;
      const std::int32_t a = std::min(body, other), b = std::max(body, other);
      if (!pairs_.may_touch({a, b})) return;
      const Flight &of_a = at(window.flights, a), &of_b = at(window.flights, b);
      const double taken = of_a.radius + of_b.radius;
      const auto left = [&](double room) { return share * (room - taken); };
      const double widest = std::max(at(wider, a), at(wider, b));  // 0 for a body that is not in `bodies`
      const double room = PairInFlight(surfaces_, a, b)
                              .room({length, {of_a.node_by_node, of_b.node_by_node}}, is_close_,
                                    [&](double found) { return left(found) >= widest; });
      at(wider, body) = std::min(at(wider, body), left(room));
      if (both_asked_for) at(wider, other) = std::min(at(wider, other), left(room));
    });
  for (const std::int32_t body : bodies) at(window.flights, body).radius += at(wider, body);
}

Window WindowPlanner::plan(std::span<const NodeLine> lines, double begin, double until,
                           const WindowOutlook& outlook) {
  look(lines, begin, until, outlook);
  std::vector<std::int32_t> all(static_cast<std::size_t>(surfaces_.bodies()));
  std::iota(all.begin(), all.end(), 0);
  Window window = choose(meetings(all));
  widen(window, all);
  return window;
}

}  // namespace terrace
