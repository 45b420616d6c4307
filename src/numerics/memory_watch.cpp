#include "numerics/memory_watch.hpp"

#include <atomic>
#include <new>

namespace terrace {

static std::atomic<long> failed_requests{0};

void count_failed_requests() {
  std::set_new_handler([] {
    ++failed_requests;
    throw std::bad_alloc();
  });
}

MemoryWatch::MemoryWatch() : failed_before_(failed_requests) {}

void MemoryWatch::require_enough() const {
  if (failed_requests != failed_before_) throw std::bad_alloc();
}

}  // namespace terrace
