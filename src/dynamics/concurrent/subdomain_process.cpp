#include "dynamics/concurrent/subdomain_process.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "dynamics/terraces/energy_stepping.hpp"
#include "dynamics/terraces/own_force.hpp"
#include "dynamics/terraces/surface_push.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "parallel/profile.hpp"

namespace terrace {

SubdomainProcess::SubdomainProcess(ProcessWorkspace& workspace, NearPairs& boxes, std::int32_t subdomain,
                                   ProcessPlace place)
    : work_(workspace),
      boxes_(boxes),
      number_(subdomain),
      place_(std::move(place)),
      all_places_(own().nodes.size()) {
  std::iota(all_places_.begin(), all_places_.end(), 0);
  for (const std::int32_t node : own().nodes) global_nodes_.push_back(at(work_.system.global_nodes, node));
}

const Subdomain& SubdomainProcess::own() const { return at(work_.system.subdomains, number_); }

SubdomainState& SubdomainProcess::state() { return at(work_.states, number_); }

EventPlace SubdomainProcess::place_of(double time) const {
  const EventPlace& last = taken_.empty() ? begin_ : taken_.back().place;
  return last.followed_by({time, own().order});
}

// Events come before an exit at the same instant.
EventPlace SubdomainProcess::exit_place() const {
  const EventPlace& last = taken_.empty() ? begin_ : taken_.back().place;
  return last.followed_by({exit_, {std::numeric_limits<std::int32_t>::max(), place_.body}});
}

void SubdomainProcess::begin(const State& state, double known_event, double none_before) {
  lines_.clear();
  momenta_.clear();
  for (const std::int32_t node : own().nodes) {
    lines_.push_back(at(state.lines, node));
    momenta_.push_back(at(state.momenta, node));
  }
  work_.schedule.set(number_, known_event, none_before);
  has_moved_ = false;
  has_news_ = true;
  begin_ = {};
  taken_.clear();
  waiting_.clear();
  undone_.clear();
  failure_.reset();
  received_.assign(state.ledger.size(), WideMomentum{});
  if (place_.body >= 0) exit_ = boxes_.exit(place_.body);
}

void SubdomainProcess::end(State& state) {
  renew_line();
  for (; !taken_.empty(); taken_.pop_front()) settle(taken_.front());
  add_momenta(state.ledger, received_);
  if (place_.body >= 0) boxes_.set_exit(place_.body, exit_);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::int32_t node = own().nodes[i];
    at(state.lines, node) = lines_[i];
    at(state.momenta, node) = momenta_[i];
  }
}

ProcessState SubdomainProcess::now() const {
  return {at(work_.states, number_), work_.schedule.known_event(number_), work_.schedule.none_before(number_),
          lines_, momenta_};
}

// Sets its nodes in the workspace. Other nodes are there as another subdomain left them: nothing of this one
// looks at them.
void SubdomainProcess::set_nodes(std::span<const std::int32_t> places) {
  for (const std::int32_t place : places) {
    const std::int32_t node = at(own().nodes, place);
    at(work_.state.lines, node) = at(lines_, place);
    at(work_.state.momenta, node) = at(momenta_, place);
  }
}

void SubdomainProcess::keep_nodes(std::span<const std::int32_t> places) {
  for (const std::int32_t place : places) {
    const std::int32_t node = at(own().nodes, place);
    at(lines_, place) = at(work_.state.lines, node);
    at(momenta_, place) = at(work_.state.momenta, node);
    at(work_.changed, node) = 0;
  }
}

// Remembers its state before an event that it takes now. `pushed`: places of the nodes that the event may
// change.
void SubdomainProcess::remember(const EventPlace& place, const EventName& name,
                                std::shared_ptr<const EventMessage> message,
                                std::vector<std::int32_t> pushed) {
  has_moved_ = has_news_ = true;
  Taken taken{place,
              name,
              std::move(message),
              state(),
              work_.schedule.known_event(number_),
              work_.schedule.none_before(number_),
              std::move(pushed),
              {},
              {},
              exit_};
  for (const std::int32_t node : taken.pushed) {
    taken.lines.push_back(at(lines_, node));
    taken.momenta.push_back(at(momenta_, node));
  }
  taken_.push_back(std::move(taken));
}

// Undoes the event that was taken last.
void SubdomainProcess::undo(Taken&& taken) {
  state() = std::move(taken.subdomain);
  work_.schedule.set(number_, taken.known_event, taken.none_before);
  for (std::size_t i = 0; i < taken.pushed.size(); ++i) {
    at(lines_, taken.pushed[i]) = taken.lines[i];
    at(momenta_, taken.pushed[i]) = taken.momenta[i];
  }
  exit_ = taken.exit;
  line_is_old_ = true;
}

