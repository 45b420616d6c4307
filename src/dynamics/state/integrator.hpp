// The one interface of every integrator.
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

/// What the kicks of clocked energy-stepping have left over, in energies of the system at its start.
struct BalanceRecord {
  /// Whether every terrace's U follows its V; where terraces share nodes U is a ledger of what the kicks
  /// took, and K + Σ U says nothing of V.
  bool follows_potential = true;
  /// U is so far from where V says it should be, as a share of what its bodies have had (Clock::most_energy).
  double largest_debt = 0;
  double largest_imbalance = 0;    ///< that leapfrog's own kick would have left, likewise
  double largest_unpaid_debt = 0;  ///< of debts that the terrace's next kick left beyond the tolerance
  std::int64_t clipped_kicks = 0;
  std::int64_t shortened_steps = 0;

  /// What another rank has seen elsewhere.
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

/// How an integrator by steps came through: what its equations took to be solved, and what was not as it
/// should be.
struct StepRecord {
  std::int64_t newton_iterations = 0, most_newton_iterations = 0;  ///< all, and the most of a step
  std::int64_t linear_iterations = 0;
  std::int64_t halved_steps = 0;     ///< that could not be taken, but in halves
  std::int64_t unsolved_steps = 0;   ///< SEM: of an energy that no step gives; they keep the step
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

/// How an integrator came through windows of time in which ranks work alone, in this run of the program.
struct WindowRecord {
  std::int64_t windows = 0;
  std::int64_t cut_windows = 0;       ///< that ended early, and were gone through again so far
  std::int64_t moved_bodies = 0;      ///< to another rank
  double clusters = 0;                ///< mean number of them
  double balance = 0;                 ///< mean over largest work of a rank, on average
  double teams = 0;                   ///< mean number of clusters that several ranks had together
  std::int64_t team_events = 0;       ///< of those clusters
  std::int64_t team_collectives = 0;  ///< among ranks of one team: reductions and exchanges
  std::int64_t helped_clusters = 0;   ///< that went to a rank which had nothing left to do

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [windows, cut_windows, moved_bodies, clusters, balance, teams, team_events, team_collectives,
           helped_clusters] = self;
    archive(windows, cut_windows, moved_bodies, clusters, balance, teams, team_events, team_collectives,
            helped_clusters);
  }
};

/// Potentials of contact that this rank measures, and the lines of the nodes that they load.
struct ShownPotentials {
  std::span<const std::unique_ptr<Potential>> potentials;
  std::span<const NodeLine> lines;
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Takes the next event not later than `until`, which is not before state.time, or the next step that
  /// begins before it, and returns true; when there is none left, changes nothing but state.time and returns
  /// false. Where output falls therefore never changes the trajectory. state.time is then a time at which
  /// positions and velocities belong together: `until` for integrators by events, the first end of a step at
  /// or after `until` for integrators by steps.
  virtual bool advance(State& state, double until) = 0;

  /// No event after this many since the start of the run; 0: no limit. For integrators that do several events
  /// in one `advance`, before the first of which it is to be called.
  virtual void stop_after(std::int64_t events) { (void)events; }

  /// Brings positions and momenta of `state` to state.time where `advance` leaves them behind, after it
  /// returned true: of integrators whose nodes do not move on lines. Changes no trajectory. Collective.
  virtual void bring_up_to_date(State& state) { (void)state; }

  /// Σ h k for the integrators that conserve K + Σ h k; nothing for those that look at V itself.
  [[nodiscard]] virtual std::optional<double> conserved_potential() const = 0;

  [[nodiscard]] virtual std::vector<SubdomainRecord> subdomain_records() const = 0;
  [[nodiscard]] virtual std::int64_t events() const = 0;
  [[nodiscard]] virtual std::int64_t reflections() const { return 0; }
  [[nodiscard]] virtual double average_step() const = 0;
  /// Elements evaluated by this rank, for gradients as for samples along lines; contact and walls in elements
  /// of the same cost.
  [[nodiscard]] virtual std::int64_t element_evaluations() const { return 0; }
  /// Those for gradients alone.
  [[nodiscard]] virtual std::int64_t gradient_evaluations() const { return 0; }
  /// Begun for a first crossing, the same on all ranks.
  [[nodiscard]] virtual std::int64_t searches() const { return 0; }

  /// Whether State::ledger holds what each reaction received: not where a method does not ask for it.
  [[nodiscard]] virtual bool books_reactions() const { return true; }

  /// How well kicks balanced their energy; nothing for integrators that do not balance it.
  [[nodiscard]] virtual std::optional<BalanceRecord> balance() const { return {}; }

  /// Of integrators by steps that are solved for, or vary.
  [[nodiscard]] virtual std::optional<StepRecord> step_record() const { return {}; }
  /// Of integrators that work in windows.
  [[nodiscard]] virtual std::optional<WindowRecord> window_record() const { return {}; }
  /// Of executors that do events at once.
  [[nodiscard]] virtual std::optional<ConcurrencyRecord> concurrency_record() const { return {}; }
  /// Seconds of this rank's time on the wall by what they went to, in this run of the program.
  [[nodiscard]] virtual std::map<std::string, double> seconds_by_part() const { return {}; }

  /// Beside those of the system that others see, which has none of contact between its bodies then.
  [[nodiscard]] virtual ShownPotentials shown_contact() const { return {}; }

  /// Adds what this rank's contact has seen.
  virtual void report(ContactExtremes& extremes) const = 0;

  /// Adds to `warnings`, in words that a user understands, where the accuracy monitors are out of range.
  virtual void describe_trouble(std::vector<Warning>& warnings) const { (void)warnings; }
  /// What one rank alone knows of the future goes to all others. Changes no trajectory. Collective.
  virtual void share() {}
  /// Everything that decides the future besides the State. After share() every rank's bytes are the same.
  virtual void save(ByteWriter& writer) const = 0;
  /// The same without how far searches have come, which depends on how far ahead somebody looked.
  virtual void save_motion(ByteWriter& writer) const { save(writer); }
  /// As it was saved, with the State it was saved with; on any number of ranks if it was shared before.
  /// Collective. Throws Error(run) where the bytes end too early.
  virtual void restore(const State& state, ByteReader& reader) = 0;
  /// For the hash of the state: times and levels, nothing of what is known of the future.
  [[nodiscard]] virtual std::uint64_t hash() const = 0;
};

/// Throws Error(input) for a step that is not positive, or not finite; else it.
[[nodiscard]] double positive_step(double step);

}  // namespace terrace
