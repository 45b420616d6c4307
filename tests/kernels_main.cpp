// The packet kernels alone, for architectures that are only emulated: status 0 if they give the bits of any
// machine.
#include <cstdio>

#include "unit/support/packet_bits.hpp"

int main() {
  bool same = true;
  for (const terrace::PacketKernels* kernels : terrace::runnable_packet_kernels()) {
    const auto compare = [&](std::uint64_t bits, std::uint64_t on_any_machine) {
      same = same && bits == on_any_machine;
      std::printf("%s: %016llx, on any machine %016llx\n", kernels->level,
                  static_cast<unsigned long long>(bits), static_cast<unsigned long long>(on_any_machine));
    };
    compare(terrace::packet_bits(*kernels), terrace::packet_bits_on_any_machine);
    compare(terrace::PacketBits(*kernels).hash_of_other_laws(), terrace::bits_of_other_laws_on_any_machine);
    compare(terrace::PacketBits(*kernels).hash_of_lines(), terrace::bits_of_lines_on_any_machine);
  }
  return same ? 0 : 1;
}
