// Clocked energy-stepping in windows: how all ranks come to the same end of one.
#include <algorithm>
#include <array>

#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/gathered.hpp"
#include "parallel/together.hpp"

namespace terrace {

// Whether this rank has to go back to come to `end`: one of a team does what all of it do.
bool WindowedEnergyStepping::is_beyond(double end, std::span<const Outcome> all) const {
  const std::vector<int> ranks = clusters_.ranks_that_go_together();
  return std::ranges::any_of(ranks, [&](int other) { return at(all, other).farthest > end; });
}

// Until all ranks have come to the same time with the same right: no body has left its tube before, and no
// event comes after the last one that was asked for, or after one that failed. Only then is an error one.
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
      passage.last.reset();  // if there was one, events before it may be missing now
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

// −1: none.
int WindowedEnergyStepping::first_to_fail(std::span<const Outcome> all) const {
  int first = -1;
  for (int other = 0; other < system_.ranks.size(); ++other) {
    const Outcome& outcome = at(all, other);
    if (outcome.failed && (first < 0 || outcome.failed_at.order < at(all, first).failed_at.order))
      first = other;
  }
  return first;
}

// Where there is one: with simultaneous events of others after one that failed the state would be another
// than one rank's.
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

// With the state at the failure, as one rank would leave it, or, where nothing can be told of it, at the
// begin of the window; of simultaneous failures that of the first event.
void WindowedEnergyStepping::fail(const Window& window, const Passage& passage, const Outcome& mine,
                                  std::span<const Outcome> all, State& state) {
  const int first = first_to_fail(all);
  std::vector<std::byte> bytes;
  double broken = mine.is_broken ? 1 : 0;  // in the middle of an event, of which nothing can be told
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

// Of the events of all ranks in the window, the last that is still to be done.
ClockedEvent WindowedEnergyStepping::last_of_all(std::int64_t events) const {
  for (int collectives = 0; collectives < 2; ++collectives) system_.ranks.count_exchange();
  // Those of a rank that come after as many of its own come after them all the same.
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

// In the order of ranks.
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
