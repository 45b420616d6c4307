// The interface of all integrators.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/records/concurrency_record.hpp"
#include "dynamics/records/records.hpp"
#include "dynamics/state/state.hpp"
#include "parallel/archive.hpp"

namespace terrace {

/// How well the kicks of clocked energy-stepping balanced their energy. Energies are shares of the energy
/// that the terrace's bodies have had (Clock::most_energy).
struct BalanceRecord {
  /// Whether every terrace's U follows its V. Where terraces share nodes, U is only a ledger of the energy
  /// that kicks took, and K + Σ U tells nothing of V.
  bool follows_potential = true;
  /// Largest debt: how far U was from where it should be by V, after a kick.
  double largest_debt = 0;
  double largest_imbalance = 0;    ///< largest debt that leapfrog's own kick would have left
  double largest_unpaid_debt = 0;  ///< largest of debts above the tolerance that the next kick did not pay
  std::int64_t clipped_kicks = 0;
  std::int64_t shortened_steps = 0;

  /// Adds the record of another rank.
  void add(const BalanceRecord& other) {
    follows_potential = follows_potential && other.follows_potential;
    largest_debt = std::max(largest_debt, other.largest_debt);
    largest_imbalance = std::max(largest_imbalance, other.largest_imbalance);
    largest_unpaid_debt = std::max(largest_unpaid_debt, other.largest_unpaid_debt);
    clipped_kicks += other.clipped_kicks;
    shortened_steps += other.shortened_steps;
  }
  [[nodiscard]] BalanceRecord without_counts() const {
    BalanceRecord record = *this;
    record.clipped_kicks = record.shortened_steps = 0;
    return record;
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [follows_potential, largest_debt, largest_imbalance, largest_unpaid_debt, clipped_kicks,
           shortened_steps] = self;
    archive(follows_potential, largest_debt, largest_imbalance, largest_unpaid_debt, clipped_kicks,
            shortened_steps);
  }
};

/// The steps of an integrator by steps: iterations for its equations, halved and unsolved steps, lengths.
struct StepRecord {
  std::int64_t newton_iterations = 0, most_newton_iterations = 0;  ///< of all steps, and the most of one step
  std::int64_t linear_iterations = 0;
  std::int64_t halved_steps = 0;     ///< steps that could only be taken in halves
  std::int64_t unsolved_steps = 0;   ///< SEM: no length gives the step's energy; the step keeps its length
  double shortest = 0, longest = 0;  ///< of the steps taken [s]

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [newton_iterations, most_newton_iterations, linear_iterations, halved_steps, unsolved_steps,
           shortest, longest] = self;
    archive(newton_iterations, most_newton_iterations, linear_iterations, halved_steps, unsolved_steps,
            shortest, longest);
  }

  void note_step(double step) {
    shortest = shortest > 0 ? std::min(shortest, step) : step;
    longest = std::max(longest, step);
  }
};

/// Counts of an integrator in windows of time, in which ranks work alone; of this run of the program.
struct WindowRecord {
  std::int64_t windows = 0;
  std::int64_t cut_windows = 0;       ///< windows that ended early; ranks repeated them up to their new end
  std::int64_t moved_bodies = 0;      ///< bodies that went to another rank
  double clusters = 0;                ///< mean number of clusters in a window
  double balance = 0;                 ///< mean work of a rank over the largest, on average over windows
  double teams = 0;                   ///< mean number of clusters that teams of ranks worked on
  std::int64_t team_events = 0;       ///< events of those clusters
  std::int64_t team_collectives = 0;  ///< reductions and exchanges among ranks of one team
  std::int64_t helped_clusters = 0;   ///< clusters that went to a rank which had nothing left to do

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [windows, cut_windows, moved_bodies, clusters, balance, teams, team_events, team_collectives,
           helped_clusters] = self;
    archive(windows, cut_windows, moved_bodies, clusters, balance, teams, team_events, team_collectives,
            helped_clusters);
  }
};

