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

/// Checks that the surface at which an event happens has a usable gradient. Throws Error(run) on all ranks if
/// s = 0 and the subdomain is impenetrable, or v_n = 0 too. `time` [s] is for the message.
void require_gradient(const SubdomainGradient::Products& products, const Subdomain& subdomain, double time);

/// Every subdomain's potential V⁽ʲ⁾ is replaced by the terraced V_h = h ⌊(V − V₀)/h⌋. Nodes move in straight
/// lines between events, the instants at which some V⁽ʲ⁾ meets a surface of its terrace. Energy-stepping is
/// the case of one subdomain.
class EnergyStepping : public Integrator {
 public:
  /// Collective. Throws Error(input) when a subdomain's V is below its lowest value at the start.
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
  /// By number of the subdomain.
  [[nodiscard]] const SubdomainStates& states() const { return states_; }

 protected:
  // For executors that do several events at once: they do the events themselves, with these parts.
  [[nodiscard]] const Lagrangian& system() const { return lagrangian_; }
  [[nodiscard]] SubdomainStates& own_states() { return states_; }
  [[nodiscard]] Lines& lines() { return lines_; }
  [[nodiscard]] Schedule& schedule() { return schedule_; }
  /// Notes that `events` more events were done, the last of them at `instant`. The state is now that of
  /// `time`.
  void note_events(std::int64_t events, double instant, double time) {
    events_ += events;
    latest_ = std::max(latest_, instant);
    now_ = std::max(time, latest_);
  }
  /// Notes that an event of subdomain `number` has pushed that subdomain and `affected`: they no longer count
  /// as resting since the start.
  void forget_resting(std::int32_t number, std::span<const std::int32_t> affected);
  [[nodiscard]] double latest_event() const { return latest_; }
  [[nodiscard]] TerraceGraph& graph() { return graph_; }
  /// Gives the body that is the first to leave its box a new box. Returns the pairs that woke up or fell
  /// asleep.
  [[nodiscard]] NearPairs::Changes renew_box(const State& state) {
    return changes_.renew_box(state, graph_.near_pairs().next_exit());
  }

 private:
  // A subdomain that has been at rest since the start although it has a force.
  struct Resting {
    std::int32_t subdomain;
    double falls_per_time;  // how often in a unit of time its force would give it an energy step
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
  double latest_ = 0;  // instant of the latest event, or the start
  double now_ = 0;     // time that was reached; only warnings depend on it
  std::vector<Resting> resting_;
};

}  // namespace terrace
