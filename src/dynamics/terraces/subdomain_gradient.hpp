// The gradient n = ∇V⁽ⁱ⁾ of a subdomain on all copies of its nodes, with v_n = n·v and s = nᵀ M⁻¹ n.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/terraces/lines.hpp"
#include "dynamics/terraces/subdomain_state.hpp"
#include "numerics/untouched_array.hpp"
#include "parallel/archive.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// Evaluates the gradient of an event. Holds one gradient at a time, so that events that are worked on at the
/// same time need an object each. A subdomain whose potentials lie on one rank is evaluated there without
/// messages; then that rank sends the result to the others.
class SubdomainGradient {
 public:
  /// Both must outlive this. `lines` serves only to keep what contact remembers from one instant to the next.
  SubdomainGradient(const Lagrangian& lagrangian, Lines& lines);

  struct Products {
    double normal_velocity = 0;  ///< v_n = n·v
    double compliance = 0;       ///< s = nᵀ M⁻¹ n, M the full nodal masses (thesis (4.20))
    double with_before = 0;      ///< n₋ᵀ M⁻¹ n with an earlier gradient n₋; 0 without one
    double value = 0;            ///< V [J]; only set by evaluate_with_value and evaluate_if
    double grid = 1;             ///< quantum of the grid on which n lies
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [normal_velocity, compliance, with_before, value, grid] = self;
      archive(normal_velocity, compliance, with_before, value, grid);
    }
  };

  /// Fills `values()` on the subdomain's local nodes at the time `instant`, and returns the products.
  /// `grids`: those of the subdomain; they are refitted where needed. Throws Error(run) on all ranks when a
  /// force is not finite or an element is inverted on any of them. Collective.
  Products evaluate(std::int32_t subdomain, const State& state, double instant, GradientGrids& grids) {
    return evaluate(subdomain, state, instant, grids, Asked{});
  }

  /// A question that an evaluation with V answers: which of these contact pairs of the subdomain have an
  /// energy that does not round to 0 on the grid of V.
  struct PairLooks {
    std::vector<std::int32_t> pairs;        ///< in the same order on all ranks
    std::vector<std::uint8_t> have_energy;  ///< the answer for each of them, after an evaluation that stands
  };
  /// As evaluate; also evaluates V at the same instant and answers `looks`, if not null. `before`: an earlier
  /// gradient n₋ as given by `of_counted_nodes`, or empty.
  Products evaluate_with_value(std::int32_t subdomain, const State& state, double instant,
                               GradientGrids& grids, std::span<const Vector3> before,
                               PairLooks* looks = nullptr) {
    return evaluate(subdomain, state, instant, grids, {before, true, nullptr, looks});
  }

  /// Numbers of this rank that an evaluation sums over all ranks in its own reduction, and a function of the
  /// sums, called on all ranks alike, that tells whether the evaluation stands.
  struct Question {
    std::vector<double> numbers;
    std::function<bool(std::span<const double>)> stands;
  };
  /// As evaluate_with_value if the evaluation stands. Else returns nothing and leaves no trace: `values()`
  /// and book_reactions are those of the gradient before, no grid has changed, contact has seen nothing and
  /// nothing is thrown; only `looks` is undefined then. Not for subdomains with is_alone().
  std::optional<Products> evaluate_if(const Question& question, std::int32_t subdomain, const State& state,
                                      double instant, GradientGrids& grids, std::span<const Vector3> before,
                                      PairLooks* looks = nullptr);
  /// Whether the subdomain's potentials lie on one of several ranks, which evaluates alone and sends the
  /// result to the others. Not in a team: there all its ranks sum up together, which takes one message in
  /// place of two.
  [[nodiscard]] bool is_alone(const Subdomain& subdomain) const {
    return subdomain.only_rank >= 0 && !subdomain.everywhere && lagrangian_.communicator->size() > 1 &&
           !lagrangian_.bodies_are_shared_out;
  }

  /// Sets `values` to the last gradient on the nodes that this rank counts in the subdomain's sums (in a team
  /// including all nodes that ranks share), without the components that supports hold.
  void of_counted_nodes(std::int32_t subdomain, std::vector<Vector3>& values) const;

  /// Fills `values()` with the gradient of all potentials together and returns the quantum of its grid.
  /// Throws as evaluate does. Collective.
  double evaluate_all(const State& state, double instant);
  /// Adds what a potential of this rank contributes to a gradient of another kind, each term rounded to the
  /// grid. Returns the largest magnitude of a term's component.
  using Share = std::function<double(const Potential&, const Grid&, std::span<Vector3>)>;
  /// As the other evaluate_all, for a gradient of another kind. `instant` [s] is the time that errors name.
  double evaluate_all(const Share& share, double instant);

  /// The grids of evaluate_all, and the number of terms at a node for which they have room.
  struct GridsOfAll {
    GradientGrids grids;
    double terms_at_node = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [grids, terms_at_node] = self;
      archive(grids, terms_at_node);
    }
  };
  /// To save the grids before evaluations that must not leave a trace, and to restore them afterwards.
  [[nodiscard]] GridsOfAll grids_of_all() const { return of_all_; }
  void set_grids_of_all(const GridsOfAll& grids) { of_all_ = grids; }

  /// The last gradient, by local node [N]. Meaningless on nodes of other subdomains than the last one.
  [[nodiscard]] std::span<const Vector3> values() const { return forces_.values; }
  /// Gives back the memory of the values of these nodes, those of a body that is not needed for long; they
  /// are numbered consecutively.
  void forget_values(std::span<const std::int32_t> nodes);

  /// Number of element gradients that this rank has evaluated; contact and walls count as elements of the
  /// same cost.
  [[nodiscard]] std::int64_t element_evaluations() const { return element_evaluations_; }

  /// The grids of evaluate_all; those of subdomains are saved with their states.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.of_all_);
  }

  /// Books in the ledgers the momentum that walls and gravity receive by the impulse `factor` · values(),
  /// exactly and to each its own. Elastic and contact forces are internal and sum to zero, so that nodal
  /// momenta and ledgers together do not change by a quantum (P2). Not collective: a rank books for its own
  /// potentials.
  void book_reactions(State& state, const IntegerMultiplier& factor) const;

 private:
  // What an evaluation is asked for besides n, v_n and s.
  struct Asked {
    std::span<const Vector3> before;
    bool with_value = false;
    const Question* question = nullptr;
    PairLooks* looks = nullptr;
  };
  // The force of a wall or of gravity on one node, rounded to the grid of the last evaluation.
  struct ReactionForce {
    std::size_t reaction;
    Vector3 gradient;
  };
  // The result of an evaluation on the nodes.
  struct Forces {
    UntouchedArray<Vector3> values;
    std::vector<ReactionForce> from_outside;
    double grid = 1;  // quantum of the grid of `from_outside`
  };
  // An evaluation on given grids, and whether these suit it.
  struct Attempt {
    Products products;
    double largest_force = 0, largest_velocity = 0, largest_compliance = 0,
           largest_value = 0;                               // largest terms of this rank
    bool largest_are_of_all = false;                        // they are the largest terms of all ranks
    bool force_fits = false, products_fit = false;          // no rank has a term beyond the grid
    bool force_is_fine = false, products_are_fine = false;  // the grids are not far too coarse
    double contact_terms = 0;                               // upper bound of their number at a node
    double terms_of_value = 0;                              // number of contact terms of V, on all ranks
    bool stands = true;                                     // answer to Asked::question
  };
  struct ProductSums {
    ExactSum normal_velocity, compliance, with_before;
  };
  // The sums over ranks.
  struct Sums {
    ProductSums products;
    ExactSum value;
    double forces_beyond, products_beyond;  // number of ranks with terms beyond the grids
    double forces_that_fill;                // number of ranks for whose terms the grid is not far too coarse
    double terms_of_value;                  // number of contact terms of V
  };
  using SumNumbers = std::array<double, sizeof(Sums) / sizeof(double)>;
  // The arguments of an attempt.
  struct Terms {
    const Subdomain& subdomain;
    const State& state;
    double instant;
    const GradientGrids& grids;
    const Asked& asked;
    [[nodiscard]] const DoubleGrid* value_grid() const { return asked.with_value ? &grids.value : nullptr; }
  };
  // Part of a potential's gradient: on one rank all at once; on several first the outer part, which other
  // ranks wait for, then the inner one.
  enum class Part { all, outer, inner };
  enum class Nodes { all, unshared, shared };  // shared: by several ranks
  [[nodiscard]] ProductSums multiply(const Terms& terms, Nodes nodes, Attempt& attempt) const;
  [[nodiscard]] Communicator& ranks_of(const Subdomain& subdomain);
  [[nodiscard]] std::span<const std::int32_t> counted_nodes(const Subdomain& subdomain) const;
  void clear(const Subdomain& subdomain, const GradientGrids& grids);
  [[nodiscard]] bool goes_in_one_message(const Subdomain& subdomain) const;
  Attempt attempt(const Terms& terms);
  void fill_outer(const Terms& terms, Part part, Attempt& attempt);
  double fill_inner(const Terms& terms);
  [[nodiscard]] Sums add_up_in_one_message(const Terms& terms, Attempt& attempt);
  [[nodiscard]] static bool products_fit(const GradientGrids& grids, const Attempt& attempt);
  void put_numbers(const Terms& terms, const ProductSums& products, Attempt& attempt);
  [[nodiscard]] Sums sums_of_all() const;
  void take_in(const Terms& terms, const Sums& sums, Attempt& attempt) const;
  std::optional<Products> evaluate_on_its_ranks(const Subdomain& subdomain, const State& state,
                                                double instant, GradientGrids& grids, Asked asked);
  Products evaluate_alone(const Subdomain& subdomain, const State& state, double instant,
                          GradientGrids& grids, const Asked& asked);
  Products evaluate(std::int32_t subdomain, const State& state, double instant, GradientGrids& grids,
                    const Asked& asked);
  double add_gradient(Part part, const Potential& potential, const State& state, double instant,
                      const Grid& grid, std::span<Vector3> gradient, const DoubleGrid* value_grid);
  [[nodiscard]] Vector3 pushed(std::size_t node) const {
    const Vector3& force = forces_.values[node];
    return lagrangian_.held_by.empty() ? force : free_part(force, lagrangian_.held_by[node]);
  }
  // Number of contact terms at a node beyond those that Subdomain::terms_at_node includes.
  [[nodiscard]] static double unusual(double contact_terms) {
    return std::max(0.0, contact_terms - usual_contact_terms_at_node);
  }
  static void fit_value(const Subdomain& subdomain, double largest, double contact_terms,
                        GradientGrids& grids);
  // The largest values at any node of this rank, over the awake subdomains that load it: of the sum of their
  // terms_at_node, and of the number of those with contact.
  struct Loads {
    double terms = 1, contacts = 0;
  };
  [[nodiscard]] Loads loads_of_all();
  void note_failure(const Subdomain& subdomain, std::size_t potential, const Error& error);
  [[noreturn]] void throw_of_any_rank(const Communicator& ranks, const std::string& where,
                                      double instant) const;
  [[nodiscard]] double contact_terms_at_node(const Subdomain& subdomain);
  void count_contact_terms(const Subdomain& subdomain, std::size_t potential, double terms);
  double fill(const Subdomain& subdomain, const Grid& grid, const Share& share);
  [[nodiscard]] bool has_inner(const Subdomain& subdomain);
  double fill_reaction(std::size_t reaction, const Potential& potential, const Grid& grid,
                       const Share& share);
  double fill_constraint(const Subdomain& subdomain, const State& state, double instant, const Grid& grid);
  void take_reaction(std::size_t reaction, std::span<const std::int32_t> nodes);

  const Lagrangian& lagrangian_;
  Lines& lines_;
  Communicator alone_{MPI_COMM_SELF};
  Forces forces_;
  Forces forces_before_;                     // the gradient before, while evaluate_if may still go back
  std::vector<double> numbers_;              // Sums and what is asked, first this rank's, then over all ranks
  UntouchedArray<Vector3> counts_;           // numbers of contact terms at nodes, while they are counted
  UntouchedArray<Vector3> of_one_reaction_;  // zero except during fill; empty without reactions
  std::optional<Error> failure_;             // what a potential of this rank threw in the last evaluation
  std::array<std::int32_t, 3> failed_{};     // the order of its subdomain, and the body within that
  GridsOfAll of_all_;                        // of evaluate_all
  Loads loads_;
  std::vector<std::array<std::int32_t, 2>> counted_;  // the awake subdomains that loads_ counts, by order
  // For each body of the subdomain filled last, an upper bound of the number of contact terms at a node from
  // this rank's potentials.
  std::vector<double> contact_terms_;
  ValueSum value_;                             // this rank's share of V, of the last fill
  std::vector<const Potential*> with_energy_;  // this rank's contact with energy in the last attempt with V
  std::int64_t element_evaluations_ = 0;
};

}  // namespace terrace
