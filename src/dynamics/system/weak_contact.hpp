// Warnings of smooth contact that is too soft to stop the bodies it is between.
#pragma once

#include <string>

#include "dynamics/system/contact_parameters.hpp"

namespace terrace {

/// In what a gap's stiffness is too weak. A gap that is closed holds the energy κ/2 per area
/// (ContactProfile).
struct Weakness {
  double stiffness = 0;          ///< κ [energy/length²]
  double speed = 0, enough = 0;  ///< `enough`: the least κ that stops the boundaries' own nodes at `speed`
  /// The energy of the gap when all of the smaller surface is closed; the energy step of the pair's own
  /// terrace, 0 without one.
  double holds = 0, energy_step = 0;

  [[nodiscard]] bool stops_nothing() const { return stiffness < enough; }
  [[nodiscard]] bool is_never_felt() const { return holds < energy_step; }
  explicit operator bool() const { return stops_nothing() || is_never_felt(); }
  /// Tells the user what is too weak and what to do.
  [[nodiscard]] std::string text() const;
};

/// The weakness of a gap between two bodies whose nodes approach by at most `speed` at the start. Less energy
/// per area than ½ m v², with the reduced mass m per area of the boundaries' nodes, stops nothing.
/// `energy_step` [energy]: of the pair's own terrace, 0 where it has none.
[[nodiscard]] Weakness weakness(const ContactBody& first, const ContactBody& second, double speed,
                                double stiffness, double energy_step);

/// A text for the user if a barrier's `stiffness` is less than a thousandth of κ as `chosen` for the pressure
/// of the impact; else empty. The softer the barrier, the nearer surfaces come to each other.
[[nodiscard]] std::string soft_barrier(double stiffness, double chosen);

}  // namespace terrace
