// Potentials Σ U(x_a) of particles in a field.
#pragma once

#include <vector>

#include "potentials/particles/field_laws.hpp"
#include "potentials/particles/particle_potential.hpp"

namespace terrace {

template <class Law>
class ParticleFieldOnLine;

/// Σ U(x_a) over some particles. `Law` has `energy`, `lowest` and `centre_of_symmetry` as those of
/// field_laws.hpp. The energy of a particle is one term of the sums: each particle must belong to one such
/// potential, on one rank.
template <class Law>
class ParticleField : public ParticlePotential {
 public:
  ParticleField(Law law, const ParticleTable& table, std::vector<std::int32_t> nodes);

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
  [[nodiscard]] double work() const override { return 0.2 * terms(); }

  [[nodiscard]] double terms() const override { return static_cast<double>(nodes_.size()); }
  [[nodiscard]] double terms_at_particle() const override { return 1; }
  void add_stiffness(const Displacements& displacements, std::span<double> stiffness) const override;
  [[nodiscard]] std::optional<std::array<std::int32_t, 2>> singular_pair(
      const Displacements& displacements) const override;

 private:
  friend class ParticleFieldOnLine<Law>;
  template <class OfField>
  friend class FieldTerms;
  [[nodiscard]] Jet<double> along(const Vector3& x, const Vector3& direction, std::size_t i) const;
  [[nodiscard]] Vector3 gradient_at(const Vector3& x, std::size_t i) const;
  [[nodiscard]] Vector3 position(const Displacements& displacements, std::size_t i) const {
    return reference_[i] + displacements[static_cast<std::size_t>(nodes_[i])];
  }

  Law law_;
  std::vector<std::int32_t> nodes_;
  std::vector<Vector3> reference_;  // of each of nodes_
  std::vector<double> masses_;
};

/// A field along its particles' lines. Samples and certificates come from the same formula, evaluated for
/// numbers and for intervals.
template <class Law>
class ParticleFieldOnLine : public PotentialOnLine {
 public:
  explicit ParticleFieldOnLine(const ParticleField<Law>& field)
      : field_(field), motions_(field.nodes_.size()) {}

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override {
    return field_.add_gradient({lines, instant}, grid, gradient);
  }
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  [[nodiscard]] double work() const override { return field_.work(); }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  struct Motion {
    Vector3 position, velocity;  // at the origin of the line
  };
  void set_motion(std::size_t i, const NodeLine& line, double origin) {
    motions_[i] = {field_.reference_[i] + line.displacement_at(origin), line.velocity};
  }
  void bound_particle(std::size_t i, double from, double to, const LineGrids& grids, LineBound& sum) const;

  const ParticleField<Law>& field_;
  std::vector<Motion> motions_;  // of each particle
};

}  // namespace terrace
