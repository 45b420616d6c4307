// n = ∇V⁽ⁱ⁾ on all copies of its nodes, with v_n = n·v and s = nᵀ M⁻¹ n.
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

/// What an event works with: one of these for every event that is worked on at a time. A subdomain whose
/// potentials lie on one rank is evaluated there without messages, and the others are told.
class SubdomainGradient {
 public:
  /// Both outlive this; `lines` only for what contact remembers of where it was.
  SubdomainGradient(const Lagrangian& lagrangian, Lines& lines);

  struct Products {
    double normal_velocity = 0;  ///< v_n = n·v
    double compliance = 0;       ///< s = nᵀ M⁻¹ n, M the full nodal masses (thesis (4.20))
    double with_before = 0;      ///< n₋ᵀ M⁻¹ n, n₋ an earlier gradient; 0 without one
    double value = 0;            ///< V [J], of evaluate_with_value
    double grid = 1;             ///< quantum of the grid n lies on
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [normal_velocity, compliance, with_before, value, grid] = self;
      archive(normal_velocity, compliance, with_before, value, grid);
    }
  };

  /// Fills `values()` on the subdomain's local nodes; collective. `grids` are the subdomain's. Throws
  /// Error(run) on all ranks when a force is not finite or an element is inverted on any of them.
  Products evaluate(std::int32_t subdomain, const State& state, double instant, GradientGrids& grids) {
    return evaluate(subdomain, state, instant, grids, Asked{});
  }

  /// Contact pairs of a subdomain of which an evaluation with V is to tell whether they have any energy that
  /// is not 0 on the grid of V.
  struct PairLooks {
    std::vector<std::int32_t> pairs;        ///< in the same order on all ranks
    std::vector<std::uint8_t> have_energy;  ///< of each of them, after an evaluation that stands
  };
  /// As evaluate, and V at the same instant, and what `looks`, if there are any, asks for. `before`: an
  /// earlier gradient, as `of_counted_nodes` gave it, or nothing.
  Products evaluate_with_value(std::int32_t subdomain, const State& state, double instant,
                               GradientGrids& grids, std::span<const Vector3> before,
                               PairLooks* looks = nullptr) {
    return evaluate(subdomain, state, instant, grids, {before, true, nullptr, looks});
  }

  /// Numbers of this rank that an evaluation's own reduction adds up over all ranks, and what is then asked
  /// of the sums, on all ranks alike: whether the evaluation stands.
  struct Question {
    std::vector<double> numbers;
    std::function<bool(std::span<const double>)> stands;
  };
  /// As evaluate_with_value if it stands. Else nothing (of `looks` nothing means anything), and it is as if
  /// it had not been asked: `values()` and what book_reactions books are of the gradient before, no grid has
  /// changed, contact has seen nothing and nothing is thrown. For a subdomain that is not on one rank of
  /// several.
  std::optional<Products> evaluate_if(const Question& question, std::int32_t subdomain, const State& state,
                                      double instant, GradientGrids& grids, std::span<const Vector3> before,
                                      PairLooks* looks = nullptr);
  /// Whether the subdomain's potentials are on one rank of several, which tells the others what it found. In
  /// a team it adds up with them, as they do of what they share: that is one message in place of two.
  [[nodiscard]] bool is_alone(const Subdomain& subdomain) const {
    return subdomain.only_rank >= 0 && !subdomain.everywhere && lagrangian_.communicator->size() > 1 &&
           !lagrangian_.bodies_are_shared_out;
  }

  /// The last gradient on the nodes this rank multiplies for the subdomain's sums (in a team all those that
  /// ranks share), without the components that supports hold.
  void of_counted_nodes(std::int32_t subdomain, std::vector<Vector3>& values) const;

  /// The gradient of all potentials together; collective. Returns the quantum of its grid. Throws likewise.
  double evaluate_all(const State& state, double instant);
  /// What a potential of this rank adds to a gradient of another kind, each term rounded to the grid; it
  /// returns the largest magnitude of a term's component.
  using Share = std::function<double(const Potential&, const Grid&, std::span<Vector3>)>;
  /// Such a gradient of all potentials together, as evaluate_all. `instant` [s]: what an error names.
  double evaluate_all(const Share& share, double instant);

  /// The grids of evaluate_all, and for how many terms they are.
  struct GridsOfAll {
    GradientGrids grids;
    double terms_at_node = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [grids, terms_at_node] = self;
      archive(grids, terms_at_node);
    }
  };
  /// Where it was asked of places that are not to leave a trace.
  [[nodiscard]] GridsOfAll grids_of_all() const { return of_all_; }
  void set_grids_of_all(const GridsOfAll& grids) { of_all_ = grids; }

  /// The last gradient, by local node [N]; what it says of nodes of other subdomains means nothing.
  [[nodiscard]] std::span<const Vector3> values() const { return forces_.values; }
  /// Of a body whose nodes these are, side by side, nothing will be asked for long: they take no memory.
  void forget_values(std::span<const std::int32_t> nodes);

  /// Elements whose gradients this rank evaluated.
  [[nodiscard]] std::int64_t element_evaluations() const { return element_evaluations_; }

  /// What the next evaluate_all rests on.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.of_all_);
  }

  /// Books what the impulse `factor` · values() takes from walls and gravity: to each its own, exactly.
  /// Elastic and contact forces are internal, their sum is zero, so that nodal momenta and ledgers together
  /// do not change by a quantum (P2). Not collective: a rank books its own potentials'.
  void book_reactions(State& state, const IntegerMultiplier& factor) const;

 private:
  // What is asked beside n, v_n and s.
  struct Asked {
    std::span<const Vector3> before;
    bool with_value = false;
    const Question* question = nullptr;
    PairLooks* looks = nullptr;
  };
  // The force from outside on one node, rounded to the grid of the last evaluation.
  struct ReactionForce {
    std::size_t reaction;
    Vector3 gradient;
  };
  // What an evaluation leaves behind.
  struct Forces {
    UntouchedArray<Vector3> values;
    std::vector<ReactionForce> from_outside;
    double grid = 1;  // quantum of the grid that those from outside lie on
  };
  struct Attempt {
    Products products;
    double largest_force = 0, largest_velocity = 0, largest_compliance = 0,
           largest_value = 0;                               // of this rank's terms
    bool largest_are_of_all = false;                        // of the terms of all ranks
    bool force_fits = false, products_fit = false;          // on all ranks
    bool force_is_fine = false, products_are_fine = false;  // the grids are not far too coarse
    double contact_terms = 0;                               // at a node, or more
    double terms_of_value = 0;                              // of contact, on all ranks
    bool stands = true;                                     // by the answer to what was asked with it
  };
  struct ProductSums {
    ExactSum normal_velocity, compliance, with_before;
  };
  // Over ranks.
  struct Sums {
    ProductSums products;
    ExactSum value;
    double forces_beyond, products_beyond;  // their grids, on so many ranks
    double forces_that_fill;                // their grid, on so many
    double terms_of_value;                  // of contact
  };
  using SumNumbers = std::array<double, sizeof(Sums) / sizeof(double)>;
  // What an attempt is made with.
  struct Terms {
    const Subdomain& subdomain;
    const State& state;
    double instant;
    const GradientGrids& grids;
    const Asked& asked;
    [[nodiscard]] const DoubleGrid* value_grid() const { return asked.with_value ? &grids.value : nullptr; }
  };
  // Of a potential's gradient: on one rank all at once, else first what other ranks wait for.
  enum class Part { all, outer, inner };
  enum class Nodes { all, unshared, shared };
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
  // Contact terms beyond those that Subdomain::terms_at_node counts on.
  [[nodiscard]] static double unusual(double contact_terms) {
    return std::max(0.0, contact_terms - usual_contact_terms_at_node);
  }
  static void fit_value(const Subdomain& subdomain, double largest, double contact_terms,
                        GradientGrids& grids);
  // The most at a node of this rank: terms of all subdomains that are awake, and such with contact.
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
  Forces forces_before_;                     // while an evaluation may still be void
  std::vector<double> numbers_;              // Sums of this rank and what is asked, then of all
  UntouchedArray<Vector3> counts_;           // of contact terms, while they are counted
  UntouchedArray<Vector3> of_one_reaction_;  // zero but during fill; empty where nothing is outside
  std::optional<Error> failure_;             // what a potential of this rank threw in the last evaluation
  std::array<std::int32_t, 3> failed_{};     // its subdomain, by its order, and the body of that
  GridsOfAll of_all_;                        // potentials together
  Loads loads_;
  std::vector<std::array<std::int32_t, 2>> counted_;  // those awake when `loads_` was found, by their order
  // At least the largest number of contact terms at a node, by this rank's potentials, of each body of the
  // subdomain that was filled last.
  std::vector<double> contact_terms_;
  ValueSum value_;                             // this rank's share, of the last fill
  std::vector<const Potential*> with_energy_;  // of contact, of this rank, in the last attempt with V
  std::int64_t element_evaluations_ = 0;
};

}  // namespace terrace
