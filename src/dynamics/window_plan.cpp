#include "dynamics/window_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "numerics/at.hpp"

namespace terrace {
namespace {

/// Disjoint sets of bodies.
class Clusters {
 public:
  explicit Clusters(std::size_t bodies) : parent_(bodies) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t of(std::int32_t body) {
    while (at(parent_, body) != body) body = at(parent_, body) = at(parent_, at(parent_, body));
    return body;
  }
  void unite(std::int32_t a, std::int32_t b) {
    a = of(a);
    b = of(b);
    at(parent_, std::max(a, b)) = std::min(a, b);
  }

 private:
  std::vector<std::int32_t> parent_;
};

/// Of all points along a direction.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

Extent extent(std::span<const Vector3> points, const Vector3& direction) {
  Extent extent;
  for (const Vector3& point : points) extent.include(dot(point, direction));
  return extent;
}

}  // namespace

WindowPlanner::WindowPlanner(const Lagrangian& system, const ContactPairs& pairs, int ranks)
    : system_(system), pairs_(pairs), ranks_(ranks), surfaces_(static_cast<std::size_t>(pairs.bodies())) {
  constexpr double some_steps = 4;
  length_ = some_steps * system.stable_step;
}

void WindowPlanner::look_at(std::span<const NodeLine> lines, double begin) {
  fastest_ = usual_speed_ = 0;
  for (std::int32_t body = 0; body < pairs_.bodies(); ++body) {
    Surface& surface = at(surfaces_, body);
    surface = {.box = {}, .places = std::move(surface.places)};
    surface.places.clear();
    for (const std::int32_t node : pairs_.surface_nodes(body)) {
      const NodeLine& line = at(lines, node);
      const Vector3 place = at(system_.reference, node) + line.displacement_at(begin);
      surface.box.include(place);
      surface.places.push_back(place);
      surface.velocity += line.velocity;
      surface.centre += place;
    }
    if (surface.places.empty()) continue;
    const double share = 1 / static_cast<double>(surface.places.size());
    surface.velocity = share * surface.velocity;
    surface.centre = share * surface.centre;
    fastest_ = std::max(fastest_, norm(surface.velocity));
    usual_speed_ += norm(surface.velocity) / pairs_.bodies();
  }
}

// The room that two bodies' flights may take together, along an axis, or the line of centres now and then;
// negative where no such direction separates them. More than `enough` is not looked for: boxes, which cost
// nothing, tell of most bodies.
double WindowPlanner::room_between(std::int32_t a, std::int32_t b, double length, double enough) const {
  constexpr double rounding = 1e-9, of_places = 1e-14;
  const Surface &first = at(surfaces_, a), &second = at(surfaces_, b);
  const Vector3 velocity = second.velocity - first.velocity, now = second.centre - first.centre;
  const double reach = pairs_.largest_activation() +
                       rounding * (first.box.diagonal() + second.box.diagonal() + norm(now)) +
                       of_places * (norm(first.centre) + norm(second.centre));
  double room = -reach;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool backwards = now[k] < 0;
    const double between =
        backwards ? first.box.low[k] - second.box.high[k] : second.box.low[k] - first.box.high[k];
    const double later = between + length * (backwards ? -velocity[k] : velocity[k]);
    room = std::max(room, std::min(between, later) - reach);
  }
  const Vector3 then = now + length * velocity;
  for (const Vector3& direction : {now, then, now + then}) {
    if (room > enough) break;
    const double between = extent(second.places, direction).low - extent(first.places, direction).high;
    const double later = between + length * dot(velocity, direction);
    const double sum = std::abs(direction[0]) + std::abs(direction[1]) + std::abs(direction[2]);
    if (sum > 0) room = std::max(room, (std::min(between, later) - norm(direction) * reach) / sum);
  }
  return room;
}

