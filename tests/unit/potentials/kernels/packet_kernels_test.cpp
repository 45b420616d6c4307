#include "potentials/kernels/packet_kernels.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "parallel/error.hpp"
#include "support/packet_bits.hpp"

namespace terrace::packet_kernels_test {
namespace {

TEST(PacketKernels, EveryLevelGivesTheBitsOfAnyMachine) {
  for (const PacketKernels* kernels : runnable_packet_kernels())
    EXPECT_EQ(packet_bits(*kernels), packet_bits_on_any_machine) << kernels->level;
}

TEST(PacketKernels, EveryLevelGivesTheSameBitsForTheOtherLaws) {
  for (const PacketKernels* kernels : runnable_packet_kernels())
    EXPECT_EQ(PacketBits(*kernels).hash_of_other_laws(), bits_of_other_laws_on_any_machine) << kernels->level;
}

TEST(PacketKernels, EveryLevelGivesTheSameBitsForNodesOnLines) {
  for (const PacketKernels* kernels : runnable_packet_kernels())
    EXPECT_EQ(PacketBits(*kernels).hash_of_lines(), bits_of_lines_on_any_machine) << kernels->level;
}

TEST(PacketKernels, LevelsAreDifferentCode) {
  std::set<decltype(PacketKernels{}.neo_hookean.gradient)> gradients;
  std::set<std::string> names;
  for (const PacketKernels* kernels : compiled_packet_kernels()) {
    gradients.insert(kernels->neo_hookean.gradient);
    names.insert(kernels->level);
  }
  EXPECT_EQ(gradients.size(), compiled_packet_kernels().size());
  EXPECT_EQ(names.size(), compiled_packet_kernels().size());
}

TEST(PacketKernels, AreFoundByTheirNames) {
  EXPECT_EQ(&packet_kernels_named(""), runnable_packet_kernels().back());
  for (const PacketKernels* kernels : runnable_packet_kernels()) {
    EXPECT_EQ(&packet_kernels_named(kernels->level), kernels);
    const std::string level = kernels->level;
    if (level.size() < 2 || level[level.size() - 2] != 'v') continue;
    EXPECT_EQ(&packet_kernels_named(level.substr(level.size() - 2)), kernels) << "v3";
    EXPECT_EQ(&packet_kernels_named(level.substr(level.size() - 3)), kernels) << "-v3";
  }
}

TEST(PacketKernels, OtherNamesAreErrorsOfTheInput) {
  for (const char* name :
       {"v5", "v", "-", "3", "64", "avx2", "x86-64-v", "X86-64", "x86-64-v33", "-x86-64", "vv3", "--v3"}) {
    try {
      (void)packet_kernels_named(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 2);
      EXPECT_NE(std::string(error.what()).find("TERRACE_SIMD"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(runnable_packet_kernels()[0]->level), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace terrace::packet_kernels_test
