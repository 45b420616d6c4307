// Which of the x86-64 levels (psABI: x86-64, -v2, -v3, -v4) the processor and its operating system offer.
#pragma once

#include <cstddef>

namespace terrace {

/// How many levels, from the plainest on; 1 on other architectures, for which there is one.
[[nodiscard]] std::size_t runnable_processor_levels();

}  // namespace terrace