// Sets the lines of the potentials, as after a restart, from the lines of the nodes and the origin.
void SubdomainProcess::renew_line() {
  if (!std::exchange(line_is_old_, false)) return;
  const OperationScope operation(Operation::line_set_up);
  set_nodes(all_places_);
  work_.lines.for_each(own(), [&](OnLine& line) { line.set_line(work_.state.lines, state().origin); });
}

void SubdomainProcess::go_back_to(std::size_t count) {
  while (taken_.size() > count) {
    Taken& late = taken_.back();
    if (late.message)
      waiting_.emplace(late.place, late.message);
    else
      undone_.push_back({late.name, late.place});
    undo(std::move(late));
    taken_.pop_back();
  }
}

void SubdomainProcess::go_back_behind(const EventPlace& place) {
  const auto later =
      std::find_if(taken_.begin(), taken_.end(), [&](const Taken& taken) { return place < taken.place; });
  go_back_to(static_cast<std::size_t>(later - taken_.begin()));
}

void SubdomainProcess::receive(std::shared_ptr<const EventMessage> message) {
  const EventPlace& place = message->place;
  TERRACE_VERIFY(begin_ < place, number_, message->instant);
  has_moved_ = has_news_ = true;
  failure_.reset();
  go_back_behind(place);
  waiting_.emplace(place, std::move(message));
}

void SubdomainProcess::withdraw(const EventWithdrawal& withdrawal) {
  has_moved_ = has_news_ = true;
  failure_.reset();
  const auto wrong = std::find_if(taken_.begin(), taken_.end(),
                                  [&](const Taken& taken) { return taken.name == withdrawal.name; });
  go_back_to(static_cast<std::size_t>(wrong - taken_.begin()));
  const auto found = waiting_.find(withdrawal.place);
  TERRACE_VERIFY(found != waiting_.end() && found->second->name == withdrawal.name, number_,
                 withdrawal.name.subdomain);
  waiting_.erase(found);
}

// Searches for its next event. Returns whether it has come to `limit`, or knows the event.
bool SubdomainProcess::search(double limit, std::int64_t enough) {
  if (work_.schedule.known_event(number_) < infinity) return true;
  const double none_before = work_.schedule.none_before(number_);
  // The first sample of a line tells the monitors how well V fits its terrace: one is always taken.
  if (state().search.samples() > 0 && none_before > limit) return true;
  if (none_before == infinity) return true;
  has_news_ = true;
  try {
    renew_line();
    return search_to(limit, enough);
  } catch (const Error& error) {
    failure_ = error;
    has_moved_ = true;
    // The error is at the time up to which the search was certain. Events of others before that may still
    // spare it the way there.
    const double reached = state().origin + state().search.certain_until();
    work_.schedule.set(number_, infinity, std::max(none_before, reached));
    return false;
  }
}

bool SubdomainProcess::search_to(double limit, std::int64_t enough) {
  for (;;) {
    work_.schedule.search(number_, work_.schedule.none_before(number_));
    const double none_before = work_.schedule.none_before(number_);
    if (none_before > limit || none_before == infinity)
      return true;  // +∞: its event is known, or never comes
    if (work_.work_done() >= enough) return false;
  }
}

// Undoes the event that it was about to take, as that threw an Error.
void SubdomainProcess::undo_last(const Error& error) {
  for (const std::int32_t node : own().nodes) at(work_.changed, node) = 0;
  undo(std::move(taken_.back()));
  taken_.pop_back();
  failure_ = error;
}

void SubdomainProcess::go_on(double limit, std::int64_t enough) {
  while (!failure_ && work_.work_done() < enough) {
    const auto first = waiting_.begin();
    if (first == waiting_.end()) {
      search(limit, enough);
      return;
    }
    const auto [place, message] = *first;
    if (!search(place.time(), enough) || may_leave_before(place)) return;
    const double own_event = work_.schedule.known_event(number_);
    if (own_event < infinity && place_of(own_event) < place) return;
    if (!take(message)) return;
    waiting_.erase(place);
  }
}

bool SubdomainProcess::is_idle_until(double time) const {
  return waiting_.empty() &&
         std::min(work_.schedule.known_event(number_), work_.schedule.none_before(number_)) > time;
}

