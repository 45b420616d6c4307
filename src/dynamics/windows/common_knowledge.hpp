// What every rank knows about all bodies, although it works on some of them only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/windows/known_terraces.hpp"
#include "dynamics/windows/window_plan.hpp"
#include "dynamics/windows/window_work.hpp"

namespace terrace {

/// The terraces of all bodies at the end of the last window, the rank that worked on each body, and what the
/// next plan goes by. All ranks learn these from the same news and therefore come to the same plan.
class CommonKnowledge {
 public:
  /// Knows no terrace yet. Each body of `system` is one subdomain; `clocks` are those of the whole system.
  /// Both outlive this.
  CommonKnowledge(const Lagrangian& system, const ClockedEnergyStepping& clocks);

  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(elements_.size()); }

  /// Starts anew: `holders` names the rank of each body; no terrace is known, and no former cluster.
  void begin(std::vector<int> holders);

  /// Replaces what was known of the terrace, and the pace of its bodies. Throws as KnownTerraces::learn.
  void learn(ToldTerrace terrace);
  [[nodiscard]] const KnownTerraces& terraces() const { return terraces_; }
  /// Events per time of the body's terrace, or, where that rests, looks at it per time [1/time].
  [[nodiscard]] double pace(std::int32_t body) const { return at(pace_, body); }

  /// By body, the rank that worked on it last. Where a cluster goes from one rank to another within a window,
  /// these two ranks alone know so until the window ends.
  [[nodiscard]] const std::vector<int>& holders() const { return holder_; }
  [[nodiscard]] std::vector<std::int32_t> bodies_of(int rank) const;
  void set_holder(std::int32_t body, int rank) { at(holder_, body) = rank; }
  /// The bodies are now held by the ranks that the plan names. Returns how many bodies changed their rank.
  std::int64_t follow(const Window& window);

  /// Sets WindowOutlook::deviation and WindowOutlook::departure of a body.
  void learn_departure(std::int32_t body, double deviation, double departure);
  [[nodiscard]] double departure(std::int32_t body) const { return at(departure_, body); }
  /// Sets the speed of each rank: foreseen work that it did per second [elements/s]. Empty where ranks do not
  /// help each other.
  void set_speeds(std::vector<double> speeds) { speeds_ = std::move(speeds); }

  /// Makes the outlook for a plan that is made now; outlook() returns it from then on. `ranks`: by body, the
  /// rank that the plan takes for the last one to work on it (WindowOutlook::rank).
  const WindowOutlook& look_ahead(std::vector<int> ranks);
  [[nodiscard]] const WindowOutlook& outlook() const { return outlook_; }
  /// Number of elements of each body.
  [[nodiscard]] const std::vector<double>& elements() const { return elements_; }

 private:
  [[nodiscard]] double pace(std::int32_t body, const Clock& clock) const;

  const Lagrangian& system_;
  const ClockedEnergyStepping& clocks_;
  KnownTerraces terraces_;
  // By body; deviation_ and departure_ as in WindowOutlook.
  std::vector<double> elements_, deviation_, departure_, pace_;
  std::vector<int> holder_;
  std::vector<std::int32_t> former_cluster_;  // by body; empty before the first window
  std::vector<double> speeds_;                // by rank [elements/s]
  WindowOutlook outlook_;
};

}  // namespace terrace
