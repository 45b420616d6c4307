// A 64-bit hash that ranks can add up: the sum over items of a mixed word is the same in every order.
#pragma once

#include <bit>
#include <cstdint>

namespace terrace {

/// SplitMix64's finaliser: every input bit moves every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
constexpr std::uint64_t chain(std::uint64_t hash, std::uint64_t word) { return mix(hash ^ mix(word)); }
constexpr std::uint64_t chain(std::uint64_t hash, double x) {
  return chain(hash, std::bit_cast<std::uint64_t>(x));
}

}  // namespace terrace
