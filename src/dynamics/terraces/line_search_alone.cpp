// The searches that a rank does without messages to others.
#include <fmt/core.h>

#include <array>
#include <cmath>

#include "dynamics/terraces/line_search.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {

// Whether a subdomain is a pair that waits for its touch and can be looked at for room: a touching pair is
// searched as part of its group. A rank that shares a pair must have all of its nodes.
bool LineSearcher::waits(std::int32_t number) const {
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  return subdomain.contact && !(subdomain.elements > 0) && lagrangian_.touching_bodies_share &&
         subdomain.potentials.size() == 1 &&
         (subdomain.only_rank >= 0 || !subdomain.shared_nodes.on_all_ranks().sum.empty());
}

// A waiting pair need not be searched as long as its bodies are far enough apart. The distance is that at the
// start of the search, before any sample: so ranks that look by themselves come to the same conclusion
// without messages.
void LineSearcher::look_for_room(Active& search) {
  if (search.paused() || search.crossing.samples() > 0 || !std::isfinite(search.until)) return;
  if (!waits(search.subdomain)) return;
  const double start = search.crossing.start();
  const auto until = [&](const PotentialOnLine::Room& room) {
    return room.distance > 0 ? start + room.distance / room.speed : -infinity;
  };
  const auto followed = approaches_.find(search.subdomain);
  PotentialOnLine::Room room;
  if (followed != approaches_.end()) {
    Approach& approach = followed->second;
    approach.go_on(at(states_, search.subdomain).origin + start, approach.speed);
    room = {approach.left, approach.speed};
  }
  const auto lasts = [&] { return search.origin() + until(room) > search.until; };
  if (!lasts()) {
    room = look(search);
    if (followed != approaches_.end()) {
      followed->second.left = room.distance;
      followed->second.speed = room.speed;
    }
  }
  if (!lasts()) return;
  search.apart = room.distance;
  search.apart_until = until(room);
}

PotentialOnLine::Room LineSearcher::look(const Active& search) {
  const Potential& contact = *at(lagrangian_.subdomains, search.subdomain).potentials.front();
  const PotentialOnLine::Room room = lines_.of(contact).room(search.crossing.start());
  if (room.distance > 0) element_evaluations_ += whole_elements(contact.work());
  return room;
}

void LineSearcher::follow_approach(std::int32_t subdomain, double instant, double speed) {
  approaches_.try_emplace(subdomain).first->second.go_on(instant, speed);
}

void LineSearcher::sample_alone(Active& search) {
  if (at(lagrangian_.subdomains, search.subdomain).impenetrable) return look_for_collision(search);
  require_progress(search);
  std::array<double, width> numbers;
  sample(search, numbers);
  if (fits(search, numbers))
    search.crossing.supply(totals(numbers));
  else
    refit(search, search.largest, numbers);
}

// A set constraint lives on one rank and is the only term of its subdomain.
void LineSearcher::look_for_collision(Active& search) {
  ConstraintOnLine& constraint = lines_.of(*at(lagrangian_.subdomains, search.subdomain).constraint);
  const FirstCollision first =
      constraint.first_collision(search.crossing.certain_until(), search.crossing.end());
  if (first.too_far > 0)
    throw Error(Error::Kind::run,
                fmt::format("subdomain {}, {}", at(lagrangian_.subdomains, search.subdomain).name,
                            at_time(search.crossing.origin() + search.crossing.certain_until())),
                "bodies that meet where rounding tells on which side of each other they are",
                fmt::format("a coordinate of {:.4g}: they have flown too far from the origin for edges as "
                            "short as theirs; begin elsewhere, or without the velocity that they share",
                            first.too_far));
  search.crossing.supply_collision(first.instant, first.searched_to);
  element_evaluations_ += whole_elements(constraint.work());
}

}  // namespace terrace
