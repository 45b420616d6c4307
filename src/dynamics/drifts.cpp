#include "dynamics/drifts.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {

// A NaN stays: it is no small drift.
static void note(double& largest, double drift) {
  if (!std::isnan(largest) && !(drift <= largest)) largest = drift;
}

void Drifts::start(const SystemRecord& row, const IntegerMomentum& momentum, double angular_scale) {
  started_ = true;
  first_ = row;
  first_momentum_ = momentum;
  angular_scale_ = std::max(angular_scale, norm(row.angular_momentum));
}

void Drifts::add(const SystemRecord& row, const IntegerMomentum& momentum) {
  momentum_ = momentum;
  const double energy_scale = std::abs(first_.energy) > 0 ? std::abs(first_.energy) : 1;
  note(energy_, std::abs(row.energy - first_.energy) / energy_scale);
  if (angular_scale_ > 0)
    note(angular_momentum_, norm(row.angular_momentum - first_.angular_momentum) / angular_scale_);
}

std::array<std::int64_t, 3> Drifts::momentum_change() const {
  constexpr Integer128 most = Integer128{1} << 62;
  std::array<std::int64_t, 3> change{};
  for (std::size_t d = 0; d < 3; ++d)
    change[d] =
        static_cast<std::int64_t>(std::clamp<Integer128>(momentum_[d] - first_momentum_[d], -most, most));
  return change;
}

}  // namespace terrace
