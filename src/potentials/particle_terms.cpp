// The terms of particles one by one: by the particles they load, and as functions of a distance.
#include <cmath>
#include <utility>

#include "numerics/at.hpp"
#include "potentials/pair_potential.hpp"
#include "potentials/particle_field.hpp"

namespace terrace {

/// Of all pairs, near or far.
template <class Law>
class PairTerms : public TermsAtNodes, public RadialTerms {
 public:
  explicit PairTerms(const PairPotential<Law>& potential) : potential_(potential) {
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs, nodes;
    for (const auto& pair : potential.near_pairs(potential.reference_, no_reach)) {
      const auto number = static_cast<std::int32_t>(pairs_.size());
      const std::int32_t one = terrace::at(potential.nodes_, pair.i),
                         other = terrace::at(potential.nodes_, pair.j);
      pairs_.push_back({one, other, pair.weight, {}});
      pairs_.back().reference =
          terrace::at(potential.reference_, pair.j) - terrace::at(potential.reference_, pair.i);
      for (const std::int32_t node : {one, other}) {
        pairs.emplace_back(node, number);
        nodes.insert(nodes.end(), {{node, one}, {node, other}});
      }
    }
    const std::size_t count =
        potential.nodes_.empty() ? 0 : static_cast<std::size_t>(potential.nodes_.back()) + 1;
    pairs_of_ = ListsOfNodes(std::move(pairs), count);
    nodes_around_ = ListsOfNodes(std::move(nodes), count);
  }

  [[nodiscard]] std::span<const std::int32_t> nodes_around(std::int32_t node) const override {
    return nodes_around_.of(node);
  }
  void append_energies(std::int32_t node, const Displacements& displacements,
                       std::vector<double>& energies) const override {
    for (const std::int32_t number : pairs_of_.of(node)) {
      const Pair& pair = terrace::at(pairs_, number);
      const Vector3 d = pair.reference + (displacements[static_cast<std::size_t>(pair.other)] -
                                          displacements[static_cast<std::size_t>(pair.node)]);
      energies.push_back(pair.weight * potential_.law_.at(dot(d, d)).value);
    }
  }

  [[nodiscard]] std::size_t count() const override { return pairs_.size(); }
  [[nodiscard]] RadialTerm term(std::size_t number) const override {
    return {pairs_[number].node, pairs_[number].other, {}};
  }
  [[nodiscard]] Values at(std::size_t number, double square_of_distance) const override {
    const PairValues f = potential_.law_.at(square_of_distance);
    return {pairs_[number].weight * f.value, pairs_[number].weight * f.first};
  }

 private:
  struct Pair {
    std::int32_t node, other;
    double weight;
    Vector3 reference;  // from one to the other
  };
  const PairPotential<Law>& potential_;
  std::vector<Pair> pairs_;
  ListsOfNodes pairs_of_, nodes_around_;
};

/// A particle in a field is a term.
template <class Law>
class FieldTerms : public TermsAtNodes, public RadialTerms {
 public:
  FieldTerms(const ParticleField<Law>& field, const Vector3& centre) : field_(field), centre_(centre) {}

  [[nodiscard]] std::span<const std::int32_t> nodes_around(std::int32_t node) const override {
    const std::size_t i = place(node);
    if (i == field_.nodes_.size() || field_.nodes_[i] != node) return {};
    return std::span(field_.nodes_).subspan(i, 1);
  }
  void append_energies(std::int32_t node, const Displacements& displacements,
                       std::vector<double>& energies) const override {
    if (nodes_around(node).empty()) return;
    const std::size_t i = place(node);
    energies.push_back(field_.along(field_.position(displacements, i), {}, i).value);
  }

  [[nodiscard]] std::size_t count() const override { return field_.nodes_.size(); }
  [[nodiscard]] RadialTerm term(std::size_t number) const override {
    return {field_.nodes_[number], RadialTerm::a_point, centre_};
  }
  /// From U along a ray: dU/dq = U′(r) / (2 r).
  [[nodiscard]] Values at(std::size_t number, double square_of_distance) const override {
    const double r = std::sqrt(square_of_distance);
    const Jet<double> u = field_.along(centre_ + Vector3{r, 0, 0}, {1, 0, 0}, number);
    return {u.value, r > 0 ? u.first / (2 * r) : 0.5 * u.second};
  }

 private:
  [[nodiscard]] std::size_t place(std::int32_t node) const {
    return static_cast<std::size_t>(std::lower_bound(field_.nodes_.begin(), field_.nodes_.end(), node) -
                                    field_.nodes_.begin());
  }
  const ParticleField<Law>& field_;
  Vector3 centre_;
};

template <class Law>
std::unique_ptr<TermsAtNodes> PairPotential<Law>::terms_at_nodes() const {
  return std::make_unique<PairTerms<Law>>(*this);
}
template <class Law>
std::unique_ptr<RadialTerms> PairPotential<Law>::radial_terms(std::size_t /*dimension*/) const {
  return std::make_unique<PairTerms<Law>>(*this);
}
template <class Law>
std::unique_ptr<TermsAtNodes> ParticleField<Law>::terms_at_nodes() const {
  return std::make_unique<FieldTerms<Law>>(*this, Vector3{});
}
template <class Law>
std::unique_ptr<RadialTerms> ParticleField<Law>::radial_terms(std::size_t dimension) const {
  const std::optional<Vector3> centre = law_.centre_of_symmetry(dimension);
  if (!centre) return nullptr;
  return std::make_unique<FieldTerms<Law>>(*this, *centre);
}

template std::unique_ptr<TermsAtNodes> PairPotential<LennardJones>::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> PairPotential<NewtonianGravity>::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> PairPotential<LinearSpring>::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> PairPotential<HertzSpring>::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> PairPotential<PairFormula>::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> ParticleField<FieldFormula>::terms_at_nodes() const;
template std::unique_ptr<RadialTerms> PairPotential<PairFormula>::radial_terms(std::size_t) const;
template std::unique_ptr<RadialTerms> ParticleField<FieldFormula>::radial_terms(std::size_t) const;
template std::unique_ptr<RadialTerms> PairPotential<LennardJones>::radial_terms(std::size_t) const;
template std::unique_ptr<RadialTerms> PairPotential<NewtonianGravity>::radial_terms(std::size_t) const;
template std::unique_ptr<RadialTerms> PairPotential<LinearSpring>::radial_terms(std::size_t) const;
template std::unique_ptr<RadialTerms> PairPotential<HertzSpring>::radial_terms(std::size_t) const;
template std::unique_ptr<TermsAtNodes> ParticleField<CentralField>::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> ParticleField<HarmonicWell>::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> ParticleField<PolynomialWell>::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> ParticleField<CirclePenalty>::terms_at_nodes() const;
template std::unique_ptr<RadialTerms> ParticleField<CentralField>::radial_terms(std::size_t) const;
template std::unique_ptr<RadialTerms> ParticleField<HarmonicWell>::radial_terms(std::size_t) const;
template std::unique_ptr<RadialTerms> ParticleField<PolynomialWell>::radial_terms(std::size_t) const;
template std::unique_ptr<RadialTerms> ParticleField<CirclePenalty>::radial_terms(std::size_t) const;

}  // namespace terrace
