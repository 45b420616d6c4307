// bodies.h5: what bodies.csv holds, for many bodies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dynamics/records/records.hpp"
#include "io/hdf5.hpp"

namespace terrace {

/// Datasets `time` [rows], `name` [bodies], and for each quantity of BodyRecord one of [rows, bodies] or
/// [rows, bodies, 3]. Written so that readers may follow (HDF5's single writer, multiple readers), and of a
/// run that was killed all rows of the last flush can be read in that way. Lives on rank 0.
class BodyFile {
 public:
  /// `compressed`: by zlib, in a tenth of the speed. Nothing is on the disk before the first row.
  BodyFile(std::filesystem::path path, bool single_precision, bool compressed);
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;
  /// What could not be written was told by `close`.
  ~BodyFile();

  /// Throws Error(run) when the file an earlier run left cannot be read or has no row at `time`; changes
  /// nothing.
  void require_row(double time) const;
  /// Goes on from that file: its rows up to and including `time` are kept, in a new file that takes its
  /// place. Throws as require_row.
  void resume(double time);

  /// The same bodies every time. Throws Error(run) naming the file and the reason, once: what follows is
  /// ignored.
  void add(double time, const std::vector<BodyRecord>& bodies);
  /// As add.
  void flush();
  /// As add. After it any reader can open the file.
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
  /// Those of the file itself last.
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