// What vibrates or is pushed goes on as it did; a surface that meets another may be stopped.
double WindowPlanner::usual_radius(std::int32_t body, double length, double deviation) const {
  constexpr double of_its_size = 5e-3, of_the_way = 0.5, of_the_last = 3;
  const Surface& surface = at(surfaces_, body);
  if (surface.places.empty()) return 0;
  const double speed = std::max(norm(surface.velocity), usual_speed_);
  return of_its_size * surface.box.diagonal() + length * (of_the_way * speed + of_the_last * deviation);
}

// All that the body may reach.
Box WindowPlanner::swept(std::int32_t body, double length, double radius) const {
  const Surface& surface = at(surfaces_, body);
  Box box = surface.box;
  if (surface.places.empty()) return box;
  box.include(surface.box.low + length * surface.velocity);
  box.include(surface.box.high + length * surface.velocity);
  for (std::size_t k = 0; k < 3; ++k) {
    box.low[k] -= radius;
    box.high[k] += radius;
  }
  return box;
}

BoxIndex WindowPlanner::boxes_of(const Window& window, double more) const {
  std::vector<Box> boxes;
  for (std::int32_t body = 0; body < static_cast<std::int32_t>(surfaces_.size()); ++body)
    boxes.push_back(swept(body, window.end - window.begin, at(window.flights, body).radius + more));
  BoxIndex index;
  index.build(boxes);
  return index;
}

// By the flights as they are.
void WindowPlanner::find_clusters(Window& window, const std::vector<std::int32_t>& group) const {
  const auto count = static_cast<std::int32_t>(surfaces_.size());
  const BoxIndex boxes = boxes_of(window, 0);
  Clusters clusters(surfaces_.size());
  std::vector<std::int32_t> first_of_group(surfaces_.size(), -1);
  for (std::int32_t body = 0; body < count; ++body) {
    std::int32_t& first = at(first_of_group, at(group, body));
    if (first < 0) first = body;
    clusters.unite(first, body);
  }
  for (std::int32_t a = 0; a < count; ++a)
    for (const std::int32_t b : boxes.near(boxes[a], pairs_.largest_activation())) {
      if (b <= a || clusters.of(a) == clusters.of(b) || !pairs_.may_touch({a, b})) continue;
      const double taken = at(window.flights, a).radius + at(window.flights, b).radius;
      if (!(room_between(a, b, window.end - window.begin, taken) > taken)) clusters.unite(a, b);
    }
  for (std::int32_t body = 0; body < count; ++body) {
    window.cluster_of.push_back(clusters.of(body));
    window.clusters += window.cluster_of.back() == body ? 1 : 0;
  }
}

// What room there is between clusters costs nothing, and may be needed by a body that meets a wall.
void WindowPlanner::widen_flights(Window& window) const {
  const double length = window.end - window.begin, most = 2 * fastest_ * length;
  const BoxIndex boxes = boxes_of(window, most);
  std::vector<double> wider(surfaces_.size(), most);
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(surfaces_.size()); ++a)
    for (const std::int32_t b : boxes.near(boxes[a], pairs_.largest_activation())) {
      if (b <= a || at(window.cluster_of, a) == at(window.cluster_of, b) || !pairs_.may_touch({a, b}))
        continue;
      constexpr double share = 0.499;
      const double taken = at(window.flights, a).radius + at(window.flights, b).radius;
      const double left = room_between(a, b, length, taken + most / share) - taken;
      at(wider, a) = std::min(at(wider, a), share * left);
      at(wider, b) = std::min(at(wider, b), share * left);
    }
  for (std::size_t body = 0; body < wider.size(); ++body) window.flights[body].radius += wider[body];
}

Window WindowPlanner::window(double begin, double end, const WindowOutlook& outlook) const {
  Window window{.begin = begin, .end = end, .cluster_of = {}, .rank_of = {}, .flights = {}, .work = {}};
  for (std::int32_t body = 0; body < static_cast<std::int32_t>(surfaces_.size()); ++body)
    window.flights.push_back(
        {at(surfaces_, body).velocity, usual_radius(body, end - begin, at(outlook.deviation, body))});
  find_clusters(window, outlook.group);
  foresee(window, outlook);
  assign(window, outlook);
  return window;
}

