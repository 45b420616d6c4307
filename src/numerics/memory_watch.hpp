// Notices that memory has run out where nobody was told.
#pragma once

namespace terrace {

/// From now on counts the requests of operator new, on any thread, for which there was no memory. To be
/// called once, at the beginning of main.
void count_failed_requests();

/// Tells whether a request for memory has failed since it was made. Streams, of libraries too, swallow
/// std::bad_alloc: a number that they were to read is then 0, and a part of a text that they were to write is
/// missing. Make it before they are used, and ask it afterwards.
class MemoryWatch {
 public:
  MemoryWatch();
  /// Throws std::bad_alloc if a request for memory has failed since this object was made.
  void require_enough() const;

 private:
  long failed_before_;
};

}  // namespace terrace
