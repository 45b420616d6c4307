// Histories of a run as tables: history.csv, bodies.csv, subdomains.csv and steps.csv.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "dynamics/records.hpp"

namespace terrace {

/// The rows of history.csv and bodies.csv, kept in memory and written whole, so that a table can be looked at
/// while the job runs and is never cut off in the middle of a row. Numbers have 17 digits. Lives on rank 0.
class Histories {
 public:
  explicit Histories(std::filesystem::path directory);

  /// Continues the tables an earlier run left in the directory: their rows up to and including `time` are
  /// kept. Throws Error(run) when a table cannot be read or has no row at `time`.
  void resume(double time);

  void add(const SystemRecord& record);
  void add(double time, const std::vector<BodyRecord>& bodies);

  /// Writes both tables. Throws Error(run) naming the file that could not be written.
  void flush();

  /// Writes both tables if two seconds, and a hundred times what the last writing took, have gone by since:
  /// watching costs at most about 1 % of the run however long the tables grow. Throws as flush().
  void flush_if_due();

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path directory_;
  std::string system_, bodies_;  ///< the two files' contents
  Clock::time_point due_ = Clock::now();
};

/// Writes subdomains.csv (a row per subdomain) and steps.csv (a row per subdomain and non-empty bin of its
/// histogram of steps: from, to [time], count); subdomains are numbered from 0 in the order given. Throws
/// Error(run) naming the file.
void write_subdomain_tables(const std::filesystem::path& directory,
                            const std::vector<SubdomainRecord>& subdomains);

}  // namespace terrace
