// Force-stepping: chapter 3 of the thesis.
#pragma once

#include <memory>
#include <optional>

#include "dynamics/piecewise/grid_coordinates.hpp"
#include "dynamics/piecewise/simplex_walk.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/system/choices.hpp"

namespace terrace {

/// V is replaced by its affine interpolation V_h over a grid of simplices in the space of all coordinates,
/// and the system falls freely from one to the next (SimplexWalk). K + V_h is exact; momenta nearly, or
/// exactly those that are reduced away. Only values of V are asked for, one in each step.
///
/// The walk is that of all coordinates together, so it is on rank 0, which must hold the whole system; the
/// other ranks are told of each crossing.
class ForceStepping : public Integrator {
 public:
  /// Collective. Throws Error(input) for what the method, or the reduction, is not valid for: a spacing that
  /// is not positive, parity with an offset, pairs of bodies that may touch, a system divided over ranks,
  /// supports that move.
  ForceStepping(const Lagrangian& system, State& state, const GridChoice& grid);

  /// The next crossing of a face of the grid.
  bool advance(State& state, double until) override;
  void bring_up_to_date(State& state) override;

  /// V_h, without the kinetic energy of what was reduced away.
  [[nodiscard]] std::optional<double> conserved_potential() const override { return potential_; }
  /// One, whose "energy step" is the spacing along x.
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override;
  [[nodiscard]] std::int64_t events() const override { return steps_.events; }
  /// Not with supports, nor of several fields that a radius is left of.
  [[nodiscard]] bool books_reactions() const override { return books_reactions_; }
  [[nodiscard]] double average_step() const override;
  void report(ContactExtremes& /*extremes*/) const override {}
  /// The walk goes to all ranks.
  void share() override;
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  void begin(const State& state, const GridChoice& grid);
  void step();

  const Lagrangian& system_;
  std::unique_ptr<GridCoordinates> coordinates_;  // of rank 0
  std::optional<SimplexWalk> walk_;               // of rank 0
  std::vector<std::byte> shared_;                 // the two as bytes, of the other ranks
  SubdomainRecord steps_;
  double start_, last_step_;
  bool books_reactions_ = true;
  double potential_ = 0;
};

}  // namespace terrace
