// What a subdomain tells its neighbours, which share nodes with it, of an event of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/concurrent/event_place.hpp"
#include "dynamics/state/exact_momentum.hpp"
#include "geometry/vector3.hpp"

namespace terrace {

/// Names an event by its subdomain and a number, which that subdomain counts up with every event that it
/// tells.
struct EventName {
  std::int32_t subdomain = 0;
  std::int64_t number = 0;
  bool operator==(const EventName&) const = default;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [subdomain, number] = self;
    archive(subdomain, number);
  }
};

/// An event as neighbours need it: the impulse R N_a on the nodes that it pushes and that they may share, and
/// its place in the order of events.
struct EventMessage {
  EventName name;
  EventPlace place;
  double instant = 0;      ///< [s]
  std::int64_t level = 0;  ///< of the terrace afterwards
  bool reflected = false;
  IntegerMultiplier factor;         ///< R
  double grid = 1;                  ///< n_a = N_a · grid [N]
  std::vector<std::int32_t> nodes;  ///< of the model, ascending
  std::vector<Vector3> gradient;    ///< n_a [N], by `nodes`
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, place, instant, level, reflected, factor, grid, nodes, gradient] = self;
    archive(name, place, instant, level, reflected, factor.mantissa, factor.exponent, grid, nodes, gradient);
  }
};

/// Withdraws an event that was told too early: it never happened.
struct EventWithdrawal {
  EventName name;
  EventPlace place;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, place] = self;
    archive(name, place);
  }
};

}  // namespace terrace
