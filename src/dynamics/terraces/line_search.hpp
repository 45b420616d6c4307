// The search for first crossings of many subdomains at a time: samples of their lines are summed over ranks
// in common reductions.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/terraces/lines.hpp"
#include "dynamics/terraces/subdomain_state.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// A request to continue a subdomain's search.
struct PendingSearch {
  std::int32_t subdomain;
  double until;  ///< time up to which the search is to go
};

/// Continues the searches of subdomains (SubdomainState::search) on their present lines, and stores their
/// results in SubdomainState::next.
class LineSearcher {
 public:
  /// All arguments must outlive this; `states`: by number of the subdomain.
  LineSearcher(const Lagrangian& lagrangian, SubdomainStates& states, Lines& lines)
      : lagrangian_(lagrangian), states_(states), lines_(lines) {}

  /// Advances the searches until the first of their crossings is known, and all others are certain to come
  /// later than that crossing or than their `until`. Every rank then knows the results
  /// (SubdomainState::next). Collective.
  ///
  /// A subdomain that lives on one rank is searched there without messages. Those spread over ranks advance
  /// together, with one reduction for one sample of each. The samples of a search, as far as it goes, depend
  /// neither on this nor on the other searches. A search that fails stops where it is. The error is thrown,
  /// on all ranks, only if no other search has a crossing before that. With `done` the searches go one after
  /// the other, and `done` is called with the subdomain of each.
  void find(std::span<const PendingSearch> searches, const std::function<void(std::int32_t)>& done = {});

  /// The first half of a `find` whose reduction the caller does, together with one of its own. Takes one
  /// sample for each search that ranks share; searches of this rank alone go to their ends. Returns the
  /// numbers to be summed over all ranks.
  [[nodiscard]] std::vector<double> ask(std::span<const PendingSearch> searches);
  /// The second half: takes the sums of what `ask` returned, on all ranks. Returns for each search whether it
  /// has come as far as was asked; only then all ranks know its result. The others have to go on with `find`.
  [[nodiscard]] std::vector<std::uint8_t> understand(std::span<const double> sums);
  /// Instead of `understand`: puts everything back to how it was before `ask`.
  void withdraw();

  /// Notes that a subdomain has a new line. The energies of a subdomain of contact alone vary by orders of
  /// magnitude. Its grids are fitted to what was seen on the last line, so that a rare peak does not make all
  /// later sums coarse.
  void begin(std::int32_t subdomain);

  /// For a waiting pair that this rank searches alone: one or both of its bodies have new lines from
  /// `instant` on, on which their nodes approach each other no faster than `speed` [length/time]. From the
  /// first call on this has to be called for all new lines of either body. Then a search does not measure the
  /// distance of the surfaces again while enough of the room found before is left.
  void follow_approach(std::int32_t subdomain, double instant, double speed);
  /// Ends this for a pair (or for all): it may get new lines without a call of follow_approach.
  void forget_approach(std::int32_t subdomain) { approaches_.erase(subdomain); }
  void forget_approaches() { approaches_.clear(); }

  /// Sends the states of subdomains that live on one rank from there to all others. Collective.
  void share();

  /// Returns V of a subdomain at the origin of its line [J], summed over all ranks. Collective.
  double value(std::int32_t subdomain);

  [[nodiscard]] std::int64_t element_evaluations() const { return element_evaluations_; }
  /// Number of searches so far, one for each new line (`begin`).
  [[nodiscard]] std::int64_t searches() const { return searches_; }