// What rests among others will be touched, some time in the window. Every event is followed by looks at the
// bodies about, of which a body inside a cluster has many, one at its surface fewer. Fitted to the
// evaluations of elements in a packing.
void WindowPlanner::foresee(Window& window, const WindowOutlook& outlook) {
  constexpr double of_the_window = 0.5, of_neighbours = 1.2;
  std::vector<double> members(window.cluster_of.size(), 0.0);
  for (const std::int32_t cluster : window.cluster_of) at(members, cluster) += 1;
  for (std::size_t body = 0; body < window.cluster_of.size(); ++body) {
    const double count = at(members, window.cluster_of[body]);
    const double moved =
        count > 1 ? std::max(outlook.work[body], of_the_window * outlook.touched[body]) : outlook.work[body];
    window.work.push_back(moved * (1 + of_neighbours * (1 - 1 / std::cbrt(count))));
  }
}

// The heaviest first, each to the rank that had most of it if that rank has room, else to the one with the
// least.
void WindowPlanner::assign(Window& window, const WindowOutlook& outlook) const {
  const std::size_t count = window.cluster_of.size();
  std::vector<double> work(count, 0.0);
  std::vector<std::vector<std::int32_t>> bodies(count);
  double all = 0;
  for (std::size_t body = 0; body < count; ++body) {
    at(work, window.cluster_of[body]) += window.work[body];
    at(bodies, window.cluster_of[body]).push_back(static_cast<std::int32_t>(body));
    all += window.work[body];
  }
  std::vector<std::int32_t> order;
  for (std::size_t cluster = 0; cluster < count; ++cluster)
    if (!bodies[cluster].empty()) order.push_back(static_cast<std::int32_t>(cluster));
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return at(work, a) > at(work, b); });
  std::vector<double> load(static_cast<std::size_t>(ranks_), 0.0);
  window.rank_of.assign(count, 0);
  constexpr double room = 1.02;
  for (const std::int32_t cluster : order) {
    std::vector<double> had(load.size(), 0.0);
    for (const std::int32_t body : at(bodies, cluster)) at(had, at(outlook.rank, body)) += 1;
    auto rank = std::max_element(had.begin(), had.end()) - had.begin();
    if (at(load, rank) + at(work, cluster) > room * all / ranks_)
      rank = std::min_element(load.begin(), load.end()) - load.begin();
    at(load, rank) += at(work, cluster);
    for (const std::int32_t body : at(bodies, cluster)) at(window.rank_of, body) = static_cast<int>(rank);
  }
  const double most = *std::max_element(load.begin(), load.end());
  const double sum = std::accumulate(load.begin(), load.end(), 0.0);  // `all` but for rounding: 1 on one rank
  window.balance = most > 0 ? sum / (ranks_ * most) : 1;
}

// The share of the ranks' time that goes into work, an exchange being as dear as some hundred elements.
double WindowPlanner::worth(const Window& window) const {
  const double exchange = 300 + 5 * static_cast<double>(window.cluster_of.size());
  const double all = std::accumulate(window.work.begin(), window.work.end(), 0.0);
  const double mean = all * (window.end - window.begin) / ranks_;
  return mean > 0 ? mean / (mean / window.balance + exchange) : window.end - window.begin;
}

// Lengths about the last one; where that is no good, much shorter ones too.
Window WindowPlanner::plan(std::span<const NodeLine> lines, double begin, double until,
                           const WindowOutlook& outlook) {
  constexpr double good = 0.8;
  look_at(lines, begin);
  Window best;
  double most = -1, chosen = length_;
  for (const double factor : {1.0, 0.5, 2.0, 0.125, 1.0 / 64}) {
    const double length = factor * length_;
    if (factor > 1 && begin + length_ >= until) continue;  // a longer one is none
    if (factor < 0.5 && best.balance > good) continue;
    Window next = window(begin, std::min(until, begin + length), outlook);
    if (const double value = worth(next); value > most) {
      most = value;
      chosen = length;
      best = std::move(next);
    }
  }
  length_ = chosen;
  widen_flights(best);
  return best;
}

}  // namespace terrace
