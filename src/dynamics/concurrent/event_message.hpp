// What a subdomain tells those that share nodes with it of an event of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/concurrent/event_place.hpp"
#include "dynamics/state/exact_momentum.hpp"
#include "geometry/vector3.hpp"

namespace terrace {

/// One event, by the subdomain it is of and that subdomain's own count of what it ever sent.
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

/// An event as others need it: its impulse R N_a on the nodes that it pushes and they may share, and where it
/// stands.
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

/// An event that was told too early: it never happened.
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
