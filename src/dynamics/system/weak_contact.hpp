// Smooth contact that cannot hold up what it is there to hold up.
#pragma once

#include <string>

#include "dynamics/system/contact_parameters.hpp"

namespace terrace {

/// What a gap cannot do. A closed one holds κ/2 per area (ContactProfile).
struct Weakness {
  double stiffness = 0;               ///< κ [energy/length²]
  double speed = 0, enough = 0;       ///< κ that holds up the boundaries' own nodes at that speed
  double holds = 0, energy_step = 0;  ///< all of the smaller surface; of the pair's own terrace [energy]

  [[nodiscard]] bool stops_nothing() const { return stiffness < enough; }
  [[nodiscard]] bool is_never_felt() const { return holds < energy_step; }
  explicit operator bool() const { return stops_nothing() || is_never_felt(); }
  /// For the user, what it is and what to do.
  [[nodiscard]] std::string text() const;
};

/// Of two bodies whose nodes approach by at most `speed` at the start: less than half the boundaries' reduced
/// mass per area times its square stops nothing. `energy_step` [energy]: of the pair's own terrace, 0 where
/// it has none.
[[nodiscard]] Weakness weakness(const ContactBody& first, const ContactBody& second, double speed,
                                double stiffness, double energy_step);

/// For the user, of a barrier whose stiffness κ would be chosen for the pressure of the impact: empty where
/// the given one is no less than a thousandth of that, as the gap between surfaces goes down with it.
[[nodiscard]] std::string soft_barrier(double stiffness, double chosen);

}  // namespace terrace
