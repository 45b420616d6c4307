// Histories of a run as tables: history.csv, probes.csv, bodies.csv or bodies.h5, subdomains.csv and
// steps.csv.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/records/records.hpp"
#include "io/body_file.hpp"
#include "io/growing_table.hpp"
#include "io/output_formats.hpp"

namespace terrace {

struct HistoryOptions {
  BodyTable bodies = BodyTable::csv;
  bool single_precision = false, compressed = false;  ///< of bodies.h5
  bool probes = false;                                ///< whether there are any
};

/// The rows of history.csv, of probes and of bodies, appended as the run goes on: others can look at them,
/// and few are in memory. Text has the shortest digits that are read back as the same number. Lives on rank
/// 0.
class Histories {
 public:
  explicit Histories(const std::filesystem::path& directory, const HistoryOptions& options = {});

  /// Throws Error(run) when one of the tables an earlier run left in the directory cannot be read, or has no
  /// row at `time`, that of bodies at `time_of_bodies`; changes nothing.
  void require_rows(double time, double time_of_bodies) const;
  /// Continues these tables: rows of history.csv and of probes up to and including `time`, those of bodies up
  /// to and including `time_of_bodies`, are kept. Throws as require_rows.
  void resume(double time, double time_of_bodies);

  /// Adds rows; writes them where many wait. Throws as flush().
  void add(const SystemRecord& record, const std::vector<ProbeRecord>& probes = {});
  void add(double time, const std::vector<BodyRecord>& bodies);

  /// Writes what waits. Throws Error(run) naming the file that could not be written.
  void flush();
  /// Flushes and closes: any program can then open the files. Throws as flush().
  void close();

  /// Flushes if two seconds have passed since the last time. Throws as flush().
  void flush_if_due();

 private:
  using Clock = std::chrono::steady_clock;

  GrowingTable system_;
  std::optional<GrowingTable> probes_;
  std::optional<GrowingTable> bodies_;
  std::optional<BodyFile> body_file_;
  Clock::time_point due_ = Clock::now();
};

/// Writes subdomains.csv (a row per subdomain) and steps.csv (a row per subdomain and non-empty bin of its
/// histogram of steps: from, to [time], count); subdomains are numbered from 0 in the order given. Throws
/// Error(run) naming the file.
void write_subdomain_tables(const std::filesystem::path& directory,
                            const std::vector<SubdomainRecord>& subdomains);

}  // namespace terrace
