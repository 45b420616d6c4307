#include "dynamics/windows/common_knowledge.hpp"

#include <utility>

#include "dynamics/windows/window_helpers.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

CommonKnowledge::CommonKnowledge(const Lagrangian& system, const ClockedEnergyStepping& clocks)
    : system_(system),
      clocks_(clocks),
      terraces_(static_cast<std::size_t>(system.contact_pairs->bodies())),
      deviation_(static_cast<std::size_t>(system.contact_pairs->bodies()), 0),
      departure_(deviation_.size(), infinity),
      pace_(deviation_.size(), 0),
      holder_(deviation_.size(), 0) {
  for (std::size_t body = 0; body < deviation_.size(); ++body)
    elements_.push_back(system.subdomains[body].elements);
}

void CommonKnowledge::begin(std::vector<int> holders) {
  holder_ = std::move(holders);
  former_cluster_.clear();
  terraces_.forget_all();
}

void CommonKnowledge::learn(ToldTerrace terrace) {
  const ToldTerrace& known = terraces_.learn(std::move(terrace));
  for (const std::int32_t body : known.bodies) at(pace_, body) = pace(body, known.clock);
}

double CommonKnowledge::pace(std::int32_t body, const Clock& clock) const {
  constexpr double of_what_rests = 0.01;  // looks per stable step: a body at rest is looked at seldom
  if (!clock.running) return of_what_rests / at(system_.subdomains, body).stable_step;
  // A terrace that began with short steps soon reaches its own.
  const std::int64_t step = clock.young ? clock.longest : clock.step;
  return 1 / (static_cast<double>(step) * clocks_.tick());
}

std::vector<std::int32_t> CommonKnowledge::bodies_of(int rank) const {
  std::vector<std::int32_t> own;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(holder_, body) == rank) own.push_back(body);
  return own;
}

std::int64_t CommonKnowledge::follow(const Window& window) {
  std::int64_t moved = 0;
  for (std::int32_t body = 0; body < bodies(); ++body)
    moved += at(window.rank_of, body) != at(holder_, body) ? 1 : 0;
  holder_ = window.rank_of;
  former_cluster_ = window.cluster_of;
  return moved;
}

void CommonKnowledge::learn_departure(std::int32_t body, double deviation, double departure) {
  at(deviation_, body) = deviation;
  at(departure_, body) = departure;
}

const WindowOutlook& CommonKnowledge::look_ahead(std::vector<int> ranks) {
  outlook_ = {.elements = elements_,
              .work = {},
              .touched = {},
              .touches = {},
              .deviation = deviation_,
              .departure = departure_,
              .group = {terraces_.first_of().begin(), terraces_.first_of().end()},
              .pace = pace_,
              .surface = {},
              .rank = std::move(ranks),
              .stay = system_.stable_step,
              .cluster = former_cluster_,
              .slowness = slowness_of(speeds_)};
  for (std::vector<double>* values :
       {&outlook_.work, &outlook_.touched, &outlook_.touches, &outlook_.surface})
    values->reserve(elements_.size());
  for (std::int32_t body = 0; body < bodies(); ++body) {
    outlook_.work.push_back(at(elements_, body) * at(pace_, body));
    outlook_.surface.push_back(static_cast<double>(system_.contact_pairs->surface_nodes(body).size()));
    outlook_.touched.push_back(at(elements_, body) * clocks_.events_per_time(body));
    const ToldTerrace& terrace = terraces_.of(body);
    outlook_.touches.push_back(static_cast<double>(terrace.touches.size()) /
                               static_cast<double>(terrace.bodies.size()));
  }
  return outlook_;
}

}  // namespace terrace
