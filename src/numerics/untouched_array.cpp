#include "numerics/untouched_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

namespace terrace {
namespace {

constexpr std::size_t cache_line = 64;
/// Fewer bytes come from the heap: a system call takes longer than to write some pages.
constexpr std::size_t worth_a_call = 1 << 16;

}  // namespace

void* untouched_pages(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes < worth_a_call)
    return std::memset(::operator new (bytes, std::align_val_t{cache_line}), 0, bytes);
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  // In huge pages all that is beside a row that is written would take memory too. The call fails if Linux has
  // none.
  static_cast<void>(::madvise(pages, bytes, MADV_NOHUGEPAGE));
  return pages;
}

void forget_pages(void* pages, std::size_t bytes, std::size_t first, std::size_t last) noexcept {
  if (bytes < worth_a_call) return;
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  first = (first + page - 1) / page * page;
  last = last / page * page;
  if (first < last)
    static_cast<void>(::madvise(static_cast<std::byte*>(pages) + first, last - first, MADV_DONTNEED));
}

void return_pages(void* pages, std::size_t bytes) noexcept {
  if (pages == nullptr) return;
  if (bytes < worth_a_call)
    ::operator delete (pages, std::align_val_t{cache_line});
  else
    ::munmap(pages, bytes);
}

}  // namespace terrace
