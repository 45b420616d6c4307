// Which of the x86-64 levels (psABI: x86-64, -v2, -v3, -v4) the processor and its operating system offer.
#pragma once

#include <cstddef>

namespace terrace {

/// How many of the levels can run, counted from the plainest; 1 on other architectures, which have one level.
[[nodiscard]] std::size_t runnable_processor_levels();

}  // namespace terrace
