// Clocked energy-stepping in windows: how all ranks come to the same end of a window.
#include <algorithm>
#include <array>

#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/gathered.hpp"
#include "parallel/together.hpp"

namespace terrace {

// Whether this rank has gone beyond `end` and must go back, or a rank of its team, which goes back together.
bool WindowedEnergyStepping::is_beyond(double end, std::span<const Outcome> all) const {
  const std::vector<int> ranks = clusters_.ranks_that_go_together();
  return std::ranges::any_of(ranks, [&](int other) { return at(all, other).farthest > end; });
}

// Takes all ranks through the window. Ranks go back until all have come to the same time, before which no
// body has left its tube, and none has done an event after the last one that was asked for, or after one that
// fails. Only an error that remains then counts, and is thrown on all ranks.
WindowedEnergyStepping::Passage WindowedEnergyStepping::pass(const Window& window, State& state) {
  struct NobodyAsks {
    ~NobodyAsks() { of_others.close_to_questions(); }
    RankPassage& of_others;
  } const at_the_end{passage_};
  Passage passage{.end = window.end, .events = 0, .last = {}, .last_fails = false};
  Outcome mine = passage_.go(window);
  std::vector<Outcome> all;
  for (;;) {
    all = outcomes(mine);
    passage_.close_to_questions();  // nobody asks any more
    passage.events = 0;
    for (const Outcome& outcome : all) {
      passage.events += outcome.events;
      passage.end = std::min(passage.end, outcome.reached);
    }
    if (std::ranges::any_of(all, [&](const Outcome& outcome) { return outcome.farthest > passage.end; })) {
      passage.last.reset();  // with an earlier end, events before it may be missing
      passage.last_fails = false;
      system_.clocks.do_none_after({});
      if (is_beyond(passage.end, all)) passage_.go_again(window, passage.end, mine);
      continue;
    }
    if (passage.last) break;
    find_last_to_do(passage, mine, all);
    if (!passage.last) break;
    system_.clocks.do_none_after(passage.last);
    passage_.go_again(window, passage.end, mine);
  }
  system_.clocks.do_none_after({});
  const bool any_failed = std::ranges::any_of(all, &Outcome::failed);
  TERRACE_VERIFY(any_failed || !passage.last_fails, passage.end);
  if (any_failed) fail(window, passage, mine, all, state);
  tell(window, news(window, mine), passage.end);
  return passage;
}

// The rank whose failed event comes first by Subdomain::order; −1: no rank has failed.
int WindowedEnergyStepping::first_to_fail(std::span<const Outcome> all) const {
  int first = -1;
  for (int other = 0; other < system_.ranks.size(); ++other) {
    const Outcome& outcome = at(all, other);
    if (outcome.failed && (first < 0 || outcome.failed_at.order < at(all, first).failed_at.order))
      first = other;
  }
  return first;
}

// Finds the last event to be done, if a failure or the number of events asked for ends the run. After a
// failure no simultaneous event that comes later may be done: one rank would not have done it either.
void WindowedEnergyStepping::find_last_to_do(Passage& passage, const Outcome& mine,
                                             std::span<const Outcome> all) {
  if (const int first = first_to_fail(all); first >= 0) {
    ClockedEvent failing = mine.failed_at;
    system_.ranks.broadcast(std::as_writable_bytes(std::span(&failing, 1)), first);
    passage.last_fails = failing.tick >= 0;
    if (passage.last_fails) passage.last = failing;
  }
  if (most_events_ == 0 || events_ + passage.events < most_events_) return;
  const ClockedEvent last_asked_for = last_of_all(most_events_ - events_);
  if (passage.last && *passage.last <= last_asked_for) return;
  passage.last = last_asked_for;
  passage.last_fails = false;
}

// Throws the failure on all ranks, of simultaneous ones that of the first event. The State is that at the
// failure, as one rank would leave it, or, if a rank has lost that, that at the begin of the window.
void WindowedEnergyStepping::fail(const Window& window, const Passage& passage, const Outcome& mine,
                                  std::span<const Outcome> all, State& state) {
  const int first = first_to_fail(all);
  std::vector<std::byte> bytes;
  double broken = mine.is_broken ? 1 : 0;  // the state may be that in the middle of an event
  try {
    if (!mine.is_broken) bytes = news(window, mine);
  } catch (const std::exception&) {
    broken = 1;
  }
  system_.ranks.maximum({&broken, 1});
  if (broken == 0) {
    tell(window, bytes, passage.end);
    events_ += passage.events;
    system_.state.time = passage.end;
  } else {
    passage_.put_back_rows();
  }
  bring_up_to_date(state);
  together(system_.ranks.handle(), [&] {
    if (rank() == first) std::rethrow_exception(passage_.error());
  });
}

// The `events`th of the events of all ranks in the window, which is the last to be done. Collective.
ClockedEvent WindowedEnergyStepping::last_of_all(std::int64_t events) const {
  for (int collectives = 0; collectives < 2; ++collectives) system_.ranks.count_exchange();
  // A rank sends its first `events` events only: none that comes after these can be the wanted one.
  std::vector<ClockedEvent> first = passage_.events_done();
  if (events < std::ssize(first)) {
    std::nth_element(first.begin(), first.begin() + events, first.end());
    first.resize(static_cast<std::size_t>(events));
  }
  ByteWriter writer;
  writer(first);
  const std::vector<std::vector<std::byte>> from_each =
      gathered_at_root(system_.ranks.handle(), writer.take());
  ClockedEvent last;
  together(system_.ranks.handle(), [&] {
    if (rank() != 0) return;
    std::vector<ClockedEvent> all, of_one;
    for (const std::vector<std::byte>& bytes : from_each) {
      ByteReader reader(bytes);
      reader(of_one);
      all.insert(all.end(), of_one.begin(), of_one.end());
    }
    TERRACE_VERIFY(events > 0 && events <= std::ssize(all), events, all.size());
    const auto wanted = all.begin() + (events - 1);
    std::nth_element(all.begin(), wanted, all.end());
    last = *wanted;
  });
  system_.ranks.broadcast(std::as_writable_bytes(std::span(&last, 1)), 0);
  return last;
}

// The outcomes of all ranks, in their order, without the ticks of failed events. Collective.
std::vector<WindowedEnergyStepping::Outcome> WindowedEnergyStepping::outcomes(const Outcome& mine) {
  const WindowPhase phase(system_.trace.get(), Operation::exchange);
  system_.ranks.count_exchange();
  const std::array<double, 6> own = {mine.reached,
                                     mine.farthest,
                                     mine.failed ? 1.0 : 0.0,
                                     static_cast<double>(mine.events),
                                     static_cast<double>(mine.failed_at.order[0]),
                                     static_cast<double>(mine.failed_at.order[1])};
  const std::vector<double> all = system_.ranks.numbers_of_all(
      own, RankPassage::long_time, [&](double seconds) { passage_.tell_of_waiting(seconds, mine); },
      [&] { passage_.answer_with_nothing(); });
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < all.size(); i += own.size())
    outcomes.push_back(
        {all[i],
         all[i + 1],
         all[i + 2] != 0,
         static_cast<std::int64_t>(all[i + 3]),
         {-1, {static_cast<std::int32_t>(all[i + 4]), static_cast<std::int32_t>(all[i + 5])}}});
  return outcomes;
}

}  // namespace terrace
