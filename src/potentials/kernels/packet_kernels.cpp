#include "potentials/kernels/packet_kernels.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "parallel/error.hpp"
#include "potentials/kernels/processor_level.hpp"

namespace terrace {

// Defined by packet_kernels_of_level.cpp, compiled for each level.
#if defined(__x86_64__)
namespace level_x86_64 {
extern const PacketKernels packet_kernels;
}
namespace level_x86_64_v2 {
extern const PacketKernels packet_kernels;
}
namespace level_x86_64_v3 {
extern const PacketKernels packet_kernels;
}
namespace level_x86_64_v4 {
extern const PacketKernels packet_kernels;
}
static constexpr std::array compiled{&level_x86_64::packet_kernels, &level_x86_64_v2::packet_kernels,
                                     &level_x86_64_v3::packet_kernels, &level_x86_64_v4::packet_kernels};
#else
namespace level_plain {
extern const PacketKernels packet_kernels;
}
static constexpr std::array compiled{&level_plain::packet_kernels};
#endif

std::span<const PacketKernels* const> compiled_packet_kernels() { return compiled; }

std::span<const PacketKernels* const> runnable_packet_kernels() {
  return compiled_packet_kernels().first(runnable_processor_levels());
}

/// The levels' names, as "a, b, c".
static std::string names_of(std::span<const PacketKernels* const> levels) {
  std::string names;
  for (const PacketKernels* kernels : levels)
    names += (names.empty() ? "" : ", ") + std::string(kernels->level);
  return names;
}

const PacketKernels& packet_kernels_named(std::string_view name) {
  const std::span<const PacketKernels* const> runnable = runnable_packet_kernels();
  if (name.empty()) return *runnable.back();
  const auto is_named = [name](const PacketKernels& kernels) {
    const std::string_view level = kernels.level;
    const std::string_view version = level.substr(level.find_last_of('-') + 1);  // "v3"
    const std::string_view without_dash = name.substr(name.starts_with('-') ? 1 : 0);
    return name == level || (version.starts_with('v') && without_dash == version);
  };
  for (const PacketKernels* kernels : runnable)
    if (is_named(*kernels)) return *kernels;
  for (const PacketKernels* kernels : compiled)
    if (is_named(*kernels))
      throw Error(Error::Kind::input, "environment variable TERRACE_SIMD",
                  "a level that this processor runs (" + names_of(runnable) + ")", std::string(name));
  throw Error(Error::Kind::input, "environment variable TERRACE_SIMD", "one of " + names_of(compiled),
              std::string(name));
}

const PacketKernels& packet_kernels() {
  static const PacketKernels& chosen = [&]() -> const PacketKernels& {
    const char* name = std::getenv("TERRACE_SIMD");
    return packet_kernels_named(name == nullptr ? "" : name);
  }();
  return chosen;
}

}  // namespace terrace
