// The batched search for first crossings: samples of many subdomains' lines, added over ranks in common
// reductions.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "dynamics/first_crossing.hpp"
#include "dynamics/lagrangian.hpp"

namespace terrace {

/// A subdomain's first crossing as every rank knows it.
struct CrossingFound {
  bool known = false;        ///< the search has ended; else only `certain_until` and `first_value` hold
  double certain_until = 0;  ///< from the line's origin: no crossing before
  FirstCrossing::Surface surface = FirstCrossing::Surface::none;
  double instant = 0, instant_before = 0, gradient_instant = 0;  ///< from the line's origin
  std::int64_t level_beyond = 0;
  double first_value = 0;  ///< V at the start of the search
};

/// One subdomain's search on its present line.
struct LineSearch {
  std::int32_t subdomain;
  FirstCrossing crossing;
  double until = std::numeric_limits<double>::infinity();  ///< from the origin: go on no farther for now

  [[nodiscard]] bool paused() const { return crossing.done() || crossing.certain_until() > until; }
};

class LineSearcher {
 public:
  explicit LineSearcher(const Lagrangian& lagrangian) : lagrangian_(lagrangian) {}

  /// Advances all searches to their ends, or until their crossing is certain to come after `until`. A
  /// subdomain that lives on one rank is searched there without messages; those spread over ranks advance
  /// together, one reduction for a sample of each. The samples taken do not depend on which of the two it is.
  /// Returns the results in the order of `searches`.
  std::vector<CrossingFound> find(std::span<LineSearch* const> searches);

  /// A new line of a subdomain. Where it holds contact alone, whose energies vary by orders of magnitude, its
  /// grids follow what was seen on the last line, lest a rare peak coarsen all later sums.
  void begin(std::int32_t subdomain);

  /// The subdomain holds other potentials from now on.
  void forget(std::int32_t subdomain);

  /// V, V′, V″ of a subdomain at origin + s, summed over all ranks; collective unless one rank holds it.
  double value(std::int32_t subdomain, double s);

  [[nodiscard]] std::int64_t element_evaluations() const { return element_evaluations_; }

 private:
  static constexpr std::size_t width = 14;  // numbers a sample contributes to a reduction
  static constexpr std::size_t ranges = 8;  // grids of a line
  void make_room();                         // for subdomains that came up
  [[nodiscard]] double terms(std::size_t subdomain) const;
  void sample(const LineSearch& search, std::span<double> numbers);
  [[nodiscard]] bool overflowed(const LineSearch& search, std::span<const double> numbers) const;
  [[nodiscard]] static LineTotals totals(std::span<const double> numbers);
  void raise(std::int32_t subdomain, std::span<const double> largest, double contact_terms);
  void search_alone(LineSearch& search);
  void find_collision(LineSearch& search);
  void search_together(std::span<LineSearch*> searches);
  std::vector<CrossingFound> publish(std::span<LineSearch* const> searches);

  const Lagrangian& lagrangian_;
  std::vector<LineGrids> grids_;
  std::vector<double> contact_terms_;  // of each subdomain, that its grids hold
  std::vector<std::array<double, ranges>>
      largest_;  // this rank's largest terms in the last sample of each subdomain
  std::vector<std::array<double, ranges>> seen_;  // largest terms in all samples of its present line
  std::int64_t element_evaluations_ = 0;
};

}  // namespace terrace
