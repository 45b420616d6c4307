// What energies of clocked energy-stepping are measured by.
#pragma once

#include <cmath>
#include <span>

namespace terrace {

/// Powers of two, so that other bodies change no bit of a terrace's steps as long as they leave these as they
/// are.
struct EnergyScales {
  /// Hardly less than the energy of the system at its start, with what gravity may add [J]: less than a small
  /// share of it is nothing.
  double largest_scale = 1;
  double quantum = 1;  ///< of U [J]

  /// With K, V of all subdomains, what gravity may add, and what forces do in a first step [J].
  [[nodiscard]] static EnergyScales of(double kinetic, std::span<const double> values, double of_a_fall,
                                       double of_first_step = 0) {
    EnergyScales scales;
    double largest = kinetic + of_a_fall + of_first_step;
    for (const double value : values) largest += std::abs(value);
    scales.largest_scale = largest > 0 ? power_of_two_below(largest) : 1;
    scales.quantum = std::ldexp(scales.largest_scale, -100);
    return scales;
  }

  /// What rests may store so much at most before it has events: next to nothing of the system's energy [J].
  [[nodiscard]] double threshold() const { return 1e-12 * largest_scale; }
  /// Of contact, walls and particles' forces, which store nothing at all out of their reach, and may begin as
  /// slowly as they like beside others that are fast. Errors are measured by no less than that either.
  [[nodiscard]] double threshold_of_contact() const { return 1e-20 * largest_scale; }
  [[nodiscard]] static double power_of_two_below(double value) {
    return value > 0 ? std::ldexp(1.0, std::ilogb(value)) : 0;
  }
};

}  // namespace terrace
