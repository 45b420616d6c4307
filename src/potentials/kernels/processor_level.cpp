#include "potentials/kernels/processor_level.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace terrace {

#if defined(__x86_64__)

// Features that __builtin_cpu_supports does not know by name in every compiler.
static bool has_lzcnt_movbe_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0, extended = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || __get_cpuid(0x80000001, &a, &b, &extended, &d) == 0)
    return false;
  constexpr unsigned movbe = 1U << 22, f16c = 1U << 29, lzcnt = 1U << 5;
  return (c & movbe) != 0 && (c & f16c) != 0 && (extended & lzcnt) != 0;
}

static bool has_cmpxchg16b_lahf() {
  unsigned a = 0, b = 0, c = 0, d = 0, extended = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || __get_cpuid(0x80000001, &a, &b, &extended, &d) == 0)
    return false;
  return (c & (1U << 13)) != 0 && (extended & 1U) != 0;
}

std::size_t runnable_processor_levels() {
  __builtin_cpu_init();
  if (!(__builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3") &&
        __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
        __builtin_cpu_supports("popcnt") && has_cmpxchg16b_lahf()))
    return 1;
  // These answers include whether the operating system saves the wide registers.
  if (!(__builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_lzcnt_movbe_f16c()))
    return 2;
  if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")))
    return 3;
  return 4;
}

#else

std::size_t runnable_processor_levels() { return 1; }

#endif

}  // namespace terrace
