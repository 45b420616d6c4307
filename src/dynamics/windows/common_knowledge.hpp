// What every rank knows of all bodies, where each works on some of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/windows/known_terraces.hpp"
#include "dynamics/windows/window_plan.hpp"
#include "dynamics/windows/window_work.hpp"

namespace terrace {

/// The terraces of all bodies as they were at the end of the last window, who worked on them, and what the
/// next plan goes by. All ranks learn it from the same news, so that they come to the same plan.
class CommonKnowledge {
 public:
  /// Of nothing yet. `clocks`: of all of `system`, whose bodies are one subdomain each. Both outlive this.
  CommonKnowledge(const Lagrangian& system, const ClockedEnergyStepping& clocks);

  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(elements_.size()); }

  /// These ranks have the bodies, by body; no terrace is known, nor any cluster of a window before.
  void begin(std::vector<int> holders);

  /// Throws as KnownTerraces::learn.
  void learn(ToldTerrace terrace);
  [[nodiscard]] const KnownTerraces& terraces() const { return terraces_; }
  /// Events of its terrace, or looks at what rests [1/time].
  [[nodiscard]] double pace(std::int32_t body) const { return at(pace_, body); }

  /// By body, the rank that worked on it last. Of a cluster that goes from one rank to another within a
  /// window these two alone know until its end.
  [[nodiscard]] const std::vector<int>& holders() const { return holder_; }
  [[nodiscard]] std::vector<std::int32_t> bodies_of(int rank) const;
  void set_holder(std::int32_t body, int rank) { at(holder_, body) = rank; }
  /// The ranks that a plan names have the bodies of its clusters. Returns how many had been another's.
  std::int64_t follow(const Window& window);

  /// WindowOutlook::deviation and departure of a body.
  void learn_departure(std::int32_t body, double deviation, double departure);
  [[nodiscard]] double departure(std::int32_t body) const { return at(departure_, body); }
  /// Of each rank what it did of what was foreseen for it [elements/s]; none where nobody asks.
  void set_speeds(std::vector<double> speeds) { speeds_ = std::move(speeds); }

  /// What a plan goes by that is made now, and from then on the present one. `ranks`: whose the bodies are
  /// meant to be.
  const WindowOutlook& look_ahead(std::vector<int> ranks);
  [[nodiscard]] const WindowOutlook& outlook() const { return outlook_; }
  /// Elements of each body.
  [[nodiscard]] const std::vector<double>& elements() const { return elements_; }

 private:
  [[nodiscard]] double pace(std::int32_t body, const Clock& clock) const;

  const Lagrangian& system_;
  const ClockedEnergyStepping& clocks_;
  KnownTerraces terraces_;
  // By body.
  std::vector<double> elements_, deviation_, departure_, pace_;
  std::vector<int> holder_;
  std::vector<std::int32_t> former_cluster_;  // empty at first
  std::vector<double> speeds_;                // of each rank
  WindowOutlook outlook_;
};

}  // namespace terrace
