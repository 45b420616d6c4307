#include "dynamics/measuring/drifts.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {

// The larger of both. A NaN counts as the largest and stays, as it is no small drift.
static void note(double& largest, double drift) {
  if (!std::isnan(largest) && !(drift <= largest)) largest = drift;
}

void Drifts::start(const SystemRecord& row, const IntegerMomentum& momentum, double angular_scale) {
  started_ = true;
  first_ = row;
  last_time_ = row.time;
  first_momentum_ = momentum;
  angular_scale_ = std::max(angular_scale, norm(row.own_angular_momentum));
}

void Drifts::add(const SystemRecord& row, const IntegerMomentum& momentum) {
  const double before = scale();
  momentum_ = momentum;
  last_time_ = row.time;
  note(energy_change_, std::abs(row.energy - first_.energy));
  note(mismatch_, std::abs(row.potential - row.terraced));
  // Energy that was gained by error must not enlarge the scale that the error is measured by.
  most_kinetic_ = std::max(most_kinetic_, row.kinetic - std::max(row.energy - first_.energy, 0.0));
  most_work_ = std::max(most_work_, std::abs(row.support_work));
  constexpr double hardly = 0.01;
  scale_grows_ = scale() > (1 + hardly) * before;
  note(angular_change_, norm(row.own_angular_momentum - first_.own_angular_momentum));
}

std::optional<double> Drifts::angular_momentum() const {
  if (angular_scale_ > 0) return angular_change_ / angular_scale_;
  return angular_change_ == 0 ? std::optional(0.0) : std::nullopt;
}

double Drifts::scale() const { return std::max({std::abs(first_.energy), most_kinetic_, most_work_}); }

double Drifts::over_scale(double change) const { return scale() > 0 ? change / scale() : change; }

std::array<std::int64_t, 3> Drifts::momentum_change() const {
  constexpr Integer128 most = Integer128{1} << 62;
  std::array<std::int64_t, 3> change{};
  for (std::size_t d = 0; d < 3; ++d)
    change[d] =
        static_cast<std::int64_t>(std::clamp<Integer128>(momentum_[d] - first_momentum_[d], -most, most));
  return change;
}

}  // namespace terrace
