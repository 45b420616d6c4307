#include "dynamics/terraces/schedule.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

void Schedule::make_room() {
  events_at_.resize(states_.size());
  none_before_.resize(states_.size());
}

double Schedule::time_of(std::int32_t subdomain) const {
  const SubdomainState& state = at(states_, subdomain);
  if (!state.next.known || state.next.surface == FirstCrossing::Surface::none) return infinity;
  return state.origin + state.next.instant;
}

void Schedule::renew(double instant, std::span<const std::int32_t> subdomains) {
  make_room();
  for (const std::int32_t number : subdomains) {
    TERRACE_VERIFY(!std::isnan(instant), instant, number);
    const auto j = static_cast<std::size_t>(number);
    SubdomainState& state = states_[j];
    state.line_sums.end_line(state.search.origin(), instant);
    if (instant > state.search_start)
      state.horizon = std::max(4 * (instant - state.search_start), 0.25 * state.horizon);
    state.search_start = instant;
    const double start = std::max(0.0, instant - state.origin);
    state.search = FirstCrossing(state.terrace, lagrangian_.subdomains[j].certified, state.origin, start,
                                 infinity, state.horizon);
    searcher_.begin(number);
    state.next = {};
    state.approach = {};
    events_at_.set(j, infinity);
    none_before_.set(j, instant);
  }
}

double Schedule::first_horizon(std::int32_t subdomain) const {
  constexpr double stable_steps = 10;
  return stable_steps * at(lagrangian_.subdomains, subdomain).stable_step;
}

bool Schedule::stays_apart(std::int32_t subdomain, double instant, double speed) {
  Approach& approach = at(states_, subdomain).approach;
  if (!(approach.left > 0)) return false;
  approach.go_on(instant, speed);
  if (!(approach.end() > instant)) return false;
  none_before_.set(static_cast<std::size_t>(subdomain), approach.end());
  return true;
}

std::vector<std::int32_t> Schedule::come_near(double limit) const {
  std::vector<std::int32_t> near;
  none_before_.visit_until(limit, [&](std::size_t j) {
    if (states_[j].approach.left > 0) near.push_back(static_cast<std::int32_t>(j));
  });
  return near;
}

void Schedule::stop(std::int32_t subdomain) {
  make_room();
  events_at_.set(static_cast<std::size_t>(subdomain), infinity);
  none_before_.set(static_cast<std::size_t>(subdomain), infinity);
}

void Schedule::set(std::int32_t subdomain, double known_event, double none_before) {
  make_room();
  events_at_.set(static_cast<std::size_t>(subdomain), known_event);
  none_before_.set(static_cast<std::size_t>(subdomain), none_before);
}

void Schedule::forget(double time) {
  events_at_ = none_before_ = {};
  make_room();
  last_event_ = time;
  forget_guesses();
}

void Schedule::note_event(double time) {
  lookahead_ = 0.75 * lookahead_ + 0.5 * std::max(time - last_event_, 0.0);
  last_event_ = time;
}

std::int32_t Schedule::first_of_earliest() const {
  const auto order = [&](std::int32_t j) -> const auto& { return at(lagrangian_.subdomains, j).order; };
  std::int32_t first = -1;
  events_at_.visit_until(events_at_.time(), [&](std::size_t j) {
    const auto number = static_cast<std::int32_t>(j);
    if (first < 0 || order(number) < order(first)) first = number;
  });
  return first;
}

std::optional<std::int32_t> Schedule::next(double last) {
  double reach = std::max(lookahead_, 1e-12 * std::abs(last));
  for (;;) {
    const double limit = std::min({last_event_ + reach, last, events_at_.time()});
    list_pending(limit);
    if (!pending_.empty()) {
      searcher_.find(pending_, watch_);  // if watched, one search after the other, with the same results
      note_pending(limit);
    } else if (limit == events_at_.time() && limit < infinity) {
      return first_of_earliest();
    } else if (limit == last) {
      return std::nullopt;
    } else {
      reach *= 4;
    }
  }
}

// Sorts by order, not by number: ranks that search together may have different numbers for the same pairs.
void Schedule::list_pending(double limit) {
  pending_.clear();
  none_before_.visit_until(limit, [&](std::size_t j) {
    pending_.push_back({static_cast<std::int32_t>(j), limit});
  });
  if (lagrangian_.communicator->size() == 1) return;
  std::ranges::sort(pending_, {}, [&](const PendingSearch& search) {
    return at(lagrangian_.subdomains, search.subdomain).order;
  });
}

std::vector<double> Schedule::ask(double limit) {
  asked_until_ = limit;
  list_pending(limit);
  return searcher_.ask(pending_);
}

bool Schedule::understand(std::span<const double> sums) {
  const std::vector<std::uint8_t> finished = searcher_.understand(sums);
  for (std::size_t k = 0; k < pending_.size(); ++k)
    if (finished[k] != 0) note(static_cast<std::size_t>(pending_[k].subdomain), asked_until_);
  return is_idle_until(asked_until_);
}

void Schedule::search(std::int32_t subdomain, double limit) {
  const PendingSearch search{subdomain, limit};
  searcher_.find({&search, 1});
  note(static_cast<std::size_t>(subdomain), limit);
}

// The searches were asked to go to `limit`, but end at the first crossing found, if that comes earlier.
void Schedule::note_pending(double limit) {
  for (const PendingSearch& search : pending_) limit = std::min(limit, time_of(search.subdomain));
  for (const PendingSearch& search : pending_) note(static_cast<std::size_t>(search.subdomain), limit);
}

void Schedule::note(std::size_t j, double limit) {
  SubdomainState& state = states_[j];
  const CrossingFound& found = state.next;
  if (found.known) {
    none_before_.set(j, infinity);
    events_at_.set(j, time_of(static_cast<std::int32_t>(j)));
  } else {
    TERRACE_VERIFY(state.origin + found.certain_until > limit, j, state.origin, found.certain_until, limit);
    none_before_.set(j, state.origin + found.certain_until);
  }
  const double start = state.search.start();
  state.approach = found.apart > 0 ? Approach{found.apart, state.origin + start,
                                              found.apart / (found.certain_until - start)}
                                   : Approach{};
  const Subdomain& subdomain = lagrangian_.subdomains[j];
  if (!subdomain.certified || subdomain.impenetrable) return;
  const double above = found.first_value - state.terrace.top();
  const double below = state.terrace.has_bottom() ? state.terrace.bottom() - found.first_value : 0;
  state.monitor.note_mismatch(std::max(above, below) / state.terrace.energy_step);
}

}  // namespace terrace
