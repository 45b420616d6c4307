// Memory that ended where nobody was told.
#pragma once

namespace terrace {

/// Counts from now on the requests of operator new, on any thread, for which there was no memory. Once, at
/// the begin of main.
void count_failed_requests();

/// Streams, of libraries too, keep std::bad_alloc to themselves: a number that they were to read is 0 then,
/// and of a text that they were to write some is missing. Made before they are used, and asked after it.
class MemoryWatch {
 public:
  MemoryWatch();
  /// Throws std::bad_alloc where memory has ended since it was made.
  void require_enough() const;

 private:
  long failed_before_;
};

}  // namespace terrace
