#include "dynamics/concurrent/validating_executor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "dynamics/state/momenta_of_all.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"

namespace terrace {

static constexpr DoneEvent nothing{-1, 0, 0, false};

void ValidatingExecutor::count_events() {
  counted_.clear();
  reflections_.clear();
  for (const SubdomainState& own : states()) {
    counted_.push_back(own.monitor.events());
    reflections_.push_back(own.monitor.reflections());
  }
}

// Does the next event in one after the other, and returns it: that of the subdomain whose count has changed.
DoneEvent ValidatingExecutor::next_of_one_by_one(State& state, double until) {
  if (!advance_one_by_one(state, until)) return nothing;
  counted_.resize(states().size(), 0);
  reflections_.resize(states().size(), 0);
  DoneEvent event = nothing;
  for (std::size_t j = 0; j < counted_.size(); ++j) {
    const SubdomainState& own = states()[j];
    if (own.monitor.events() != counted_[j])
      event = {static_cast<std::int32_t>(j), own.origin, own.terrace.level,
               own.monitor.reflections() > reflections_[j]};
  }
  count_events();
  return event;
}

void ValidatingExecutor::require_same_events(State& state, double until, bool stopped) {
  const auto in_words = [&](const DoneEvent& event) {
    if (event.subdomain < 0) return std::string("none");
    return fmt::format("{} of subdomain {} at {:.17g} to level {}",
                       event.reflected ? "a reflection" : "a crossing",
                       at(system().subdomains, event.subdomain).name, event.instant, event.level);
  };
  std::vector<DoneEvent> done = last_events();
  if (!stopped) done.push_back(nothing);
  count_events();
  for (const DoneEvent& event : done) {
    const DoneEvent expected = next_of_one_by_one(state, until);
    if (event == expected) continue;
    throw Error(Error::Kind::run,
                fmt::format("event {}, {}", events(), at_time(std::max(event.instant, expected.instant))),
                "the event of one after the other, " + in_words(expected), in_words(event),
                Error::Reach::all_ranks);
  }
}

// The State and levels as bytes. Ledgers are added up over ranks first, since in one after the other another
// rank may have booked what a support received.
std::vector<std::byte> ValidatingExecutor::bytes(const State& state) const {
  State with_sums = state;
  add_up_momenta(*system().communicator, with_sums.ledger);
  ByteWriter writer;
  const std::uint64_t of_levels = hash();
  writer(std::as_const(with_sums), of_levels);
  return writer.take();
}

bool ValidatingExecutor::advance(State& state, double until) {
  const State before = state;
  ByteWriter writer;
  share();
  save(writer);
  const std::vector<std::byte> saved = writer.take();
  const bool stopped = ConcurrentEnergyStepping::advance(state, until);
  const std::vector<std::byte> found = bytes(state);
  state = before;
  ByteReader reader(saved);
  restore(state, reader);
  require_same_events(state, until, stopped);
  const std::vector<std::byte> expected = bytes(state);
  together(system().communicator->handle(), [&] {
    if (expected != found)
      throw Error(Error::Kind::run, fmt::format("event {}, {}", events(), at_time(state.time)),
                  "the state of one event after the other", "another");
  });
  return stopped;
}

}  // namespace terrace
