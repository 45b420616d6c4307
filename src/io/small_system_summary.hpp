// What a run of a small system reports: history.csv and summary.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "hamiltonian/method.hpp"
#include "io/growing_table.hpp"

namespace terrace {

/// Every member is the key of the same name in summary.json, except where noted. Numbers that are not finite
/// become null.
struct SmallSystemSummary {
  std::string version, title, deck, petsc_options;
  std::string status = "done";
  std::string system, method;
  double end_time = 0, final_time = 0;
  std::int64_t steps = 0;
  double average_step = 0, shortest_step = 0, longest_step = 0;
  double energy = 0;  ///< at the start
  /// Largest |H − H(0)| of all steps: energy_error where the exact motion keeps H, energy_change where losses
  /// or loads change it. The other is NaN.
  double energy_error = std::numeric_limits<double>::quiet_NaN(),
         energy_change = std::numeric_limits<double>::quiet_NaN();
  /// energy_error over the largest of |H| and of the kinetic and potential energy at the start, and of later
  /// kinetic energies while the error was at most half of them; energy_error itself where all of these are 0.
  /// NaN where energy_error is.
  double energy_drift = std::numeric_limits<double>::quiet_NaN();
  /// Largest change of each conserved quantity over all steps, by its name: key changes_of_invariants.
  std::map<std::string, double> invariants;
  std::int64_t force_evaluations = 0;    ///< gradients, or forces
  std::int64_t hessian_evaluations = 0;  ///< or derivatives of forces
  MethodRecord record;  ///< keys unsolved_steps, rejected_steps, newton_solves, newton_iterations,
                        ///< newton_reason, and the object monitors with the method's own
  double wall_seconds = 0;
  std::map<std::string, double> wall_seconds_by_phase;
  std::string state_hash;  ///< 16 hexadecimal digits
  std::vector<std::string> warnings;
};

/// Writes summary.json into `directory`, whole or not at all. Throws Error(run) naming the file.
void write_summary(const std::filesystem::path& directory, const SmallSystemSummary& summary);

/// history.csv: time, step, energy, kinetic, potential, coordinates, momenta, invariants by their names.
/// Systems whose energy has no kinetic and potential parts have all of it as kinetic, 0 as potential.
class SmallSystemHistory {
 public:
  SmallSystemHistory(const std::filesystem::path& directory, const HamiltonianSystem& system);
  /// Adds a row for a step, unless the step has one.
  void add(const DenseState& state, std::int64_t step);
  void flush() { table_.flush(); }

 private:
  const HamiltonianSystem& system_;
  GrowingTable table_;
  std::int64_t last_step_ = -1;  ///< the last one with a row
};

}  // namespace terrace