/// Contact potentials that this rank measures energies of, and the lines of the nodes that they load.
struct ShownPotentials {
  std::span<const std::unique_ptr<Potential>> potentials;
  std::span<const NodeLine> lines;
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Does the next event that is not later than `until` (which is not before state.time), or the next step
  /// that begins before `until`, and returns true. When there is none left, changes nothing but state.time
  /// and returns false; so times of output never change the trajectory. state.time is then a time at which
  /// positions and velocities belong together: `until` for integrators by events, the first end of a step at
  /// or after `until` for integrators by steps.
  virtual bool advance(State& state, double until) = 0;

  /// Limits the number of events since the start of the run; 0: no limit. For integrators that do several
  /// events in one `advance`. To be called before the first `advance`.
  virtual void stop_after(std::int64_t events) { (void)events; }

  /// Brings positions and momenta of `state` to state.time. Needed after `advance` returned true, with
  /// integrators whose nodes do not move on lines or that leave parts of the state behind. Never changes the
  /// trajectory. Collective.
  virtual void bring_up_to_date(State& state) { (void)state; }

  /// Σ h k (clocked: Σ U) [J] for integrators that conserve K plus that; nothing for those that use V itself.
  [[nodiscard]] virtual std::optional<double> conserved_potential() const = 0;

  [[nodiscard]] virtual std::vector<SubdomainRecord> subdomain_records() const = 0;
  [[nodiscard]] virtual std::int64_t events() const = 0;
  [[nodiscard]] virtual std::int64_t reflections() const { return 0; }
  [[nodiscard]] virtual double average_step() const = 0;
  /// Elements evaluated by this rank, for gradients and for samples along lines. Contact and walls count as
  /// elements of the same cost.
  [[nodiscard]] virtual std::int64_t element_evaluations() const { return 0; }
  /// Elements evaluated for gradients alone.
  [[nodiscard]] virtual std::int64_t gradient_evaluations() const { return 0; }
  /// Searches for a first crossing that were begun; the same on all ranks.
  [[nodiscard]] virtual std::int64_t searches() const { return 0; }

  /// Whether State::ledger holds the momentum that each reaction received: not every method finds it.
  [[nodiscard]] virtual bool books_reactions() const { return true; }

  /// How well kicks balanced their energy; nothing for integrators that do not balance it.
  [[nodiscard]] virtual std::optional<BalanceRecord> balance() const { return {}; }

  /// Of integrators whose steps are implicit or vary.
  [[nodiscard]] virtual std::optional<StepRecord> step_record() const { return {}; }
  /// Of integrators that work in windows.
  [[nodiscard]] virtual std::optional<WindowRecord> window_record() const { return {}; }
  /// Of executors that do events of several subdomains at once.
  [[nodiscard]] virtual std::optional<ConcurrencyRecord> concurrency_record() const { return {}; }
  /// Wall time of this rank by kind of work [s], in this run of the program.
  [[nodiscard]] virtual std::map<std::string, double> seconds_by_part() const { return {}; }

  /// Contact potentials of integrators in windows, to be measured beside those of the system that others see,
  /// which then has none of contact between bodies.
  [[nodiscard]] virtual ShownPotentials shown_contact() const { return {}; }

  /// Adds the extremes that this rank's contact potentials have seen.
  virtual void report(ContactExtremes& extremes) const = 0;

  /// Adds to `warnings`, in words that a user understands, where the accuracy monitors are out of range.
  virtual void describe_trouble(std::vector<Warning>& warnings) const { (void)warnings; }
  /// Sends what one rank alone knows of the future to all others. Never changes the trajectory. Collective.
  virtual void share() {}
  /// Writes everything that decides the future besides the State. After share() all ranks write the same
  /// bytes.
  virtual void save(ByteWriter& writer) const = 0;
  /// As save, without how far searches have come, which depends on how far ahead they have looked.
  virtual void save_motion(ByteWriter& writer) const { save(writer); }
  /// Restores what save() wrote, with the State of that time; on any number of ranks if share() came before.
  /// Throws Error(run) where the bytes end too early. Collective.
  virtual void restore(const State& state, ByteReader& reader) = 0;
  /// For the hash of the state: times and levels of past events, nothing that is known of future ones.
  [[nodiscard]] virtual std::uint64_t hash() const = 0;
};

/// Returns `step` [s]. Throws Error(input) where it is not positive or not finite.
[[nodiscard]] double positive_step(double step);

}  // namespace terrace
