// Measurements of a state: energies, momenta, the motion of bodies, and the hash that P6 compares.
#pragma once

#include <span>
#include <vector>

#include "dynamics/records/records.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/state/state.hpp"
#include "dynamics/system/by_serial_number.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {

/// Measures a system with exact sums, which are the same bits on any number of ranks. All functions are
/// collective and see a const state: measuring never changes the trajectory.
class Diagnostics {
 public:
  explicit Diagnostics(const Lagrangian& lagrangian);

  struct Measurement {
    SystemRecord system;
    /// Bodies, then walls, supports and gravity. Contact forces are means since the last call with bodies.
    std::vector<BodyRecord> bodies;
    IntegerMomentum total_momentum{};  ///< as total_momentum()
    double unfelt_penetration = 0;     ///< largest of Potential::unfelt_penetration on this rank [length]
  };
  /// Measures the system; `with_bodies`: also every body, which takes as long again.
  Measurement measure(const State& state, const Integrator& integrator, bool with_bodies = true);

  /// Total linear momentum of the nodes plus the ledger, in quanta: what P2 keeps to the bit.
  [[nodiscard]] IntegerMomentum total_momentum(const State& state) const;

  /// Σ_a |x_a × p_a| about the point of SystemRecord::own_angular_momentum [kg m²/s]: the scale for its
  /// drift.
  double angular_momentum_scale(const State& state);

  /// Hash of positions and momenta by global node, of times and of the integrator's levels; the same on any
  /// number of ranks.
  [[nodiscard]] std::uint64_t state_hash(const State& state, const Integrator& integrator) const;

  /// The members that later contact forces and angular momenta depend on; the others are made anew.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.previous_time_, self.previous_momenta_, self.centre_);
  }

 private:
  /// A point that keeps the velocity which the centre of mass had at the first measurement.
  struct MovingPoint {
    bool found = false;
    double time = 0;
    Vector3 position{}, velocity{};
    [[nodiscard]] Vector3 at(double now) const { return position + (now - time) * velocity; }
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [found, time, position, velocity] = self;
      archive(found, time, position, velocity);
    }
  };
  /// The nodes this rank counts, in runs of one body each.
  struct OwnedNodes {
    struct Run {
      std::size_t body, first, count;
    };
    std::vector<std::size_t> nodes;
    std::vector<Run> runs;
    std::vector<double> masses;
  };
  /// One number for each owned node.
  using Column = std::vector<double>;

  void look_at_nodes(const State& state);
  void find_centre(const State& state);
  [[nodiscard]] SystemRecord system(const State& state, const Integrator& integrator,
                                    const std::vector<double>& body_potentials,
                                    const std::vector<WideMomentum>& momenta);
  [[nodiscard]] std::vector<BodyRecord> motions_of_bodies(const State& state, const Integrator& integrator,
                                                          const std::vector<WideMomentum>& momenta);
  void add_energies_of_elements(const std::vector<double>& potentials, std::vector<BodyRecord>& records);
  [[nodiscard]] std::vector<double> body_potentials(const State& state,
                                                    const std::vector<BodyRecord>& bodies);
  [[nodiscard]] std::vector<double> element_scale_kinetic();
  [[nodiscard]] double contact_potential(const State& state, const Integrator& integrator);
  [[nodiscard]] std::vector<WideMomentum> body_momenta(const State& state) const;
  [[nodiscard]] std::vector<double> sums_of_all(std::span<const Column> columns);
  [[nodiscard]] std::vector<double> sums_of_bodies(std::span<const Column> columns);
  static constexpr std::size_t columns_of_motion = 11;
  [[nodiscard]] std::vector<Column> motion_about_centres(const std::vector<BodyRecord>& records) const;

  const Lagrangian& lagrangian_;
  double terms_;
  OwnedNodes owned_;
  std::vector<Vector3> positions_, velocities_;  ///< of owned_.nodes, in the state that is measured
  std::vector<ElementMeasures> elements_;        ///< by Lagrangian::elastic_blocks
  BySerialNumber<EnergyTerms> contact_terms_;
  double unfelt_penetration_ = 0;
  MovingPoint centre_;
  double previous_time_ = 0;
  std::vector<WideMomentum> previous_momenta_;
};

}  // namespace terrace
