// How far energy and momenta in the rows of a run's histories are from those in its first row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "dynamics/records/records.hpp"
#include "dynamics/state/exact_momentum.hpp"

namespace terrace {

class Drifts {
 public:
  [[nodiscard]] bool started() const { return started_; }
  /// The first row, with the total momentum, the ledger included, in quanta. `angular_scale`: Σ |x × p|
  /// about the centre of mass [kg m²/s]; the angular momentum itself if that is larger.
  void start(const SystemRecord& row, const IntegerMomentum& momentum, double angular_scale);
  /// Every row, the first too.
  void add(const SystemRecord& row, const IntegerMomentum& momentum);

  [[nodiscard]] const SystemRecord& first() const { return first_; }
  [[nodiscard]] double elapsed() const { return last_time_ - first_.time; }  ///< [time]
  /// Largest |E − E(0)| over |E(0)|, or over the largest kinetic energy of a row, less what E has grown by,
  /// or work of moving supports if that is more (gravity leaves no meaning to the zero of E, and what is
  /// loaded slowly has little kinetic energy beside what it stores); [J] where all are 0.
  [[nodiscard]] double energy() const { return over_scale(energy_change_); }
  /// Largest |V − Σ U| over the same, of what integrators hold (Integrator::conserved_potential) for V
  /// itself: how far K + V is from the energy that is kept.
  [[nodiscard]] double potential() const { return over_scale(mismatch_); }
  /// What energies are measured by has grown since the row before, as of what starts from rest under gravity:
  /// what is a large share of it may soon be a small one.
  [[nodiscard]] bool scale_grows() const { return scale_grows_; }
  /// Largest |L − L(0)| over the scale, L about the moving centre of mass; nothing where there is a change
  /// and no scale.
  [[nodiscard]] std::optional<double> angular_momentum() const;
  /// Of the last row, in quanta; at most 2^62 in size.
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
