// The results of a run as plain values: the engine fills them, and the writers of histories and summaries
// turn them into files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

/// When a warning is printed, and whether the summary repeats it.
enum class Tell {
  at_once,   ///< printed at once; in the summary even if it no longer holds at the end
  while_so,  ///< printed at once; in the summary only if it holds at the end, as for means over the whole run
  at_end     ///< only if it holds at the end; before that it is too early to say
};

/// A warning to the user about a run; printed once for each subject.
struct Warning {
  std::string subject;  ///< the kind of trouble
  std::string text;
  Tell tell = Tell::at_once;
};

/// Totals of the whole system at one time; one row of history.csv. Energies in [J].
struct SystemRecord {
  double time = 0, kinetic = 0, potential = 0, terraced = 0,
         energy = 0;        ///< kinetic + terraced (Σ h k) − support_work: what is conserved
  double support_work = 0;  ///< work that moving supports have done so far
  Vector3 momentum{}, angular_momentum{};  ///< angular momentum about the origin
  std::int64_t events = 0;
  /// Angular momentum about the point at which the centre of mass would be now, had it kept the velocity of
  /// the first row. It is conserved as that about the origin is, but loses no digits where the system is far
  /// from the origin.
  Vector3 own_angular_momentum{};

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [time, kinetic, potential, terraced, energy, support_work, momentum, angular_momentum, events,
           own_angular_momentum] = self;
    archive(time, kinetic, potential, terraced, energy, support_work, momentum, angular_momentum, events,
            own_angular_momentum);
  }
};

/// One body at one time; one row of bodies.csv. For a wall, a support or gravity only the name, the momentum
/// that it has received and the contact force are set.
struct BodyRecord {
  std::string name;
  Vector3 momentum{}, velocity{}, position{};  ///< of the centre of mass
  Vector3 spin{};                              ///< inertia⁻¹ · angular momentum about the centre of mass
  double kinetic = 0, vibrational_kinetic = 0, potential = 0;
  /// Kinetic energy of the motion that differs from node to node, without that of the rotation (Diagnostics).
  double element_scale_kinetic = 0;
  /// Mean force since the last row [N]: change of momentum over time, for bodies without their weight. It is
  /// the force of contact and walls, and includes that of supports and fields.
  Vector3 contact_force{};
};

/// A node that the deck asks for, at one time; one row of probes.csv.
struct ProbeRecord {
  std::string name;
  std::int32_t node;                         ///< number in the whole system
  Vector3 position, displacement, velocity;  ///< [length, length, length/time]
};

/// One row of subdomains.csv, and that subdomain's rows of steps.csv.
struct SubdomainRecord {
  std::string name;
  double energy_step = 0;
  std::int64_t level = 0;
  std::int64_t events = 0, reflections = 0, longest_run = 0;  ///< run: consecutive reflections at one surface
  double longest_run_start = 0;                               ///< time at which the longest run began
  double step_mean = 0, step_min = 0, step_max = 0;           ///< times between events [s]
  double energy_mismatch = 0;  ///< largest distance of V from its terrace at the start of a search, in h
  /// Number of steps by bins of 0.1 in log10(step), for bins that occur: bin b = [10^(b/10 − 20),
  /// 10^((b+1)/10 − 20)) s; bin 0 also holds shorter steps, bin 399 longer ones.
  std::map<std::int32_t, std::int64_t> histogram;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, energy_step, level, events, reflections, longest_run, longest_run_start, step_mean, step_min,
           step_max, energy_mismatch, histogram] = self;
    archive(name, energy_step, level, events, reflections, longest_run, longest_run_start, step_mean,
            step_min, step_max, energy_mismatch, histogram);
  }
};

}  // namespace terrace
