// A table of text that grows with a run and of which little is in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace terrace {

/// A header and rows, each of which begins with its time and ends with a new line. Rows are appended to the
/// file and taken back where they could not all be written, so that it always ends with a whole row; only
/// whoever reads it in the very moment of an append, or kills the run in it, may find a part of one, which
/// `resume` removes.
class GrowingTable {
 public:
  GrowingTable(std::filesystem::path path, std::string header);

  /// Continues the file an earlier run left: its rows up to and including `time` are kept. Throws Error(run)
  /// when it cannot be read or has no row at `time`.
  void resume(double time);

  /// Adds a row, or more, each with its new line, whole or, when memory runs out, not at all; where many wait
  /// they are flushed, as below.
  void add(std::string_view rows);
  /// Appends what waits. Throws Error(run) naming the file and the reason; then the rows still wait and the
  /// file is as it was.
  void flush();

 private:
  std::filesystem::path path_;
  std::string pending_;       ///< the header too, at first
  std::uint64_t length_ = 0;  ///< of the file
};

}  // namespace terrace
