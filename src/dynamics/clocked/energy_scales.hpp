// What energies of clocked energy-stepping are measured by.
#pragma once

#include <cmath>
#include <span>

namespace terrace {

/// All but the first are powers of two, so that other bodies change no bit of a terrace's steps as long as
/// they leave these as they are.
struct EnergyScales {
  double energy = 0;         ///< of the system at its start [J]
  double scale = 0;          ///< hardly less than that [J]: what steps are measured by
  double largest_scale = 1;  ///< the same, with what gravity may add: less than a small share is nothing
  double quantum = 1;        ///< of U [J]

  /// With K, V of all subdomains, what gravity may add, and what forces do in a first step [J].
  [[nodiscard]] static EnergyScales of(double kinetic, std::span<const double> values, double of_a_fall,
                                       double of_first_step = 0) {
    EnergyScales scales{.energy = kinetic};
    for (const double value : values) scales.energy += std::abs(value);
    const double largest = scales.energy + of_a_fall + of_first_step;
    scales.scale = power_of_two_below(scales.energy);
    scales.largest_scale = largest > 0 ? power_of_two_below(largest) : 1;
    scales.quantum = std::ldexp(scales.largest_scale, -100);
    return scales;
  }

  /// What rests may store so much at most before it has events: next to nothing of the system's energy [J].
  [[nodiscard]] double threshold() const { return 1e-12 * largest_scale; }
  /// Of contact, walls and particles' forces, which store nothing at all out of their reach, and may begin as
  /// slowly as they like beside others that are fast.
  [[nodiscard]] double threshold_of_contact() const { return 1e-20 * largest_scale; }
  [[nodiscard]] static double power_of_two_below(double value) {
    return value > 0 ? std::ldexp(1.0, std::ilogb(value)) : 0;
  }
};

}  // namespace terrace
