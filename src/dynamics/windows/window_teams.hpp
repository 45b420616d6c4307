// How many ranks a cluster of bodies is worth in a window, and what a team of ranks gains.
#pragma once

#include <span>

namespace terrace {

/// Totals of one terrace: bodies that touch, or a body alone.
struct TerraceTotals {
  double bodies = 0;
  double surface = 0;  ///< nodes of their surfaces, which all ranks of a team follow
  double work = 0;     ///< [elements/time]
  double events = 0;   ///< [1/time]
};

/// The work of a terrace that every rank of a team does [elements/time]: all of it for a body that touches no
/// other; for several bodies what it takes to follow all of their surfaces.
[[nodiscard]] double done_by_all(const TerraceTotals& terrace);

/// The least gain that makes a team worth while: the share of time that it saves over one rank, or over the
/// best smaller team.
inline constexpr double worthwhile_gain = 0.25;

/// Whether a cluster with this `work` may be worth a team, each rank of which does at least `done_by_all` of
/// it [elements/time]. A quick test; worthwhile_ranks tells whether it is.
[[nodiscard]] bool may_be_worth_a_team(double done_by_all, double work);

/// The share of a terrace's work (1: all of it) that a rank of a team does if it has so many of the bodies
/// and follows the surfaces of all.
[[nodiscard]] double largest_share(const TerraceTotals& terrace, double bodies_of_a_rank);

/// Whether a team of so many ranks divides a terrace; else each rank does all of its work. An event of a
/// divided terrace takes as long as what every rank does, the largest share of the rest, and its messages.
[[nodiscard]] bool is_divided(const TerraceTotals& terrace, int ranks);

/// The time that a team of so many ranks takes for a cluster of these terraces, waiting included, as work of
/// one rank [elements/time].
[[nodiscard]] double time_of_team(std::span<const TerraceTotals> cluster, int ranks);

/// How many ranks a cluster of these terraces is worth, `most` at most; 1: no team. No larger team is tried
/// once its time is down to `enough` [elements/time], and none is taken that gains less than worthwhile_gain.
[[nodiscard]] int worthwhile_ranks(std::span<const TerraceTotals> cluster, int most, double enough);

}  // namespace terrace
