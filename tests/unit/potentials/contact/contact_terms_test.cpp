// Sums stay exact however many contact terms they have: the grids follow their number.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "dynamics/terraces/line_search.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"
#include "potentials/term_counter.hpp"
#include "support/small_system.hpp"

namespace terrace::contact_terms_test {
namespace {

/// Three million terms of about the same size at one node, far more than grids have room for by default. They
/// are added forwards or backwards: the sums agree only if no addition rounds.
class ManyTerms : public Potential {
 public:
  explicit ManyTerms(bool backwards) : terms_(3000000) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0.9, 0.999);
    for (double& term : terms_) term = uniform(random);
    if (backwards) std::reverse(terms_.begin(), terms_.end());
  }
  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return node_; }
  [[nodiscard]] std::vector<double> energies(const Displacements& /*displacements*/) const override {
    return terms_;
  }
  double add_gradient(const Displacements& /*displacements*/, const Grid& grid,
                      std::span<Vector3> gradient) const override {
    for (const double term : terms_) gradient[0][0] += grid.round(term);
    return 0.999;
  }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] std::span<const double> terms() const { return terms_; }

 private:
  std::vector<double> terms_;
  std::vector<std::int32_t> node_ = {0};
};

class ManyTermsOnLine : public PotentialOnLine {
 public:
  explicit ManyTermsOnLine(const ManyTerms& potential) : potential_(potential) {}
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override {
    return potential_.add_gradient({lines, instant}, grid, gradient);
  }
  [[nodiscard]] double contact_terms_at_node() const override {
    return static_cast<double>(potential_.terms().size());
  }
  void count_contact_terms(std::span<Vector3> numbers) const override {
    numbers[0][0] += contact_terms_at_node();
  }
  void sample(double /*s*/, const LineGrids& grids, LineSample& sum) override {
    for (const double term : potential_.terms()) {
      sum.value.add(grids.value, term);
      sum.slope += grids.slope.round(term);
    }
    sum.contact_terms += contact_terms_at_node();
    sum.largest_value = sum.largest_slope = 0.999;
  }
  void bound(double /*from*/, double /*to*/, const LineGrids& /*grids*/, LineBound& /*sum*/) override {}
  [[nodiscard]] double work() const override { return potential_.work(); }

 protected:
  void begin(std::span<const NodeLine> /*lines*/, double /*origin*/) override {}
  void change(std::span<const NodeLine> /*lines*/, double /*origin*/,
              std::span<const std::uint8_t> /*changed*/) override {}

 private:
  const ManyTerms& potential_;
};

std::unique_ptr<PotentialOnLine> ManyTerms::on_line() const {
  return std::make_unique<ManyTermsOnLine>(*this);
}

/// A cube with a wall, whose subdomain holds ManyTerms in place of the wall's potential.
struct Crowd {
  explicit Crowd(bool backwards) : potential(backwards), system(deck(), {LocalizationKind::bodies, 1}) {
    for (std::size_t j = 0; j < system.lagrangian.subdomains.size(); ++j)
      if (system.lagrangian.subdomains[j].elements == 0) subdomain = static_cast<std::int32_t>(j);
    Subdomain& wall = system.lagrangian.subdomains[static_cast<std::size_t>(subdomain)];
    EXPECT_TRUE(wall.contact);
    wall.potentials = {&potential};
    wall.reaction_of_potential = {-1};
  }
  static Deck deck() {
    Deck deck = spinning_cube(1);
    deck.walls = {{"floor", {0, 0, -2}, {0, 0, 1}, 1}};
    return deck;
  }
  ManyTerms potential;
  SmallSystem system;
  std::int32_t subdomain = 0;
};

TEST(ContactTerms, SumsAlongALineAreExact) {
  const auto value = [](bool reversed) {
    Crowd crowd(reversed);
    SubdomainStates states(crowd.system.lagrangian.subdomains.size());
    Lines lines;
    return LineSearcher(crowd.system.lagrangian, states, lines).value(crowd.subdomain);
  };
  EXPECT_EQ(value(false), value(true));
}

TEST(ContactTerms, GradientsOfASubdomainAndOfAllAreExact) {
  Crowd forwards(false), backwards(true);
  Lines lines, other_lines;
  SubdomainGradient one(forwards.system.lagrangian, lines), other(backwards.system.lagrangian, other_lines);
  GradientGrids grids, other_grids;
  const double quantum = one.evaluate(forwards.subdomain, forwards.system.state, 0, grids).grid;
  EXPECT_EQ(quantum, other.evaluate(backwards.subdomain, backwards.system.state, 0, other_grids).grid);
  EXPECT_EQ(one.values()[0], other.values()[0]);
  EXPECT_LE(one.values()[0][0], std::ldexp(quantum, 53)) << "beyond, sums would be rounded";
  EXPECT_EQ(one.evaluate_all(forwards.system.state, 0), other.evaluate_all(backwards.system.state, 0));
  EXPECT_EQ(one.values()[0], other.values()[0]);
}

TEST(ContactTerms, CounterKnowsTheMostAtANode) {
  TermCounter counter(3);
  EXPECT_EQ(counter.most(), 0);
  EXPECT_EQ(counter.at(2), 0) << "before the first term";
  for (const std::size_t node : {1u, 2u, 1u}) counter.add(node);
  EXPECT_EQ(counter.most(), 2);
  EXPECT_EQ(counter.at(1), 2);
  EXPECT_EQ(counter.at(0), 0);
  counter.start();
  counter.add(1);
  EXPECT_EQ(counter.most(), 1);
}

}  // namespace
}  // namespace terrace::contact_terms_test
