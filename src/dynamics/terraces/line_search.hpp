// The batched search for first crossings: samples of many subdomains' lines, added over ranks in common
// reductions.
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

/// A search to go on with.
struct PendingSearch {
  std::int32_t subdomain;
  double until;  ///< time up to which it is to go on
};

/// Goes on with the searches of subdomains (SubdomainState::search) on their present lines.
class LineSearcher {
 public:
  /// All must outlive this; `states` by subdomain.
  LineSearcher(const Lagrangian& lagrangian, SubdomainStates& states, Lines& lines)
      : lagrangian_(lagrangian), states_(states), lines_(lines) {}

  /// Advances the searches until the first of their crossings is known, and all others are certain to come
  /// later than that or than `until`; every rank then knows the results (SubdomainState::next). A subdomain
  /// that lives on one rank is searched there without messages; those spread over ranks advance together, one
  /// reduction for a sample of each. Each search's samples, as far as it goes, do not depend on which of the
  /// two it is, nor on the others. A search that fails ends where it had come to: that is an error, thrown on
  /// all ranks, only where no other's crossing comes before. With `done` they go on one after the other, and
  /// each is told of. Collective.
  void find(std::span<const PendingSearch> searches, const std::function<void(std::int32_t)>& done = {});

  /// As `find` in two parts, without a reduction of its own: one sample of each search that ranks share;
  /// those of this rank alone go to their ends. Returns what is to be added up over all ranks.
  [[nodiscard]] std::vector<double> ask(std::span<const PendingSearch> searches);
  /// The sums, on all ranks. Returns for each search whether it came as far as it was asked to; only then all
  /// know its result. The others go on with `find`.
  [[nodiscard]] std::vector<std::uint8_t> understand(std::span<const double> sums);
  /// Instead of `understand`: as if it had not been asked.
  void withdraw();

  /// A new line of a subdomain. Where it holds contact alone, whose energies vary by orders of magnitude, its
  /// grids follow what was seen on the last line, lest a rare peak coarsen all later sums.
  void begin(std::int32_t subdomain);

  /// Of a pair that waits, which this rank searches alone, one or both of its bodies have new lines from
  /// `instant` on, on which nodes come nearer to each other no faster than `speed`. From the next search on,
  /// as long as that is told of all new lines of either body, no search looks for room that is known to be
  /// left.
  void follow_approach(std::int32_t subdomain, double instant, double speed);
  /// There may be new lines that are not told.
  void forget_approach(std::int32_t subdomain) { approaches_.erase(subdomain); }
  void forget_approaches() { approaches_.clear(); }

  /// The states of subdomains that live on one rank go from there to all others. Collective.
  void share();

  /// V of a subdomain at the origin of its line, summed over all ranks; collective.
  double value(std::int32_t subdomain);

  [[nodiscard]] std::int64_t element_evaluations() const { return element_evaluations_; }
  /// New lines so far.
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
    votes,                            ///< of ranks, on each grid of a line
    width = votes + LineSums::ranges  ///< how many there are
  };
  static constexpr std::size_t ranges = LineSums::ranges;  // grids of a line
  /// On a grid that is far too coarse for what a rank has, or not; none where it has nothing.
  static constexpr double coarse = 1, fine = 0x1p32;
  struct Active {
    std::int32_t subdomain;
    FirstCrossing& crossing;
    double until;
    std::array<double, ranges> largest{};  // this rank's largest terms in the last sample
    double apart = 0, apart_until = 0;     // of a pair that waits: CrossingFound::apart, if not 0
    bool failed = false;                   // in failures_
    [[nodiscard]] double origin() const { return crossing.origin(); }
    /// A crossing at that time, as its event will have it, is not missed, and no search ends before its first
    /// sample, which tells the monitors how well V fits its terrace.
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
  /// What one rank finds others have to know.
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
  std::map<std::int32_t, Approach> approaches_;          // that are followed
  std::vector<Active> found_;                            // in `find`, and from `ask` on
  std::vector<Active> together_, alone_, on_all_ranks_;  // of a search, by who samples them
  std::vector<Active*> active_;                          // of them
  std::map<std::int32_t, Error> failures_;               // of searches of the last `find`
  struct Asked {
    FirstCrossing search{{}, true, 0, 0, 0, 0};
    LineSumsOnTrial line_sums;
  };
  std::vector<Asked> before_;  // `ask`, of found_
  std::int64_t element_evaluations_ = 0, searches_ = 0;
};

}  // namespace terrace