std::optional<EventPlace> SubdomainProcess::next_event() const {
  const double time = work_.schedule.known_event(number_);
  if (failure_ || !(time < infinity)) return std::nullopt;
  const EventPlace place = place_of(time);
  const bool has_to_wait = !waiting_.empty() && waiting_.begin()->first < place;
  if (has_to_wait || may_leave_before(place)) return std::nullopt;
  return place;
}

EventPlace SubdomainProcess::bound() const {
  EventPlace bound =
      place_of(std::min(work_.schedule.known_event(number_), work_.schedule.none_before(number_)));
  if (may_leave_before(bound)) bound = exit_place();
  return waiting_.empty() ? bound : std::min(bound, waiting_.begin()->first);
}

bool SubdomainProcess::leaves() const { return exit_ < infinity && bound() == exit_place(); }

std::shared_ptr<const EventMessage> SubdomainProcess::do_event() {
  const std::optional<EventPlace> place = next_event();
  TERRACE_VERIFY(place.has_value(), number_);
  remember(*place, {number_, told_}, nullptr, all_places_);
  try {
    const std::shared_ptr<EventMessage> message = push_over_surface();
    message->place = *place;
    message->name = {number_, told_++};
    return message;
  } catch (const Error& error) {
    undo_last(error);
    return nullptr;
  }
}

// n, v_n and s at the surface of the terrace. What contact sees there is kept apart until the event is for
// good.
SubdomainGradient::Products SubdomainProcess::gradient_at_surface() {
  const auto for_each_contact = [&](auto visit) {
    for (const Potential* potential : own().potentials)
      if (potential->is_contact()) visit(work_.lines.of(*potential));
  };
  SubdomainState& mine = state();
  for_each_contact([](PotentialOnLine& line) { line.keep_extremes(); });
  const auto recall = [&] {
    for_each_contact([&](PotentialOnLine& line) {
      line.report(taken_.back().seen);
      line.recall_extremes();
    });
    taken_.back().seen.lists = 0;
  };
  try {
    const SubdomainGradient::Products products = work_.gradient.evaluate(
        number_, work_.state, mine.origin + mine.next.gradient_instant, mine.gradient_grids);
    recall();
    require_gradient(products, own(), mine.origin + mine.next.instant);
    return products;
  } catch (const Error&) {
    recall();
    throw;
  }
}

// Does what EnergyStepping::process_event does, for this subdomain's nodes alone. Returns the message for
// neighbours, without name and place.
std::shared_ptr<EventMessage> SubdomainProcess::push_over_surface() {
  renew_line();
  set_nodes(all_places_);
  SubdomainState& mine = state();
  const SubdomainGradient::Products products = gradient_at_surface();
  const SurfacePush push = surface_push(mine, products, work_.state.quantum);
  if (moves_by_its_force(work_.system, boxes_, number_))
    mine.monitor.compare_with_fall(push.instant, products.compliance);
  mine.monitor.remember(push.instant, push.reflected, mine.next.surface, own().certified);
  auto message = std::make_shared<EventMessage>();
  message->reflected = push.reflected;
  message->instant = push.instant;
  message->grid = products.grid;
  message->factor = push.factor;
  message->level = push.level;
  for (const std::int32_t node : place_.shared) {
    const Vector3& force = at(work_.gradient.values(), node);
    if (force == Vector3{}) continue;
    message->nodes.push_back(at(work_.system.global_nodes, node));
    message->gradient.push_back(force);
  }
  work_.state.apply_impulse(push.instant, push.factor, products.grid, work_.gradient.values(), own().nodes,
                            work_.changed, work_.all_nodes);
  work_.gradient.book_reactions(work_.state, push.factor);
  taken_.back().received = work_.take_receipts();
  mine.terrace.level = push.level;
  mine.origin = push.instant;
  {
    const OperationScope operation(Operation::line_set_up);
    work_.lines.for_each(own(), [&](OnLine& line) { line.set_line(work_.state.lines, push.instant); });
  }
  keep_nodes(all_places_);
  follow_body(push.instant);
  work_.schedule.renew(push.instant, {&number_, 1});
  return message;
}

// An event that is for good: what it saw and what was received count.
void SubdomainProcess::settle(const Taken& taken) {
  include(seen_, taken.seen);
  add_momenta(received_, taken.received);
}

void SubdomainProcess::forget_before(const EventPlace& place) {
  while (!taken_.empty() && taken_.front().place < place) {
    begin_ = taken_.front().place;
    settle(taken_.front());
    taken_.pop_front();
  }
}

void SubdomainProcess::keep_up_to(const EventPlace& place) {
  go_back_behind(place);
  waiting_.clear();
  undone_.clear();
  failure_.reset();
}

}  // namespace terrace
