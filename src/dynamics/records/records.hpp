// What a run reports: plain values the engine fills and the writers of histories and summaries turn into
// files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

/// When a warning is told.
enum class Tell {
  at_once,   ///< and in the summary, also where it is no longer so at the end
  while_so,  ///< at once; in the summary where it is so at the end, as of what is a mean of the whole run
  at_end     ///< where it is so then: it is too early to say
};

/// What a user should know of a run; told once for each subject.
struct Warning {
  std::string subject;  ///< the kind of trouble, of which a run tells once
  std::string text;
  Tell tell = Tell::at_once;
};

/// Totals of the whole system at one time; one row of history.csv.
struct SystemRecord {
  double time = 0, kinetic = 0, potential = 0, terraced = 0,
         energy = 0;        ///< kinetic + terraced (Σ h k) − support_work: what is conserved
  double support_work = 0;  ///< done by moving supports so far
  Vector3 momentum{}, angular_momentum{};  ///< the second about the origin
  std::int64_t events = 0;
  /// About where the centre of mass of the first row would be now, at its first velocity: as conserved as the
  /// one about the origin, with all digits however far away that is.
  Vector3 own_angular_momentum{};

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [time, kinetic, potential, terraced, energy, support_work, momentum, angular_momentum, events,
           own_angular_momentum] = self;
    archive(time, kinetic, potential, terraced, energy, support_work, momentum, angular_momentum, events,
            own_angular_momentum);
  }
};

/// One body (or wall, support, gravity: name, momentum it received and contact force only) at one time; one
/// row of bodies.csv.
struct BodyRecord {
  std::string name;
  Vector3 momentum{}, velocity{}, position{};  ///< of the centre of mass
  Vector3 spin{};                              ///< inertia⁻¹ · angular momentum about the centre of mass
  double kinetic = 0, vibrational_kinetic = 0, potential = 0;
  double element_scale_kinetic = 0;  ///< of what differs from node to node, beside the turn (Diagnostics)
  /// Mean since the last row: change of momentum over time, of bodies less their weight. By contact and
  /// walls, and by supports and fields too.
  Vector3 contact_force{};
};

/// One node that the deck asks about, at one time; one row of probes.csv.
struct ProbeRecord {
  std::string name;
  std::int32_t node;                         ///< of the whole system
  Vector3 position, displacement, velocity;  ///< [length, length, length/time]
};

/// One row of subdomains.csv, and that subdomain's rows of steps.csv.
struct SubdomainRecord {
  std::string name;
  double energy_step = 0;
  std::int64_t level = 0;
  std::int64_t events = 0, reflections = 0, longest_run = 0;  ///< run: consecutive reflections at one surface
  double longest_run_start = 0;                               ///< time at which that run began
  double step_mean = 0, step_min = 0, step_max = 0;
  double energy_mismatch = 0;  ///< largest |V − k h| / h seen at an event less what a terrace allows
  /// Of log10(step), by bins of 0.1 from 1e−20 s on, those that occur: bin b = [10^(b/10 − 20), …).
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
