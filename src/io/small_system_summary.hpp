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

/// Every member is a key of summary.json of the same name, but where noted. A number that is not finite
/// becomes null.
struct SmallSystemSummary {
  std::string version, title, deck, petsc_options;
  std::string status = "done";
  std::string system, method;
  double end_time = 0, final_time = 0;
  std::int64_t steps = 0;
  double average_step = 0, shortest_step = 0, longest_step = 0;
  double energy = 0;  ///< at the start
  /// Largest |H − H(0)| of all steps: where the exact motion keeps H its error, where losses or loads change
  /// it `energy_change`; the others are no numbers.
  double energy_error = std::numeric_limits<double>::quiet_NaN(),
         energy_change = std::numeric_limits<double>::quiet_NaN();
  /// The error over the largest of |H| and of the kinetic and potential energy at the start and, while the
  /// error is no more than half of it, the kinetic energy; itself where all are 0.
  double energy_drift = std::numeric_limits<double>::quiet_NaN();
  /// Largest change of each conserved quantity in all steps: key changes_of_invariants.
  std::map<std::string, double> invariants;
  std::int64_t force_evaluations = 0;    ///< gradients, or forces
  std::int64_t hessian_evaluations = 0;  ///< or derivatives of forces
  MethodRecord record;  ///< keys unsolved_steps, rejected_steps, newton_solves, newton_iterations,
                        ///< newton_reason and, of an object monitors, the method's own
  double wall_seconds = 0;
  std::map<std::string, double> wall_seconds_by_phase;
  std::string state_hash;  ///< 16 hexadecimal digits
  std::vector<std::string> warnings;
};

/// Writes summary.json into `directory`, whole or not at all. Throws Error(run) naming the file.
void write_summary(const std::filesystem::path& directory, const SmallSystemSummary& summary);

/// history.csv: time, step, energy, kinetic, potential, coordinates, momenta, invariants by their names.
/// Kinetic and potential energies of systems that have no such parts are the whole energy and 0.
class SmallSystemHistory {
 public:
  SmallSystemHistory(const std::filesystem::path& directory, const HamiltonianSystem& system);
  /// One row for a step, however often it is added.
  void add(const DenseState& state, std::int64_t step);
  void flush() { table_.flush(); }

 private:
  const HamiltonianSystem& system_;
  GrowingTable table_;
  std::int64_t last_step_ = -1;  ///< that has a row
};

}  // namespace terrace
