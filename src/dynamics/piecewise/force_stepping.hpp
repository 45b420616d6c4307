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
/// and the system falls freely through one simplex after the other (SimplexWalk). K + V_h is conserved
/// exactly; momenta nearly, or exactly if a reduction conserves them. A step evaluates one value of V, and no
/// forces.
///
/// One walk moves all coordinates together, so it is on rank 0, which must hold the whole system; the other
/// ranks are told of each crossing.
class ForceStepping : public Integrator {
 public:
  /// Collective. Throws Error(input) for what the method is not valid for: a spacing that is not positive,
  /// parity with an offset, pairs of bodies that may touch, supports that move, a system with no free
  /// coordinate; and as the coordinates of the reduction do. A system of which rank 0 has not all nodes is a
  /// broken contract.
  ForceStepping(const Lagrangian& system, State& state, const GridChoice& grid);

  /// Goes on to the next crossing of a face of the grid.
  bool advance(State& state, double until) override;
  void bring_up_to_date(State& state) override;

  /// V_h, without the kinetic energy of the motion that was reduced away.
  [[nodiscard]] std::optional<double> conserved_potential() const override { return potential_; }
  /// One record, whose "energy step" is the spacing along x.
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override;
  [[nodiscard]] std::int64_t events() const override { return steps_.events; }
  /// False with supports, and for several fields with the reduction to a radius.
  [[nodiscard]] bool books_reactions() const override { return books_reactions_; }
  [[nodiscard]] double average_step() const override;
  void report(ContactExtremes& /*extremes*/) const override {}
  /// Collective: gives the walk and its coordinates to all ranks, as bytes.
  void share() override;
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  void begin(const State& state, const GridChoice& grid);
  void step();

  const Lagrangian& system_;
  std::unique_ptr<GridCoordinates> coordinates_;  // on rank 0 alone
  std::optional<SimplexWalk> walk_;               // on rank 0 alone
  std::vector<std::byte> shared_;                 // both as bytes, as last shared
  SubdomainRecord steps_;
  double start_, last_step_;
  bool books_reactions_ = true;
  double potential_ = 0;
};

}  // namespace terrace
