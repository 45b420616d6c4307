#include "dynamics/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace terrace {

static constexpr double infinity = std::numeric_limits<double>::infinity();

void Schedule::make_room() {
  events_at_.resize(states_.size());
  none_before_.resize(states_.size());
}

double Schedule::time_of(std::int32_t subdomain) const {
  const SubdomainState& state = states_[static_cast<std::size_t>(subdomain)];
  if (!state.next.known || state.next.surface == FirstCrossing::Surface::none) return infinity;
  return state.origin + state.next.instant;
}

void Schedule::renew(double instant, std::span<const std::int32_t> subdomains) {
  make_room();
  for (const std::int32_t number : subdomains) {
    const auto j = static_cast<std::size_t>(number);
    SubdomainState& state = states_[j];
    if (!state.next.known && instant > state.search_start)
      state.horizon = std::max(4 * (instant - state.search_start), 0.25 * state.horizon);
    state.search_start = instant;
    const double start = std::max(0.0, instant - state.origin);
    state.search = FirstCrossing(state.terrace, lagrangian_.subdomains[j].certified, state.origin, start,
                                 end_ - state.origin, state.horizon);
    searcher_.begin(number);
    state.next = {};
    events_at_.set(j, infinity);
    none_before_.set(j, instant);
  }
}

double Schedule::first_horizon(std::int32_t /*subdomain*/, double time) const { return end_ - time; }

void Schedule::stop(std::int32_t subdomain) {
  make_room();
  events_at_.set(static_cast<std::size_t>(subdomain), infinity);
  none_before_.set(static_cast<std::size_t>(subdomain), infinity);
}

void Schedule::look_ahead_from(double now, bool event) {
  if (event) {
    lookahead_ = 0.75 * lookahead_ + 0.5 * std::max(now - last_event_, 0.0);
    last_event_ = now;
  }
  now_ = now;
  if (!(lookahead_ > 0)) lookahead_ = end_ - now;
  reach_ = lookahead_;
}

bool Schedule::find_next(double other) {
  for (;;) {
    const double limit = std::min({now_ + reach_, other, end_, events_at_.time()});
    std::vector<PendingSearch> pending;
    none_before_.visit_until(limit, [&](std::size_t j) {
      pending.push_back({static_cast<std::int32_t>(j), limit - states_[j].origin});
    });
    if (!pending.empty()) {
      searcher_.find(pending);
      for (const PendingSearch& search : pending) note(static_cast<std::size_t>(search.subdomain), limit);
    } else if (limit >= end_ || limit == events_at_.time()) {
      return true;
    } else if (limit == other) {
      return false;
    } else {
      reach_ *= 4;
    }
  }
}

void Schedule::note(std::size_t j, double limit) {
  SubdomainState& state = states_[j];
  const CrossingFound& found = state.next;
  if (found.known) {
    none_before_.set(j, infinity);
    events_at_.set(j, time_of(static_cast<std::int32_t>(j)));
  } else {
    // The search went beyond the limit, by however little in the line's own time.
    none_before_.set(j, std::max(state.origin + found.certain_until, std::nextafter(limit, infinity)));
  }
  const double start = std::max(0.0, state.search_start - state.origin);
  if (found.known && found.surface != FirstCrossing::Surface::none)
    state.horizon = std::max(4 * (found.instant - start), 0.25 * state.horizon);
  const Subdomain& subdomain = lagrangian_.subdomains[j];
  if (!subdomain.certified || subdomain.impenetrable) return;
  const double above = found.first_value - state.terrace.top();
  const double below = state.terrace.has_bottom() ? state.terrace.bottom() - found.first_value : 0;
  state.monitor.note_mismatch(std::max(above, below) / state.terrace.energy_step);
}

}  // namespace terrace
