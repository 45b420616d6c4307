#include "app/c_library.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace terrace {

#if defined(__GLIBC__) && defined(__x86_64__)

namespace {

struct Tunable {
  const char* name;
  const char* value;
};

/// Names of the processor's features in glibc 2.33 and newer, and in older ones. A glibc passes over names
/// that it does not know.
constexpr std::array<Tunable, 2> tunables = {
    {{"glibc.cpu.hwcaps", "-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable,-FMA4_Usable"},
     {"glibc.malloc.hugetlb", "1"}}};

}  // namespace

void prepare_c_library(char** argv) {
  if (getauxval(AT_SECURE) != 0) return;  // glibc ignores the variable in such a program
  constexpr const char* variable = "GLIBC_TUNABLES";
  const char* set = std::getenv(variable);
  const std::string before = set == nullptr ? "" : set;
  std::string all = before;
  for (const Tunable& tunable : tunables) {
    if (before.find(tunable.name) != std::string::npos) continue;
    if (!all.empty()) all += ":";
    all += std::string(tunable.name) + "=" + tunable.value;
  }
  if (all == before) return;
  if (setenv(variable, all.c_str(), 1) != 0) return;
  // By its own path, so that the process keeps its name; where that path has gone, by what it runs from.
  std::error_code none;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none) execv(own.c_str(), argv);
  execv("/proc/self/exe", argv);
}

#else

void prepare_c_library(char**) {}

#endif

#ifdef __GLIBC__

// Not left to glibc's defaults: SuperLU_DIST, which comes with PETSc, tells glibc when it is loaded never to
// give anything back.
void give_back_large_blocks() {
  constexpr int large = 1 << 21, many = 1 << 16;
  mallopt(M_MMAP_MAX, many);
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, large);
}

void keep_freed_blocks() {
  constexpr int none = 0, never = -1;
  mallopt(M_MMAP_MAX, none);
  mallopt(M_TRIM_THRESHOLD, never);
}

void return_free_memory() { malloc_trim(0); }

#else

void give_back_large_blocks() {}
void keep_freed_blocks() {}
void return_free_memory() {}

#endif

}  // namespace terrace
