// The scales by which clocked energy-stepping measures energies.
#pragma once

#include <cmath>
#include <span>

namespace terrace {

/// Scales of energy of the whole system, as powers of two: another body changes the bits of a terrace's steps
/// only where it changes one of these.
struct EnergyScales {
  /// The energy of the system at its start, with what gravity may add, rounded down to a power of two [J].
  double largest_scale = 1;
  double quantum = 1;  ///< unit in which U is counted [J]

  /// The scales of a system with these energies at its start [J]: K, V of all subdomains, what gravity may
  /// add, and what forces give in a first step.
  [[nodiscard]] static EnergyScales of(double kinetic, std::span<const double> values, double of_a_fall,
                                       double of_first_step = 0) {
    EnergyScales scales;
    double largest = kinetic + of_a_fall + of_first_step;
    for (const double value : values) largest += std::abs(value);
    scales.largest_scale = largest > 0 ? power_of_two_below(largest) : 1;
    scales.quantum = std::ldexp(scales.largest_scale, -100);
    return scales;
  }

  /// Upper bound on the |V| up to which a terrace rests: next to nothing of the system's energy [J].
  [[nodiscard]] double threshold() const { return 1e-12 * largest_scale; }
  /// The same for contact, walls and forces of particles [J]: these store exactly nothing out of their reach,
  /// and may begin very slowly beside other, fast bodies. Also a lower bound on the scale of errors.
  [[nodiscard]] double threshold_of_contact() const { return 1e-20 * largest_scale; }
  /// The largest power of two not above a positive `value`, else 0.
  [[nodiscard]] static double power_of_two_below(double value) {
    return value > 0 ? std::ldexp(1.0, std::ilogb(value)) : 0;
  }
};

}  // namespace terrace
