#include "app/plain_libm.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace terrace {

#if defined(__GLIBC__) && defined(__x86_64__)

void use_plain_libm(char** argv) {
  constexpr const char* variable = "GLIBC_TUNABLES";
  const char* set = std::getenv(variable);
  std::string tunables = set == nullptr ? "" : set;
  if (tunables.find("glibc.cpu.hwcaps") != std::string::npos) return;
  // The names of glibc 2.33 and newer, and those of older ones.
  if (!tunables.empty()) tunables += ":";
  tunables += "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable,-FMA4_Usable";
  if (setenv(variable, tunables.c_str(), 1) == 0) execv("/proc/self/exe", argv);
}

#else

void use_plain_libm(char**) {}

#endif

}  // namespace terrace
