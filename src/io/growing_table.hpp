// A table of text that grows with a run and of which little is in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace terrace {

/// A header and rows, each of which begins with its time and ends with a new line. Rows are appended to the
/// file and taken back where they could not all be written, so that it always ends with a whole row; only
/// whoever reads it in the very moment of an append, or kills the run in it, may find a part of one, which
/// `resume` removes.
class GrowingTable {
 public:
  GrowingTable(std::filesystem::path path, std::string header);

  /// Throws Error(run) when the file an earlier run left cannot be read or has no row at `time`; changes
  /// nothing.
  void require_row(double time) const;
  /// Continues that file: its rows up to and including `time` are kept. Throws as require_row.
  void resume(double time);

  /// `write(text)` appends a row, or more, each with its new line. What it has appended when it throws is
  /// taken back. Where many rows wait they are flushed, as below.
  template <class Write>
  void add(const Write& write) {
    const std::size_t whole = pending_.size();
    try {
      write(pending_);
    } catch (...) {
      pending_.resize(whole);
      throw;
    }
    if (pending_.size() > many) flush();
  }
  /// Appends what waits. Throws Error(run) naming the file and the reason; then the rows still wait and the
  /// file is as it was.
  void flush();

 private:
  static constexpr std::size_t many = std::size_t{4} << 20;

  std::filesystem::path path_;
  std::string pending_;       ///< the header too, at first
  std::uint64_t length_ = 0;  ///< of the file
};

}  // namespace terrace
