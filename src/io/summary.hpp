// What a run reports at its end: summary.json.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/records/concurrency_record.hpp"
#include "dynamics/state/integrator.hpp"
#include "numerics/infinity.hpp"
namespace terrace {

/// The accuracy monitors. Conservation is no proof of accuracy; these say more.
struct Monitors {
  double share_of_reflections = 0;   ///< reflections / events
  std::int64_t longest_run = 0;      ///< most consecutive reflections of a subdomain at one surface
  double step_over_stable_step = 0;  ///< average step of a subdomain / stable explicit Newmark step
  /// Energy of vibrations on the scale of single elements at the end, kinetic and potential, over all energy
  /// at the start. No mesh resolves such vibrations: they are an artefact of the mesh or of the energy step.
  /// Null where energy comes from outside.
  std::optional<double> element_scale_energy = 0;
  double potential_mismatch = 0;       ///< largest |V − Σ U| in a row, over the energy
  double largest_energy_mismatch = 0;  ///< largest |V − k h| / h beyond what a terrace allows
  double least_distance = infinity;    ///< of two surfaces in smooth contact (P5)
  double deepest_penetration = 0;      ///< of a vertex behind a face (gap)
  double widest_contact = 0;  ///< by Hertz's law: its radius over the largest that its patch is meant for
  double largest_shift = 0;   ///< of such a contact's middle from its patch's, in radii of the patch
};

/// Whether Drifts::momentum_change, of at most 2^62 in size, says no more than "at least so large".
[[nodiscard]] inline bool beyond_counting(std::int64_t quanta) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  return quanta <= -most || quanta >= most;
}

/// Every member is the key of the same name in summary.json, except where noted. Numbers that are not finite
/// become null.
struct Summary {
  std::string version;
  std::string title;              ///< of the deck
  std::string deck;               ///< text of the deck, --set applied
  std::string petsc_options;      ///< of the command line; implicit methods take their tolerances from them
  std::string status = "failed";  ///< "done", "stopped", "stopped …", "failed: …", or "failed" alone
  double end_time = 0;            ///< asked for
  double final_time = 0;          ///< reached
  int ranks = 1;
  std::string layout;  ///< Layout::name
  std::int64_t events = 0, reflections = 0;
  double average_step = 0;  ///< mean time between the events of a subdomain
  double energy_drift = 0;  ///< Drifts::energy
  /// Change of total momentum, ledger included, in quanta of the momentum grid, by axis: key
  /// momentum_change_by_axis. Key momentum_change is the largest of the three in size, 0 when momentum is
  /// exact. Both are null where it is beyond_counting, as with methods without exact momentum.
  std::array<std::int64_t, 3> momentum_change{};
  /// Largest |L − L(0)| over Σ |x × p|, as Drifts::angular_momentum; null where angular momentum is not
  /// conserved, as with walls, gravity or supports.
  std::optional<double> angular_momentum_drift = 0;
  double collectives_per_event = 0;  ///< in which all ranks take part
  double exchanges_per_event = 0;    ///< of shared nodes, between ranks that have some in common
  // Work, in numbers that do not depend on the machine's speed.
  std::int64_t element_evaluations = 0;   ///< gradients, and samples along lines
  std::int64_t gradient_evaluations = 0;  ///< those for gradients alone
  std::int64_t searches = 0;              ///< for a first crossing; those that were begun
  std::int64_t contact_lists = 0;         ///< lists of near pairs that smooth contact made
  double wall_seconds = 0;
  std::map<std::string, double> wall_seconds_by_phase;
  /// Level of the processor whose kernels ran (TERRACE_SIMD), "x86-64-v3"; if ranks differ, all of them.
  std::string simd;
  std::string mesh_hash;                ///< 16 hexadecimal digits: positions and connectivity (mesh_hash.hpp)
  std::string state_hash;               ///< 16 hexadecimal digits; empty if one rank alone failed
  Monitors monitors;                    ///< an object
  std::optional<WindowRecord> windows;  ///< an object; null unless ranks work in windows
  std::optional<ConcurrencyRecord> concurrency;  ///< an object; null unless many events are done at once
  std::optional<BalanceRecord> balance;          ///< an object; null unless the integrator balances energy
  std::optional<StepRecord> steps;               ///< an object; null unless steps are solved for, or vary
  /// Seconds that forces and tangents took of rank 0's time in the integrator; empty for most integrators.
  std::map<std::string, double> wall_seconds_by_part;
  std::vector<std::string> warnings;
};

/// Writes summary.json into `directory`, whole or not at all; call on rank 0. Throws Error(run) naming the
/// file.
void write_summary(const std::filesystem::path& directory, const Summary& summary);

}  // namespace terrace
