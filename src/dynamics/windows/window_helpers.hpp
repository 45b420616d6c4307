// Helpers: ranks that have nothing left to do in a window take clusters that other ranks have not begun.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "dynamics/windows/window_plan.hpp"

namespace terrace {

/// The foreseen costs of a cluster that another rank could take.
struct OfferedCluster {
  double work = 0;   ///< until the end of the window [elements]
  double costs = 0;  ///< of taking it over [elements]
};

/// The place of the cluster that a rank gives to one that has nothing left: that with which both are done
/// soonest; none if the rank is done as soon by itself (with HelperUse::always it still gives one).
/// `clusters`: those that it has not begun. `left`: work that it must do besides them [elements].
[[nodiscard]] std::optional<std::size_t> cluster_to_give(std::span<const OfferedCluster> clusters,
                                                         double left, HelperUse use);

/// What is left of a cluster's `work` [elements] for one of the `ranks` that divide it, when it has come to
/// `time` between `begin` and `end`. Work is assumed to be spread evenly over that time.
[[nodiscard]] double work_left(double work, double begin, double end, double time, std::size_t ranks);

/// How fast a rank did the work that was foreseen for it. The latest windows count most.
class Speed {
 public:
  /// Another window begins: former ones count less.
  void go_on() {
    constexpr double kept = 0.8;
    elements_ *= kept;
    seconds_ *= kept;
  }
  void add(double elements, double seconds) {
    elements_ += elements;
    seconds_ += seconds;
  }
  /// The speed [elements/s]; 0 if the rank did nothing.
  [[nodiscard]] double value() const { return seconds_ > 0 ? elements_ / seconds_ : 0; }

 private:
  double elements_ = 0, seconds_ = 0;
};

/// WindowOutlook::slowness of ranks with these speeds [elements/s], 0: unknown. Slowness is 1 if it is
/// unknown or within 5 % of 1, and is kept between 1/2 and 2.
[[nodiscard]] std::vector<double> slowness_of(std::span<const double> speeds);

/// The ranks that rank `me` of `ranks` asks for clusters, in this order: at most four of the 16 that have
/// most to give by the plan. They depend on `me`, so that not all ranks ask the same ones.
[[nodiscard]] std::vector<int> ranks_to_ask(const Window& window, int me, int ranks);

}  // namespace terrace
