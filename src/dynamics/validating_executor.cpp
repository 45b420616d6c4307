#include "dynamics/validating_executor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"

namespace terrace {

ValidatingExecutor::ValidatingExecutor(Lagrangian& lagrangian, State& state)
    : ConcurrentEnergyStepping(lagrangian, state),
      copy_(state),
      one_by_one_(lagrangian, copy_),
      counted_(lagrangian.subdomains.size(), 0),
      reflections_(lagrangian.subdomains.size(), 0) {}

static constexpr DoneEvent nothing{-1, 0, 0, false};

// That of the subdomain that has one more than before.
DoneEvent ValidatingExecutor::next_of_one_by_one(double until) {
  DoneEvent event = nothing;
  if (!one_by_one_.advance(copy_, until)) return event;
  const SubdomainStates& states = one_by_one_.states();
  for (std::size_t j = 0; j < states.size(); ++j) {
    const std::int64_t events = states[j].monitor.events(), reflections = states[j].monitor.reflections();
    if (events != counted_[j])
      event = {static_cast<std::int32_t>(j), states[j].origin, states[j].terrace.level,
               reflections > reflections_[j]};
    counted_[j] = events;
    reflections_[j] = reflections;
  }
  return event;
}

void ValidatingExecutor::require_same_events(double until, bool stopped) {
  const auto in_words = [&](const DoneEvent& event) {
    if (event.subdomain < 0) return std::string("none");
    return fmt::format("{} of subdomain {} at {:.17g} to level {}",
                       event.reflected ? "a reflection" : "a crossing",
                       at(system().subdomains, event.subdomain).name, event.instant, event.level);
  };
  std::int64_t number = events() - static_cast<std::int64_t>(last_events().size());
  std::vector<DoneEvent> events = last_events();
  if (!stopped) events.push_back(nothing);
  for (const DoneEvent& event : events) {
    const DoneEvent expected = next_of_one_by_one(until);
    ++number;
    if (event == expected) continue;
    throw Error(Error::Kind::run,
                fmt::format("event {}, {}", number, at_time(std::max(event.instant, expected.instant))),
                "the event of one after the other, " + in_words(expected), in_words(event),
                Error::Reach::all_ranks);
  }
}

void ValidatingExecutor::require_same_state(const State& state) const {
  const auto bytes = [](const State& of, const EnergyStepping& integrator) {
    ByteWriter writer;
    std::uint64_t hash = integrator.hash();
    writer(of, hash);
    return writer.take();
  };
  together(system().communicator->handle(), [&] {
    if (bytes(state, *this) != bytes(copy_, one_by_one_))
      throw Error(Error::Kind::run, fmt::format("event {}, {}", events(), at_time(state.time)),
                  "the state of one event after the other", "another");
  });
}

bool ValidatingExecutor::advance(State& state, double until) {
  const bool stopped = ConcurrentEnergyStepping::advance(state, until);
  require_same_events(until, stopped);
  require_same_state(state);
  return stopped;
}

void ValidatingExecutor::restore(const State& state, ByteReader& reader) {
  const ByteReader same = reader;
  ConcurrentEnergyStepping::restore(state, reader);
  copy_ = state;
  ByteReader again = same;
  one_by_one_.restore(copy_, again);
  for (std::size_t j = 0; j < counted_.size(); ++j) {
    counted_[j] = one_by_one_.states()[j].monitor.events();
    reflections_[j] = one_by_one_.states()[j].monitor.reflections();
  }
}

}  // namespace terrace
