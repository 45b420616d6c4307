// How many ranks take a cluster of bodies through a window, and which of its bodies are whose.
#pragma once

#include <span>

namespace terrace {

/// Bodies that touch, or one alone, together.
struct TerraceTotals {
  double bodies = 0;
  double surface = 0;  ///< nodes of their surfaces, which all ranks of a team follow
  double work = 0;     ///< [elements/time]
  double events = 0;   ///< [1/time]
};

/// What each rank of a team does of a terrace [elements/time]: all of a body that touches none; of several
/// bodies at least this much, as it follows all of their surfaces.
[[nodiscard]] double done_by_all(const TerraceTotals& terrace);

/// So much less time than one rank a team must take at least, and a larger team than the best smaller one.
inline constexpr double worthwhile_gain = 0.25;

/// Whether a cluster may be worth several ranks of which each does so much of its work, or more; quicker than
/// worthwhile_ranks, which says whether it is.
[[nodiscard]] bool may_be_worth_a_team(double done_by_all, double work);

/// The share of a terrace's work (1: all of it) of a rank of a team that has so many of its bodies and
/// follows the surfaces of all.
[[nodiscard]] double largest_share(const TerraceTotals& terrace, double bodies_of_a_rank);

/// Whether a terrace is divided by a team of so many ranks, or each of them does all of its work: an event of
/// what is divided takes as long as its largest share, what all do, and its messages.
[[nodiscard]] bool is_divided(const TerraceTotals& terrace, int ranks);

/// What the ranks of such a team are busy with or wait for each other, of a cluster of these terraces
/// [elements/time].
[[nodiscard]] double time_of_team(std::span<const TerraceTotals> cluster, int ranks);

/// How many ranks a cluster is worth, of at most so many: no more than bring it to `enough`, and no more
/// where they gain little. 1: it is not.
[[nodiscard]] int worthwhile_ranks(std::span<const TerraceTotals> cluster, int most, double enough);

}  // namespace terrace
