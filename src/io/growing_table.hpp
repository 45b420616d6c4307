// A table of text that grows with a run, of which only the last rows are in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace terrace {

/// A header and rows, each of which begins with its time and ends with a new line. Rows that could not all be
/// appended to the file are taken back, so that it always ends with a whole row. A part of a row can be there
/// only in the very moment of an append, or after a run that was killed in it; `resume` removes it.
class GrowingTable {
 public:
  GrowingTable(std::filesystem::path path, std::string header);

  /// Throws Error(run) when the file that an earlier run left cannot be read or has no row at `time`; changes
  /// nothing.
  void require_row(double time) const;
  /// Continues that file: its rows up to and including `time` are kept. Throws as require_row.
  void resume(double time);

  /// `write(text)` appends one or more rows to `text`, each with its new line. Where it throws, what it has
  /// appended is taken back. Flushes where many rows wait.
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
  /// Appends the rows that wait to the file. Throws Error(run) naming the file and the reason; the rows then
  /// still wait, and the file is as it was.
  void flush();

 private:
  static constexpr std::size_t many = std::size_t{4} << 20;

  std::filesystem::path path_;
  std::string pending_;       ///< the rows that wait; at first the header too
  std::uint64_t length_ = 0;  ///< of the file [bytes]
};

}  // namespace terrace
