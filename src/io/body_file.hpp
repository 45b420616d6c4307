// bodies.h5: what bodies.csv holds, for many bodies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dynamics/records/records.hpp"
#include "io/hdf5.hpp"

namespace terrace {

/// Datasets `time` [rows], `name` [bodies], and one for each quantity of BodyRecord, [rows, bodies] or [rows,
/// bodies, 3]. Readers may follow while it is written (HDF5's single writer, multiple readers); in that way
/// all rows up to the last flush can also be read after a run that was killed. Lives on rank 0.
class BodyFile {
 public:
  /// `compressed`: by zlib, which writes at a tenth of the speed. There is no file before the first row.
  BodyFile(std::filesystem::path path, bool single_precision, bool compressed);
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;
  /// Reports no failure to write: `close` does.
  ~BodyFile();

  /// Throws Error(run) when the file that an earlier run left cannot be read or has no row at `time`; changes
  /// nothing.
  void require_row(double time) const;
  /// Continues that file: copies its rows up to and including `time` to a new file, which takes its place.
  /// Throws as require_row.
  void resume(double time);

  /// Appends a row; `bodies` are the same every time. Throws Error(run) naming the file and the reason, once:
  /// later calls then do nothing.
  void add(double time, const std::vector<BodyRecord>& bodies);
  /// Flushes the rows so far. Throws as add.
  void flush();
  /// Closes the file, which any reader can then open. Throws as add.
  void close();

 private:
  struct Quantity {
    std::string name;
    hsize_t components;
    hdf5::Handle data;
  };
  void create(const std::filesystem::path& path, const std::vector<std::string>& names);
  void copy_rows(const std::filesystem::path& to, double until);
  void append(double time, const std::vector<std::vector<double>>& values);
  void require_room() const;
  /// Calls `visit` for every handle, that of the file itself last.
  template <class Visit>
  void visit_handles(Visit visit);

  std::filesystem::path path_;
  bool single_precision_, compressed_;
  bool failed_ = false;
  hsize_t rows_ = 0, bodies_ = 0;
  hsize_t waiting_ = 0;  ///< rows since the last flush
  hdf5::Handle file_, time_;
  std::vector<Quantity> quantities_;
};

}  // namespace terrace
