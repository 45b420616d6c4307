// The packet kernels alone, for architectures that are only emulated: status 0 if they give the bits of any
// machine.
#include <cstdio>

#include "unit/support/packet_bits.hpp"

int main() {
  bool same = true;
  for (const terrace::PacketKernels* kernels : terrace::runnable_packet_kernels()) {
    const std::uint64_t bits = terrace::packet_bits(*kernels);
    same = same && bits == terrace::packet_bits_on_any_machine;
    std::printf("%s: %016llx, on any machine %016llx\n", kernels->level,
                static_cast<unsigned long long>(bits),
                static_cast<unsigned long long>(terrace::packet_bits_on_any_machine));
  }
  return same ? 0 : 1;
}