 private:
  /// The numbers a sample contributes to a reduction.
  enum Number : std::size_t {
    value_coarse,
    value_fine,
    slope,
    curvature,
    infinite,
    third,
    below,
    above,
    rise,
    fall,
    bound_invalid,
    longest_trial,
    overflow,
    contact_terms,
    votes,                            ///< for each grid of a line, the sum of the ranks' votes on it
    width = votes + LineSums::ranges  ///< how many numbers there are
  };
  static constexpr std::size_t ranges = LineSums::ranges;  // number of grids of a line
  /// The vote of a rank on a grid: whether the grid is far too coarse for the rank's terms, or fine enough. A
  /// rank without terms votes 0.
  static constexpr double coarse = 1, fine = 0x1p32;
  /// A search in `find`, `ask` or `value`.
  struct Active {
    std::int32_t subdomain;
    FirstCrossing& crossing;
    double until;
    std::array<double, ranges> largest{};  // this rank's largest terms in the last sample
    // Of a waiting pair: apart and certain_until of CrossingFound, if not 0.
    double apart = 0, apart_until = 0;
    bool failed = false;  // its error is in failures_
    [[nodiscard]] double origin() const { return crossing.origin(); }
    /// Whether the crossing is certain to come after `time`. The sum is formed as for the time of an event,
    /// so that a crossing at exactly `time` is not missed. False before the first sample, which tells the
    /// monitors how well V fits its terrace.
    [[nodiscard]] bool comes_after(double time) const {
      const bool has_begun = crossing.samples() > 0 || crossing.certain_until() > crossing.start();
      return has_begun && origin() + crossing.certain_until() > time;
    }
    [[nodiscard]] bool paused() const { return failed || apart > 0 || crossing.done() || comes_after(until); }
  };
  [[nodiscard]] LineSums& sums(const Active& search) {
    return states_[static_cast<std::size_t>(search.subdomain)].line_sums.now;
  }
  [[nodiscard]] double terms(std::int32_t subdomain) const;
  [[nodiscard]] bool follows_peaks(std::int32_t subdomain) const;
  void remember(Active& search);
  [[nodiscard]] int only_rank(std::int32_t subdomain) const {
    return lagrangian_.subdomains[static_cast<std::size_t>(subdomain)].only_rank;
  }
  /// Whether one rank finds the result and has to tell it to the others.
  [[nodiscard]] bool is_to_be_told(std::int32_t subdomain) const {
    return only_rank(subdomain) >= 0 &&
           !lagrangian_.subdomains[static_cast<std::size_t>(subdomain)].everywhere;
  }
  void search(std::span<Active> searches);
  static void end_at_first_known(std::span<Active> searches);
  [[nodiscard]] std::span<Active* const> those_that_may_be_first(std::span<Active> searches);
  void sample_together(std::span<Active* const> active);
  void sample(Active& search, std::span<double> numbers);
  [[nodiscard]] bool fits(const Active& search, std::span<const double> numbers);
  [[nodiscard]] static LineTotals totals(std::span<const double> numbers);
  void refit(const Active& search, std::span<const double> largest, std::span<const double> numbers);
  void require_progress(const Active& search) const;
  void attempt(Active& search, const std::function<void()>& step);
  void require_success(std::span<const Active> searches) const;
  void search_alone(std::span<Active> searches);
  void sample_alone(Active& search);
  void look_for_collision(Active& search);
  void look_for_room(Active& search);
  [[nodiscard]] PotentialOnLine::Room look(const Active& search);
  [[nodiscard]] bool waits(std::int32_t subdomain) const;
  [[nodiscard]] static CrossingFound result_of(const Active& search);
  void list(std::span<const PendingSearch> searches);
  void publish(std::span<const Active> searches);

  const Lagrangian& lagrangian_;
  SubdomainStates& states_;
  Lines& lines_;
  std::map<std::int32_t, Approach> approaches_;          // of pairs that follow_approach was called for
  std::vector<Active> found_;                            // the searches of `find`, and from `ask` on
  std::vector<Active> together_, alone_, on_all_ranks_;  // the same, by who samples them
  std::vector<Active*> active_;                          // those of them that take the next sample
  std::map<std::int32_t, Error> failures_;               // of searches of the last `find`, by subdomain
  struct Asked {
    FirstCrossing search{{}, true, 0, 0, 0, 0};
    LineSumsOnTrial line_sums;
  };
  std::vector<Asked> before_;  // the searches of found_ as they were before `ask`
  std::int64_t element_evaluations_ = 0;
  std::int64_t searches_ = 0;
};

}  // namespace terrace
