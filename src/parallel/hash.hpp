// 64-bit hashes. A sum of mixed words, one for each item, is the same in every order, so ranks can add up
// their shares.
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
/// `hash` continued by one more word; it depends on the order of the words.
constexpr std::uint64_t chain(std::uint64_t hash, std::uint64_t word) { return mix(hash ^ mix(word)); }
constexpr std::uint64_t chain(std::uint64_t hash, double x) {
  return chain(hash, std::bit_cast<std::uint64_t>(x));
}

}  // namespace terrace
