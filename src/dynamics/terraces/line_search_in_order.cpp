// Chooses, sample by sample, which of several searches go on: those whose crossing may be the first.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "dynamics/terraces/line_search.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "parallel/profile.hpp"
#include "parallel/together.hpp"

namespace terrace {

// A known crossing ends all searches whose crossings are certain to come later.
void LineSearcher::end_at_first_known(std::span<Active> searches) {
  double first = infinity;
  for (const Active& search : searches)
    if (search.crossing.done()) first = std::min(first, search.origin() + search.crossing.foreseen());
  for (Active& search : searches) search.until = std::min(search.until, first);
}

// Returns the search whose crossing is foreseen first, and those that may come before it. The others wait
// until that crossing is known: most lines end before they reach a surface, so that their results are rarely
// needed.
std::span<LineSearcher::Active* const> LineSearcher::those_that_may_be_first(std::span<Active> searches) {
  end_at_first_known(searches);
  const auto foreseen = [](const Active* search) { return search->origin() + search->crossing.foreseen(); };
  active_.clear();
  for (Active& search : searches)
    if (!search.paused()) active_.push_back(&search);
  if (active_.empty()) return active_;
  const Active* first = *std::ranges::min_element(active_, {}, foreseen);
  const double instant = foreseen(first);
  std::erase_if(active_,
                [&](const Active* search) { return search != first && search->comes_after(instant); });
  return active_;
}

// Subdomains that every rank searches by itself (Subdomain::everywhere) come first, apart from the rank's
// own: their results must not depend on what else the rank searches.
void LineSearcher::search(std::span<Active> searches) {
  together_.clear();
  alone_.clear();
  on_all_ranks_.clear();
  for (Active& search : searches) {
    const int only = only_rank(search.subdomain);
    if (only >= 0 && only != lagrangian_.communicator->rank()) continue;
    look_for_room(search);
    const bool everywhere = at(lagrangian_.subdomains, search.subdomain).everywhere;
    (everywhere ? on_all_ranks_ : only < 0 ? together_ : alone_).push_back(search);
  }
  search_alone(on_all_ranks_);
  search_alone(alone_);
  for (auto active = those_that_may_be_first(together_); !active.empty();
       active = those_that_may_be_first(together_))
    sample_together(active);
  publish(searches);
}

// Does a step of a search; an error only marks the search as failed. How far a search goes depends on what
// its rank knows of other crossings. So it may fail at an instant that it would not reach with another number
// of ranks.
void LineSearcher::attempt(Active& search, const std::function<void()>& step) {
  try {
    step();
  } catch (const Error& error) {
    failures_.insert_or_assign(search.subdomain, error);
    search.failed = true;
  }
}

// Throws, on all ranks, the error of the earliest search that should have gone on and did not. All ranks know
// how far each search has come, hence which one this is; the error itself is known where it was searched.
void LineSearcher::require_success(std::span<const Active> searches) const {
  const auto next = [&](const Active& search) -> const CrossingFound& {
    return at(states_, search.subdomain).next;
  };
  const auto come_to = [&](const Active& search) {
    const CrossingFound& found = next(search);
    return search.origin() + (found.known ? found.instant : found.certain_until);
  };
  const auto in_order = [&](const Active* a, const Active* b) {
    const auto place = [&](const Active* search) {
      return std::pair(come_to(*search), at(lagrangian_.subdomains, search->subdomain).order);
    };
    return place(a) < place(b);
  };
  double first = infinity;
  for (const Active& search : searches)
    if (next(search).known && next(search).surface != FirstCrossing::Surface::none)
      first = std::min(first, come_to(search));
  const Active* failed = nullptr;
  for (const Active& search : searches) {
    const bool had_to_go_on = !next(search).known && come_to(search) <= std::min(search.until, first);
    if (had_to_go_on && (failed == nullptr || in_order(&search, failed))) failed = &search;
  }
  if (failed == nullptr) return;
  const auto fail = [&] {
    const auto failure = failures_.find(failed->subdomain);
    if (failure != failures_.end()) throw Error(failure->second);
  };
  // A communicator of one rank throws the error as it is, for this rank alone: others may wait for it
  // elsewhere.
  if (lagrangian_.communicator->size() == 1)
    fail();
  else
    together(lagrangian_.communicator->handle(), fail);
  TERRACE_VERIFY(false, failed->subdomain, come_to(*failed), first);
}

// Takes one sample of each search on all ranks, with one reduction for all.
void LineSearcher::sample_together(std::span<Active* const> active) {
  std::vector<double> numbers(active.size() * width, 0.0);
  for (std::size_t k = 0; k < active.size(); ++k)
    sample(*active[k], std::span(numbers).subspan(k * width, width));
  lagrangian_.communicator->sum(numbers);
  std::vector<double> largest;
  std::vector<std::size_t> refitted;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const auto mine = std::span<const double>(numbers).subspan(k * width, width);
    attempt(*active[k], [&] { require_progress(*active[k]); });
    if (active[k]->failed) continue;
    if (fits(*active[k], mine)) {
      active[k]->crossing.supply(totals(mine));
      continue;
    }
    refitted.push_back(k);
    largest.insert(largest.end(), active[k]->largest.begin(), active[k]->largest.end());
  }
  if (refitted.empty()) return;
  // A maximum may lose a NaN, but not an infinity.
  for (double& x : largest)
    if (std::isnan(x)) x = infinity;
  lagrangian_.communicator->maximum(largest);
  for (std::size_t i = 0; i < refitted.size(); ++i)
    attempt(*active[refitted[i]], [&] {
      refit(*active[refitted[i]], std::span<const double>(largest).subspan(ranges * i, ranges),
            std::span<const double>(numbers).subspan(refitted[i] * width, width));
    });
}

void LineSearcher::search_alone(std::span<Active> searches) {
  const OperationScope operation(Operation::alone, lagrangian_.communicator->size() > 1);
  for (auto active = those_that_may_be_first(searches); !active.empty();
       active = those_that_may_be_first(searches))
    for (Active* search : active) attempt(*search, [&] { sample_alone(*search); });
}

}  // namespace terrace
