// Energy-stepping and asynchronous energy-stepping: Algorithm 5 of the thesis.
#pragma once

#include <algorithm>
#include <vector>

#include "dynamics/state/integrator.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"
#include "dynamics/terraces/terrace_changes.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// An event at `time` needs a gradient. Throws Error(run) on all ranks where there is none.
void require_gradient(const SubdomainGradient::Products& products, const Subdomain& subdomain, double time);

/// Every subdomain's potential is replaced by its terrace V_h = h ⌊(V − V₀)/h⌋; nodes move in straight lines
/// between the instants at which some V⁽ʲ⁾ meets a surface of its terrace. Energy-stepping is the case of one
/// subdomain.
class EnergyStepping : public Integrator {
 public:
  /// Collective. Throws Error(input) when V is negative at the start.
  EnergyStepping(Lagrangian& lagrangian, State& state);

  bool advance(State& state, double until) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override;  ///< Σ h k
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override;
  [[nodiscard]] std::int64_t events() const override { return events_; }
  [[nodiscard]] std::int64_t reflections() const override;
  [[nodiscard]] double average_step() const override;
  void report(ContactExtremes& extremes) const override { lines_.report(extremes); }
  void describe_trouble(std::vector<Warning>& warnings) const override;
  void share() override { schedule_.share(); }
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;
  [[nodiscard]] std::int64_t element_evaluations() const override {
    return schedule_.element_evaluations() + gradient_.element_evaluations();
  }
  [[nodiscard]] std::int64_t gradient_evaluations() const override { return gradient_.element_evaluations(); }
  [[nodiscard]] std::int64_t searches() const override { return schedule_.searches(); }
  /// By subdomain.
  [[nodiscard]] const SubdomainStates& states() const { return states_; }

 protected:
  // Of an executor of several events at once, which does them in its own way.
  [[nodiscard]] const Lagrangian& system() const { return lagrangian_; }
  [[nodiscard]] SubdomainStates& own_states() { return states_; }
  [[nodiscard]] Lines& lines() { return lines_; }
  [[nodiscard]] Schedule& schedule() { return schedule_; }
  /// So many events more were done, the last of them at `instant`; the state is now that of `time`.
  void note_events(std::int64_t events, double instant, double time) {
    events_ += events;
    latest_ = std::max(latest_, instant);
    now_ = std::max(time, latest_);
  }
  /// An event of a subdomain has pushed these, and itself.
  void forget_resting(std::int32_t number, std::span<const std::int32_t> affected);
  [[nodiscard]] double latest_event() const { return latest_; }
  [[nodiscard]] TerraceGraph& graph() { return graph_; }
  /// A new box for the body that leaves its own first. Returns the pairs that woke up or fell asleep.
  [[nodiscard]] NearPairs::Changes renew_box(const State& state) {
    return changes_.renew_box(state, graph_.near_pairs().next_exit());
  }

 private:
  // At the start, and since then; and how often in a unit of time its force would give it an energy step.
  struct Resting {
    std::int32_t subdomain;
    double falls_per_time;
  };
  void process_event(State& state, std::int32_t subdomain);
  [[nodiscard]] std::vector<double> subdomains_that_move(const State& state) const;
  [[nodiscard]] bool may_be_pulled(std::int32_t subdomain) const;
  void look_at_forces(const State& state);
  void tell_what_rests(std::vector<Warning>& warnings) const;
  [[nodiscard]] double average_without_longest_steps() const;
  SubdomainGradient::Products gradient_at(const State& state, std::int32_t subdomain);
  void restore_line(const State& state, std::int32_t subdomain);
  std::vector<std::int32_t> renew_lines(const State& state, std::int32_t subdomain, double instant);

  const Lagrangian& lagrangian_;
  SubdomainStates states_;
  Lines lines_;
  SubdomainGradient gradient_;
  TerraceGraph graph_;
  Schedule schedule_;
  TerraceChanges changes_;
  std::vector<std::uint8_t> changed_;  // nodes that got a new line in this event
  std::int64_t events_ = 0;
  double latest_ = 0;  // instant of an event
  double now_ = 0;     // that was reached; no result depends on it
  std::vector<Resting> resting_;
};

}  // namespace terrace
