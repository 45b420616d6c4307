// Potentials Σ w_ij f(|x_j − x_i|²) over pairs of particles.
#pragma once

#include <vector>

#include "potentials/known_stretch.hpp"
#include "potentials/particles/pair_laws.hpp"
#include "potentials/particles/particle_potential.hpp"
#include "potentials/term_counter.hpp"

namespace terrace {

template <class Law>
class PairPotentialOnLine;

/// Σ w_ij f(|x_j − x_i|²) over the pairs of a set, with `Law` one of pair_laws.hpp. The forces of a pair are
/// opposite to the bit (P2) and along the line between its particles (P3).
template <class Law>
class PairPotential : public ParticlePotential {
 public:
  /// `nodes`: local numbers, ascending; the numbers in `set` are places in `nodes`.
  PairPotential(const Law& law, const ParticleTable& table, std::vector<std::int32_t> nodes, PairSet set);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] double infimum() const override;
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  [[nodiscard]] bool has_hessian() const override { return true; }
  void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                         std::span<Vector3> product) const override;
  void add_bounds_nearby(const Displacements& displacements, double radius, std::span<double> slope,
                         std::span<double> stiffness) const override;
  [[nodiscard]] std::unique_ptr<TermsAtNodes> terms_at_nodes() const override;
  [[nodiscard]] std::unique_ptr<RadialTerms> radial_terms(std::size_t dimension) const override;
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] double work() const override;

  [[nodiscard]] double terms() const override { return has_reach() ? 0 : set_.count(); }
  [[nodiscard]] double terms_at_particle() const override {
    return has_reach() ? 0 : set_.count_at_particle();
  }
  [[nodiscard]] bool has_reach() const override { return law_.reach() < no_reach; }
  void add_stiffness(const Displacements& displacements, std::span<double> stiffness) const override;
  [[nodiscard]] std::optional<std::array<std::int32_t, 2>> singular_pair(
      const Displacements& displacements) const override;

 private:
  friend class PairPotentialOnLine<Law>;
  template <class OfPairs>
  friend class PairsAtNodes;
  template <class OfPairs>
  friend class RadialPairs;
  /// A pair with its weight.
  struct Pair {
    std::int32_t i, j;
    double weight;
  };
  [[nodiscard]] std::vector<Vector3> positions(const Displacements& displacements) const;
  [[nodiscard]] std::vector<Pair> near_pairs(std::span<const Vector3> positions, double reach) const;
  double add_forces(std::span<const Pair> pairs, std::span<const Vector3> positions, const Grid& grid,
                    std::span<Vector3> gradient, TermCounter* counter) const;

  static constexpr double few = 4096;  // pairs: up to so many are all kept by a law with a reach

  Law law_;
  std::vector<std::int32_t> nodes_;
  std::vector<Vector3> reference_;  // of each of nodes_
  std::vector<double> masses_;
  PairSet set_;
  std::vector<PairOfPlaces> all_if_few_;  // of a law with a reach; empty if there are more than `few`
};

/// Follows the distances of pairs that are near: those within the reach and a margin. They are listed anew
/// when a particle has gone half the margin. Pairs beyond the reach have no term, so that no result depends
/// on the list. Without a reach all pairs are listed, once.
template <class Law>
class PairPotentialOnLine : public PotentialOnLine {
 public:
  explicit PairPotentialOnLine(const PairPotential<Law>& potential);

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double contact_terms_at_node() const override { return counter_.most(); }
  void count_contact_terms(std::span<Vector3> numbers) const override;
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  [[nodiscard]] double work() const override { return 0.1 * static_cast<double>(listed_.size()); }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  using Pair = typename PairPotential<Law>::Pair;
  /// The vector d + s w from one particle of a pair to the other.
  struct Way {
    Vector3 distance, velocity;
    double acceleration;  // q″ = 2 |w|²
  };
  static constexpr int too_many_near = 8;  // pairs within reach: as many have no bound for a long interval
  struct Motion {
    Vector3 position, velocity;  // at the origin of the line
  };
  void set_motion(std::size_t place, const NodeLine& line, double origin);
  [[nodiscard]] Way way_of(std::int32_t i, std::int32_t j) const;
  void set_way(std::size_t pair);
  [[nodiscard]] bool stays_out_of_reach(const Way& way, double from, double to) const;
  void list_pairs(std::span<const Vector3> positions);
  [[nodiscard]] bool list_holds(std::span<const Vector3> positions) const;
  [[nodiscard]] std::vector<Vector3> positions_at(double s) const;
  void require_list(double from, double to);
  void bound_pair(const Way& way, double weight, double from, double to, const LineGrids& grids,
                  LineBound& sum) const;

  const PairPotential<Law>& potential_;
  double margin_;
  std::vector<Motion> motions_;  // by place in nodes_; empty before a line is set
  std::vector<Vector3> at_listing_;
  std::vector<Pair> listed_;
  std::vector<Way> ways_;     // of each listed pair
  KnownStretch certain_;      // in which the list holds on this line
  double squared_speed_ = 0;  // of the fastest particle on this line
  TermCounter counter_;       // of the last gradient
  std::vector<Vector3> positions_;
};

}  // namespace terrace
