// A stream buffer that writes to a file which appears whole or not at all.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <streambuf>

#include "io/whole_file.hpp"

namespace terrace {

/// Writes what a stream is given to a file. Whoever writes into the stream is not told of a failure: whoever
/// made it asks here (rethrow_failure).
class WholeFileBuffer : public std::streambuf {
 public:
  /// `file` outlives this, and is written by nobody else.
  explicit WholeFileBuffer(WholeFile& file);
  /// Throws what the file threw first; nothing was written after that. Flush the stream before: this tells of
  /// what it had passed on so far.
  void rethrow_failure() const;

 protected:
  int_type overflow(int_type character) override;
  int sync() override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override;
  pos_type seekpos(pos_type place, std::ios_base::openmode which) override;

 private:
  void pass_on();

  WholeFile& file_;
  std::array<char, 1 << 16> room_{};
  std::uint64_t place_ = 0;   ///< of `room_` in the file
  std::uint64_t length_ = 0;  ///< of the file, without `room_`
  std::exception_ptr failure_;
};

}  // namespace terrace
