// Searches that one rank does without the others.
#include <fmt/core.h>

#include <array>
#include <cmath>

#include "dynamics/terraces/line_search.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {

// What touches is searched as a group. Ranks that share a pair have all of its nodes.
bool LineSearcher::waits(std::int32_t number) const {
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  return subdomain.contact && !(subdomain.elements > 0) && lagrangian_.touching_bodies_share &&
         subdomain.potentials.size() == 1 &&
         (subdomain.only_rank >= 0 || !subdomain.shared_nodes.on_all_ranks().sum.empty());
}

// A pair that waits need not be searched as long as its bodies are far enough apart; as it was at the start
// of its search, before any sample, so that ranks that look by themselves come to the same conclusion,
// without messages.
void LineSearcher::look_for_room(Active& search) {
  if (search.paused() || search.crossing.samples() > 0 || !std::isfinite(search.until)) return;
  if (!waits(search.subdomain)) return;
  const PotentialOnLine::Room room = room_of(search);
  if (!(room.distance > 0)) return;
  const double until = search.crossing.start() + room.distance / room.speed;
  if (!(until > search.until)) return;
  search.apart = room.distance;
  search.apart_until = until;
}

// As far as it is known without a look, if that is enough.
PotentialOnLine::Room LineSearcher::room_of(const Active& search) {
  const double start = search.crossing.start(), origin = at(states_, search.subdomain).origin;
  const auto followed = approaches_.find(search.subdomain);
  if (followed != approaches_.end()) {
    followed->second.go_on(origin + start, followed->second.speed);
    if (followed->second.end() > origin + search.until)
      return {followed->second.left, followed->second.speed};
  }
  const Potential& contact = *at(lagrangian_.subdomains, search.subdomain).potentials.front();
  const PotentialOnLine::Room room = lines_.of(contact).room(start);
  if (room.distance > 0) {
    element_evaluations_ += static_cast<std::int64_t>(contact.work());
    if (only_rank(search.subdomain) == lagrangian_.communicator->rank())
      approaches_[search.subdomain] = {room.distance, origin + start, room.speed};
  }
  return room;
}

void LineSearcher::follow_approach(std::int32_t subdomain, double instant, double speed) {
  if (const auto followed = approaches_.find(subdomain); followed != approaches_.end())
    followed->second.go_on(instant, speed);
}

void LineSearcher::search_alone(Active& search) {
  if (at(lagrangian_.subdomains, search.subdomain).impenetrable) return find_collision(search);
  look_for_room(search);
  std::array<double, width> numbers;
  while (!search.paused()) {
    sample(search, numbers);
    if (fits(search, numbers))
      search.crossing.supply(totals(numbers));
    else
      refit(search, search.largest, numbers);
    require_progress(search);
  }
}

// A set constraint lives on one rank, and is its subdomain's only term.
void LineSearcher::find_collision(Active& search) {
  ConstraintOnLine& constraint = lines_.of(*at(lagrangian_.subdomains, search.subdomain).constraint);
  while (!search.paused()) {
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
    element_evaluations_ += static_cast<std::int64_t>(constraint.work());
  }
}

}  // namespace terrace
