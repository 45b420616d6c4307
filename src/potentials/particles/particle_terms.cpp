// The terms of particles one by one: by the particles that they load, and as functions of one distance.
#include <cmath>
#include <type_traits>
#include <utility>

#include "numerics/at.hpp"
#include "potentials/particles/pair_potential.hpp"
#include "potentials/particles/particle_field.hpp"

namespace terrace {

/// The terms of pairs: of all pairs or, for a law with a reach, of those listed as near.
template <class Law>
class PairsAtNodes : public TermsAtNodes {
 public:
  explicit PairsAtNodes(const PairPotential<Law>& potential) : potential_(potential) {
    if (!potential.has_reach()) take(potential.near_pairs(potential.reference_, no_reach));
  }

  [[nodiscard]] double reach() const override { return potential_.law_.reach(); }
  void list(const Displacements& displacements, double slack) override {
    constexpr double both_along_a_diagonal = 2 * 1.7320508075688774;
    if (potential_.has_reach())
      take(potential_.near_pairs(potential_.positions(displacements),
                                 (reach() + both_along_a_diagonal * slack) * (1 + 0x1p-40)));
  }
  [[nodiscard]] std::span<const std::int32_t> nodes_around(std::int32_t node) const override {
    return nodes_around_.of(node);
  }
  void append_energies(std::int32_t node, const Displacements& displacements,
                       std::vector<double>& energies) const override {
    for (const std::int32_t number : pairs_of_.of(node)) {
      const Pair& pair = at(pairs_, number);
      const Vector3 d = pair.reference + (displacements[static_cast<std::size_t>(pair.other)] -
                                          displacements[static_cast<std::size_t>(pair.node)]);
      energies.push_back(pair.weight * potential_.law_.at(dot(d, d)).value);
    }
  }

 private:
  struct Pair {
    std::int32_t node, other;
    double weight;
    Vector3 reference;  // vector from `node` to `other`
  };
  void take(const std::vector<typename PairPotential<Law>::Pair>& near) {
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs, nodes;
    pairs_.clear();
    for (const auto& pair : near) {
      const auto number = static_cast<std::int32_t>(pairs_.size());
      const std::int32_t one = at(potential_.nodes_, pair.i), other = at(potential_.nodes_, pair.j);
      pairs_.push_back(
          {one, other, pair.weight, at(potential_.reference_, pair.j) - at(potential_.reference_, pair.i)});
      for (const std::int32_t node : {one, other}) {
        pairs.emplace_back(node, number);
        nodes.insert(nodes.end(), {{node, one}, {node, other}});
      }
    }
    // Every node is around itself, also without a pair within reach: it may be moved.
    for (const std::int32_t node : potential_.nodes_) nodes.emplace_back(node, node);
    const std::size_t count =
        potential_.nodes_.empty() ? 0 : static_cast<std::size_t>(potential_.nodes_.back()) + 1;
    pairs_of_ = ListsOfNodes(std::move(pairs), count);
    nodes_around_ = ListsOfNodes(std::move(nodes), count);
  }

  const PairPotential<Law>& potential_;
  std::vector<Pair> pairs_;
  ListsOfNodes pairs_of_, nodes_around_;
};

/// The pairs within the law's reach and a margin; all pairs if it has no reach.
template <class Law>
class RadialPairs : public RadialTerms {
 public:
  explicit RadialPairs(const PairPotential<Law>& potential) : potential_(potential) {
    if (!potential.has_reach()) pairs_ = potential.near_pairs(potential.reference_, no_reach);
  }

  void list(std::span<const Vector3> positions, double margin) override {
    if (!potential_.has_reach()) return;
    std::vector<Vector3> own;
    for (const std::int32_t node : potential_.nodes_) own.push_back(terrace::at(positions, node));
    pairs_ = potential_.near_pairs(own, potential_.law_.reach() + margin);
  }
  [[nodiscard]] std::size_t count() const override { return pairs_.size(); }
  [[nodiscard]] RadialTerm term(std::size_t number) const override {
    return {terrace::at(potential_.nodes_, pairs_[number].i),
            terrace::at(potential_.nodes_, pairs_[number].j),
            {}};
  }
  [[nodiscard]] Values at(std::size_t number, double square_of_distance) const override {
    const PairValues f = potential_.law_.at(square_of_distance);
    return {pairs_[number].weight * f.value, pairs_[number].weight * f.first};
  }
  [[nodiscard]] Kink kink() const override {
    const double reach = potential_.law_.reach();
    return {reach * reach, !std::is_same_v<Law, HertzSpring>};
  }

 private:
  const PairPotential<Law>& potential_;
  std::vector<typename PairPotential<Law>::Pair> pairs_;
};

/// The terms of a field, one for each particle.
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
  /// From U along a ray from the centre: dU/dq = U′(r) / (2 r).
  [[nodiscard]] Values at(std::size_t number, double square_of_distance) const override {
    const double r = std::sqrt(square_of_distance);
    const Jet<double> u = field_.along(centre_ + Vector3{r, 0, 0}, {1, 0, 0}, number);
    return {u.value, r > 0 ? u.first / (2 * r) : 0.5 * u.second};
  }
  [[nodiscard]] Kink kink() const override {
    if constexpr (std::is_same_v<Law, CirclePenalty>) return {field_.law_.radius * field_.law_.radius, true};
    return {};
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
  return std::make_unique<PairsAtNodes<Law>>(*this);
}
template <class Law>
std::unique_ptr<RadialTerms> PairPotential<Law>::radial_terms(std::size_t /*dimension*/) const {
  return std::make_unique<RadialPairs<Law>>(*this);
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
