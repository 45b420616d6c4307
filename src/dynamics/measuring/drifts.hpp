// How far the energy and momenta of a run's rows are from those of its first row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "dynamics/records/records.hpp"
#include "dynamics/state/exact_momentum.hpp"

namespace terrace {

/// Follows the rows of history.csv and keeps the largest deviations from the first one.
class Drifts {
 public:
  [[nodiscard]] bool started() const { return started_; }
  /// Starts from the first row, which is also to be given to add(). `momentum`: total, ledger included, in
  /// quanta. Changes of the angular momentum are measured by `angular_scale`, Σ |x × p| about the centre of
  /// mass [kg m²/s], or by the angular momentum itself if that is larger.
  void start(const SystemRecord& row, const IntegerMomentum& momentum, double angular_scale);
  /// Takes in a row: every one, the first too.
  void add(const SystemRecord& row, const IntegerMomentum& momentum);

  [[nodiscard]] const SystemRecord& first() const { return first_; }
  [[nodiscard]] double elapsed() const { return last_time_ - first_.time; }  ///< [time]
  /// Largest |E − E(0)| over a scale: the largest of |E(0)|, of the kinetic energy of any row less the growth
  /// of E, and of the work of moving supports. (With gravity the zero of E has no meaning; and a body that is
  /// loaded slowly has little kinetic energy beside what it stores.) In [J] where the scale is 0.
  [[nodiscard]] double energy() const { return over_scale(energy_change_); }
  /// Largest |V − Σ U| over the same scale, with Σ U of Integrator::conserved_potential: how far K + V is
  /// from the energy that is conserved.
  [[nodiscard]] double potential() const { return over_scale(mismatch_); }
  /// Whether the scale has grown by more than 1 % with the last row, as of a body that starts from rest under
  /// gravity. A drift that is a large share of it may then soon be a small one.
  [[nodiscard]] bool scale_grows() const { return scale_grows_; }
  /// Largest |L − L(0)| over the scale of start(), with L = SystemRecord::own_angular_momentum. Nothing where
  /// L changes but its scale is 0.
  [[nodiscard]] std::optional<double> angular_momentum() const;
  /// Change of the total momentum from the first row to the last, in quanta; cut off at ±2^62.
  [[nodiscard]] std::array<std::int64_t, 3> momentum_change() const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [started, scale_grows, first, first_momentum, momentum, angular_scale, energy_change, most_kinetic,
           most_work, mismatch, angular_change, last_time] = self;
    archive(started, scale_grows, first, first_momentum, momentum, angular_scale, energy_change, most_kinetic,
            most_work, mismatch, angular_change, last_time);
  }

 private:
  [[nodiscard]] double scale() const;
  [[nodiscard]] double over_scale(double change) const;

  bool started_ = false, scale_grows_ = false;
  SystemRecord first_;
  IntegerMomentum first_momentum_{}, momentum_{};
  double angular_scale_ = 0, energy_change_ = 0, most_kinetic_ = 0, most_work_ = 0, mismatch_ = 0,
         angular_change_ = 0, last_time_ = 0;
};

}  // namespace terrace
