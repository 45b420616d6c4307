// What is measured of a state: energies, momenta, the bodies' motion, and the hash that P6 compares.
#pragma once

#include <vector>

#include "dynamics/integrator.hpp"
#include "dynamics/records.hpp"
#include "dynamics/state.hpp"

namespace terrace {

/// All functions are collective and see a const state: measuring never changes the trajectory.
class Diagnostics {
 public:
  explicit Diagnostics(const Lagrangian& lagrangian);

  struct Measurement {
    SystemRecord system;
    std::vector<BodyRecord>
        bodies;  ///< bodies, then what has a ledger; contact forces are means since the previous call
  };
  Measurement measure(const State& state, const Integrator& integrator);

  /// Total linear momentum of the nodes plus the ledger, in quanta: what P2 keeps to the bit.
  [[nodiscard]] IntegerMomentum total_momentum(const State& state) const;

  /// Σ_a |x_a × p_a|, the scale for the drift of angular momentum.
  double angular_momentum_scale(const State& state);

  /// Hash of final positions, momenta, times and levels in global numbering; the same on any number of ranks.
  [[nodiscard]] std::uint64_t state_hash(const State& state, const Integrator& integrator) const;

  /// What the next contact forces are told from; the rest is made once.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.previous_time_, self.previous_momenta_);
  }

 private:
  [[nodiscard]] SystemRecord system(const State& state, const Integrator& integrator,
                                    const std::vector<double>& body_potentials);
  [[nodiscard]] std::vector<BodyRecord> bodies(const State& state, const std::vector<double>& potentials);
  [[nodiscard]] std::vector<double> body_potentials(const State& state);
  [[nodiscard]] std::vector<double> element_scale_kinetic(const State& state) const;
  [[nodiscard]] double contact_potential(const State& state);
  [[nodiscard]] std::vector<IntegerMomentum> body_momenta(const State& state) const;

  const Lagrangian& lagrangian_;
  double terms_;
  double previous_time_ = 0;
  std::vector<IntegerMomentum> previous_momenta_;
};

}  // namespace terrace
