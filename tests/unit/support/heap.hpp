// How much memory the process holds, for tests of what objects cost.
#pragma once

#include <malloc.h>

#include <cstddef>

namespace terrace {

/// Bytes in use on the heap; 0 where the allocator does not tell (sanitizers have their own).
inline std::size_t heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace terrace
