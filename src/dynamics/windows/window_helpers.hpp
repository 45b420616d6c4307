// Clusters that a rank has not begun go to ranks that have nothing left to do in the window.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "dynamics/windows/window_plan.hpp"

namespace terrace {

/// A cluster that another rank could take, as it is foreseen.
struct OfferedCluster {
  double work = 0;   ///< until the end of the window [elements]
  double costs = 0;  ///< of taking it over [elements]
};

/// Which of the clusters that a rank has not begun it gives to a rank that has nothing left: the one with
/// which both are done soonest; none where the rank is done as soon by itself. `left`: of what it is at
/// [elements].
[[nodiscard]] std::optional<std::size_t> cluster_to_give(std::span<const OfferedCluster> clusters,
                                                         double left, HelperUse use);

/// Of a cluster's work what is left to a rank that has come from the window's begin to `time`, where so many
/// ranks divide it [elements].
[[nodiscard]] double work_left(double work, double begin, double end, double time, std::size_t ranks);

/// How fast a rank did what was foreseen in the last windows, the latest counting most.
class Speed {
 public:
  /// Another window begins.
  void go_on() {
    constexpr double kept = 0.8;
    elements_ *= kept;
    seconds_ *= kept;
  }
  void add(double elements, double seconds) {
    elements_ += elements;
    seconds_ += seconds;
  }
  /// [elements/s]; 0 where it did nothing.
  [[nodiscard]] double value() const { return seconds_ > 0 ? elements_ / seconds_ : 0; }

 private:
  double elements_ = 0, seconds_ = 0;
};

/// WindowOutlook::slowness of ranks with these speeds; what is hardly slower, or unknown, is 1, and nothing
/// is beyond a factor of two.
[[nodiscard]] std::vector<double> slowness_of(std::span<const double> speeds);

/// Whom rank `me` of so many asks for clusters, in this order: those that by the plan have most to give. With
/// many ranks not all ask the same.
[[nodiscard]] std::vector<int> ranks_to_ask(const Window& window, int me, int ranks);

}  // namespace terrace
